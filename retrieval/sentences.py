"""Where sentences begin and end, in Spanish and English, without a model."""

from __future__ import annotations

import re

# A blank line, or a line that starts a list item, heading, quote or table row, or that holds table cells.
_BREAK = re.compile(
    r"\n[^\S\n]*\n\s*"
    r"|\n(?=[^\S\n]*(?:[-*+•]\s|\d{1,9}[.)]\s|\#{1,6}\s|>|\|))"
    r"|\n(?=[^\n]*\t)|(?<=\t)\n"
)
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?=\s)|[。！？｡]+[」』”’）]*")
_WORD_BEFORE = re.compile(r"[^\s(\[«“\"'¿¡]*$")
_NEVER_LAST = """
    sr sra srta sres dr dra dres dña ud uds vd vds prof profa ing lic arq gral cnel tte avda ctra pza p.ej aprox
    admón cía dpto depto mr mrs ms st mt vs e.g i.e eg ie cf approx jr ee ee.uu a.c d.c s.a s.l
"""
_BEFORE_NUMBERS = """
    no nº n.º núm num n art arts cap fig figs vol p pp pág págs pag sec tel tfno ext ed máx mín max min av c
    ene feb mar abr may jun jul ago sept sep oct nov dic jan apr aug dec
"""
_ABBREVIATIONS = frozenset(_NEVER_LAST.split())
_NUMBER_ABBREVIATIONS = frozenset(_BEFORE_NUMBERS.split())
_DIGIT_NEXT = re.compile(r"\s+\d")
_LOWERCASE_START = re.compile(r"\s+[\"'“‘«(\[*_¿¡]*[a-zà-öø-ÿ]")
_WORD_WINDOW = 40
"""No abbreviation is longer, and looking back further would make long tokens slow."""


def sentences(text: str) -> list[tuple[int, int]]:
    """Give the character spans of the sentences, in order; together they hold every character that is not space."""
    spans: list[tuple[int, int]] = []
    start = 0
    for stretch in _BREAK.finditer(text):
        _cut(text, start, stretch.start(), spans)
        start = stretch.end()
    _cut(text, start, len(text), spans)
    return spans


def _cut(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    """Cut one stretch, which no sentence leaves, at its stops."""
    begin = start
    for stop in _STOP.finditer(text, start, end):
        if _ends_sentence(text, begin, stop, end):
            _add(text, begin, stop.end(), spans)
            begin = stop.end()
    _add(text, begin, end, spans)


def _add(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))


def _ends_sentence(text: str, begin: int, stop: re.Match[str], end: int) -> bool:
    mark = stop.group()
    if mark[0] in "。！？｡":
        return True
    if _LOWERCASE_START.match(text, stop.end(), end):
        return False
    if mark[0] != "." or mark.startswith(".."):
        return True
    found = _WORD_BEFORE.search(text, max(begin, stop.start() - _WORD_WINDOW), stop.start())
    word = found.group() if found else ""
    if word.casefold() in _ABBREVIATIONS or (len(word) == 1 and word.isupper()):
        return False
    if word.casefold() in _NUMBER_ABBREVIATIONS and _DIGIT_NEXT.match(text, stop.end(), end):
        return False
    numbers_an_item = word.isdigit() and not text[begin : stop.start() - len(word)].strip()
    return not numbers_an_item
