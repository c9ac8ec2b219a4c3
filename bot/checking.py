"""The model's text on its way out: cut into whole sentences, and checked before a word of it is seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bot.citations import Numbering, renumber
from bot.code_spans import blocks, last_paragraph, open_fence, with_code, without_code
from bot.links import disarm_mentions, keep_known_addresses, keep_known_links, known_addresses, without_images
from retrieval.sentences import sentences
from retrieval.types import Passage

Check = Callable[[str], str]

_PARAGRAPH_END = re.compile(r"\s*\n[ \t]*\n")
_OPEN_TAG = re.compile(r"<[/!]?[a-z][^<>]*$", re.IGNORECASE)
_WHOLE = re.compile(r"(?:[.!?…。！？][\"'”’»)\]*_]*|\|)$")


def make_check(passages: Sequence[Passage], numbering: Numbering) -> Check:
    """Build the check of one answer: citations and links of its sources only, no images, no pings.

    It reads a stretch on its own, so an answer may be checked piece by piece, as long as no piece cuts a link, a tag
    or code, and each starts with the space before it (SentenceStream sees to both).
    """
    known = known_addresses(passages)

    def check_paragraph(paragraph: str) -> str:
        prose, spans = without_code(paragraph)
        checked = keep_known_links(renumber(without_images(prose), numbering), known)
        return with_code(checked, [keep_known_addresses(span, known) for span in spans])

    def check(text: str) -> str:
        parts = (
            keep_known_addresses(block, known) if fenced else check_paragraph(block) for block, fenced in blocks(text)
        )
        return disarm_mentions("".join(parts))

    return check


class SentenceStream:
    """Gathers a stream and gives it back, checked, in pieces: whole sentences, never cut inside code or a link.

    The pieces rejoin to the same text however the stream was cut. Each carries the space before it.
    """

    def __init__(self, check: Check) -> None:
        self._check = check
        self._waiting = "\n"  # the text's first line may open a fence
        self._space = ""
        self._begun = False

    def feed(self, text: str) -> list[str]:
        """Take what came and give the pieces that are whole."""
        self._waiting += text
        ends = _sentence_ends(self._waiting)[:-1]  # more of the last one may come
        return self._give([end for end in ends if _may_cut(self._waiting, end)])

    def finish(self, *, complete: bool) -> list[str]:
        """Give the rest. Of a stream that broke off, a sentence or code left unfinished is dropped."""
        if complete:
            fence = open_fence(self._waiting)
            self._waiting += f"\n{fence}" if fence else ""
            return self._give([len(self._waiting)])
        ends = _sentence_ends(self._waiting)
        if ends and not _WHOLE.search(self._waiting[: ends[-1]]):
            ends.pop()
        return self._give([end for end in ends if _may_cut(self._waiting, end)])

    def _give(self, cuts: list[int]) -> list[str]:
        pieces = [self._spaced(self._check(self._waiting[at:cut])) for at, cut in zip([0, *cuts], cuts, strict=False)]
        self._waiting = self._waiting[cuts[-1] :] if cuts else self._waiting
        return [piece for piece in pieces if piece]

    def _spaced(self, checked: str) -> str:
        """Keep the space at a piece's end for the next one, so that an answer never ends in it."""
        text = self._space + checked if self._begun else checked.lstrip()
        bare = text.rstrip()
        self._space = text[len(bare) :]
        self._begun = self._begun or bool(bare)
        return bare


def _sentence_ends(text: str) -> list[int]:
    return [end for _, end in sentences(text)]


def _may_cut(text: str, end: int) -> bool:
    """Tell whether no code, link or tag that began before `end` goes on after it. A paragraph's end ends them all."""
    before = text[:end]
    if open_fence(before):
        return False
    if _PARAGRAPH_END.match(text, end):
        return True
    prose, _ = without_code(last_paragraph(before))
    return not ("`" in prose or _open_bracket(prose) or _OPEN_TAG.search(prose))


def _open_bracket(prose: str) -> bool:
    target = prose[prose.rfind("](") :] if "](" in prose else ""
    if target.count("(") > target.count(")"):
        return True
    depth = 0
    for character in prose:
        depth = depth + 1 if character == "[" else max(0, depth - 1) if character == "]" else depth
    return depth > 0
