"""Numbers as people write them beside days and weeks, in Spanish and English, without accents."""

from __future__ import annotations

_ONES = (
    "un una uno a an one|dos two|tres three|cuatro four|cinco five|seis six|siete seven|ocho eight|nueve nine|diez ten|"
    "once eleven|doce twelve|trece thirteen|catorce fourteen|quince fifteen|dieciseis sixteen|diecisiete seventeen|"
    "dieciocho eighteen|diecinueve nineteen|veinte twenty|veintiun veintiuno veintiuna|veintidos|veintitres|"
    "veinticuatro|veinticinco|veintiseis|veintisiete|veintiocho|veintinueve"
)
_TENS = "treinta thirty|cuarenta forty|cincuenta fifty|sesenta sixty|setenta seventy|ochenta eighty|noventa ninety"
_WORDS = {word: value for value, words in enumerate(_ONES.split("|"), 1) for word in words.split()}
_TEN_WORDS = {word: 10 * value for value, words in enumerate(_TENS.split("|"), 3) for word in words.split()}
_PAIRS = ("un par de", "a couple of", "a couple")
_UNITS = "|".join(word for group in _ONES.split("|")[:9] for word in group.split())
_NAMED = "|".join(sorted({*_WORDS, *_TEN_WORDS, "cien", "hundred"}, key=len, reverse=True))
_TENS_ALONE = "|".join([*_TEN_WORDS, "twenty"])

NUMBER = rf"(?:[0-9]{{1,4}}|{'|'.join(_PAIRS)}|(?:{_TENS_ALONE})(?: y |[ -])(?:{_UNITS})|(?:{_NAMED}))"
"""A pattern for 1 to 100 in words and up to four digits; case is the caller's."""


def number(written: str) -> int:
    """Give the value of what `NUMBER` matched."""
    text = written.lower()
    if text.isdigit():
        return int(text)
    if text in _PAIRS:
        return 2
    values = {**_WORDS, **_TEN_WORDS, "cien": 100, "hundred": 100}
    return sum(values[word] for word in text.replace("-", " ").split() if word != "y")
