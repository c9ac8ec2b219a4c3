"""What a calibration answers and what it refuses: labelled questions put to an index, and their shares by floor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from retrieval.errors import EmbeddingUnavailable
from retrieval.evaluation.labelled import LabelledQuestion
from retrieval.generation import Generation
from retrieval.relevance import Calibration, Signals
from retrieval.search import hybrid_search
from retrieval.types import Query

Relevances = Sequence[float | None]
"""A relevance for each question; None where nothing at all was found, which no floor lets through."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A labelled question, and what its search showed; None when it found nothing at all."""

    question: LabelledQuestion
    signals: Signals | None


@dataclass(frozen=True, slots=True)
class Answered:
    """The share that is answered of the questions the wiki answers, and of those it does not, in 0..1."""

    answerable: float
    unanswerable: float


def ask_labelled(
    questions: Iterable[LabelledQuestion], index: Generation, as_query: Callable[[str], Query]
) -> Iterator[Asked]:
    """Put questions to an index, one after the other. Raises EmbeddingUnavailable: words alone calibrate nothing."""
    index.embedder  # noqa: B018 - a model that cannot be had is told before anything is asked
    for question in questions:
        result = hybrid_search(as_query(question.text), index)
        if "semantic" in result.explanation.failed_lists:
            raise EmbeddingUnavailable(f"line {question.line} could not be searched by meaning; run it again")
        yield Asked(question, Signals(**result.explanation.signals) if result.passages else None)


def relevances(asked: Iterable[Asked], calibration: Calibration) -> Relevances:
    return [None if one.signals is None else calibration.relevance(one.signals) for one in asked]


def answered_at(floor: float, asked: Sequence[Asked], found: Relevances) -> Answered:
    """Give the shares that a floor lets through."""
    return Answered(_share(floor, asked, found, answerable=True), _share(floor, asked, found, answerable=False))


def passes(relevance: float | None, floor: float) -> bool:
    return relevance is not None and relevance >= floor


def _share(floor: float, asked: Sequence[Asked], found: Relevances, *, answerable: bool) -> float:
    of_kind = [
        passes(relevance, floor)
        for one, relevance in zip(asked, found, strict=True)
        if one.question.answerable == answerable
    ]
    return sum(of_kind) / len(of_kind) if of_kind else 0.0
