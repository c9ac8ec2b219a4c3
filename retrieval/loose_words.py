"""Folded words found in text as written, whatever its accents: thorough, and slow, for what plain folding cannot do.

Letters may be taken apart (a letter and its combining accent), hold soft hyphens, or lie beyond Latin-1.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from retrieval.tokens import fold

_ACCENTED = (range(0xC0, 0x250), range(0x1E00, 0x1F00))
_LOOSE = "[\u0300-\u036f\u00ad\u200b-\u200d]*"  # combining accents and soft hyphens between letters
_UNUSUAL = re.compile("[\u00ad\u0100-\u024f\u0300-\u036f\u1e00-\u1eff\u200b-\u200d]")


def needed_for(words: Sequence[str], text: str) -> bool:
    """Tell whether plain folding may miss a word of this text."""
    return not "".join(words).isascii() or _UNUSUAL.search(text) is not None


def occurrences(words: tuple[str, ...], text: str, *, whole_words: bool) -> Iterator[tuple[int, int, int]]:
    """Give where the words stand, in order and without overlaps, as (start, end, which word)."""
    if not words:
        return
    for match in _pattern(words, whole_words).finditer(text):
        yield match.start(), match.end(), int(str(match.lastgroup)[1:])


@lru_cache(maxsize=256)
def _pattern(words: tuple[str, ...], whole_words: bool) -> re.Pattern[str]:
    longest_first = sorted(enumerate(words), key=lambda numbered: len(numbered[1]), reverse=True)
    either = "|".join(f"(?P<w{number}>{_LOOSE.join(_letter(c) for c in word)})" for number, word in longest_first)
    return re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])" if whole_words else f"(?:{either})", re.IGNORECASE)


def _letter(character: str) -> str:
    variants = _variants().get(character, "")
    return f"[{re.escape(character)}{variants}]" if variants else re.escape(character)


@lru_cache(maxsize=1)
def _variants() -> dict[str, str]:
    """The accented forms of every letter, lower case."""
    variants: dict[str, str] = {}
    for characters in _ACCENTED:
        for code in characters:
            character = chr(code)
            folded = fold(character)
            if len(folded) == 1 and folded != character and unicodedata.category(character) == "Ll":
                variants[folded] = variants.get(folded, "") + character
    return variants
