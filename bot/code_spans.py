"""Where code stands in markdown, so that what is meant for prose leaves code alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r"(?<=\n)[ \t>]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?(`{3,}|~{3,})[^\n`]*(?=\n|\Z)")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_BLANK_LINE = re.compile(r"\n[ \t]*(?=\n)")
_HELD = re.compile("\ue000(\\d+)\ue001")
_HOLDERS = re.compile("[\ue000\ue001]")  # private characters: text that brings its own loses them


def blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Cut `text` into (stretch, is a fence) pieces that rejoin to it: fenced code whole, and paragraphs.

    Only a line after a newline opens a fence: give a text that starts on a new line with a newline before it.
    """
    at = 0
    for start, end in _fences(text):
        yield from _paragraphs(text[at:start])
        yield text[start:end], True
        at = end
    yield from _paragraphs(text[at:])


def without_code(paragraph: str) -> tuple[str, list[str]]:
    """Put a mark in the place of each code span; `with_code` puts them back."""
    spans: list[str] = []

    def hold(span: re.Match[str]) -> str:
        spans.append(span.group())
        return f"\ue000{len(spans) - 1}\ue001"

    return _CODE_SPAN.sub(hold, _HOLDERS.sub("", paragraph)), spans


def with_code(paragraph: str, spans: list[str]) -> str:
    """Put the code spans back in their places."""
    return _HELD.sub(lambda held: spans[int(held.group(1))], paragraph)


def hide_code(text: str) -> str:
    """Cover code with dots, character by character, so that positions hold."""
    hidden = []
    for block, fenced in blocks(f"\n{text}"):
        hidden.append(_dots(block) if fenced else _CODE_SPAN.sub(lambda span: _dots(span.group()), block))
    return "".join(hidden)[1:]


def open_fence(text: str) -> str:
    """Give the mark of the fence that `text` leaves open, or an empty string."""
    for start, end in _fences(text):
        opening = _FENCE.match(text, start)
        if end == len(text) and opening and not _closing(text, opening):
            return opening.group(1)
    return ""


def last_paragraph(text: str) -> str:
    """Give what stands after the last blank line."""
    return text[max((blank.end() for blank in _BLANK_LINE.finditer(text)), default=0) :]


def _fences(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while opening := _FENCE.search(text, at):
        closing = _closing(text, opening)
        at = closing.end() if closing else len(text)
        yield opening.start(), at


def _closing(text: str, opening: re.Match[str]) -> re.Match[str] | None:
    mark = opening.group(1)
    return re.compile(rf"(?<=\n)[ \t>]*{mark[0]}{{{len(mark)},}}[ \t]*(?=\n|\Z)").search(text, opening.end())


def _paragraphs(text: str) -> Iterator[tuple[str, bool]]:
    at = 0
    for blank in _BLANK_LINE.finditer(text):
        yield text[at : blank.end()], False
        at = blank.end()
    if at < len(text):
        yield text[at:], False


def _dots(code: str) -> str:
    return "".join(character if character == "\n" else "·" for character in code)
