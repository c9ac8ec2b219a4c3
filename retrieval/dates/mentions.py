"""Finding what a list of readers can read in a text, the first readers first, each stretch of text once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from retrieval.dates.stretches import Period

InYear = Callable[[int], Period]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of its words.

    `in_year` gives the same words in another year, for what was written without one ("marzo"); `dated` says that the
    year was written.
    """

    period: Period
    in_year: InYear | None = None
    dated: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A reading and where it stands."""

    start: int
    end: int
    reading: Reading


Reader = tuple[re.Pattern[str], Callable[[re.Match[str]], Reading | None]]
"""A pattern, and how to read it; a group named `it` narrows the mention to itself. No such date: ValueError."""


ClockReader = tuple[re.Pattern[str], Callable[[datetime, re.Match[str]], Reading | None]]


def spoken(pattern: str, read: Callable[[datetime, re.Match[str]], Reading | None]) -> ClockReader:
    """Make a reader of words whose meaning hangs on when they are said."""
    return re.compile(pattern, re.IGNORECASE), read


def written(pattern: str, read: Callable[[re.Match[str]], Period | None]) -> Reader:
    """Make a reader of dates that hold their year."""

    def dated(match: re.Match[str]) -> Reading | None:
        period = read(match)
        return Reading(period, dated=True) if period else None

    return re.compile(pattern, re.IGNORECASE), dated


def at(asked_at: datetime, readers: Iterable[ClockReader]) -> list[Reader]:
    """Give readers that need a clock the time at which the question was asked."""
    return [(pattern, partial(read, asked_at)) for pattern, read in readers]


def scan(text: str, readers: Iterable[Reader]) -> list[Mention]:
    """Give what the readers find, in the order of the text."""
    found: list[Mention] = []
    for pattern, read in readers:
        fresh = [mention for match in pattern.finditer(text) if (mention := _mention(match, read))]
        text = _blanked(text, fresh)
        found += fresh
    return sorted(found, key=lambda mention: mention.start)


def _mention(match: re.Match[str], read: Callable[[re.Match[str]], Reading | None]) -> Mention | None:
    try:
        reading = read(match)
    except (ValueError, OverflowError):  # the 30th of February, the year 0
        return None
    start, end = match.span("it") if "it" in match.re.groupindex else match.span()
    return Mention(start, end, reading) if reading else None


def _blanked(text: str, mentions: Sequence[Mention]) -> str:
    for mention in mentions:
        text = text[: mention.start] + "\x00" * (mention.end - mention.start) + text[mention.end :]
    return text
