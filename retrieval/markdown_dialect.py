"""The one markdown dialect of the program: CommonMark with tables, strikethrough and footnotes.

A footnote is a paragraph where it stands: in a chunk its mark and its text are seldom together.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, reference
from markdown_it.rules_inline import StateInline

Definitions = dict[str, Any]
"""Link definitions of a text, as the parser keeps them."""

MAX_NESTING = 40
"""Deeper quotes and lists than this are read as plain lines: nesting costs recursion."""

_VALUE = r"""(?:"[^"\n]*+"|'[^'\n]*+'|[\w%.-]++)"""
_ATTRIBUTE = rf"(?:[#.][\w:.-]++|[\w-]++\s*+=\s*+{_VALUE})"
ATTRIBUTE_LIST = re.compile(rf"\{{:?\s*+{_ATTRIBUTE}(?:\s++{_ATTRIBUTE})*+\s*+\}}")
"""What some dialects put after a heading, link or image: `{#anchor .class width="80%"}`."""
_FOOTNOTE = re.compile(r"(?P<mark>\[\^[^\]\[\s]{1,200}\])(?!\()(?::[ \t]?)?")


@cache
def markdown_parser() -> MarkdownIt:
    """Give the parser of blocks, with their line spans; inline content is left to `inline_text`."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    parser.core.ruler.disable(["inline", "text_join"])
    parser.inline.ruler.before("link", "footnote_mark", _footnote_mark)
    parser.block.ruler.at("reference", _reference_unless_footnote, {"alt": []})
    return parser


def without_attributes(heading: str) -> str:
    """Leave out the attribute list at the end of a heading: `Uso {#uso}` is `Uso`."""
    at = heading.rfind("{")
    return heading[:at].rstrip() if at >= 0 and ATTRIBUTE_LIST.fullmatch(heading.rstrip(), at) else heading


def _reference_unless_footnote(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    # `[^1]: word` would pass for a link's definition, and the footnote's text would be gone.
    if state.src.startswith("[^", state.bMarks[start_line] + state.tShift[start_line]):
        return False
    return reference(state, start_line, end_line, silent)


def _footnote_mark(state: StateInline, silent: bool) -> bool:
    """Read `[^1]`, and `[^1]: ` where a note begins, as a token without text."""
    found = _FOOTNOTE.match(state.src, state.pos, state.posMax)
    before = state.src[state.pos - 1 : state.pos]
    if found is None or before == "[":
        return False
    begins_note = not before or before.isspace()
    if not silent:
        state.push("footnote_mark", "", 0)
    state.pos = found.end() if begins_note else found.end("mark")
    return True
