"""Counted time: "hace dos días", "3 weeks ago", "in the last 6 months". Text without accents, spaces single."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from retrieval.dates.day_parser import parsed
from retrieval.dates.mentions import ClockReader, Reading, spoken
from retrieval.dates.names import unit_of
from retrieval.dates.number_words import NUMBER, number
from retrieval.dates.stretches import Period, stretch_to, unit_at

FEW = 6  # "hace unos días", "the last few weeks": so many at most
_UNIT = r"(?:dias?|days?|semanas?|weeks?|mes(?:es)?|months?|anos?|years?)"
_ANY_UNIT = rf"(?:{_UNIT}|trimestres?|quarters?|decadas?|decades?)"
_AND = r"(?:,? (?:y|con|and) |, | )"
_LENGTHS = rf"(?P<count>{NUMBER}) (?P<unit>{_UNIT})(?:{_AND}(?P<more>{NUMBER}) (?P<less>{_UNIT}))?\b"
_ABOUT = r"(?:ya |casi |unos |unas |como |aproximadamente )?"
_VAGUE = r"(?:(?:un[oa]s|poc[oa]s|algun[oa]s|vari[oa]s)(?: poc[oa]s| cuant[oa]s)?|a few|some|several)"
_VAGUE_UNIT = r"(?P<unit>dias|semanas|meses|days|weeks|months)\b"
_LAST = r"(?:ultim[oa]s|pasad[oa]s|last|past|previous)"
_NEXT = r"(?:proxim[oa]s|next)"
_HOURS = rf"(?P<count>{NUMBER}) (?P<unit>hora|hour)s?\b"
_MINUTES = rf"(?P<count>{NUMBER}) (?P<unit>hora|minuto|hour|minute)s?\b"


def _ago(asked_at: datetime, match: re.Match[str]) -> Reading | None:
    """Read a distance to the past; its last unit tells how wide it is: "two months ago" is a whole month."""
    lengths = f"{number(match['count'])} {unit_of(match['unit'])}s"
    if match["more"]:
        lengths += f" {number(match['more'])} {unit_of(match['less'])}s"
    period = parsed(f"{lengths} ago", asked_at.date())
    return Reading(period) if period else None


def _from_now(asked_at: datetime, match: re.Match[str]) -> Reading:
    unit = unit_of(match["unit"])
    return Reading(unit_at(unit, stretch_to(unit, asked_at.date(), -number(match["count"])).last))


def _months_ago(months: int) -> ClockReader:
    spelled = {
        6: r"\bhace medio ano\b|\bhalf a year ago\b",
        18: r"\bhace (?:un )?ano y medio\b|\b(?:a|one) year and a half ago\b|\bone and a half years ago\b",
    }[months]
    return spoken(
        spelled, lambda asked_at, _: Reading(unit_at("month", stretch_to("month", asked_at.date(), months).first))
    )


def _few_ago(asked_at: datetime, match: re.Match[str]) -> Reading:
    return Reading(stretch_to(unit_of(match["unit"]), asked_at.date(), FEW))


def _hours_before(asked_at: datetime, match: re.Match[str]) -> datetime:
    minutes = number(match["count"]) * (60 if match["unit"].lower() in ("hora", "hour") else 1)
    zone = asked_at.tzinfo
    if zone is None:
        return asked_at - timedelta(minutes=minutes)
    return (asked_at.astimezone(UTC) - timedelta(minutes=minutes)).astimezone(zone)  # an hour may be missing


def _hours_ago(asked_at: datetime, match: re.Match[str]) -> Reading:
    then = _hours_before(asked_at, match).date()
    return Reading(Period(then, then))


def _last_hours(asked_at: datetime, match: re.Match[str]) -> Reading:
    return Reading(Period(_hours_before(asked_at, match).date(), asked_at.date()))


def _last(asked_at: datetime, match: re.Match[str]) -> Reading:
    return Reading(stretch_to(unit_of(match["unit"]), asked_at.date(), number(match["count"])))


def _next(asked_at: datetime, match: re.Match[str]) -> Reading:
    return Reading(stretch_to(unit_of(match["unit"]), asked_at.date(), -number(match["count"])))


def _last_one(asked_at: datetime, match: re.Match[str]) -> Reading:
    return Reading(stretch_to(unit_of(match["unit"]), asked_at.date(), 1))


DISTANCES: tuple[ClockReader, ...] = (
    _months_ago(18),
    _months_ago(6),
    spoken(rf"\bhace {_ABOUT}{_LENGTHS}", _ago),
    spoken(rf"\b{_LENGTHS} (?:ago|atras)\b", _ago),
    spoken(rf"\bdentro de (?P<count>{NUMBER}) (?P<unit>{_ANY_UNIT})\b", _from_now),
    spoken(rf"\b(?P<count>{NUMBER}) (?P<unit>{_ANY_UNIT}) from (?:now|today)\b", _from_now),
    spoken(rf"\bhace {_VAGUE} {_VAGUE_UNIT}", _few_ago),
    spoken(rf"\b{_VAGUE} {_VAGUE_UNIT} (?:ago|atras)\b", _few_ago),
    spoken(rf"\bhace {_ABOUT}{_MINUTES}", _hours_ago),
    spoken(rf"\b{_MINUTES} ago\b", _hours_ago),
    spoken(rf"\b{_LAST} {_HOURS}", _last_hours),
    spoken(rf"\b{_LAST} (?P<count>{NUMBER}) (?P<unit>{_ANY_UNIT})\b", _last),
    spoken(rf"\blos (?P<count>{NUMBER}) {_LAST} (?P<unit>{_ANY_UNIT})\b", _last),
    spoken(rf"\b{_NEXT} (?P<count>{NUMBER}) (?P<unit>{_ANY_UNIT})\b", _next),
    spoken(rf"\b{_LAST} (?:few |several )?{_VAGUE_UNIT}", _few_ago),
    spoken(r"\bultim[oa] (?P<unit>semana|mes|ano|decada)\b(?! del?\b)", _last_one),
    spoken(r"\b(?:the (?:last|past)|over past) (?P<unit>week|month|year|decade)\b(?! of\b|'s)", _last_one),
)
