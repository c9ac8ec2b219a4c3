"""Stretches of the calendar: days, weeks from Monday, months, quarters, seasons, years, decades, and parts of them.

Whatever would leave the years 1 to 9999 raises ValueError or OverflowError, as `datetime` does.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

Unit = Literal["day", "week", "weekend", "month", "quarter", "half", "year", "decade", "century"]
Season = Literal["spring", "summer", "autumn", "winter"]

DAYS_IN_WEEK = 7
MONTHS_IN_YEAR = 12
_SATURDAY = 5
_MONTHS: dict[Unit, int] = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
# From the weather office's first day to the sky's last one: people mean either. Northern hemisphere.
_SEASONS: dict[Season, tuple[int, int, int, int]] = {
    "spring": (3, 1, 6, 20),
    "summer": (6, 1, 9, 22),
    "autumn": (9, 1, 12, 20),
    "winter": (12, 1, 3, 20),
}


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of days, both ends included; an open beginning is `date.min`, an open end `date.max`."""

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise ValueError(f"a period ends before it begins: {self.first} to {self.last}")


def day(value: date) -> Period:
    return Period(value, value)


def months_later(value: date, months: int) -> date:
    """Move by calendar months; a day the month lacks becomes its last one."""
    year, month = divmod(value.year * MONTHS_IN_YEAR + value.month - 1 + months, MONTHS_IN_YEAR)
    return date(year, month + 1, min(value.day, calendar.monthrange(year, month + 1)[1]))


def month(year: int, number: int) -> Period:
    return Period(date(year, number, 1), date(year, number, calendar.monthrange(year, number)[1]))


def quarter(year: int, number: int) -> Period:
    return Period(date(year, 3 * number - 2, 1), month(year, 3 * number).last)


def half(year: int, number: int) -> Period:
    return Period(date(year, 6 * number - 5, 1), month(year, 6 * number).last)


def years(first: int, last: int) -> Period:
    return Period(date(first, 1, 1), date(last, 12, 31))


def year(number: int) -> Period:
    return years(number, number)


def decade(first_year: int) -> Period:
    return years(first_year, first_year + 9)


def century(number: int) -> Period:
    """The 20th is 1901 to 2000."""
    return years(100 * number - 99, 100 * number)


def season(name: Season, in_year: int) -> Period:
    """A season by the year it begins in: the winter of 2023 ends in March 2024."""
    first_month, first_day, last_month, last_day = _SEASONS[name]
    ends_in = in_year + (last_month < first_month)
    return Period(date(in_year, first_month, first_day), date(ends_in, last_month, last_day))


def unit_at(unit: Unit, value: date, steps: int = 0) -> Period:
    """Give the whole unit that holds a day, or the one so many units later."""
    if unit == "day":
        return day(value + timedelta(days=steps))
    if unit in ("week", "weekend"):
        monday = value - timedelta(days=value.weekday()) + timedelta(weeks=steps)
        first = monday + timedelta(days=_SATURDAY if unit == "weekend" else 0)
        return Period(first, monday + timedelta(days=DAYS_IN_WEEK - 1))
    length = _MONTHS[unit]
    if unit == "century":
        return century((value.year - 1) // 100 + 1 + steps)
    passed = value.year % 10 * MONTHS_IN_YEAR if unit == "decade" else 0
    begun = months_later(value.replace(day=1), -((passed + value.month - 1) % length) + steps * length)
    last = months_later(begun, length - 1)
    return Period(begun, month(last.year, last.month).last)


def stretch_to(unit: Unit, value: date, count: int) -> Period:
    """Give the `count` units up to a day, or those after it when `count` is negative."""
    if unit in ("day", "week", "weekend"):
        other = value - timedelta(days=count * (1 if unit == "day" else DAYS_IN_WEEK))
    else:
        other = months_later(value, -count * _MONTHS[unit])
    return Period(min(value, other), max(value, other))


def latest(in_year: Callable[[int], Period], today: date) -> Period:
    """Give what comes every year, the last time that it has begun; the 29th of February may be eight years back."""
    for year_ in range(today.year, today.year - 9, -1):
        try:
            found = in_year(year_)
        except ValueError:
            continue
        if found.first <= today:
            return found
    raise ValueError("it has not come yet")
