"""The dates that stand written in a page's text, with their year. Versions and plain numbers are none.

Only the surroundings of four digits that may be a year are read, so that a wiki of 14 MB costs a second or two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retrieval.dates.mentions import Mention, scan
from retrieval.dates.names import without_accents
from retrieval.dates.parts import parts
from retrieval.dates.stretches import Period
from retrieval.dates.written_days import ISO, NAMED, NUMERIC
from retrieval.dates.written_stretches import FULL_DECADES, QUARTERS, SEASONS_OF_YEARS
from retrieval.dates.written_years import CLEAR_YEARS, RANGES

_READERS = (*ISO, *NAMED, *NUMERIC, *QUARTERS, *SEASONS_OF_YEARS, *FULL_DECADES, *RANGES, *CLEAR_YEARS)
_YEAR = re.compile(r"(?<![0-9a-z])(?:1[0-9]|20)[0-9]{2}(?![0-9a-rt-z])")  # "FY2024", "1980s"; not the digits of a hash
_CHARACTERS_BEFORE = 60  # "miércoles, 30 de septiembre de", and the words that tell a year from a quantity
_CHARACTERS_AFTER = 24


def dates_in(text: str, limit: int = 50) -> tuple[Period, ...]:
    """Give the periods written in a text, in its order, each once, `limit` at most."""
    found: dict[Period, None] = {}
    for surroundings in _around_years(text):
        for mention in _mentions(without_accents(surroundings)):
            found[mention.reading.period] = None
            if len(found) >= limit:
                return tuple(found)
    return tuple(found)


def _mentions(plain: str) -> list[Mention]:
    return parts(plain, scan(plain, _READERS))


def _around_years(text: str) -> Iterator[str]:
    """Cut out the text around each possible year; what overlaps comes as one."""
    start = end = 0
    for match in _YEAR.finditer(text):
        if match.start() - _CHARACTERS_BEFORE > end:
            if end:
                yield text[start:end]
            start = match.start() - _CHARACTERS_BEFORE
        end = match.end() + _CHARACTERS_AFTER
    if end:
        yield text[start:end]
