"""Markdown as a person reads it: the text without the markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from markdown_it.token import Token

from retrieval.html_text import html_text, without_hidden
from retrieval.inline_text import inline_text
from retrieval.markdown_dialect import Definitions, markdown_parser, without_attributes

__all__ = ["first_heading", "inline_text", "markdown_parser", "plain", "without_attributes"]

_LEAVES = frozenset({"paragraph_open", "heading_open", "fence", "code_block", "html_block", "table_open", "hr"})
_CONTAINER_MARKERS = re.compile(r"(?:\s|>|[-*+](?=\s|$))++")
_CELL_END = re.compile(r"(?<!\\)\|")
_DEFINITION = re.compile(r"\[(?!\^)[^\[\]]++\]:\s*+(?:<[^<>\n]*+>|\S++)\s*+(.*)")
_INDENT = re.compile(r"(?:[^\S\n]*\n)*(?P<indent>[ \t]+)(?=\S)")
_HTML_HEADING = re.compile(r"<h1\b[^>]*+>(.*?)</h1\s*>", re.DOTALL | re.IGNORECASE)
_HEADING_SEARCH_CHARACTERS = 20_000


def plain(markdown: str) -> str:
    """Give the readable text of a markdown stretch: blocks parted by blank lines, table cells by tabs.

    Nothing a person reads is lost: code, cells, alternative text, footnotes, text beside HTML tags and comments.
    Markup and link targets are gone; words that emphasis splits are joined. A stretch may be cut from the middle of
    a list: what its first line is indented by counts for nothing.
    """
    text = _outdented(markdown.replace("\r\n", "\n").replace("\r", "\n"))
    definitions: Definitions = {}
    tokens = markdown_parser().parse(text, definitions)
    reading = _Reading(definitions, text.split("\n"))
    for token in tokens:
        reading.read(token)
    return "\n\n".join(block for block in reading.blocks() if block)


def first_heading(markdown: str) -> str:
    """Give the text of the first heading that has one, or nothing."""
    stretches = [markdown]
    if len(markdown) > _HEADING_SEARCH_CHARACTERS:
        stretches.insert(0, markdown[:_HEADING_SEARCH_CHARACTERS])
    return next((title for stretch in stretches for title in _headings(stretch)), "")


def _headings(markdown: str) -> Iterator[str]:
    for token, content in pairwise(markdown_parser().parse(markdown)):
        text = ""
        if token.type == "heading_open":
            text = inline_text(without_attributes(content.content))
        elif token.type == "html_block" and (written := _HTML_HEADING.search(token.content)):
            text = html_text(written.group(1))
        if text:
            yield " ".join(text.split())


def _outdented(markdown: str) -> str:
    found = _INDENT.match(markdown)
    if found is None:
        return markdown
    indent = found["indent"]
    return "\n".join(line.removeprefix(indent) for line in markdown.split("\n"))


class _Reading:
    """Collects (line, text) of the blocks of one text, as its tokens come."""

    def __init__(self, definitions: Definitions, lines: Sequence[str]) -> None:
        self._definitions = definitions
        self._lines = lines
        self._covered = bytearray(len(lines) + 1)
        self._blocks: list[tuple[int, str]] = []
        self._line = 0
        self._number = ""
        self._in_heading = False
        self._cells: list[str] | None = None
        self._rows: list[str] = []
        self._row_line = 0
        self._readers: dict[str, Callable[[Token], None]] = {
            "inline": self._inline,
            "heading_open": self._heading,
            "heading_close": self._heading,
            "list_item_open": self._list_item,
            "list_item_close": self._list_item_end,
            "hr": self._rule,
            "fence": self._code,
            "code_block": self._code,
            "html_block": self._html,
            "table_open": self._table,
            "tr_open": self._row_start,
            "tr_close": self._row,
            "table_close": self._table,
        }

    def read(self, token: Token) -> None:
        if token.type in _LEAVES and token.map:
            self._line, end = token.map
            self._covered[self._line : end] = b"\x01" * (end - self._line)
        reader = self._readers.get(token.type)
        if reader is not None:
            reader(token)

    def blocks(self) -> Sequence[str]:
        """Give the texts in order, with those of the lines that stand in no block of the parser."""
        rest = list(self._unread_lines())
        found = sorted(self._blocks + rest, key=lambda block: block[0]) if rest else self._blocks
        return [block for _, block in found]

    def _add(self, text: str) -> None:
        self._blocks.append((self._line, (self._number + text).rstrip()))
        self._number = ""

    def _inline(self, token: Token) -> None:
        text = inline_text(without_attributes(token.content) if self._in_heading else token.content, self._definitions)
        if self._cells is None:
            self._add(text)
        else:
            self._cells.append(text)

    def _heading(self, token: Token) -> None:
        self._in_heading = token.nesting == 1

    def _list_item(self, token: Token) -> None:
        # A step's number is read; a bullet is markup.
        if token.info:
            self._number += f"{token.info}{token.markup} "

    def _list_item_end(self, _: Token) -> None:
        # An empty item's line stands in no block: its number is read there.
        self._number = ""

    def _rule(self, _: Token) -> None:
        self._add("")

    def _code(self, token: Token) -> None:
        # The language is markup; a title that some dialects put after it is read.
        after_language = token.info.split(maxsplit=1)[1:]
        self._add("\n".join(part for part in (*after_language, token.content.strip("\n")) if part))

    def _html(self, token: Token) -> None:
        if token.content.lstrip().startswith("<!--"):
            # Markdown that follows a comment on its line is meant as markdown.
            self._add(inline_text(without_hidden(token.content), self._definitions))
        else:
            self._add(html_text(token.content))

    def _row_start(self, token: Token) -> None:
        self._cells = []
        self._row_line = token.map[0] if token.map else 0

    def _row(self, _: Token) -> None:
        cells = self._cells or []
        # The parser drops the cells that the table's head has no column for.
        line = _CONTAINER_MARKERS.sub("", self._lines[self._row_line], count=1)
        written = _CELL_END.split(line.strip().removeprefix("|").removesuffix("|"))
        cells += [inline_text(cell, self._definitions) for cell in written[len(cells) :]]
        self._rows.append("\t".join(cells).rstrip())

    def _table(self, token: Token) -> None:
        self._cells = [] if token.nesting == 1 else None
        if self._rows and token.nesting == -1:
            self._add("\n".join(self._rows))
            self._rows = []

    def _unread_lines(self) -> Iterator[tuple[int, str]]:
        """Give what is nested too deep for the parser, and the titles of link definitions."""
        for number, line in enumerate(self._lines):
            if self._covered[number] or not line.strip():
                continue
            markers = _CONTAINER_MARKERS.match(line)
            bare = line[markers.end() :] if markers else line
            definition = _DEFINITION.match(bare)
            said = definition.group(1).strip().strip("\"'()") if definition else bare
            if said:
                yield number, inline_text(said, self._definitions)
