"""Names of months, weekdays, seasons and units in Spanish and English, without accents: as numbers, as patterns."""

from __future__ import annotations

import unicodedata

from retrieval.dates.stretches import Season, Unit

_LONG_MONTHS = (
    "enero january|febrero february|marzo march|abril april|mayo may|junio june|julio july|agosto august|"
    "septiembre setiembre september|octubre october|noviembre november|diciembre december"
)
_SHORT_MONTHS = "ene jan|feb|mar|abr apr|may|jun|jul|ago aug|sep sept set|oct|nov|dic dec"
_WEEKDAYS = (
    "lunes monday|martes tuesday|miercoles wednesday|jueves thursday|viernes friday|sabado saturday|domingo sunday"
)
_SHORT_WEEKDAYS = "lun mon|mar tue tues|mie wed|jue thu thurs|vie fri|sab sat|dom sun"


def _numbered(names: str, first: int) -> dict[str, int]:
    return {name: value for value, same in enumerate(names.split("|"), first) for name in same.split()}


def _pattern(names: dict[str, int]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


MONTH_NUMBERS = _numbered(_SHORT_MONTHS, 1) | _numbered(_LONG_MONTHS, 1)
ENGLISH_MONTHS = tuple(names.split()[-1] for names in _LONG_MONTHS.split("|"))
WEEKDAY_NUMBERS = _numbered(_WEEKDAYS, 0)
SEASONS: dict[str, Season] = {
    "primavera": "spring",
    "spring": "spring",
    "verano": "summer",
    "summer": "summer",
    "otono": "autumn",
    "autumn": "autumn",
    "fall": "autumn",
    "invierno": "winter",
    "winter": "winter",
}

COUNTED_UNITS: dict[str, Unit] = {
    "dia": "day",
    "day": "day",
    "semana": "week",
    "week": "week",
    "mes": "month",
    "month": "month",
    "ano": "year",
    "year": "year",
    "trimestre": "quarter",
    "quarter": "quarter",
    "decada": "decade",
    "decade": "decade",
}

MONTH = rf"(?:{_pattern(_numbered(_LONG_MONTHS, 1))})"
ANY_MONTH = rf"(?:(?:{_pattern(MONTH_NUMBERS)})\b\.?)"  # abbreviations too: for use beside a day or a year
SHORT_MONTH = rf"(?:(?:{_pattern(_numbered(_SHORT_MONTHS, 1))})\b\.?)"
WEEKDAY = rf"(?:{_pattern(WEEKDAY_NUMBERS)})"
ANY_WEEKDAY = rf"(?:{_pattern(_numbered(_SHORT_WEEKDAYS, 0) | WEEKDAY_NUMBERS)})\b\.?"
SEASON = rf"(?:{'|'.join(SEASONS)})"


def month_number(written: str) -> int:
    """Give 1 to 12 for what a month pattern matched."""
    return MONTH_NUMBERS[written.lower().rstrip(".")]


def unit_of(word: str) -> Unit:
    """Give the unit of "meses", "week", "años"."""
    singular = word.lower()
    return COUNTED_UNITS.get(singular) or COUNTED_UNITS.get(singular.removesuffix("s")) or COUNTED_UNITS[singular[:-2]]


def without_accents(text: str) -> str:
    """Fold accents and compatibility forms away and every run of space to one; case stays: "May" is no "may"."""
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(character for character in decomposed if not unicodedata.combining(character))
    return " ".join(text.split())
