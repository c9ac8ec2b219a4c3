"""Glob patterns over paths relative to a source, as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WILDCARD = re.compile(r"(\*+|\?|\[!?[^\]]+\])")
_ANY_FOLDERS = "**"


def glob_matcher(patterns: Sequence[str]) -> re.Pattern[str] | None:
    """Make one pattern of many globs, to be used with `fullmatch` on a posix path; None for no globs.

    `*` and `?` stay within a folder, `**` does not. A glob without a slash matches a name at any depth, and one
    that matches a folder matches all that lies in it.
    """
    alternatives = [_translated(pattern) for pattern in patterns if pattern.strip("/ ")]
    return re.compile("|".join(alternatives)) if alternatives else None


def _translated(pattern: str) -> str:
    parts = pattern.strip().removeprefix("./").strip("/").split("/")
    anywhere = "(?:.*/)?" if len(parts) == 1 and not pattern.strip().startswith("/") else ""
    *folders, name = parts
    above = "".join("(?:[^/]+/)*" if part == _ANY_FOLDERS else _segment(part) + "/" for part in folders)
    return anywhere + above + (".*" if name == _ANY_FOLDERS else _segment(name)) + "(?:/.*)?"


def _segment(text: str) -> str:
    return "".join(_piece(piece) for piece in _WILDCARD.split(text))


def _piece(piece: str) -> str:
    if piece.startswith("*"):
        return "[^/]*"
    if piece == "?":
        return "[^/]"
    if _WILDCARD.fullmatch(piece):
        negated, inside = ("^", piece[2:-1]) if piece[1] == "!" else ("", piece[1:-1])
        characters = "".join("-" if character == "-" else re.escape(character) for character in inside)
        return f"(?!/)[{negated}{characters}]"
    return re.escape(piece)
