"""The `[n]` of an answer: which passage each one names, and which words lean on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.code_spans import hide_code
from bot.messages import Citation
from retrieval.sentences import sentences
from retrieval.types import Passage

_WORD = r"(?:(?:passages?|pasajes?|fuentes?|sources?|\#|\^)\s*)?"
_JOIN = r"(?:,|;|/|&|-|–|—|y|e|and|a|to)"
_LIST = rf"{_WORD}\d{{1,3}}(?:\s*{_JOIN}\s*{_WORD}\d{{1,3}})*"
_NUMBERS = re.compile(  # [1] [1, 2] [1-3] [^1] [[1]] [pasaje 1] [1](address) 【1】
    r"(?P<space>[ \t]*)(?:"
    rf"(?P<twice>\[)?\[\s*(?P<numbers>{_LIST})\s*\](?(twice)\])(?:\([^\s()]*\))?|【(?P<lenticular>\d{{1,3}})[^】\n]*】)",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d{1,3})(?:\s*(?:-|–|—|\ba\b|\bto\b)\s*(\d{1,3}))?")
_MARK = re.compile(r"\[(\d{1,3})\]")
_MARK_BEFORE_SENTENCE = re.compile(r"(?:\[\d{1,3}\]\s*)+")


@dataclass(slots=True)
class Numbering:
    """Numbers sources from 1 in the order an answer first leans on them. `given` passages were shown, from 1."""

    given: int
    shown: dict[int, int] = field(default_factory=dict)

    def mark(self, passage: int) -> str:
        """Give the mark of a passage, `[n]`; nothing for one that was never given."""
        if not 1 <= passage <= self.given:
            return ""
        return f"[{self.shown.setdefault(passage, len(self.shown) + 1)}]"

    def citations(self, text: str, passages: Sequence[Passage]) -> tuple[Citation, ...]:
        """Give the sources of a finished answer in the order of their numbers."""
        leaning = leaning_spans(text)
        return tuple(
            Citation(number, passages[passage - 1], leaning.get(number, ())) for passage, number in self.shown.items()
        )


def renumber(prose: str, numbering: Numbering) -> str:
    """Write every citation as `[n]` by the answer's own numbers; those of passages that were not given go."""
    return _NUMBERS.sub(lambda found: _marks(found, numbering), prose)


def without_marks(text: str) -> str:
    """Take the citations out: in a thread's history they name sources of other answers."""
    return _NUMBERS.sub("", text)


def leaning_spans(text: str) -> dict[int, tuple[tuple[int, int], ...]]:
    """Give the character spans of the sentences that carry each number. Code carries none."""
    hidden = hide_code(text)
    spans: dict[int, list[tuple[int, int]]] = {}
    before: list[tuple[int, int]] = []
    for start, end in sentences(hidden):
        # A mark after the full stop belongs to the sentence it closes: "Así es. [1] Otra cosa."
        leading = _MARK_BEFORE_SENTENCE.match(hidden, start, end)
        own_start = start
        if leading and before and "\n" not in hidden[before[-1][1] : start]:
            own_start = leading.end()
            for number in _numbers(hidden[start:own_start]):
                spans.setdefault(number, []).append(_whole_quotation(hidden, before))
        for number in _numbers(hidden[own_start:end]):
            spans.setdefault(number, []).append(_whole_quotation(hidden, [*before, (own_start, end)]))
        before.append((own_start, end))
    return {number: tuple(dict.fromkeys(found)) for number, found in spans.items()}


def _whole_quotation(text: str, read: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Give the last sentence, from where the quotation it closes was opened."""
    start, end = read[-1]
    for earlier, _ in reversed(read):
        said = text[start:end]
        if said.count("»") + said.count("”") <= said.count("«") + said.count("“"):
            break
        start = earlier
    return start, end


def _marks(found: re.Match[str], numbering: Numbering) -> str:
    written = found["numbers"] or found["lenticular"]
    marks = "".join(dict.fromkeys(numbering.mark(passage) for passage in _passages(written)))
    return found["space"] + marks if marks else ""


def _passages(written: str) -> Iterator[int]:
    for first, last in _RANGE.findall(written):
        yield from range(int(first), int(last or first) + 1)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in _MARK.findall(text)]
