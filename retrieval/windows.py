"""Cut long texts into pieces an embedding model reads whole."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

OVERLAP_TOKENS = 32
"""Shared by neighbours, so that a thought cut at the edge stands whole in one of them."""

CHARACTERS_PER_TOKEN = 32
"""More than a token of prose spans. A longer one (a run of spaces, of unknown signs) counts as several."""

_SPARE_TOKENS = 8
"""Left free: a piece that starts or ends inside a word may tokenise a little longer than it did within the text."""

_STRETCH_CHARACTERS = 8_192
"""Tokenised at a time, so that memory stays even and time grows evenly, however long the text is."""

_WORD_SEARCH_TOKENS = 24
"""How far a cut is moved back to fall between two words."""

_SURROGATES = re.compile("[\ud800-\udfff]")


def encodable(text: str) -> str:
    """Replace lone surrogates, which no tokenizer takes; the length stays."""
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


class TextWindows:
    """Cuts by the tokens of one model, whose passages start with `prefix`."""

    def __init__(self, tokenizer: Tokenizer, window_tokens: int, prefix: str) -> None:
        self._tokenizer = tokenizer
        marks = tokenizer.num_special_tokens_to_add(is_pair=False)
        self._whole = window_tokens - marks - len(self._encode(prefix).ids)
        self._capacity = max(self._whole - _SPARE_TOKENS, 4)
        self._overlap = min(OVERLAP_TOKENS, self._capacity // 4)
        self._reach = min(_WORD_SEARCH_TOKENS, self._capacity // 4)

    def cut(self, text: str) -> Sequence[str]:
        """Give the text in pieces; one that fits is its own piece."""
        return tuple(text[start:end] for start, end in self.spans(text))

    def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Give the pieces' character spans, in order; together they cover the text but for blank stretches."""
        edges = _filled([0, *self._token_starts(text), len(text)])
        if len(edges) - 2 <= self._whole:
            return ((0, len(text)),)
        spans = tuple(self._cuts(text, edges))
        return tuple(span for span in spans if not text[slice(*span)].isspace()) or spans[:1]

    def _token_starts(self, text: str) -> array[int]:
        """Where each token starts. Several may share a start: one character can hold many."""
        starts = array("q")
        for begin, end in pairwise(_stretch_edges(text)):
            starts.extend(begin + start for start in _offsets(self._encode(text[begin:end])))
        return starts

    def _encode(self, text: str) -> Encoding:
        return self._tokenizer.encode(encodable(text), add_special_tokens=False)

    def _cuts(self, text: str, edges: Sequence[int]) -> Iterator[tuple[int, int]]:
        first, last = 0, len(edges) - 1
        while first + self._capacity < last:
            stop = self._word_start(text, edges, first + self._capacity)
            yield edges[first], edges[stop]
            first = self._word_start(text, edges, stop - self._overlap)
        yield edges[first], edges[last]

    def _word_start(self, text: str, edges: Sequence[int], near: int) -> int:
        """The last token at `near` or a little before it that starts a word; `near` itself when none does."""
        candidates = range(near, near - self._reach, -1)
        return next((token for token in candidates if _starts_word(text, edges[token])), near)


def _offsets(encoding: Encoding) -> list[int]:
    """Where the tokens start. The tokenizer truncates as the model needs it; what it cut off comes as further parts.

    Parts are padded alike, and in the order of the tokenizer's direction.
    """
    parts = (encoding, *encoding.overflowing)
    tokens = (zip(part.offsets, part.attention_mask, strict=True) for part in parts)
    return sorted(start for part in tokens for (start, _), real in part if real)


def _starts_word(text: str, at: int) -> bool:
    return text[at].isspace() or text[at - 1].isspace()


def _filled(edges: Sequence[int]) -> array[int]:
    """Put edges between those that are further apart than a token may be."""
    filled = array("q", edges[:1])
    for start, end in pairwise(edges):
        filled.extend(range(start + CHARACTERS_PER_TOKEN, end, CHARACTERS_PER_TOKEN))
        filled.append(end)
    return filled


def _stretch_edges(text: str) -> list[int]:
    """Cut for the tokenizer, after white space where there is some near."""
    edges = [0]
    while len(text) - edges[-1] > _STRETCH_CHARACTERS:
        limit = edges[-1] + _STRETCH_CHARACTERS
        near = range(limit, limit - _STRETCH_CHARACTERS // 2, -1)
        edges.append(next((at for at in near if text[at - 1].isspace()), limit))
    return [*edges, len(text)]
