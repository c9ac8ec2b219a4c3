"""Units of the calendar by where they stand from now: "la semana pasada", "this year", "last summer", "next March"."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime

from retrieval.dates.mentions import ClockReader, Reading, spoken
from retrieval.dates.names import COUNTED_UNITS, MONTH, SEASON, SEASONS, month_number
from retrieval.dates.stretches import Period, Unit, month, season, unit_at

_UNITS: dict[str, Unit] = {**COUNTED_UNITS, "semestre": "half", "finde": "weekend", "weekend": "weekend"}
_UNITS |= {"siglo": "century", "century": "century"}
_UNIT = rf"(?P<unit>{'|'.join(name for name in _UNITS if name not in ('dia', 'day'))}|fin de semana)"
_SPAN = r"(?P<unit>ano|year|mes|month|semana|week|trimestre|quarter|semestre)"
_REPEATED = rf"(?:(?P<month>{MONTH})|(?P<season>{SEASON}))"


def _steps(steps: int) -> Callable[[datetime, re.Match[str]], Reading]:
    def read(asked_at: datetime, match: re.Match[str]) -> Reading:
        unit = _UNITS.get(match["unit"].lower(), "weekend")
        return Reading(unit_at(unit, asked_at.date(), steps))

    return read


def _weekend(asked_at: datetime, _: re.Match[str]) -> Reading:
    """Give the last weekend that has begun."""
    this = unit_at("weekend", asked_at.date())
    return Reading(this if this.first <= asked_at.date() else unit_at("weekend", asked_at.date(), -1))


def _so_far(asked_at: datetime, match: re.Match[str]) -> Reading:
    running = unit_at(_UNITS[match["unit"].lower()], asked_at.date())
    return Reading(Period(running.first, asked_at.date()))


def _in_year(match: re.Match[str], year: int) -> Period:
    if match["month"]:
        return month(year, month_number(match["month"]))
    return season(SEASONS[match["season"].lower()], year)


def _around(asked_at: datetime, match: re.Match[str]) -> list[Period]:
    return [
        _in_year(match, asked_at.year + step) for step in (-2, -1, 0, 1) if 1 <= asked_at.year + step < date.max.year
    ]


def _ended(asked_at: datetime, match: re.Match[str]) -> Reading | None:
    ended = [period for period in _around(asked_at, match) if period.last < asked_at.date()]
    return Reading(ended[-1]) if ended else None


def _coming(asked_at: datetime, match: re.Match[str]) -> Reading | None:
    coming = [period for period in _around(asked_at, match) if period.first > asked_at.date()]
    return Reading(coming[0]) if coming else None


def _nearest(asked_at: datetime, match: re.Match[str]) -> Reading | None:
    """Read "este verano": the running one, or the one fewest days away."""
    if match["month"] and match["month"].lower() in ("may", "march") and match["month"][0].islower():
        return None  # "this may help"
    today = asked_at.date()

    def days_away(period: Period) -> int:
        return max((period.first - today).days, (today - period.last).days, 0)

    around = _around(asked_at, match)
    return Reading(min(around, key=days_away)) if around else None


RUNNING_UNITS: tuple[ClockReader, ...] = (
    spoken(rf"\b(?:est[ea] (?:mes de )?|this ){_REPEATED}\b", _nearest),
    spoken(rf"\b(?:(?:pasad[oa]|ultim[oa]) (?:mes de )?|last |previous |past ){_REPEATED}\b", _ended),
    spoken(rf"\b(?:proxim[oa] (?:mes de )?|next |coming ){_REPEATED}\b", _coming),
    spoken(rf"\b{_REPEATED} (?:pasad[oa]|ultim[oa]|anterior)\b", _ended),
    spoken(rf"\b{_REPEATED} (?:que viene|proxim[oa])\b", _coming),
    spoken(rf"\b{_UNIT} (?:antepasad[oa]|before last)\b", _steps(-2)),
    spoken(rf"\b(?:la |el )?{_UNIT} (?:pasad[oa]|anterior)\b", _steps(-1)),
    spoken(rf"\b(?:el|la) pasad[oa] {_UNIT}\b", _steps(-1)),
    spoken(rf"\b(?:last|previous) {_UNIT}\b(?! of\b)", _steps(-1)),
    spoken(r"\bultimo (?P<unit>trimestre|semestre|fin de semana|finde)\b(?! del?\b)", _steps(-1)),
    spoken(rf"\blo que va de (?:este |esta )?{_SPAN}\b", _so_far),
    spoken(rf"\bso far this {_SPAN}\b", _so_far),
    spoken(rf"\b{_SPAN}[ -]to[ -]date\b", _so_far),
    spoken(rf"\b(?:est[ea]|this|current) (?:mism[oa] )?{_UNIT}(?: actual)?\b", _steps(0)),
    spoken(rf"\b{_UNIT} (?:actual|en curso|corriente)\b", _steps(0)),
    spoken(rf"\b(?:next|proxim[oa]) {_UNIT}\b", _steps(1)),
    spoken(rf"\b{_UNIT} (?:que viene|proxim[oa]|entrante)\b", _steps(1)),
    spoken(r"\b(?:el|over the|during the|at the) (?:finde|fin de semana|weekend)\b", _weekend),
    spoken(
        r"\b(?!fin(?:es)? de semana)(?:principios?|inicios?|comienzos?|mediados|final(?:es)?|fin|fines) del? "
        rf"(?P<it>{_SPAN})\b",
        _steps(0),
    ),
    spoken(rf"\b(?:beginning|start|middle|end) of the (?P<it>{_SPAN})\b", _steps(0)),
)
