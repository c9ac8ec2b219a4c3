"""Days and months that are written out with their year, so that no clock is needed.

Patterns read text without accents whose spaces are single. Day comes before month ("05/03/2024" is the 5th of March),
unless only the other order is a date.
"""

from __future__ import annotations

import re
from datetime import date

from retrieval.dates.mentions import Reader, written
from retrieval.dates.names import ANY_MONTH, ANY_WEEKDAY, MONTH, SHORT_MONTH, month_number
from retrieval.dates.stretches import DAYS_IN_WEEK, MONTHS_IN_YEAR, Period, day, month, years

YEAR = r"(?:1[0-9]{3}|20[0-9]{2})"
OF_YEAR = rf"(?:,? (?:del? |of )?(?:ano )?|[-/])(?P<year>{YEAR})(?!\w|[.,:][0-9])"
DAY = r"(?:0?[1-9]|[12][0-9]|3[01]|primero|first)"
TO = r"(?: ?[-–—] ?| (?:al?|y|hasta|to|and|until|through) (?:el |the )?)"
ORDINAL = r"(?:st|nd|rd|th|o|\.o)?"
FREE = r"(?<![\w.,/+-])"  # not in the middle of a path, a version, a longer number
_DIGITS = r"(?P<day>[0-3]?[0-9])(?P<mark>[-/])(?P<month>[0-3]?[0-9])(?P=mark)"
_PREPOSITION = "en|in|del?|desde|hasta|since|from|until|al?|to|entre|between|y|and"  # "Ley 3/2018" is no month
_WEEKDAY = rf"(?:\b{ANY_WEEKDAY},? (?:the )?)?"
_DIGITS_OF_SHORT_YEAR = 2
_PIVOT = 70  # of years in two digits: 70 is 1970, 69 is 2069


def day_number(text: str) -> int:
    """Read what `DAY` matched."""
    return int(text) if text.isdigit() else 1


def year_number(text: str) -> int:
    """Read a year of four digits, or of two."""
    value = int(text)
    if len(text) > _DIGITS_OF_SHORT_YEAR:
        return value
    return value + (1900 if value >= _PIVOT else 2000)


def _iso_week(match: re.Match[str]) -> Period:
    first, last = (date.fromisocalendar(int(match["year"]), int(match["week"]), n) for n in (1, DAYS_IN_WEEK))
    return Period(first, last)


def _numeric_day(match: re.Match[str]) -> Period:
    in_month, number = int(match["day"]), int(match["month"])
    if number > MONTHS_IN_YEAR:
        in_month, number = number, in_month
    return day(date(year_number(match["year"]), number, in_month))


def _named_day(match: re.Match[str]) -> Period:
    return day(date(year_number(match["year"]), month_number(match["month"]), day_number(match["day"])))


def _days(match: re.Match[str]) -> Period:
    year, number = int(match["year"]), month_number(match["month"])
    return Period(date(year, number, day_number(match["day"])), date(year, number, day_number(match["to"])))


def _iso_month(match: re.Match[str]) -> Period:
    """Read "2024-03"; "2008-09" may be two years as well, and then is both."""
    year, number = int(match["year"]), int(match["month"])
    return years(year, year + 1) if number == year % 100 + 1 else month(year, number)


def _numeric_month(match: re.Match[str]) -> Period:
    return month(int(match["year"]), int(match["month"]))


def _months(match: re.Match[str]) -> Period:
    year, first, last = int(match["year"]), month_number(match["month"]), month_number(match["to"])
    return Period(month(year - (first > last), first).first, month(year, last).last)


def _month(match: re.Match[str]) -> Period:
    return month(int(match["year"]), month_number(match["month"]))


ISO: tuple[Reader, ...] = (
    written(
        rf"(?<![\w.])(?P<year>{YEAR})(?P<mark>[-/.])(?P<month>[01][0-9])(?P=mark)(?P<day>[0-3][0-9])"
        r"(?![0-9]|[./-][0-9])",
        _numeric_day,
    ),
    written(rf"{FREE}(?P<year>{YEAR})-?W(?P<week>[0-5][0-9])(?!\w)", _iso_week),
    written(rf"\b(?:semana|week) (?P<week>[0-5]?[0-9]){OF_YEAR}", _iso_week),
    written(rf"{FREE}(?P<year>{YEAR})-(?P<month>0[1-9]|1[0-2])(?![\w-]|[.:/][0-9])", _iso_month),
)
NUMERIC: tuple[Reader, ...] = (
    written(rf"{FREE}{_DIGITS}(?P<year>{YEAR})(?!\w|/|[.:][0-9])", _numeric_day),
    written(rf"{FREE}(?P<day>[0-3][0-9])\.(?P<month>[01][0-9])\.(?P<year>{YEAR})(?!\w|[./-])", _numeric_day),
)
SHORT_NUMERIC: tuple[Reader, ...] = (
    written(rf"{FREE}(?P<month>0[1-9])/(?P<year>{YEAR})(?![\w/-]|[.,][0-9])", _numeric_month),
    written(
        rf"\b(?:{_PREPOSITION}) (?P<it>(?P<month>0?[1-9]|1[0-2])/(?P<year>{YEAR}))(?![\w/-]|[.,:][0-9])", _numeric_month
    ),
    written(rf"{FREE}{_DIGITS}(?P<year>[0-9]{{2}})(?![\w/-]|[.,:][0-9])", _numeric_day),
    written(
        rf"{FREE}(?P<day>{DAY})[ /-](?P<month>{SHORT_MONTH})[ /-]'?(?P<year>[0-9]{{2}})(?![\w/-]|[.,:][0-9])",
        _named_day,
    ),
)
NAMED: tuple[Reader, ...] = (
    written(
        rf"{FREE}(?P<day>{DAY}){ORDINAL}{TO}(?P<to>{DAY}){ORDINAL} (?:de |of )?(?P<month>{ANY_MONTH}){OF_YEAR}", _days
    ),
    written(rf"\b(?P<month>{ANY_MONTH}) (?P<day>{DAY}){ORDINAL}{TO}(?P<to>{DAY}){ORDINAL}{OF_YEAR}", _days),
    written(rf"{_WEEKDAY}{FREE}(?P<day>{DAY}){ORDINAL}(?: de | of |[ /-])(?P<month>{ANY_MONTH}){OF_YEAR}", _named_day),
    written(rf"{_WEEKDAY}\b(?P<month>{ANY_MONTH}) (?P<day>{DAY}){ORDINAL}{OF_YEAR}", _named_day),
    written(rf"\b(?P<month>{ANY_MONTH}) ?[-–] ?(?P<to>{ANY_MONTH}){OF_YEAR}", _months),
    written(rf"\b(?P<month>{MONTH}){OF_YEAR}", _month),
    written(rf"\b(?!set\b)(?P<month>{SHORT_MONTH})[ /-](?P<year>{YEAR})(?!\w|[.,:][0-9])", _month),  # no "mar de 1990"
)
