"""How text becomes tokens, the same way in the index and in a query, so that what stands in a page can be found.

Text is folded (NFKC, case, accents, soft hyphens; one dash, one quote), then cut into *atoms*, runs of letters, marks
and digits, and single symbols. Scripts written without spaces (Chinese, Japanese, Thai, Korean…) become overlapping
pairs of characters, so that any stretch of two or more is a phrase. Joined by spaces: Tantivy only splits them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import regex

LONGEST_TOKEN_CHARACTERS = (
    128  # Tantivy drops terms beyond 65,530 bytes without a word; longer atoms are cut, here and there alike
)
MOST_NAME_PARTS = 12
BOUNDARY = "\u241e"  # stands between two texts in one field, so that no phrase crosses; folded text never holds it

_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ー々〆〇]"
_TOKEN = regex.compile(
    rf"{_UNSPACED}\p{{M}}*+(?:{_UNSPACED}\p{{M}}*+)*+|(?:(?!{_UNSPACED})[\p{{L}}\p{{N}}\p{{M}}])++|[^\s\p{{C}}]"
)
_ASCII_TOKEN = regex.compile(r"[a-z0-9]++|[!-~]")
_UNSPACED_RUN = regex.compile(rf"{_UNSPACED}")
_UNSPACED_CHARACTER = regex.compile(rf"{_UNSPACED}\p{{M}}*+")
_ATOM = regex.compile(r"[\p{L}\p{N}]")
_NAME = regex.compile(r"[\p{L}\p{N}]*(?:\p{Ll}|\p{N})\p{Lu}[\p{L}\p{N}]*|\p{Lu}{2,}\p{Ll}[\p{L}\p{N}]*")
_NAME_PART = regex.compile(r"\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+\p{N}*|\p{N}+|\p{Lu}")
_ACCENTS = regex.compile(r"[\u0300-\u036f]+")
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Cs}\p{Co}\x00\ufe00-\ufe0f\u241e]+")


def _symbols_that_hide_letters() -> dict[int, str]:
    """Symbols that compatibility folding turns into letters ("™" into "tm") must not glue to the word before them."""
    hidden = {}
    for code in range(0x80, 0x1FB00):
        character = chr(code)
        if unicodedata.category(character)[0] in "SP":
            folded = unicodedata.normalize("NFKC", character)
            if folded != character:
                hidden[code] = f" {folded} "
    return hidden


_PLAIN = str.maketrans(dict.fromkeys("‐‑‒–—―−﹣－", "-") | dict.fromkeys("‘’‚‛´`ʼ", "'") | dict.fromkeys("“”„‟«»", '"'))


@lru_cache(maxsize=1)
def _spaced_symbols() -> dict[int, str]:
    return _symbols_that_hide_letters()


def fold(text: str) -> str:
    """Give the form in which "México", "mexico" and "ＭＥＸＩＣＯ" are the same; "ñ" folds to "n"."""
    if text.isascii():
        return text.lower().replace("\x00", "").replace("`", "'")
    text = _INVISIBLE.sub("", text.translate(_spaced_symbols()).translate(_PLAIN))
    text = unicodedata.normalize("NFKC", text).casefold()
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare).translate(_PLAIN)


def tokens(text: str) -> Iterator[str]:
    """Give the atoms and symbols of a text in order; a run of an unspaced script gives its pairs of characters."""
    folded = fold(text)
    if folded.isascii():
        for token in _ASCII_TOKEN.findall(folded):
            yield from _cut(token)
        return
    for token in _TOKEN.findall(folded):
        if _UNSPACED_RUN.match(token):
            yield from _pairs(token)
        else:
            yield from _cut(token)


def is_atom(token: str) -> bool:
    """Tell words and numbers from symbols."""
    return _ATOM.match(token) is not None


def is_unspaced(token: str) -> bool:
    """Tell tokens of scripts written without spaces."""
    return _UNSPACED_RUN.match(token) is not None


def name_parts(text: str) -> Iterator[str]:
    """Give the folded parts of every camelCase name, alone and joined to their neighbours.

    `setDurationUnit` gives set, duration, unit, setduration, durationunit. Characters of unspaced scripts are given one
    by one, so that a single one can be found. snake_case needs nothing here: its parts are atoms.
    """
    mixed = " ".join(word for word in set(text.split()) if word[1:] != word[1:].lower())
    for name in set(_NAME.findall(mixed)):
        parts = _NAME_PART.findall(unicodedata.normalize("NFKC", name))[:MOST_NAME_PARTS]
        for first in range(len(parts)):
            for last in range(first + 1, len(parts) + 1):
                if last - first < len(parts):
                    yield fold("".join(parts[first:last]))
    if not text.isascii():
        yield from set(_UNSPACED_CHARACTER.findall(fold(text)))


def _pairs(run: str) -> Iterator[str]:
    characters = _UNSPACED_CHARACTER.findall(run)
    if len(characters) == 1:
        yield characters[0]
    for first, second in pairwise(characters):
        yield first + second


def _cut(token: str) -> Iterator[str]:
    if len(token) <= LONGEST_TOKEN_CHARACTERS:
        yield token
        return
    for start in range(0, len(token), LONGEST_TOKEN_CHARACTERS):
        yield token[start : start + LONGEST_TOKEN_CHARACTERS]
