"""Days called by a name: "ayer", "tomorrow", "el lunes pasado", "next Friday". Text without accents, spaces single."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from retrieval.dates.day_parser import parsed
from retrieval.dates.mentions import ClockReader, Reading, spoken
from retrieval.dates.names import WEEKDAY, WEEKDAY_NUMBERS
from retrieval.dates.stretches import DAYS_IN_WEEK, Period, day, unit_at

_DAYS_FROM_TODAY = {
    "trasanteayer": -3,
    "antes de ayer": -2,
    "anteayer": -2,
    "anteanoche": -2,
    "antier": -2,
    "day before yesterday": -2,
    "ayer": -1,
    "anoche": -1,
    "yesterday": -1,
    "last night": -1,
    "hoy": 0,
    "today": 0,
    "tonight": 0,
    "esta manana": 0,
    "esta tarde": 0,
    "esta noche": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "day after tomorrow": 2,
    "pasado manana": 2,
    "tomorrow": 1,
}
_MORNING = re.compile(r"\b(?:la|las|una|cada|de|media|ayer|hoy|misma|toda|por) $", re.IGNORECASE)
_FEAST = r"(?! (?:santo|negro|de (?:ramos|pascua|resurreccion|gloria|ceniza|dolores))\b)"
_HABIT = rf"(?! ?[-–] ?{WEEKDAY}| (?:to|through|thru) {WEEKDAY})"  # "Monday to Friday" are opening hours
_NO_NAME = r"(?![\w-]|\.\w)"  # monday.com
_SPANISH = "|".join(name for name in WEEKDAY_NUMBERS if not name.endswith("day"))
_ENGLISH = "|".join(name for name in WEEKDAY_NUMBERS if name.endswith("day"))
_THIS = frozenset({"este", "esta", "this"})
_NEXT = frozenset({"proximo", "next", "que viene", "siguiente"})


def _named(asked_at: datetime, match: re.Match[str]) -> Reading:
    return Reading(day(asked_at.date() + timedelta(days=_DAYS_FROM_TODAY[match[0].lower()])))


def _tomorrow(asked_at: datetime, match: re.Match[str]) -> Reading | None:
    """Read "mañana", unless the word before makes it the morning."""
    if _MORNING.search(match.string[max(0, match.start() - 10) : match.start()]):
        return None
    return Reading(day(asked_at.date() + timedelta(days=1)))


def _weekday(asked_at: datetime, match: re.Match[str]) -> Reading | None:
    today = asked_at.date()
    number = WEEKDAY_NUMBERS[match["weekday"].lower()]
    said = {(match["before"] or "").lower().removeprefix("el "), (match["after"] or "").lower()}
    if said & _THIS:
        return Reading(_in_week(today, number, 0))
    if said & _NEXT:
        return Reading(day(today + timedelta(days=(number - today.weekday() - 1) % DAYS_IN_WEEK + 1)))
    period = parsed(match["weekday"].lower(), today)
    return Reading(period) if period else None


def _in_week(today: date, weekday: int, weeks: int) -> Period:
    return day(unit_at("week", today, weeks).first + timedelta(days=weekday))


def _last_week(asked_at: datetime, match: re.Match[str]) -> Reading:
    return Reading(_in_week(asked_at.date(), WEEKDAY_NUMBERS[match["weekday"].lower()], -1))


NAMED_DAYS: tuple[ClockReader, ...] = (
    spoken(rf"\b(?:{'|'.join(_DAYS_FROM_TODAY)})\b(?!(?<=hoy)(?: en)? dia)", _named),
    spoken(r"\bmanana\b", _tomorrow),
    spoken(rf"\b(?:(?:el|del|al|on) )?(?P<weekday>{WEEKDAY}) (?:de la semana pasada|(?:of )?last week)\b", _last_week),
    spoken(
        rf"\b(?:(?P<before>el proximo|proximo|este|el pasado|pasado|el|del|al) )(?P<it>(?P<weekday>{_SPANISH})"
        rf"(?: (?P<after>pasado|que viene|proximo|siguiente))?){_FEAST}{_NO_NAME}",
        _weekday,
    ),
    spoken(
        rf"\b(?:on|since|until|till|by|before|after|for|from|past|(?P<before>last|this|next)) "
        rf"(?P<it>(?P<weekday>{_ENGLISH})(?P<after>)){_HABIT}{_NO_NAME}",
        _weekday,
    ),
    spoken(
        rf"(?<!every )\b(?P<before>)(?P<it>(?P<weekday>{_ENGLISH})(?P<after>))"
        r"(?:'s| morning| afternoon| evening| night)\b",
        _weekday,
    ),
)
