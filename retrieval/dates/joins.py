"""What the words between dates make of them: one year for two months, ranges, open ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from retrieval.dates.mentions import InYear, Mention, Reading
from retrieval.dates.names import WEEKDAY
from retrieval.dates.parts import ANY_PART, THE, parts
from retrieval.dates.stretches import Period

_DAY = timedelta(days=1)
_FARTHEST_CHARACTERS = 60


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


_LINK_WORDS = "y|and|e|o|or|u|al?|to|hasta|until|till|through|thru"
_LINK = _pattern(rf"(?: ?[,/–—-] ?|,? (?:{_LINK_WORDS}) ){THE}{ANY_PART}{THE}")
_TO = _pattern(rf"(?: ?[–—-] ?| (?:al?|to|hasta|until|till|through|thru) ){THE}{ANY_PART}{THE}")
_AND = _pattern(rf" (?:y|and) {THE}{ANY_PART}{THE}")
_BETWEEN = _pattern(rf"\b(?:entre|between) {THE}{ANY_PART}{THE}$")
_FROM = _pattern(rf"\b(?:del?|desde|from|entre|between) {THE}$")
_WEEKDAY = _pattern(rf"{WEEKDAY}\b")
_SINCE = _pattern(rf"\b(?:(?:desde|since|a partir)(?: del?)?|starting(?: in| on)?) {THE}$")
_STARTING = _pattern(rf"\b(?:del?|from) {THE}$")
_ONWARDS = _pattern(r",? (?:en adelante|onwards?|forward)\b")
_UNTIL = _pattern(rf"\b(?:hasta|until|till|up to) {THE}$")
_BEFORE = _pattern(rf"\b(?:antes del?|before|prior to|anterior(?:es)? al?|previ[oa]s? al?) {THE}$")
_AFTER = _pattern(rf"\b(?:despues del?|after|posterior(?:es)? al?|tras) {THE}$")


def joined(text: str, mentions: Sequence[Mention], today: date) -> list[Period]:
    """Give the periods that the mentions of a text name together, in its order."""
    ranged = _ranges(text, parts(text, _with_years(text, mentions)))
    return [period for mention in ranged if (period := _open(text, mention, today))]


def _before(text: str, mention: Mention) -> str:
    return text[max(0, mention.start - _FARTHEST_CHARACTERS) : mention.start]


def _with_years(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Let a year written once stand for its neighbours: "entre marzo y mayo de 2024"."""
    shared = list(mentions)
    for place in range(len(shared) - 2, -1, -1):
        first, second = shared[place], shared[place + 1]
        gap = text[first.end : second.start]
        if not _LINK.fullmatch(gap):
            continue
        ranged = bool(_TO.fullmatch(gap) or _BETWEEN.search(_before(text, first)))
        if first.reading.in_year and not first.reading.dated and (second.reading.dated or ranged):
            shared[place] = _moved(first, first.reading.in_year, second, -1)
        elif first.reading.dated and ranged and second.reading.in_year and not second.reading.dated:
            shared[place + 1] = _moved(second, second.reading.in_year, first, 1)
    return shared


def _moved(mention: Mention, in_year: InYear, other: Mention, step: int) -> Mention:
    """Put a mention into the other's year, or one step on when that is the wrong side of it."""
    year = other.reading.period.first.year
    try:
        period = in_year(year)
        if (other.reading.period.first - period.first).days * step > 0:
            period = in_year(year + step)
    except (ValueError, OverflowError):  # no 29th of February in that year
        return mention
    return Mention(mention.start, mention.end, Reading(period, in_year, dated=other.reading.dated))


def _ranges(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    found: list[Mention] = []
    for mention in mentions:
        ranged = _range(text, found[-1], mention) if found else None
        if ranged:
            found[-1] = ranged
        else:
            found.append(mention)
    return found


def _range(text: str, first: Mention, second: Mention) -> Mention | None:
    gap, before = text[first.end : second.start], _before(text, first)
    if not (_TO.fullmatch(gap) or (_AND.fullmatch(gap) and _BETWEEN.search(before))):
        return None
    begins, ends = first.reading.period.first, second.reading.period.last
    if begins > ends and _WEEKDAY.match(text, first.start):
        begins -= timedelta(weeks=1)  # asked on a Tuesday, "lunes" is this week's and "miércoles" last week's
    if begins > ends:
        return None
    lead = _FROM.search(before)
    start = first.start - (len(before) - lead.start() if lead else 0)
    return Mention(start, second.end, Reading(Period(begins, ends), dated=True))


def _open(text: str, mention: Mention, today: date) -> Period | None:
    """Open a period where the words say since, until, before or after; None when that leaves nothing said."""
    period, before = mention.reading.period, _before(text, mention)
    if _SINCE.search(before) or (_STARTING.search(before) and _ONWARDS.match(text, mention.end)):
        return _from(period.first, today)
    if _UNTIL.search(before):
        return Period(date.min, period.last) if period.last != today else None
    if _BEFORE.search(before):
        return Period(date.min, period.first - _DAY) if period.first > date.min else None
    if _AFTER.search(before):
        return _from(period.last + _DAY, today) if period.last < date.max else None
    return period


def _from(first: date, today: date) -> Period:
    return Period(first, today if first <= today else date.max)
