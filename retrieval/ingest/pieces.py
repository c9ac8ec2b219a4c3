"""What a chunk is packed from: blocks, and the parts of those that are too long for one."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.ingest.blocks import Block, Kind
from retrieval.sentences import sentences

TARGET_CHARACTERS = 1_500
WHOLE_LIMIT_CHARACTERS = 32_000
"""Code and tables are whole up to here; beyond, a fence that is never closed would make a page one chunk."""

_JOINERS = "\u200d\ufe0e\ufe0f"
_LONGEST_CLUSTER = 32


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch that is not cut further, without blank edges."""

    start: int
    end: int
    kind: Kind


def pieces(text: str, blocks: Sequence[Block]) -> Iterator[Piece]:
    """Give the pieces of a section in order; together they hold every character that is not space."""
    for block in blocks:
        end = block.start + len(text[block.start : block.end].rstrip())
        length = end - block.start
        if length <= 0:
            continue
        if length <= TARGET_CHARACTERS or (block.kind == "whole" and length <= WHOLE_LIMIT_CHARACTERS):
            yield Piece(block.start, end, block.kind)
        elif block.kind == "prose":
            for first, last in sentences(text[block.start : end]):
                yield from _cut(text, Piece(block.start + first, block.start + last, "prose"))
        else:
            yield from _by_lines(text, Piece(block.start, end, "whole"))


def _by_lines(text: str, piece: Piece) -> Iterator[Piece]:
    """Cut at line ends into pieces of at most the target."""
    start = reached = piece.start
    while reached < piece.end:
        line_end = text.find("\n", reached, piece.end) + 1 or piece.end
        if line_end - start > TARGET_CHARACTERS:
            yield from _cut(text, Piece(start, reached, piece.kind))
            start = reached
        reached = line_end
    yield from _cut(text, Piece(start, piece.end, piece.kind))


def _cut(text: str, piece: Piece) -> Iterator[Piece]:
    """Cut what has no sentence or line end: at spaces where there are any, never within a character's marks."""
    start = piece.start
    while piece.end - start > TARGET_CHARACTERS:
        limit = start + TARGET_CHARACTERS
        space = max(text.rfind(" ", start, limit), text.rfind("\n", start, limit))
        end = space + 1 if space > start + TARGET_CHARACTERS // 2 else _between_characters(text, limit)
        yield Piece(start, end, piece.kind)
        start = end
    if start < piece.end:
        yield Piece(start, piece.end, piece.kind)


def _between_characters(text: str, at: int) -> int:
    for cut in range(at, at - _LONGEST_CLUSTER, -1):
        continues = unicodedata.combining(text[cut]) or text[cut] in _JOINERS or text[cut - 1] in _JOINERS
        if not continues:
            return cut
    return at
