"""Markdown as a person reads it: the text without the markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, reference
from markdown_it.token import Token

from retrieval.html_text import html_text, tag_text

Definitions = dict[str, Any]
"""Link definitions of a text, as the parser keeps them."""

MAX_NESTING = 40
"""Deeper quotes and lists than this are read as plain lines: nesting costs recursion."""
_INLINE_LIMIT_CHARACTERS = 4_000
"""Inline markup is parsed in pieces of about this size: some of it costs the square of its length."""

_INLINE_MARKUP = re.compile(r"[\\`*_~\[\]<&!\n{]")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:?[ \t]?")
_ATTRIBUTE_LIST = r"""\{:?\s*(?:[#.][\w:.-]+|[\w-]+\s*=\s*(?:"[^"\n]*"|'[^'\n]*'|[\w%.-]+))(?:\s+(?:[#.][\w:.-]+|[\w-]+\s*=\s*(?:"[^"\n]*"|'[^'\n]*'|[\w%.-]+)))*\s*\}"""
_ATTRIBUTES_AT_END = re.compile(rf"\s*{_ATTRIBUTE_LIST}\s*$")
_ATTRIBUTES_AT_START = re.compile(_ATTRIBUTE_LIST)
_CONTAINER_MARKERS = re.compile(r"^(?:\s|>|[-*+](?=\s|$))+")
_DEFINITION = re.compile(r"^\[(?!\^)[^\]]+\]:\s*(?:<[^>\n]*>|\S+)\s*(.*)$")
_LEAVES = frozenset({"paragraph_open", "heading_open", "fence", "code_block", "html_block", "table_open", "hr"})


def plain(markdown: str) -> str:
    """Give the readable text of a markdown stretch: blocks parted by blank lines, table cells by tabs.

    Nothing a person reads is lost: code, cells, alternative text, footnotes, text beside HTML tags and comments.
    Markup and link targets are gone; words that emphasis splits are joined.
    """
    definitions: Definitions = {}
    tokens = markdown_parser().parse(markdown, definitions)
    lines = markdown.count("\n") + 1
    covered = bytearray(lines + 1)
    blocks = list(_blocks(tokens, definitions, covered))
    rest = list(_uncovered(markdown, covered)) if covered.count(0) > 1 else []
    if rest:
        blocks = sorted(blocks + rest, key=lambda block: block[0])
    return "\n\n".join(text for _, text in blocks if text)


@cache
def markdown_parser() -> MarkdownIt:
    """The one dialect of the program: CommonMark with tables and strikethrough; inline content is left to `plain`."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    parser.core.ruler.disable(["inline", "text_join"])
    parser.block.ruler.at("reference", _reference_unless_footnote, {"alt": []})
    return parser


def _reference_unless_footnote(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    # `[^1]: word` would pass for a link's definition, and the footnote's text would be gone.
    at = state.bMarks[start_line] + state.tShift[start_line]
    if state.src.startswith("[^", at):
        return False
    return reference(state, start_line, end_line, silent)


def _blocks(tokens: Sequence[Token], definitions: Definitions, covered: bytearray) -> Iterator[tuple[int, str]]:
    """Give (first line, text) of every block in order, marking the lines that are covered."""
    prefix = ""
    cells: list[str] = []
    rows: list[str] = []
    heading = in_table = False
    line = 0
    for token in tokens:
        kind = token.type
        if kind in _LEAVES and token.map:
            line, end = token.map
            covered[line:end] = b"\x01" * (end - line)
        if kind == "inline":
            content = without_attributes(token.content) if heading else token.content
            text = inline_text(content, definitions)
            if in_table:
                cells.append(text)
            else:
                yield line, prefix + text
                prefix = ""
        elif kind in ("heading_open", "heading_close"):
            heading = token.nesting == 1
        elif kind == "list_item_open":
            prefix = f"{token.info}{token.markup} " if token.info else ""
        elif kind in ("fence", "code_block"):
            info = f"{token.info.strip()}\n" if token.info.strip() else ""
            yield line, prefix + info + token.content.strip("\n")
            prefix = ""
        elif kind == "html_block":
            yield line, prefix + html_text(token.content)
            prefix = ""
        elif kind == "tr_close":
            rows.append("\t".join(cells))
            cells = []
        elif kind in ("table_open", "table_close"):
            in_table = token.nesting == 1
            if not in_table:
                yield line, prefix + "\n".join(rows)
                prefix, rows = "", []


def _uncovered(markdown: str, covered: bytearray) -> Iterator[tuple[int, str]]:
    """Give the text of lines the parser keeps in no block: what is nested too deep, and link titles."""
    for number, line in enumerate(markdown.split("\n")):
        if covered[number] or not line.strip():
            continue
        text = _CONTAINER_MARKERS.sub("", line).strip()
        definition = _DEFINITION.match(text)
        if definition:
            text = definition.group(1).strip().strip("\"'()")
        if text:
            yield number, inline_text(text)


def inline_text(content: str, definitions: Definitions | None = None) -> str:
    """Give the readable text of a paragraph, heading or cell."""
    if not _INLINE_MARKUP.search(content):
        return content.strip()
    known = definitions or {}
    return "".join(_inline_piece(piece, known) for piece in _pieces(content)).strip()


def _pieces(content: str) -> Iterator[str]:
    start = 0
    while start < len(content):
        end = start + _INLINE_LIMIT_CHARACTERS
        if end < len(content):
            space = max(content.rfind("\n", start, end), content.rfind(" ", start, end))
            end = space if space > start else end
        yield content[start:end]
        start = end


def _inline_piece(content: str, definitions: Definitions) -> str:
    parser = markdown_parser()
    tokens: list[Token] = []
    parser.inline.parse(content, parser, definitions, tokens)
    parts: list[str] = []
    run: list[str] = []
    after_target = False
    for token in _flat(tokens):
        if token.type in ("text", "text_special"):
            run.append(token.content)
        elif token.type == "softbreak":
            run.append(" ")
        else:
            _flush(run, parts)
            parts.append(_said(token))
    _flush(run, parts)
    return "".join(parts)


def _flat(tokens: Sequence[Token]) -> Iterator[Token]:
    stack = [iter(tokens)]
    while stack:
        token = next(stack[-1], None)
        if token is None:
            stack.pop()
            continue
        yield token
        if token.children:
            stack.append(iter(token.children))


def _flush(run: list[str], parts: list[str]) -> None:
    text = "".join(run)
    run.clear()
    if "{" in text and parts and parts[-1] == "":
        text = _ATTRIBUTES_AT_START.sub("", text, count=1) if _ATTRIBUTES_AT_START.match(text) else text
    parts.append(_FOOTNOTE.sub("", text) if "[^" in text else text)


def _said(token: Token) -> str:
    kind = token.type
    if kind == "code_inline":
        return token.content
    if kind == "hardbreak":
        return "\n"
    if kind == "html_inline":
        return tag_text(token.content)
    if kind in ("image", "link_open"):
        title = token.attrGet("title")
        return f"{title} " if title else ""
    return ""


def first_heading(markdown: str) -> str:
    """Give the text of the first heading, or nothing."""
    for stretch in (markdown[:_HEADING_SEARCH_CHARACTERS], markdown):
        tokens = markdown_parser().parse(stretch)
        for opening, content in zip(tokens, tokens[1:], strict=False):
            if opening.type == "heading_open":
                text = inline_text(without_attributes(content.content))
                if text:
                    return " ".join(text.split())
        if len(markdown) <= _HEADING_SEARCH_CHARACTERS:
            break
    return ""


_HEADING_SEARCH_CHARACTERS = 20_000


def without_attributes(heading: str) -> str:
    """Leave out the attribute list that some dialects put after a heading: `Uso {#uso}`."""
    return _ATTRIBUTES_AT_END.sub("", heading)
