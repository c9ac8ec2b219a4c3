"""The list by dates: of the pages that the other lists found, those that tell of a time the question names.

It reweighs and never hides: it adds no page that nothing else found, and takes none away.
"""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.catalogue import Catalogue
from retrieval.dates.stretches import Period

# How well a date of a page meets a period asked for, best first.
_INSIDE, _WIDER, _REVISED = range(3)


def dated_pages(pages: Sequence[int], asked: Sequence[Period], catalogue: Catalogue) -> list[int]:
    """Give the pages with a date in one of the periods, in the order they come in but for how their dates meet it.

    A date no longer than the period comes before a longer one (a page about 2008 tells less of July), and last comes
    the day on which the page was only updated.
    """
    best: dict[int, int] = {}
    for period in asked:
        for found in catalogue.dates_within(pages, period):
            match = _REVISED if found.revised else _INSIDE if found.days <= _days(period) else _WIDER
            best[found.page] = min(match, best.get(found.page, match))
    return sorted((page for page in pages if page in best), key=best.__getitem__)


def _days(period: Period) -> int:
    return (period.last - period.first).days + 1
