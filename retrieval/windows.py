"""Cut long texts into pieces an embedding model reads whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

OVERLAP_TOKENS = 32
"""Shared by neighbours, so that a thought cut at the edge stands whole in one of them."""

SPARE_TOKENS = 8
"""Left free: a piece that starts or ends inside a word may tokenise a little longer than it did within the text."""

STRETCH_CHARACTERS = 8_192
"""Tokenised at a time: the tokenizer's memory and time stay even however long the text is."""

_SURROGATES = re.compile("[\ud800-\udfff]")
_BREAK = re.compile(r"\s")


class TextWindows:
    """Cuts by the tokens of one model."""

    def __init__(self, tokenizer: Tokenizer, window_tokens: int, prefix: str) -> None:
        self._tokenizer = tokenizer
        marks = tokenizer.num_special_tokens_to_add(is_pair=False)
        used = marks + len(tokenizer.encode(prefix, add_special_tokens=False).ids)
        self._whole = window_tokens - used
        self._capacity = max(self._whole - SPARE_TOKENS, 1)
        self._step = max(self._capacity - OVERLAP_TOKENS, 1)

    def cut(self, text: str) -> Sequence[str]:
        """Give pieces that cover the text in order; the first starts where it starts, the last ends where it ends."""
        starts = [start for stretch in _stretches(text) for start in self._token_starts(text, *stretch)]
        if len(starts) <= self._whole:
            return (text,)
        edges = sorted({*starts[1:], len(text)} - {0})
        return tuple(self._pieces(text, [0, *edges]))

    def _token_starts(self, text: str, start: int, end: int) -> list[int]:
        """Where each token begins in the text. Several tokens may share a start: one character can hold many."""
        encoding = self._tokenizer.encode(_SURROGATES.sub("\ufffd", text[start:end]), add_special_tokens=False)
        parts = (encoding, *encoding.overflowing)
        return [start + begin for part in parts for begin, _ in part.offsets]

    def _pieces(self, text: str, edges: Sequence[int]) -> Iterator[str]:
        first, last = 0, len(edges) - 1
        while first + self._capacity < last:
            yield text[edges[first] : edges[first + self._capacity]]
            first += self._step
        yield text[edges[first] : edges[last]]


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    edges = [0]
    while len(text) - edges[-1] > STRETCH_CHARACTERS:
        edges.append(_break_before(text, edges[-1] + STRETCH_CHARACTERS))
    return pairwise([*edges, len(text)])


def _break_before(text: str, limit: int) -> int:
    """The end of the last white space before `limit`, near it; `limit` itself when there is none."""
    near = limit - STRETCH_CHARACTERS // 2
    for at in range(limit, near, -1):
        if text[at - 1].isspace():
            return at
    return limit
