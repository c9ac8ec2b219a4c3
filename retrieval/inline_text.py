"""The readable text within a line of markdown: emphasis, links, code, inline HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from retrieval.html_text import tag_text
from retrieval.markdown_dialect import ATTRIBUTE_LIST, Definitions, markdown_parser

_PIECE_CHARACTERS = 4_000
_DENSE_PIECE_CHARACTERS = 400
"""Some inline markup costs the square of its length, so it is parsed in pieces; short ones where it is dense."""
_DENSITY = 0.1
_NOISE_DENSITY = 0.5
"""A long row of brackets and stars is no markup, and is read as it stands."""

_BLANKS = re.compile(" {2,}")
_MARKUP = re.compile(r"[\\`*_~\[\]<&!\n{]")
_BRACKETS = re.compile(r"[`*_\[\]<!]")


def inline_text(content: str, definitions: Definitions | None = None) -> str:
    """Give the readable text of a paragraph, heading or cell, on one line but for hard breaks."""
    if not _MARKUP.search(content):
        return content.strip()
    known = {} if definitions is None else definitions
    text = "".join(_piece_text(piece, known) for piece in _pieces(content)).strip()
    return _BLANKS.sub(" ", text) if "  " in text else text


def _pieces(content: str) -> Iterator[str]:
    start = 0
    while start < len(content):
        piece = content[start : start + _PIECE_CHARACTERS]
        if len(piece) > _DENSE_PIECE_CHARACTERS and _density(piece) > _DENSITY:
            piece = piece[:_DENSE_PIECE_CHARACTERS]
        if start + len(piece) < len(content):
            space = max(piece.rfind("\n"), piece.rfind(" "))
            piece = piece[:space] if space > 0 else piece
        yield piece
        start += len(piece)


def _density(piece: str) -> float:
    return len(_BRACKETS.findall(piece)) / len(piece)


def _piece_text(content: str, definitions: Definitions) -> str:
    if len(content) >= _DENSE_PIECE_CHARACTERS and _density(content) > _NOISE_DENSITY:
        return content
    parser = markdown_parser()
    tokens: list[Token] = []
    parser.inline.parse(content, parser, definitions, tokens)
    parts: list[str] = []
    run: list[str] = []
    after_target = False
    for token in _in_reading_order(tokens):
        if token.type in ("text", "text_special", "softbreak"):
            run.append(" " if token.type == "softbreak" else token.content)
            continue
        parts.append(_run_text(run, after_target))
        parts.append(_said(token))
        run.clear()
        after_target = token.type in ("link_close", "image")
    parts.append(_run_text(run, after_target))
    return "".join(parts)


def _in_reading_order(tokens: Sequence[Token]) -> Iterator[Token]:
    """Give every token, an image after its alternative text."""
    stack: list[tuple[Iterator[Token], Token | None]] = [(iter(tokens), None)]
    while stack:
        token = next(stack[-1][0], None)
        if token is None:
            _, image = stack.pop()
            if image is not None:
                yield image
        elif token.children:
            stack.append((iter(token.children), token))
        else:
            yield token


def _run_text(run: Sequence[str], after_target: bool) -> str:
    text = "".join(run)
    if after_target and text.startswith("{") and (attributes := ATTRIBUTE_LIST.match(text)):
        text = text[attributes.end() :]
    return text


def _said(token: Token) -> str:
    kind = token.type
    if kind == "code_inline":
        return token.content
    if kind == "hardbreak":
        return "\n"
    if kind == "html_inline":
        return tag_text(token.content)
    if kind in ("image", "link_open") and (title := token.attrGet("title")):
        return f" {title}" if kind == "image" else f"{title} "
    return ""
