"""What of a passage can be quoted: its sentences, apart from headings, table rows and code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from markdown_it.token import Token

from bot.code_spans import hide_code
from retrieval.html_text import html_text
from retrieval.markdown import inline_text, markdown_parser
from retrieval.sentences import sentences

TAIL_LIMIT_CHARACTERS = 400
FEWEST_PROSE_WORDS = 4
LEANT_ON_LIMIT_CHARACTERS = 200

_LEANS_BACK = re.compile(  # says nothing without the sentence before it
    r"(?:est[eao]s?|es[eao]s?|ell[ao]s?|él|lo|dich[ao]s?|además|también|entonces|luego|después|así|sin embargo|pero"
    r"|por (?:eso|ello|tanto|ejemplo)|it|its|this|that|these|those|they|then|also|however|so|but|for example)\b",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"\*\*|(?<!\w)__(?=\w)|(?<=\w)__(?!\w)")
_LINK = re.compile(r"!?\[[^\[\]]*\]\([^()\s]*\)")
_ASKS = re.compile(r"[?？]\W*$")
_INTRODUCES = re.compile(r"[:：]\W*$")
_OPENS = {"heading_open": "heading", "list_item_open": "item", "table_open": "row"}
_CLOSES = frozenset({"heading_close", "bullet_list_close", "ordered_list_close", "table_close"})
_MARKER = re.compile(r"^(?:\[(?:[ xX]|![A-Za-z]+)\]\s+|[-*+•]\s+)")  # of a task, an admonition or an item


@dataclass(frozen=True, slots=True)
class Quotable:
    """One sentence: as it is written, and as it reads.

    `under` is what it may answer: the heading, or the question in the text, that it comes right after.
    `tail` is the code or list that it introduces. `prose` is false for headings, rows, code and scraps.
    """

    written: str
    reads: str
    prose: bool
    under: str = ""
    tail: str = ""

    @property
    def asks(self) -> bool:
        return _ASKS.search(self.reads) is not None


@dataclass(frozen=True, slots=True)
class _Block:
    kind: str
    text: str
    marker: str = ""


def quotables(markdown: str) -> list[Quotable]:
    """Give the sentences of a stretch of markdown in order."""
    found: list[Quotable] = []
    under = ""
    blocks = list(_blocks(markdown))
    for at, block in enumerate(blocks):
        if block.kind == "heading":
            under = _read(block.text)
            found.append(Quotable(block.text, under, prose=False))
            continue
        for quotable in _sentences(block):
            found.append(replace(quotable, under=under))
            under = quotable.reads if quotable.asks else ""
        if found and _INTRODUCES.search(found[-1].reads):
            tail = _tail(blocks[at + 1 :])
            found[-1] = replace(found[-1], tail=tail, prose=bool(tail))  # a colon before nothing says nothing
    return found


def _sentences(block: _Block) -> Iterator[Quotable]:
    if block.kind == "code":
        yield from (Quotable(line, line.strip(), prose=False) for line in block.text.splitlines() if line.strip())
        return
    text = " ".join(block.text.split())
    before = ""
    for start, end in sentences(_LINK.sub(_dots, hide_code(text))):  # a stop inside code or a link ends no sentence
        written = _MARKER.sub("", text[start:end])
        reads = _read(written)
        if not reads:
            continue
        if before and _LEANS_BACK.match(reads) and len(before) <= LEANT_ON_LIMIT_CHARACTERS:
            written, reads = f"{before} {written}", _read(f"{before} {written}")
        before = written
        prose = block.kind != "row" and len(reads.split()) >= FEWEST_PROSE_WORDS
        yield Quotable(written, reads, prose)


def _read(written: str) -> str:
    """Give a sentence as it reads; half of some emphasis, whose other half is in the next sentence, is left out."""
    return " ".join(_EMPHASIS.sub("", inline_text(written)).split())


def _dots(link: re.Match[str]) -> str:
    return "·" * len(link.group())


def _tail(blocks: Sequence[_Block]) -> str:
    """Give what a sentence that ends in a colon introduces, when it is code or a list, and short."""
    if blocks and blocks[0].kind == "code" and len(blocks[0].text) <= TAIL_LIMIT_CHARACTERS:
        return f"```\n{blocks[0].text}\n```" if "```" not in blocks[0].text else ""
    items = []
    for block in blocks:
        if block.kind != "item":
            break
        items.append(f"{block.marker} {' '.join(block.text.split())}")
    while items and sum(map(len, items)) > TAIL_LIMIT_CHARACTERS:
        items.pop()
    return "\n".join(items)


def _blocks(markdown: str) -> Iterator[_Block]:
    kind, marker = "paragraph", ""
    cells: list[str] = []
    for token in markdown_parser().parse(markdown):
        if token.type in _OPENS:
            kind = _OPENS[token.type]
            marker = f"{token.info}{token.markup}" if token.info else "-"
        elif token.type in _CLOSES:
            kind = "paragraph"
        elif token.type == "tr_close":
            yield _Block("row", " — ".join(cell for cell in cells if cell))
            cells = []
        elif token.type == "inline" and kind == "row":
            cells.append(token.content)
        else:
            yield from _leaf(token, kind, marker)


def _leaf(token: Token, kind: str, marker: str) -> Iterator[_Block]:
    if token.type == "inline":
        yield _Block(kind, token.content, marker)
    elif token.type in ("fence", "code_block"):
        yield _Block("code", token.content.strip("\n"))
    elif token.type == "html_block" and (text := html_text(token.content)):
        yield _Block("paragraph", text)
