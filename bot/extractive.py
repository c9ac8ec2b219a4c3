"""The answer without a model: the pages' own sentences, the nearest to the question, each with its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.citations import Numbering
from bot.links import known_addresses
from bot.messages import Locale
from bot.own_words import Wanted, wanted
from bot.quotable import Quotable, quotables
from bot.quoting import SENTENCE_LIMIT_CHARACTERS, quoted
from retrieval.tokens import is_atom, tokens
from retrieval.types import Embedder, Passage, Query, WeightedTerm

CANDIDATES_BY_RANK = (6, 5, 4, 3, 2, 2, 1, 1)  # 24 sentences to embed: about a tenth of a second
MOST_SENTENCES = 5
MOST_OF_A_PASSAGE = 2
LIMIT_CHARACTERS = 900
WORTH_QUOTING = 0.68  # of the best sentence's score; below it a sentence speaks of something else
SAME_WORDS = 0.75  # of the shorter of two sentences: one says what the other says

MEANING, WORDS, RANK = 0.50, 0.35, 0.15
UNDER = 0.8  # a word of the heading or question that a sentence answers counts almost like its own
SECOND_OF_A_PASSAGE = 0.85
SHORTEST_INFLECTED = 6
NOT_PROSE, ASKS = 0.3, 0.3  # nothing better: then a row, a heading or a question has to do


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may be quoted; `passage` is 1-based, `position` its place in it."""

    passage: int
    position: int
    sentence: Quotable
    words: frozenset[str]
    coverage: float
    weight: float


def extract(
    query: Query,
    passages: Sequence[Passage],
    terms: Sequence[WeightedTerm],
    *,
    embedder: Embedder | None,
    numbering: Numbering,
    locale: Locale,
) -> str:
    """Quote the sentences that best answer, in reading order; an empty text when the passages hold no text at all.

    They are near the question by meaning (when there is an embedder) and by its rare words (`terms`), from different
    passages first, up to 900 characters in all.
    """
    sought = wanted(query, terms)
    candidates = _candidates(passages, sought)
    chosen = _chosen(candidates, _scores(sought, candidates, embedder, len(passages)))
    known = known_addresses(passages)
    lines = [quoted(one.sentence, known, numbering.mark(one.passage), locale) for one in _in_order(chosen, passages)]
    return "\n".join(lines).strip()


def _candidates(passages: Sequence[Passage], sought: Wanted) -> list[Candidate]:
    """Choose the sentences worth embedding: more of the first passages, those that hold the rare words first."""
    chosen: list[Candidate] = []
    for rank, passage in enumerate(passages):
        found = [
            _candidate(rank + 1, position, sentence, sought)
            for position, sentence in enumerate(quotables(passage.chunk.text))
        ]
        share = CANDIDATES_BY_RANK[min(rank, len(CANDIDATES_BY_RANK) - 1)]
        chosen += sorted(found, key=lambda one: (-one.weight * (one.coverage + 0.1), one.position))[:share]
    return chosen


def _candidate(passage: int, position: int, sentence: Quotable, sought: Wanted) -> Candidate:
    words, above = _words(sentence.reads), _words(sentence.under)
    total = sum(weight for _, weight in sought.words) or 1.0
    held = sum(
        weight * (1.0 if _holds(words, atoms) else UNDER * _holds(above, atoms)) for atoms, weight in sought.words
    )
    weight = (1.0 if sentence.prose else NOT_PROSE) * (ASKS if sentence.asks else 1.0)
    return Candidate(passage, position, sentence, words, held / total, weight)


def _words(text: str) -> frozenset[str]:
    return frozenset(filter(is_atom, tokens(text)))


def _holds(words: frozenset[str], atoms: Sequence[str]) -> bool:
    return all(atom in words or any(_kin(atom, word) for word in words) for atom in atoms)


def _kin(atom: str, word: str) -> bool:
    """Tell forms of one word, roughly: "cuenta" and "cuentas", "instalar" and "instalación"."""
    if atom.rstrip("s") == word.rstrip("s"):
        return True
    return len(atom) >= SHORTEST_INFLECTED and word.startswith(atom[: max(5, len(atom) - 3)])


def _scores(sought: Wanted, candidates: Sequence[Candidate], embedder: Embedder | None, passages: int) -> list[float]:
    near = _nearness(sought, candidates, embedder)
    return [
        one.weight * (MEANING * meaning + WORDS * one.coverage + RANK * (1 - (one.passage - 1) / passages))
        for one, meaning in zip(candidates, near, strict=True)
    ]


def _nearness(sought: Wanted, candidates: Sequence[Candidate], embedder: Embedder | None) -> list[float]:
    """Give each sentence's closeness to the question, from 0 for the farthest of them to 1 for the nearest.

    Cosines of one model stand in a narrow band of their own: only their order and distances within it tell something.
    """
    if embedder is None or not candidates:
        return [0.0] * len(candidates)
    question = embedder.queries(list(sought.meanings)).sum(axis=0)
    cosines = embedder.passages([f"{one.sentence.under} {one.sentence.reads}".strip() for one in candidates]) @ question
    spread = float(np.ptp(cosines)) or 1.0
    return [float(cosine - cosines.min()) / spread for cosine in cosines]


def _chosen(candidates: Sequence[Candidate], scores: Sequence[float]) -> list[Candidate]:
    chosen: list[Candidate] = []
    least = WORTH_QUOTING * max(scores, default=0.0)
    room = LIMIT_CHARACTERS
    for score, one in sorted(zip(scores, candidates, strict=True), key=lambda pair: -pair[0]):
        again = sum(other.passage == one.passage for other in chosen)
        worth = score * SECOND_OF_A_PASSAGE**again >= least and again < MOST_OF_A_PASSAGE
        length = min(len(one.sentence.reads), SENTENCE_LIMIT_CHARACTERS) + len(one.sentence.tail)
        if not worth or (chosen and length > room) or any(_says_the_same(one, other) for other in chosen):
            continue
        chosen.append(one)
        room -= length
        if len(chosen) == MOST_SENTENCES:
            break
    return chosen


def _says_the_same(one: Candidate, other: Candidate) -> bool:
    shared = len(one.words & other.words)
    return (
        shared >= SAME_WORDS * max(1, min(len(one.words), len(other.words)))
        or _in_tail(one, other)
        or _in_tail(other, one)
    )


def _in_tail(one: Candidate, other: Candidate) -> bool:
    return one.sentence.written in other.sentence.tail


def _in_order(chosen: Sequence[Candidate], passages: Sequence[Passage]) -> list[Candidate]:
    """Order as one reads: pages by their best passage, and a page from its top down."""
    first: dict[str, int] = {}
    for one in chosen:
        doc_id = passages[one.passage - 1].page.doc_id
        first[doc_id] = min(first.get(doc_id, one.passage), one.passage)

    def place(one: Candidate) -> tuple[int, int, int]:
        passage = passages[one.passage - 1]
        return first[passage.page.doc_id], passage.chunk.start, one.position

    return sorted(chosen, key=place)
