"""A page as a row of blocks that leave no character out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Literal

from markdown_it.token import Token

from retrieval.markdown import inline_text, markdown_parser, without_attributes

Kind = Literal["prose", "heading", "html", "whole"]

_KINDS: dict[str, Kind] = {
    "fence": "whole",
    "code_block": "whole",
    "table_open": "whole",
    "html_block": "html",
    "heading_open": "prose",  # within a list or a quote it opens no section
    "paragraph_open": "prose",
    "hr": "prose",
}
_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a page. `whole` ones (code, tables) are not cut; `level` and `title` belong to headings."""

    start: int
    end: int
    kind: Kind
    level: int = 0
    title: str = ""


def markdown_blocks(text: str) -> list[Block]:
    """Cut markdown into its leaf blocks, in order; together they hold every character."""
    # A lone carriage return ends a line for the parser; replaced, it keeps its place.
    lines = text.replace("\r\n", " \n").replace("\r", "\n")
    offsets = [0, *accumulate(len(line) + 1 for line in lines.split("\n"))]
    blocks: list[Block] = []
    for block in _leaves(markdown_parser().parse(lines), offsets):
        _fill(blocks, block.start, text)
        blocks.append(block)
    _fill(blocks, len(text), text)
    return list(_whole_tables(blocks, text))


def _leaves(tokens: list[Token], offsets: list[int]) -> Iterator[Block]:
    reached = 0
    for index, token in enumerate(tokens):
        if token.type not in _KINDS or token.map is None:
            continue
        # The last line may end without a line feed.
        start, end = offsets[token.map[0]], min(offsets[token.map[1]], offsets[-1] - 1)
        if start < reached:
            continue
        reached = end
        if token.type == "heading_open" and token.level == 0:
            title = " ".join(inline_text(without_attributes(tokens[index + 1].content)).split())
            yield Block(start, end, "heading", int(token.tag[1]), title)
        else:
            yield Block(start, end, _KINDS[token.type])


def _fill(blocks: list[Block], start: int, text: str) -> None:
    """Close the gap before `start`: blank lines, link definitions, what is nested too deep for the parser."""
    end = blocks[-1].end if blocks else 0
    if end >= start:
        return
    if blocks and (blocks[-1].kind == "prose" or text[end:start].isspace()):
        blocks[-1] = replace(blocks[-1], end=start)
    else:
        blocks.append(Block(end, start, "prose"))


def _whole_tables(blocks: Sequence[Block], text: str) -> Iterator[Block]:
    """Join what blank lines part inside an HTML table into one whole block."""
    waiting: list[Block] = []
    depth = 0
    for block in blocks:
        if block.kind == "html" or (depth and block.kind == "prose"):
            lowered = text[block.start : block.end].lower()
            opened = lowered.count("<table") if block.kind == "html" else 0
            depth = max(0, depth + opened - lowered.count("</table"))
            if opened or depth or waiting:
                waiting.append(block)
        elif depth:
            waiting.append(block)
        if not waiting:
            yield block
        elif not depth:
            yield Block(waiting[0].start, waiting[-1].end, "whole")
            waiting = []
    # A table that is never closed is no reason to keep the rest of the page in one piece.
    yield from waiting


def text_blocks(text: str) -> list[Block]:
    """Cut text without markup at its blank lines."""
    starts = [0, *(found.end() for found in _BLANK_LINES.finditer(text)), len(text)]
    return [Block(start, end, "prose") for start, end in pairwise(starts) if start < end]
