"""A page cut into chunks: sections, then paragraphs, then sentences; code and tables whole; no text left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from retrieval.ingest.blocks import Block, markdown_blocks, text_blocks
from retrieval.ingest.pieces import TARGET_CHARACTERS, Piece, pieces
from retrieval.markdown import plain
from retrieval.sentences import sentences

CHUNKER_VERSION = 1
"""Part of a generation's stamp: raised when the same page gives other chunks."""

_TINY_SECTION_CHARACTERS = 120
"""Shorter sections are joined with the next one where both fit; a question with its answer stays on its own."""
_INTRODUCTION_CHARACTERS = 300
"""What is shorter stays with the table or code it introduces, however long that is."""
_TAIL_CHARACTERS = 200
_SCRAP_CHARACTERS = 90
"""The end of a section stays with the chunk before: a short one if that is not too long, a scrap always."""
_OVERLAP_LIMIT_CHARACTERS = 500
_PATH_MARK = " › "


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A stretch of a page: `text` is `page_text[start:end]`, `heading` the path of its section ("A › B")."""

    heading: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Section:
    path: tuple[str, ...]
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Span:
    """A chunk in the making. A `bare` one holds headings alone."""

    path: tuple[str, ...]
    start: int
    end: int
    bare: bool = False


def chunk_page(text: str, *, title: str, format: str) -> tuple[ChunkDraft, ...]:  # noqa: A002 - the page's own word
    """Cut a page's text; the chunks are in order and together hold every character that is not space.

    Chunks of one section overlap by a sentence. The page's own title is left out of the heading path.
    """
    blocks = text_blocks(text) if format == "text" else markdown_blocks(text)
    spans = [span for section in _sections(blocks, title) for span in _packed(text, section)]
    return tuple(
        ChunkDraft(_PATH_MARK.join(span.path), text[span.start : span.end], span.start, span.end)
        for span in _joined(spans)
    )


def embedded_text(title: str, draft: ChunkDraft) -> str:
    """Give what is embedded of a chunk: the page's title, the heading path and the readable text."""
    return "\n".join(part for part in (title, draft.heading, plain(draft.text)) if part)


def _sections(blocks: Sequence[Block], title: str) -> Iterator[_Section]:
    open_headings: list[Block] = []
    section = _Section(())
    for block in blocks:
        if block.kind == "heading":
            yield section
            open_headings = [heading for heading in open_headings if heading.level < block.level]
            open_headings.append(block)
            names = tuple(heading.title for heading in open_headings if heading.title)
            section = _Section(names[1:] if names and names[0].casefold() == title.casefold() else names)
        section.blocks.append(block)
    yield section


def _packed(text: str, section: _Section) -> Iterator[_Span]:
    """Pack a section's pieces into spans of about the target."""
    span: _Span | None = None
    last: Piece | None = None
    for piece in pieces(text, section.blocks):
        if span is None:
            span = _Span(section.path, piece.start, piece.end, bare=piece.kind == "heading")
        elif _fits(span, piece):
            span = replace(span, end=piece.end, bare=False)
        else:
            yield span
            span = _Span(section.path, _overlap_start(text, span, last, piece.start), piece.end)
        last = piece
    if span is not None:
        yield span


def _fits(span: _Span, piece: Piece) -> bool:
    introduces = piece.kind == "whole" and span.end - span.start < _INTRODUCTION_CHARACTERS
    return span.bare or introduces or piece.end - span.start <= TARGET_CHARACTERS


def _overlap_start(text: str, span: _Span, last: Piece | None, start: int) -> int:
    """Give where the next chunk begins: at the last sentence of the one before, unless that is most of a chunk."""
    if last is None or last.kind != "prose":
        return start
    window = max(last.start, last.end - 2 * _OVERLAP_LIMIT_CHARACTERS)
    begin = window + sentences(text[window : last.end])[-1][0]
    cut_off = begin == window and window > last.start
    if cut_off or begin <= span.start or start - begin > _OVERLAP_LIMIT_CHARACTERS:
        return start
    return begin


def _joined(spans: Sequence[_Span]) -> Iterator[_Span]:
    """Attach headings to what follows them, tiny sections to the next one, and scraps to what they end."""
    current: _Span | None = None
    for index, span in enumerate(spans):
        if current is None:
            current = span
        elif current.bare and current.end - current.start <= TARGET_CHARACTERS:
            current = _Span(span.path, current.start, span.end, span.bare)
        elif _is_tail(current, span) or (span.bare and index == len(spans) - 1):
            current = replace(current, end=span.end)
        elif _is_tiny(current, span):
            current = _Span(_common(current.path, span.path), current.start, span.end)
        else:
            yield current
            current = span
    if current is not None:
        yield current


def _is_tail(current: _Span, span: _Span) -> bool:
    added = span.end - current.end
    fits = span.end - current.start <= TARGET_CHARACTERS + _TAIL_CHARACTERS
    return (
        current.path == span.path
        and not span.bare
        and (added < _SCRAP_CHARACTERS or (added < _TAIL_CHARACTERS and fits))
    )


def _is_tiny(current: _Span, span: _Span) -> bool:
    fits = span.end - current.start <= TARGET_CHARACTERS
    return (
        current.path != span.path and not span.bare and fits and current.end - current.start < _TINY_SECTION_CHARACTERS
    )


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return one[:shared]
