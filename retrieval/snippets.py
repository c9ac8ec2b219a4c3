"""Snippets: the stretch of a page that shows most of what was searched, with the matches marked.

A highlighter of our own: Tantivy's looks at its own tokens and counts bytes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from retrieval.tokens import fold

SNIPPET_CHARACTERS = 200
MATCHES_LOOKED_AT = 40
_ACCENTED = (range(0xC0, 0x250), range(0x1E00, 0x1F00))
_LOOSE = "[\u0300-\u036f\u00ad\u200b-\u200d]*"  # combining accents and soft hyphens between letters


@dataclass(frozen=True, slots=True)
class Snippet:
    """A stretch of text on one line; `highlights` are character spans of it."""

    text: str
    highlights: tuple[tuple[int, int], ...]


def snippet(atoms: Sequence[str], *texts: str) -> Snippet:
    """Cut a snippet out of the first text that holds one of the folded words, else the first text's beginning."""
    for whole_words in (True, False):
        pattern = _pattern(tuple(dict.fromkeys(atoms)), whole_words)
        for text in texts:
            found = _matches(pattern, text) if pattern else []
            if found:
                return _marked(_window(text, found), pattern)
    return _marked(_window(texts[0] if texts else "", []), None)


def _matches(pattern: re.Pattern[str], text: str) -> list[tuple[int, str]]:
    """Give where the first matches stand and which of the words each one is."""
    found = []
    for match in pattern.finditer(text):
        found.append((match.start(), str(match.lastgroup)))
        if len(found) == MATCHES_LOOKED_AT:
            break
    return found


def _window(text: str, found: Sequence[tuple[int, str]]) -> str:
    """Cut where most different words stand close together, on word boundaries, on one line."""
    reach = SNIPPET_CHARACTERS - 40
    best = max(
        (start for start, _ in found),
        key=lambda start: (len({word for at, word in found if start <= at < start + reach}), -start),
        default=0,
    )
    begin = max(0, best - 40)
    cut = text[begin : begin + SNIPPET_CHARACTERS + 20]
    if begin > 0:
        cut = (
            "…" + re.sub(r"^\S*\s", "", cut, count=1)
            if best - begin > 0 and re.search(r"\s", cut[: best - begin])
            else "…" + cut
        )
    if begin + SNIPPET_CHARACTERS + 20 < len(text):
        cut = (cut[: max(cut.rfind(" "), SNIPPET_CHARACTERS // 2)]).rstrip() + "…"
    return re.sub(r"\s+", " ", cut).strip()


def _marked(text: str, pattern: re.Pattern[str] | None) -> Snippet:
    return Snippet(text, tuple(match.span() for match in pattern.finditer(text)) if pattern else ())


@lru_cache(maxsize=256)
def _pattern(atoms: tuple[str, ...], whole_words: bool) -> re.Pattern[str] | None:
    """Match any of the folded words in unfolded text, whatever its case and accents."""
    if not atoms:
        return None
    longest_first = sorted(atoms, key=len, reverse=True)
    words = "|".join(
        f"(?P<w{number}>{_LOOSE.join(_letter(c) for c in atom)})" for number, atom in enumerate(longest_first)
    )
    return re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])" if whole_words else f"(?:{words})", re.IGNORECASE)


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
