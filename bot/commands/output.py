"""How commands print: one JSON document, or lines with colours where they are welcome."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from bot.console.screen import Screen
    from bot.console.spans import Line

# Beyond what JSON escapes by itself: DEL and the C1 controls, bidirectional overrides, lone surrogates.
UNPRINTABLE = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def print_json(document: object, *, indent: int | None = 2) -> None:
    """Print one JSON document on standard output; without `indent`, in one line."""
    sys.stdout.write(json_text(document, sys.stdout.encoding, indent=indent) + "\n")


def json_text(document: object, encoding: str | None, *, indent: int | None = 2) -> str:
    """Write JSON for an output of this encoding.

    Control characters are escaped, whatever text they stand in, and so are the bidirectional overrides, lone
    surrogates and what the encoding lacks.
    """
    readable = (encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(document, ensure_ascii=not readable, indent=indent, allow_nan=False)
    return UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def print_fault(line: str) -> None:
    """Print one line on standard error, without what would drive a terminal: it may name a file, or quote a page."""
    from bot.console.spans import one_row

    sys.stderr.write(one_row(line) + "\n")


def print_lines(lines: Iterable[Line]) -> None:
    """Print lines on standard output, with colours when it is a terminal that takes them."""
    from bot.console.spans import to_ansi, to_plain
    from bot.settings import color_refused

    colored = sys.stdout.isatty() and not color_refused()
    sys.stdout.write((to_ansi if colored else to_plain)(lines))


def screen_for(output: TextIO) -> Screen:
    """The screen that suits an output: rich on a terminal, plain elsewhere."""
    from bot.console.screen import PlainScreen, RichScreen, rich_console

    if not output.isatty():
        return PlainScreen(output)
    console = rich_console(output)
    return PlainScreen(output) if console.is_dumb_terminal else RichScreen(console)
