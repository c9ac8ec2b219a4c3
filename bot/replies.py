"""Answers that no passage and no model is needed for, and what a question that broke gets instead of silence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.language import language_of
from bot.messages import (
    QUESTION_LIMIT_CHARACTERS,
    Answer,
    Citation,
    Notice,
    Outcome,
    Question,
    Route,
)
from bot.ports import Texts
from bot.small_talk import small_talk
from retrieval.errors import DamagedIndex, EmbeddingUnavailable, NoIndex
from retrieval.types import PageListing, Passage, SearchResult

WEAK_SOURCES = 5

_FAILURES: Sequence[tuple[type[Exception], str]] = (
    (NoIndex, "answer-no-index"),
    (DamagedIndex, "answer-damaged-index"),
    (EmbeddingUnavailable, "answer-no-embedding"),
)


def empty(question: Question, texts: Texts, route: Route) -> Answer:
    """Answer a message without text."""
    return Answer(texts.say("answer-empty", question.locale), Outcome.SMALL_TALK, route)


def too_long(question: Question, texts: Texts, route: Route) -> Answer:
    """Ask for a shorter question."""
    length = len(question.text.strip())
    text = texts.say("answer-too-long", language_of(question), length=length, limit=QUESTION_LIMIT_CHARACTERS)
    return Answer(text, Outcome.FAILED, route, notice=Notice.TOO_LONG)


def chat(question: Question, texts: Texts) -> Answer:
    """Answer small talk, in the language it was said in."""
    said = small_talk(question.text)
    key = f"answer-small-talk-{said.talk.value}" if said else "answer-empty"
    return Answer(texts.say(key, (said and said.locale) or question.locale), Outcome.SMALL_TALK, Route.SMALL_TALK)


def listed(question: Question, texts: Texts, listing: PageListing) -> Answer:
    """Answer with pages."""
    key = "answer-listed" if listing.total else "answer-nothing-listed"
    return Answer(
        texts.say(key, question.locale, total=listing.total),
        Outcome.LISTED if listing.total else Outcome.NO_MATCHES,
        Route.LITERAL,
        listing=listing,
        generation=listing.generation,
    )


def no_matches(question: Question, texts: Texts, found: SearchResult) -> Answer:
    """Say that nothing was found at all."""
    return from_result(found, texts.say("answer-no-matches", language_of(question)), Outcome.NO_MATCHES)


def abstained(question: Question, texts: Texts, found: SearchResult) -> Answer:
    """Say honestly that the wiki does not tell, and show the nearest pages."""
    answer = from_result(found, texts.say("answer-abstained", language_of(question)), Outcome.ABSTAINED)
    return replace(answer, citations=weak_sources(found.passages))


def failed(question: Question, texts: Texts, route: Route, error: Exception) -> Answer:
    """Say that something broke, and what mends it when it is known."""
    key = next((key for kind, key in _FAILURES if isinstance(error, kind)), "answer-failed")
    return Answer(texts.say(key, language_of(question)), Outcome.FAILED, route)


def from_result(found: SearchResult, text: str, outcome: Outcome) -> Answer:
    """Start an oracle's answer with what its search tells of itself."""
    return Answer(
        text,
        outcome,
        Route.ORACLE,
        relevance=found.relevance,
        timings_ms=found.timings_ms,
        generation=found.generation,
        explanation=found.explanation,
    )


def weak_sources(passages: Sequence[Passage]) -> tuple[Citation, ...]:
    """Give the nearest pages, five at the most, each by its best passage; no words lean on them."""
    best: dict[str, Passage] = {}
    for passage in passages:
        best.setdefault(passage.page.doc_id, passage)
    return tuple(
        Citation(number, passage) for number, passage in enumerate(list(best.values())[:WEAK_SOURCES], start=1)
    )
