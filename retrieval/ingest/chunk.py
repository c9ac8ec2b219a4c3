"""A page cut into chunks: sections, then paragraphs, then sentences; code and tables whole; no text left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from retrieval.ingest.blocks import Block, markdown_blocks, text_blocks
from retrieval.markdown import plain
from retrieval.sentences import sentences

CHUNKER_VERSION = 1
"""Part of a generation's stamp: raised when the same page gives other chunks."""

TARGET_CHARACTERS = 1_500
WHOLE_LIMIT_CHARACTERS = 32_000
"""Code and tables are whole up to here; beyond, a fence that is never closed would make a page one chunk."""
TINY_CHARACTERS = 300
"""Sections shorter than this are joined with the next one where both fit."""
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
    """A chunk in the making. `bare` ones hold headings alone."""

    path: tuple[str, ...]
    start: int
    end: int
    bare: bool = False


def chunk_page(text: str, *, title: str, format: str) -> tuple[ChunkDraft, ...]:  # noqa: A002 - the contract's word
    """Cut a page's text; the chunks are in order and together hold every character that is not space.

    Chunks of one section overlap by a sentence. The page's own title is left out of the heading path.
    """
    blocks = text_blocks(text) if format == "text" else markdown_blocks(text)
    spans = [span for section in _sections(blocks, title) for span in _section_spans(text, section)]
    return tuple(
        ChunkDraft(_PATH_MARK.join(span.path), text[span.start : span.end], span.start, span.end)
        for span in _joined(spans)
    )


def embedded_text(title: str, draft: ChunkDraft) -> str:
    """Give what is embedded of a chunk: the page's title, the heading path and the readable text."""
    return "\n".join(part for part in (title, draft.heading, plain(draft.text)) if part)


def _sections(blocks: Sequence[Block], title: str) -> Iterator[_Section]:
    path: list[tuple[int, str]] = []
    section = _Section(())
    for block in blocks:
        if block.kind == "heading":
            yield section
            path = [part for part in path if part[0] < block.level]
            path.append((block.level, block.title))
            names = tuple(name for _, name in path if name)
            own = names[1:] if names and names[0].casefold() == title.casefold() else names
            section = _Section(own)
        section.blocks.append(block)
    yield section


def _section_spans(text: str, section: _Section) -> Iterator[_Span]:
    """Pack a section's pieces into spans of about the target."""
    current: _Span | None = None
    last: tuple[int, int] | None = None
    for start, end, kind in _pieces(text, section.blocks):
        if current is None:
            current = _Span(section.path, start, end, bare=kind == "heading")
        elif current.bare or end - current.start <= TARGET_CHARACTERS:
            current = replace(current, end=end, bare=current.bare and kind == "heading")
        else:
            yield current
            current = _Span(section.path, _overlap_start(text, last, current.start, start), end)
        last = (start, end) if kind == "prose" else None
    if current is not None:
        yield current


def _overlap_start(text: str, last: tuple[int, int] | None, chunk_start: int, start: int) -> int:
    """Give where the next chunk begins: at the last sentence of the one before, when that is no whole chunk."""
    if last is None:
        return start
    from_here = max(last[0], last[1] - 4 * _OVERLAP_LIMIT_CHARACTERS)
    ends = sentences(text[from_here : last[1]])
    begin = from_here + ends[-1][0] if ends else start
    cut_short = begin == from_here and from_here > last[0]
    if begin <= chunk_start or start - begin > _OVERLAP_LIMIT_CHARACTERS or cut_short:
        return start
    return begin


def _pieces(text: str, blocks: Sequence[Block]) -> Iterator[tuple[int, int, str]]:
    """Give (start, end, kind) of stretches that are not cut further, without blank edges."""
    for block in blocks:
        end = block.start + len(text[block.start : block.end].rstrip())
        if end <= block.start:
            continue
        length = end - block.start
        if length <= TARGET_CHARACTERS or (block.kind == "whole" and length <= WHOLE_LIMIT_CHARACTERS):
            yield block.start, end, block.kind
        elif block.kind == "prose":
            for start, stop in _sentence_groups(text, block.start, end):
                yield start, stop, "prose"
        else:
            for start, stop in _line_groups(text, block.start, end):
                yield start, stop, "whole"


def _sentence_groups(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for first, last in sentences(text[start:end]):
        yield from _hard_cut(text, start + first, start + last)


def _line_groups(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut at line ends into stretches of at most the target."""
    begin = reached = start
    while reached < end:
        line_end = text.find("\n", reached, end)
        line_end = end if line_end < 0 else line_end + 1
        if line_end - begin > TARGET_CHARACTERS and reached > begin:
            yield begin, reached
            begin = reached
        if line_end - begin > TARGET_CHARACTERS:
            yield from _hard_cut(text, begin, line_end)
            begin = line_end
        reached = line_end
    if begin < end:
        yield begin, end


def _hard_cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut what has no sentence or line end: at spaces where there are any."""
    while end - start > TARGET_CHARACTERS:
        limit = start + TARGET_CHARACTERS
        space = max(text.rfind(" ", start, limit), text.rfind("\n", start, limit))
        cut = space + 1 if space > start + TARGET_CHARACTERS // 2 else limit
        yield start, cut
        start = cut
    if start < end:
        yield start, end


def _joined(spans: Sequence[_Span]) -> Iterator[_Span]:
    """Attach headings to what follows them, and tiny sections to the next one."""
    current: _Span | None = None
    for span in spans:
        if current is None:
            current = span
        elif current.bare or (
            current.path != span.path
            and current.end - current.start < TINY_CHARACTERS
            and span.end - current.start <= TARGET_CHARACTERS
        ):
            path = span.path if current.bare else _common(current.path, span.path)
            current = _Span(path, current.start, span.end, span.bare)
        elif span.bare and span is spans[-1]:
            current = replace(current, end=span.end)
        else:
            yield current
            current = span
    if current is not None:
        yield current


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return one[:shared]
