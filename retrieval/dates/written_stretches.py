"""Quarters, halves, seasons, decades and centuries as they are written; those with their year need no clock."""

from __future__ import annotations

import re

from retrieval.dates.mentions import Reader, written
from retrieval.dates.names import SEASON, SEASONS
from retrieval.dates.stretches import Period, century, decade, half, quarter, season, years
from retrieval.dates.written_days import OF_YEAR, YEAR, year_number

_NTH = {
    1: "primera|primer|1er|1o|first|1st",
    2: "segunda|segundo|2o|second|2nd",
    3: "tercera|tercer|3er|3o|third|3rd",
    4: "cuarta|cuarto|4o|fourth|4th",
}
_LAST = ("ultimo", "ultima", "last", "final")
_ORDINALS = {word: number for number, words in _NTH.items() for word in words.split("|")} | dict.fromkeys(_LAST, -1)
_HALVES = ("semestre", "half", "mitad", "h", "s")
NTH_QUARTER = rf"(?P<nth>{'|'.join(_ORDINALS)}) (?P<what>trimestre|quarter|semestre|half|mitad)"
SHORT_QUARTER = r"(?P<short>[QTHS])(?P<n>[1-4])"
_DECADES = (
    "veinte twenties|treinta thirties|cuarenta forties|cincuenta fifties|sesenta sixties|setenta seventies|"
    "ochenta eighties|noventa nineties"
)
_TENS = {name: 10 * tens for tens, names in enumerate(_DECADES.split("|"), 2) for name in names.split()}
_TENS_ES = "|".join(name for name in _TENS if name.endswith("a") or name == "veinte")
_TENS_EN = "|".join(name for name in _TENS if name.endswith("ies"))
_FOUR = r"1[0-9][0-9]0|20[0-9]0"
_OF_THESE = 20  # "los años 20" are those of this century, "los 30" still those of the last one
_FIRST_DECADE_OF_NOUGHTS = 1900
_ENDS = r"(?= *(?:$|[,.;:?!)]))"
_ROMAN = {"i": 1, "v": 5, "x": 10}


def quarter_in(match: re.Match[str], year: int) -> Period:
    """Give the quarter or half that `NTH_QUARTER` or `SHORT_QUARTER` matched. Raises ValueError for a third half."""
    groups = match.groupdict()
    what = (groups.get("short") or groups["what"]).lower()
    count = 2 if what in _HALVES else 4
    number = int(groups["n"]) if groups.get("short") else _ORDINALS[groups["nth"].lower()] % (count + 1)
    if number > count:
        raise ValueError(f"no {what} number {number}")
    return half(year, number) if what in _HALVES else quarter(year, number)


def season_in(match: re.Match[str], year: int) -> Period:
    return season(SEASONS[match["season"].lower()], year)


def _quarter(match: re.Match[str]) -> Period:
    return quarter_in(match, year_number(match["year"]))


def _quarters(match: re.Match[str]) -> Period:
    return Period(
        quarter(int(match["year"]), int(match["n"])).first, quarter(int(match["year"]), int(match["to"])).last
    )


def _season(match: re.Match[str]) -> Period:
    return season_in(match, int(match["year"]))


def _decade(match: re.Match[str]) -> Period:
    text = match["decade"].lower()
    first = _TENS[text] if text in _TENS else int(text)
    if first < 100:  # noqa: PLR2004 - written without its century
        first += 1900 if first > _OF_THESE else 2000
    if text.isdigit() and first % 100 == 0 and first < _FIRST_DECADE_OF_NOUGHTS:
        return years(first, first + 99)  # "the 1700s"; the 1900s are nine years to most
    return decade(first)


def _century(match: re.Match[str]) -> Period:
    return _century_of(match["century"].lower())


def _centuries(match: re.Match[str]) -> Period:
    return Period(_century_of(match["century"].lower()).first, _century_of(match["to"].lower()).last)


def _century_of(text: str) -> Period:
    if text.isdigit():
        return century(int(text))
    values = [_ROMAN[letter] for letter in text]
    return century(sum(-one if one < two else one for one, two in zip(values, [*values[1:], 0], strict=True)))


QUARTERS: tuple[Reader, ...] = (
    written(rf"\b[QT](?P<n>[1-4])(?: ?[-–] ?| (?:y|and|al?|to) )[QT](?P<to>[1-4]){OF_YEAR}", _quarters),
    written(rf"\b{NTH_QUARTER}{OF_YEAR}", _quarter),
    written(rf"\b{SHORT_QUARTER}{OF_YEAR}", _quarter),
    written(rf"\b(?P<n>[1-4])(?P<short>[QTS]){OF_YEAR}", _quarter),
    written(rf"\b{SHORT_QUARTER}['’](?P<year>[0-9]{{2}})\b", _quarter),
    written(rf"\b(?P<year>{YEAR})[ -]?{SHORT_QUARTER}\b", _quarter),
)
SEASONS_OF_YEARS: tuple[Reader, ...] = (
    written(rf"\b(?P<season>{SEASON}){OF_YEAR}", _season),
    written(rf"\b(?P<year>{YEAR}) (?P<season>{SEASON})\b", _season),
)
FULL_DECADES: tuple[Reader, ...] = (
    written(rf"\b(?:los anos|decada de(?: los)?(?: anos)?) (?P<decade>{_FOUR})(?!\w)", _decade),
    written(rf"\b(?P<decade>{_FOUR})'?s\b", _decade),
)
DECADES: tuple[Reader, ...] = (
    *FULL_DECADES,
    written(rf"\b(?:los anos|decada de(?: los)?(?: anos)?) (?P<decade>[0-9]0|{_TENS_ES})(?!\w)", _decade),
    written(rf"\banos (?P<decade>[3-9]0|{_TENS_ES})(?!\w)", _decade),
    written(
        r"\b(?:the|early|mid|late)[ -](?P<it>'?(?P<decade>[0-9]0)'?s)\b(?! time| interval| window| delay| limit| mark)",
        _decade,
    ),
    written(rf"\b(?:the|early|mid|late)[ -](?P<it>(?P<decade>{_TENS_EN}))\b", _decade),
    written(
        rf"(?<=\x00) (?:y|and)(?: los| the)? (?P<it>(?P<decade>{_TENS_ES}|{_TENS_EN}|[3-9]0{_ENDS}))(?!\w)",
        _decade,
    ),
    written(rf"\b(?:en|de|desde|hasta) los (?P<it>(?P<decade>[3-9]0)){_ENDS}", _decade),
)
CENTURIES: tuple[Reader, ...] = (
    written(r"\bsiglos (?P<century>[ivx]{1,5})(?: y | al? |[-–])(?P<to>[ivx]{1,5})\b(?! a\.? ?c)", _centuries),
    written(r"\b(?:siglo|s\.) (?P<century>[ivx]{1,5}|[0-9]{1,2})\b(?! a\.? ?c)", _century),
    written(r"\b(?P<century>[0-9]{1,2})(?:st|nd|rd|th)[ -]century\b(?! b\.?c)", _century),
)
