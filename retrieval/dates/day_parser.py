"""dateparser with its languages fixed, on words that our own patterns cut out: it never sees a whole question."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import cast

from retrieval.dates.stretches import Period, Unit, unit_at

_LANGUAGES = ["es", "en"]  # without them dateparser tries two hundred: 50 ms instead of half a one
_SETTINGS: dict[str, object] = {
    "TIMEZONE": "UTC",  # the asker's zone has made `today`; the machine's must not move it
    "RETURN_AS_TIMEZONE_AWARE": False,
    "PREFER_DATES_FROM": "past",
    "DATE_ORDER": "DMY",
    "PARSERS": ["relative-time", "absolute-time"],
    "SKIP_TOKENS": [],  # words it would leave out to find a date in what is none
}
_NOON = time(12)
_UNITS = ("week", "month", "year")


def parsed(words: str, today: date) -> Period | None:
    """Read a day ("3 march", "monday": the last one) or a distance ("hace 2 semanas": that whole week).

    A day without its year is the latest one that has come. None when dateparser reads no date.
    """
    from dateparser.date import DateDataParser  # 0.1 s, for those questions alone that name a day

    parser = DateDataParser(
        languages=_LANGUAGES, settings={**_SETTINGS, "RELATIVE_BASE": datetime.combine(today, _NOON)}
    )
    data = parser.get_date_data(words)
    if data.date_obj is None:
        return None
    unit = cast("Unit", data.period) if data.period in _UNITS else "day"
    return unit_at(unit, data.date_obj.date())
