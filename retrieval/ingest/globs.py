"""Glob patterns over paths relative to a source, as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence


def glob_matcher(patterns: Sequence[str]) -> re.Pattern[str] | None:
    """Make one pattern of many globs, to be used with `fullmatch` on a posix path; None for no globs.

    `*` and `?` stay within a folder, `**` does not. A glob without a slash matches a name at any depth, and one
    that matches a folder matches what lies in it.
    """
    alternatives = [_translated(pattern) for pattern in patterns if pattern.strip("/ ")]
    return re.compile("|".join(f"(?:{each})" for each in alternatives)) if alternatives else None


def _translated(pattern: str) -> str:
    bare = pattern.strip().removeprefix("./")
    anywhere = "/" not in bare.rstrip("/")
    parts = [re.sub(r"(?s:.)+", _segment, part) for part in bare.strip("/").split("/")]
    body = ""
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part == _ANY_FOLDERS:
            body += ".*" if last else "(?:[^/]+/)*"
        else:
            body += part if last else part + "/"
    return ("(?:.*/)?" if anywhere else "") + body + "(?:/.*)?"


_ANY_FOLDERS = "**"


def _segment(found: re.Match[str]) -> str:
    text = found.group()
    if text == _ANY_FOLDERS:
        return text
    pieces = re.split(r"(\*+|\?|\[!?[^\]]+\])", text)
    return "".join(_piece(piece) for piece in pieces)


def _piece(piece: str) -> str:
    if piece.startswith("*"):
        return "[^/]*"
    if piece == "?":
        return "[^/]"
    if piece.startswith("[") and piece.endswith("]") and len(piece) > 2:
        negated = piece[1] == "!"
        inside = piece[2:-1] if negated else piece[1:-1]
        safe = inside.replace("\\", r"\\").replace("[", r"\[").replace("^", r"\^")
        return f"(?!/)[{'^' if negated else ''}{safe}]"
    return re.escape(piece)
