"""Every reader of questions, in order, and what the words between their findings make of them."""

from __future__ import annotations

import re
from datetime import date, datetime

from retrieval.dates.distances import DISTANCES
from retrieval.dates.joins import joined
from retrieval.dates.mentions import at, scan
from retrieval.dates.named_days import NAMED_DAYS
from retrieval.dates.names import MONTH, SEASON
from retrieval.dates.running_units import RUNNING_UNITS
from retrieval.dates.stretches import Period
from retrieval.dates.written_days import ISO, NAMED, NUMERIC, SHORT_NUMERIC
from retrieval.dates.written_stretches import CENTURIES, DECADES, QUARTERS, SEASONS_OF_YEARS
from retrieval.dates.written_years import LIKELY_YEARS, RANGES
from retrieval.dates.yearless import DAYS, MONTHS

_WRITTEN = (*ISO, *NAMED, *NUMERIC, *SHORT_NUMERIC, *QUARTERS, *SEASONS_OF_YEARS, *RANGES, *DECADES, *CENTURIES)
_SPOKEN = (*DAYS, *DISTANCES, *NAMED_DAYS, *RUNNING_UNITS, *MONTHS)
_REPEATED = rf"{MONTH}|{SEASON}|trimestre|semestre|quarter|half|mitad|[qth][1-4]"
_OF_A_YEAR = re.compile(
    rf"\b(?P<what>{_REPEATED}),?(?: de| del| of)?(?: el| the)? (?:"
    r"(?P<last>ano pasado|ano anterior|pasado ano|last year|previous year)|"
    r"(?P<this>este ano|ano actual|ano en curso|this year|current year)|"
    r"(?P<next>proximo ano|ano que viene|ano proximo|next year))\b",
    re.IGNORECASE,
)


def read_question(plain: str, asked_at: datetime) -> list[Period]:
    """Give the periods that a question without accents, its spaces single, names in its order."""
    plain = _OF_A_YEAR.sub(lambda match: _dated(match, asked_at.date()), plain)
    mentions = scan(plain, [*_WRITTEN, *at(asked_at, _SPOKEN), *LIKELY_YEARS])
    return joined(plain, mentions, asked_at.date())


def _dated(match: re.Match[str], today: date) -> str:
    """Write the year out: "julio del año pasado" becomes "julio de 2025"."""
    step = -1 if match["last"] else 1 if match["next"] else 0
    return f"{match['what']} de {today.year + step}"
