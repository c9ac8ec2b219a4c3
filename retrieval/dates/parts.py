"""Parts of a period, by the words before it: "principios de 2020", "late March", "la primera semana de mayo"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial

from retrieval.dates.mentions import Mention, Reading
from retrieval.dates.stretches import DAYS_IN_WEEK, Period, unit_at

THE = r"(?:(?:el|la|los|las|the|mes de|month of) )*"
_EARLY = r"(?:principios?|inicios?|comienzos?) del? |early(?: in)?[ -]|(?:beginning|start) of "
_MIDDLE = r"mediados del? |mitad del? |mid[ -]|middle of "
_LATE = r"(?:final(?:es)?|fin|fines) del? |late(?: in)?[ -]|end of "
ANY_PART = rf"(?:(?:a |al |the )?(?:{_EARLY}|{_MIDDLE}|{_LATE}))?"
_OF = rf"(?: del?| of| in) {THE}$"
_HALF_MONTH_DAYS = 15
_FARTHEST_CHARACTERS = 60

Narrow = Callable[[Period], Period]


def _third(whole: Period, number: int) -> Period:
    """Give a third of a period; one of two days stays whole."""
    length = ((whole.last - whole.first).days + 1) // 3
    if length == 0:
        return whole
    one, two = whole.first + timedelta(days=length), whole.last - timedelta(days=length)
    day = timedelta(days=1)
    return (Period(whole.first, one - day), Period(one, two), Period(two + day, whole.last))[number]


def _days(whole: Period, skipped: int, length: int) -> Period:
    first = whole.first + timedelta(days=skipped)
    return Period(first, min(whole.last, first + timedelta(days=length - 1))) if first <= whole.last else whole


def _last_days(whole: Period, length: int) -> Period:
    return Period(max(whole.first, whole.last - timedelta(days=length - 1)), whole.last)


def _week(whole: Period) -> Period:
    """Give the week of a day: "la semana del 3 de marzo"."""
    return unit_at("week", whole.first) if whole.first == whole.last else whole


def _before(words: str, narrow: Narrow) -> tuple[re.Pattern[str], Narrow]:
    return re.compile(words, re.IGNORECASE), narrow


_PARTS: Sequence[tuple[re.Pattern[str], Narrow]] = (
    *(
        _before(rf"\b(?:a |al |the )?(?:{words}){THE}$", partial(_third, number=number))
        for number, words in enumerate((_EARLY, _MIDDLE, _LATE))
    ),
    *(
        _before(rf"\b(?:{nth}) (?:semana|week){_OF}", partial(_days, skipped=week * DAYS_IN_WEEK, length=DAYS_IN_WEEK))
        for week, nth in enumerate(("primera|first", "segunda|second", "tercera|third", "cuarta|fourth"))
    ),
    _before(rf"\b(?:ultima semana|last week){_OF}", partial(_last_days, length=DAYS_IN_WEEK)),
    _before(rf"\b(?:semana|week){_OF}", _week),
    _before(rf"\bprimera quincena{_OF}", partial(_days, skipped=0, length=_HALF_MONTH_DAYS)),
    _before(rf"\bsegunda quincena{_OF}", partial(_days, skipped=_HALF_MONTH_DAYS, length=_HALF_MONTH_DAYS + 1)),
)


def parts(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Narrow each mention to the part of it that the words before it name."""
    return [_part(text, mention) for mention in mentions]


def _part(text: str, mention: Mention) -> Mention:
    window = max(0, mention.start - _FARTHEST_CHARACTERS)
    for pattern, narrow in _PARTS:
        if found := pattern.search(text[window : mention.start]):
            return Mention(window + found.start(), mention.end, Reading(narrow(mention.reading.period), dated=True))
    return mention
