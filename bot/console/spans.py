"""Lines made of styled spans: laid out once, shown as plain text, with ANSI colours, or by rich.

No control character of a page or of a model reaches the terminal: every way out passes through `printable`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Look(StrEnum):
    """What a span is, in rich's words for styles."""

    PLAIN = "none"
    HEADING = "bold cyan"
    TITLE = "bold"
    MATCH = "bold yellow"
    LABEL = "magenta"
    QUIET = "dim"


# Select graphic rendition parameters, ECMA-48: the same looks for the commands that do not load rich.
SGR = {Look.HEADING: "1;36", Look.TITLE: "1", Look.MATCH: "1;33", Look.LABEL: "35", Look.QUIET: "2"}


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one line; `link` is the address it leads to, where the terminal can show links."""

    text: str
    look: Look = Look.PLAIN
    link: str = ""


Line = tuple[Span, ...]

# Whole escape sequences first, so that no "[31m" stays behind; then single controls and the bidirectional overrides
# that make a line read otherwise than it is.
ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


def printable(text: str) -> str:
    """Give the text without escape sequences, control characters or lone surrogates; line breaks and tabs stay."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return ESCAPES.sub("", text).encode("utf-8", "replace").decode("utf-8")


def one_line(text: str) -> str:
    """Give the text in one printable line, its runs of blanks as one space."""
    return " ".join(printable(text).split())


def web_link(address: str) -> str:
    """Give the address when a terminal may offer to open it; an empty text otherwise."""
    return address if re.fullmatch(r"https?://[\x21-\x7e]+", address) else ""


def to_plain(lines: Iterable[Line]) -> str:
    """Render for a pipe or a file."""
    return "".join("".join(one_row(span.text) for span in line).rstrip() + "\n" for line in lines)


def to_ansi(lines: Iterable[Line]) -> str:
    """Render for a terminal, without rich: `oraculo search` has no time to load it."""
    return "".join("".join(map(_ansi, line)).rstrip() + "\n" for line in lines)


def one_row(text: str) -> str:
    """A span never breaks its line; its blanks stay, since indentation is made of them."""
    return re.sub(r"[\n\t\u2028\u2029]", " ", printable(text))


def marked(text: str, highlights: Sequence[tuple[int, int]]) -> Line:
    """Cut a snippet into spans, the highlighted ones as matches. Spans out of order or out of range are left out."""
    spans: list[Span] = []
    at = 0
    for start, end in highlights:
        if not at <= start < end <= len(text):
            continue
        spans += [Span(text[at:start]), Span(text[start:end], Look.MATCH)]
        at = end
    return tuple(span for span in (*spans, Span(text[at:])) if span.text)


def _ansi(span: Span) -> str:
    text = one_row(span.text)
    return f"\x1b[{SGR[span.look]}m{text}\x1b[0m" if span.look in SGR and text.strip() else text
