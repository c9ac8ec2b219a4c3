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


def print_json(document: object) -> None:
    """Print one JSON document. Control characters are escaped, whatever text they stand in."""
    readable = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(document, ensure_ascii=not readable, indent=2, allow_nan=False)
    text = re.sub("[\x7f-\x9f\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)
    sys.stdout.write(text + "\n")


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
