"""What comes every year and is named without one ("3 de marzo", "in July", "Q1"): the latest that has begun."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime

from retrieval.dates.day_parser import parsed
from retrieval.dates.mentions import ClockReader, Reading, spoken
from retrieval.dates.month_words import is_day_of_month, is_month
from retrieval.dates.names import (
    ANY_MONTH,
    ANY_WEEKDAY,
    ENGLISH_MONTHS,
    MONTH,
    SEASON,
    WEEKDAY,
    WEEKDAY_NUMBERS,
    month_number,
)
from retrieval.dates.stretches import Period, day, latest, month, months_later
from retrieval.dates.written_days import DAY, FREE, ORDINAL, TO, day_number
from retrieval.dates.written_stretches import NTH_QUARTER, SHORT_QUARTER, quarter_in, season_in

_WEEKDAY = rf"(?:\b{ANY_WEEKDAY},? (?:the )?)?"
_NO_NUMBER = r"(?![\w/%-]|[.,:][0-9])"
_MONTHS_BACK = 24  # within these any number of a month falls on any weekday, the 31st nearly so


def _day(asked_at: datetime, match: re.Match[str]) -> Reading | None:
    if not is_day_of_month(match):
        return None
    number, month_ = day_number(match["day"]), month_number(match["month"])
    period = parsed(f"{number} {ENGLISH_MONTHS[month_ - 1]}", asked_at.date())
    return Reading(period, lambda year: day(date(year, month_, number))) if period else None


def _days(asked_at: datetime, match: re.Match[str]) -> Reading:
    month_, first, last = month_number(match["month"]), day_number(match["day"]), day_number(match["to"])

    def in_year(year: int) -> Period:
        return Period(date(year, month_, first), date(year, month_, last))

    return Reading(latest(in_year, asked_at.date()), in_year)


def _numbered_day(asked_at: datetime, match: re.Match[str]) -> Reading | None:
    """Read "el día 5": the latest day of that number that has come."""
    return next((Reading(day(found)) for found in _numbered(day_number(match["day"]), asked_at.date())), None)


def _weekday_and_number(asked_at: datetime, match: re.Match[str]) -> Reading | None:
    """Read "el martes 3": the latest 3rd that was a Tuesday."""
    weekday = WEEKDAY_NUMBERS[match["weekday"].lower()]
    days = _numbered(day_number(match["day"]), asked_at.date())
    return next((Reading(day(found)) for found in days if found.weekday() == weekday), None)


def _numbered(number: int, today: date) -> Iterator[date]:
    """Give the days of that number in their months, backwards from today."""
    for back in range(_MONTHS_BACK):
        first = months_later(today.replace(day=1), -back)
        if number <= month(first.year, first.month).last.day and (found := first.replace(day=number)) <= today:
            yield found


def _day_of_month(asked_at: datetime, match: re.Match[str]) -> Reading:
    """Read "el 5 del mes pasado"."""
    first = months_later(asked_at.date().replace(day=1), -1 if match["last"] else 0)
    return Reading(day(first.replace(day=day_number(match["day"]))))


def _numeric_day(asked_at: datetime, match: re.Match[str]) -> Reading:
    number, month_ = int(match["day"]), int(match["month"])

    def in_year(year: int) -> Period:
        return day(date(year, month_, number))

    return Reading(latest(in_year, asked_at.date()), in_year)


def _month(asked_at: datetime, match: re.Match[str]) -> Reading | None:
    if not is_month(match):
        return None
    number = month_number(match["month"])
    return Reading(latest(lambda year: month(year, number), asked_at.date()), lambda year: month(year, number))


def _quarter(asked_at: datetime, match: re.Match[str]) -> Reading:
    return Reading(latest(lambda year: quarter_in(match, year), asked_at.date()), lambda year: quarter_in(match, year))


def _season(asked_at: datetime, match: re.Match[str]) -> Reading:
    return Reading(latest(lambda year: season_in(match, year), asked_at.date()), lambda year: season_in(match, year))


DAYS: tuple[ClockReader, ...] = (
    spoken(rf"{FREE}(?P<day>{DAY}){ORDINAL}{TO}(?P<to>{DAY}){ORDINAL} (?:de |of )?(?P<month>{ANY_MONTH})(?!\w)", _days),
    spoken(rf"\b(?P<month>{ANY_MONTH}) (?P<day>{DAY}){ORDINAL}{TO}(?P<to>{DAY}){ORDINAL}{_NO_NUMBER}", _days),
    spoken(rf"{_WEEKDAY}{FREE}(?P<day>{DAY}){ORDINAL}(?: de | of |[ -])(?P<month>{ANY_MONTH})(?!\w)", _day),
    spoken(rf"{_WEEKDAY}\b(?P<month>{ANY_MONTH}) (?P<day>{DAY}){ORDINAL}{_NO_NUMBER}", _day),
    spoken(
        r"\b(?:el|del|al|dia) (?P<day>[0-3]?[0-9])/(?P<month>[01]?[0-9])(?<!24/7)(?![\w/%-]|[.,][0-9])", _numeric_day
    ),
    spoken(
        rf"{FREE}(?P<day>{DAY}){ORDINAL} (?:del?|of) (?:(?P<last>mes pasado|last month)|este mes|this month)\b",
        _day_of_month,
    ),
    spoken(rf"\b(?P<weekday>{WEEKDAY})(?: the|,)? (?P<day>{DAY}){ORDINAL}(?= *(?:$|[,.;?!)]))", _weekday_and_number),
    spoken(rf"\b(?:el|del|al) dia (?P<day>{DAY})(?! de\b){_NO_NUMBER}", _numbered_day),
    spoken(rf"\bon the (?P<day>{DAY})(?:st|nd|rd|th)(?= *(?:$|[,.;?!)]))", _numbered_day),
)
MONTHS: tuple[ClockReader, ...] = (
    spoken(rf"\b(?=\w+ (?:trimestre|semestre)\b){NTH_QUARTER}\b", _quarter),  # a "second half" is football's as well
    spoken(
        r"\b(?:en|in|del?|of|since|desde|entre|between|for|from|to|al?|y|and) (?:el |the )?"
        rf"(?=Q)(?P<it>{SHORT_QUARTER})\b",
        _quarter,
    ),
    spoken(
        rf"\b(?:desde|since|entre|between) (?:el |la |the )?(?P<it>(?P<season>{SEASON}))\b(?! (?-i:[A-Z0-9]))", _season
    ),
    spoken(rf"(?<![\w@#.])(?P<month>{MONTH})(?![\w@]|\.\w)", _month),
)
