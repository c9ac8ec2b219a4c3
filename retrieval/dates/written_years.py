"""Years alone: four digits are a year where the words around them say so, and not where they count something."""

from __future__ import annotations

import re

from retrieval.dates.mentions import Reader, written
from retrieval.dates.stretches import Period, years
from retrieval.dates.written_days import YEAR

_CLEAR = (
    "en|in|desde|since|ano|anos|year|years|durante|during|hasta|until|a partir de|antes de|despues de|before|after|"
    "(?:principios|inicios|mediados|finales|fin) de|(?:beginning|start|end) of|ejercicio|temporada|season|fy"
)
_LIKELY = (
    f"{_CLEAR}|de|del|of|the|from|to|till|by|para|tras|hacia|curso|edicion|informe|plan|presupuesto|budget|report|"
    "roadmap"
)
_AFTER = r"(?![\w%€$@]|[.,:/-][0-9]|-\w)"
_NAMED_BY_YEAR = "season|report|budget|roadmap|edition|election|elections|plan|census|survey"
_COUNTED_NOUNS = """
    caracter character char palabra word token linea line pagina page fila row columna column registro record
    usuario user persona people person cliente customer punto point pixel pixele px byte bit kb mb gb tb ms seg
    segundo second minuto minute hora hour dia day semana week mes month ano year vece vez time euro eur usd dolare
    dollar km kilometro metro meter cm mm kg gramo tonelada ton millone million mil thousand elemento item documento
    document archivo file fichero tarea task proyecto project mensaje message consulta query querie peticione
    request caso case miembro member objeto object empleado employee libro book habitante
"""
_QUANTITIES = (
    "maximo minimo limite mas menos alrededor cerca total limit maximum minimum more less fewer out size tamano"
)
_NUMBERED = """
    puerto port error codigo code valor value numero number issue ticket version page pagina linea line fila row id
    nodo node cuenta account factura invoice pedido order sala room ext extension iso rfc windows office server
    excel exchange studio build release tarea task caso case pr
"""
_FUNCTION_WORDS = """
    y and e o or a to hasta until en in el la los las the se que what which who whom how where why when was were is
    did do does had has fue hubo hay ha por para con with for of on at by from de cual cuales cuanto cuantos cuanta
    cuantas como donde quien quienes onward onwards forward adelante
"""
_SIZES = frozenset({1024, 1080, 1280, 1440, 1920, 2048})
_MODERN = 1900
_LONGEST_RANGE_YEARS = 300
_LAST_TWO_DIGITS = 100
_FARTHEST_CHARACTERS = 40


def _any(words: str) -> str:
    return "|".join(words.split())


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_COUNTED = _pattern(rf" ?(?:%|€|\$|(?:{_any(_COUNTED_NOUNS)})(?:es|s)?\b)")
_PLURAL = re.compile(r" [a-z]+s\b")
_NO_YEAR_BEFORE = _pattern(
    rf"\b(?:(?:{_any(_QUANTITIES)})(?: de| of| than)?|(?:{_any(_NUMBERED)})(?: number| numero)?) $"
)
_FOLLOWS = _pattern(rf" *(?:$|[,.;:?!)\]»\"']|[-–—] | (?:{_any(_FUNCTION_WORDS)})\b)")


def _is_year(match: re.Match[str], group: str, *, clearly: bool = False) -> bool:
    """Tell a year from a quantity: quantities are round, years seldom, so a round one needs more than a preposition."""
    start, end = match.span(group)
    rest = match.string[end : end + _FARTHEST_CHARACTERS]
    before = match.string[max(0, start - _FARTHEST_CHARACTERS) : start]
    if _COUNTED.match(rest) or _NO_YEAR_BEFORE.search(before):
        return False
    if _FOLLOWS.match(rest):
        return True
    value = int(match[group])
    exact = value % 100 != 0 and value not in _SIZES
    if _PLURAL.match(rest):
        return exact and clearly and value >= _MODERN
    return exact or clearly


def _clear(match: re.Match[str]) -> Period | None:
    return years(int(match["it"]), int(match["it"])) if _is_year(match, "it", clearly=True) else None


def _alone(match: re.Match[str]) -> Period | None:
    return years(int(match["it"]), int(match["it"])) if _is_year(match, "it") else None


def _range(match: re.Match[str]) -> Period | None:
    first, last = int(match["year"]), int(match["to"])
    return years(first, last) if 0 < last - first <= _LONGEST_RANGE_YEARS and _is_year(match, "to") else None


def _school_year(match: re.Match[str]) -> Period | None:
    first = int(match["year"])
    return years(first, first + 1) if int(match["to"]) in (first + 1, (first + 1) % _LAST_TWO_DIGITS) else None


RANGES: tuple[Reader, ...] = (
    written(
        rf"\b(?:entre|between)(?: los anos| el)? (?P<year>{YEAR}) (?:y|and)(?: el)? (?P<to>{YEAR}){_AFTER}", _range
    ),
    written(rf"\b(?:del?|desde|from) (?P<year>{YEAR}) (?:al?|hasta|to|until|through) (?P<to>{YEAR}){_AFTER}", _range),
    written(rf"(?:\(|\b(?:{_LIKELY}) )(?P<year>{YEAR}) ?[-–—/] ?(?P<to>{YEAR}){_AFTER}", _range),
    written(
        rf"\b(?:temporada|curso|season|ejercicio|year|ano) (?P<year>{YEAR})[-–/](?P<to>{YEAR}|[0-9]{{2}}){_AFTER}",
        _school_year,
    ),
)
_IN_A_LIST = written(rf"(?<=\x00)(?:, | y | and | o | or |, y |, and )(?P<it>{YEAR}){_AFTER}", _alone)
_LIST = (_IN_A_LIST,) * 3  # each pass reads one year more of "2010, 2011 y 2012": what is read before it is blank
_CERTAIN: tuple[Reader, ...] = (
    written(rf"\b(?:{_CLEAR})(?: el| the)? (?P<it>{YEAR}){_AFTER}", _clear),
    written(rf"\bFY[ -]?(?P<it>{YEAR}){_AFTER}", _clear),
    written(rf"\((?P<it>{YEAR})\)", _clear),
    written(rf"\b(?:early|mid|late)[ -](?P<it>{YEAR}){_AFTER}", _clear),
)
CLEAR_YEARS: tuple[Reader, ...] = (
    *_CERTAIN,
    written(rf"\b(?:del?|of) (?P<it>(?:19|20)[0-9]{{2}}){_AFTER}", _alone),
    *_LIST,
)
LIKELY_YEARS: tuple[Reader, ...] = (
    *_CERTAIN,
    written(rf"\b(?:{_LIKELY}) (?P<it>{YEAR}){_AFTER}", _alone),
    written(rf"\b(?P<it>{YEAR}) (?:{_NAMED_BY_YEAR})\b", _alone),
    written(r"(?<=[a-z]{3} )(?P<it>(?:19|20)[0-9]{2})(?= *(?:$|[,;?!)]))", _alone),  # keywords: "elecciones 2007"
    *_LIST,
)
