"""Snippets: the stretch of a page that shows most of what was searched, with the matches marked.

A highlighter of our own: Tantivy's looks at its own tokens and counts bytes. A listing cuts thirty of them, so words
are looked for as bytes, in a copy of the text that is folded letter by letter; what that may miss is left to
`retrieval.loose_words`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from retrieval import loose_words
from retrieval.tokens import fold

SNIPPET_CHARACTERS = 200
LEAD_CHARACTERS = 40  # of the page before the first match
REACH_CHARACTERS = SNIPPET_CHARACTERS - LEAD_CHARACTERS
ANCHORS = 2  # words whose places are looked at
PLACES_LOOKED_AT = 6  # of each
LOOSE_PLACES_LOOKED_AT = 40


def _folded_letter(code: int) -> int:
    """Fold a letter of Latin-1 where that gives one letter; what is no letter and no digit becomes a space."""
    folded = fold(chr(code))
    if not chr(code).isalnum():
        return ord(" ")
    return ord(folded) if len(folded) == 1 and folded.isascii() else code


_FOLDED = bytes(_folded_letter(code) for code in range(256))


@dataclass(frozen=True, slots=True)
class Snippet:
    """A stretch of text on one line; `highlights` are character spans of it."""

    text: str
    highlights: tuple[tuple[int, int], ...]


class Match(NamedTuple):
    """Where a word stands in a text, and which of the words it is."""

    start: int
    end: int
    word: int


def snippet(atoms: Sequence[str], *texts: Callable[[], str]) -> Snippet:
    """Cut a snippet out of the first text that holds one of the folded words, else the first text's beginning.

    Texts are asked for in turn: nearly every snippet comes out of the first.
    """
    words = tuple(dict.fromkeys(atoms))
    for whole_words in (True, False):
        for text_of in texts if words else ():
            text = text_of()
            place = _best_place(words, text, whole_words)
            if place is not None:
                return _marked(_cut(text, place), words, whole_words)
    return Snippet(_cut(texts[0](), 0) if texts else "", ())


def _best_place(words: tuple[str, ...], text: str, whole_words: bool) -> int | None:
    """Give where most different words begin to stand close together; None when none of them stands in the text."""
    place = _best_plain_place(_sought(words, whole_words), _folded(text, whole_words))
    if place is None and loose_words.needed_for(words, text):
        loose = loose_words.occurrences(words, text, whole_words=whole_words)
        found = [Match(*found) for found in islice(loose, LOOSE_PLACES_LOOKED_AT)]
        return _densest(found)[0] if found else None
    return place


def _best_plain_place(sought: Sequence[bytes], folded: bytes) -> int | None:
    """Look around the first places of the longest words: they tell most, and where they meet the others are near."""
    best, most, anchors = None, 0, 0
    for word in sought:
        place, looked_at = folded.find(word), 0
        anchors += place >= 0
        while place >= 0 and looked_at < PLACES_LOOKED_AT and most < len(sought):
            near = folded[max(0, place - REACH_CHARACTERS) : place + REACH_CHARACTERS]
            different = len([one for one in sought if one in near])
            if different > most:
                best, most = place, different
            place, looked_at = folded.find(word, place + 1), looked_at + 1
        if most == len(sought) or anchors == ANCHORS:
            break
    if best is None or most == 1:
        return best
    begin = max(0, best - REACH_CHARACTERS)
    return begin + _densest(_plain(sought, folded[begin : best + REACH_CHARACTERS]))[0]


def _folded(text: str, whole_words: bool) -> bytes:
    """Fold letter by letter, so that places stay; letters beyond Latin-1 are lost. Whole words get spaces around."""
    folded = text.encode("latin-1", "replace").translate(_FOLDED)
    return b" %b " % folded if whole_words else folded


@lru_cache(maxsize=64)
def _sought(words: tuple[str, ...], whole_words: bool) -> Sequence[bytes]:
    """Give the words as they are looked for, the longest first: a whole word with the spaces around it."""
    plain = [word.encode() for word in words if word.isascii()]
    return sorted((b" %b " % word if whole_words else word for word in plain), key=len, reverse=True)


def _plain(sought: Sequence[bytes], folded: bytes) -> list[Match]:
    """Find all matches of the words, in order; of those that begin together, the longest first."""
    found: list[Match] = []
    for number, word in enumerate(sought):
        length = len(word.strip())
        place = folded.find(word)
        while place >= 0:
            found.append(Match(place, place + length, number))
            place = folded.find(word, place + length)
    found.sort(key=itemgetter(0))
    return found


def _densest(found: Sequence[Match]) -> tuple[int, int]:
    """Give where most different words stand close together, and how many; the first such place."""
    best, most = 0, 0
    for number, first in enumerate(found):
        end = first.start + REACH_CHARACTERS
        different = len({match.word for match in found[number:] if match.start < end})
        if different > most:
            best, most = first.start, different
    return best, most


def _cut(text: str, place: int) -> str:
    """Cut around a place, between words, on one line."""
    begin = max(0, place - LEAD_CHARACTERS)
    lead, rest = text[begin:place], text[place : begin + SNIPPET_CHARACTERS + 20]
    if begin:
        parts = lead.split(maxsplit=1)  # the first word is cut, or stands far enough off
        lead = "…" + (parts[1] if len(parts) > 1 else lead)
    if begin + SNIPPET_CHARACTERS + 20 < len(text):
        rest = rest[: max(rest.rfind(" "), SNIPPET_CHARACTERS // 2)].rstrip() + "…"
    return " ".join((lead + rest).split())


def _marked(text: str, words: tuple[str, ...], whole_words: bool) -> Snippet:
    """Mark every word in the snippet; of two that overlap, the one that begins first, then the longer."""
    if loose_words.needed_for(words, text):
        found = [Match(*place) for place in loose_words.occurrences(words, text, whole_words=whole_words)]
    else:
        found = _plain(_sought(words, whole_words), _folded(text, whole_words))
    highlights: list[tuple[int, int]] = []
    for match in found:
        if not highlights or match.start >= highlights[-1][1]:
            highlights.append((match.start, match.end))
    return Snippet(text, tuple(highlights))
