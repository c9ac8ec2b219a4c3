"""The oracle's way: search, the floor, then the model's answer or the pages' own sentences."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import structlog

from bot import replies
from bot.citations import Numbering
from bot.errors import AnswerCut, BudgetSpent, ModelUnavailable
from bot.extractive import extract
from bot.history import recent_turns
from bot.language import language_of
from bot.messages import Answer, Notice, Outcome, Question, Stage
from bot.ports import LanguageModel, Ordering
from bot.prompts import fitting_passages, make_prompt
from bot.reranking import reranked
from bot.services import Turn
from bot.synthesis import write
from retrieval import Generation, hybrid_search
from retrieval.errors import OracleError
from retrieval.types import Query, SearchResult

log = structlog.get_logger(__name__)


async def consult(turn: Turn) -> Answer:
    """Answer from the passages found, or say that there are none, or none near enough; then no model is called."""
    query = _query(turn.question)
    with turn.watch.stage("search"):
        index, found = await asyncio.to_thread(_search, turn, query)
    if not found.passages:
        return replies.no_matches(turn.question, turn.services.texts, found)
    if not floor_passes(found, turn.question, turn.services.floor):
        return replies.abstained(turn.question, turn.services.texts, _nearest(found, turn.services.top_k))
    found, ordering = await _rerank(turn, query, found)
    await turn.telling.stage(Stage.WRITING)
    with turn.watch.stage("write"):
        if turn.services.model is None:
            answer = await _quote(turn, index, found, notice=Notice.EXTRACTIVE)
        else:
            answer = await _synthesise(turn, turn.services.model, index, found, ordering.spent_seconds)
    return replace(answer, usage=ordering.usage + answer.usage)


def floor_passes(found: SearchResult, question: Question, floor: float) -> bool:
    """Tell whether a first-turn question is close enough to the wiki to be answered.

    The relevance is the calibrated 0..1 score; with history the floor does not apply.
    """
    return bool(question.history) or found.relevance is None or found.relevance >= floor


def _query(question: Question) -> Query:
    return Query(
        text=question.text,
        viewer=question.viewer,
        history=recent_turns(question.history),
        asked_at=question.asked_at,
        hybrid=question.hybrid,
    )


def _search(turn: Turn, query: Query) -> tuple[Generation, SearchResult]:
    index, services = turn.services.index(), turn.services
    spare = max(0, services.reranker.depth - services.top_k) if services.reranker else 0
    found = hybrid_search(query, index, limit=services.top_k, spare=spare)
    return index, replace(found, explanation=replace(found.explanation, floor=services.floor))


async def _rerank(turn: Turn, query: Query, found: SearchResult) -> tuple[SearchResult, Ordering]:
    """Put what was found in the reranker's order, then keep as many passages as an answer takes."""
    ordering, reranker = Ordering(), turn.services.reranker
    if reranker is not None and len(found.passages) > 1:
        with turn.watch.stage("rerank"):
            found, ordering = await reranked(reranker, query, found)
    return _nearest(found, turn.services.top_k), ordering


def _nearest(found: SearchResult, count: int) -> SearchResult:
    return replace(found, passages=found.passages[:count])


async def _synthesise(
    turn: Turn, model: LanguageModel, index: Generation, found: SearchResult, spent_seconds: float
) -> Answer:
    """Let the model write; when it fails, the pages' own sentences answer, or complete what it had told."""
    passages = fitting_passages(found.passages)
    prompt = make_prompt(turn.question, passages, turn.services.fence())
    prompt = replace(prompt, spent_seconds=spent_seconds)
    written = await write(model, prompt, passages, turn.telling)
    if not turn.telling.said:
        notice = Notice.OVER_BUDGET if isinstance(written.failure, BudgetSpent) else Notice.MODEL_FAILED
        quoted = await _quote(turn, index, found, notice=notice)
        return replace(quoted, usage=written.usage)
    if written.failure and not isinstance(written.failure, AnswerCut):
        await _complete(turn, index, found, written.numbering)
    answer = replies.from_result(found, turn.telling.said, Outcome.ANSWERED)
    citations = written.numbering.citations(answer.text, passages)
    answer = replace(answer, citations=citations, model=model.name, usage=written.usage, chunks_used=len(passages))
    if not citations:
        # A source is never made up for it: the nearest pages are shown as just that.
        nearest = replies.weak_sources(found.passages)
        return replace(answer, outcome=Outcome.ABSTAINED, citations=nearest, notice=Notice.UNCITED)
    return replace(answer, notice=_notice(written.failure))


async def _complete(turn: Turn, index: Generation, found: SearchResult, numbering: Numbering) -> None:
    """Go on with quotes after what was told, which cannot be untold."""
    quotes = await asyncio.to_thread(_quotes, turn, index, found, numbering)
    if quotes:
        bridge = turn.services.texts.say("answer-completed", language_of(turn.question))
        await turn.telling.say(f"\n\n{bridge}\n\n{quotes}")


async def _quote(turn: Turn, index: Generation, found: SearchResult, notice: Notice | None) -> Answer:
    numbering = Numbering(len(found.passages))
    quotes = await asyncio.to_thread(_quotes, turn, index, found, numbering)
    if not quotes:  # passages of images and the like
        return replies.abstained(turn.question, turn.services.texts, found)
    intro = turn.services.texts.say("answer-quotes", language_of(turn.question))
    answer = replies.from_result(found, f"{intro}\n\n{quotes}", Outcome.ANSWERED)
    citations = numbering.citations(answer.text, found.passages)
    return replace(answer, citations=citations, chunks_used=len(found.passages), notice=notice)


def _quotes(turn: Turn, index: Generation, found: SearchResult, numbering: Numbering) -> str:
    query, locale = _query(turn.question), language_of(turn.question)
    passages, terms = found.passages[: numbering.given], found.explanation.terms
    try:
        return extract(query, passages, terms, embedder=index.embedder, numbering=numbering, locale=locale)
    except OracleError as error:
        log.warning("quotes are chosen by words alone", reason=str(error))
        return extract(query, passages, terms, embedder=None, numbering=numbering, locale=locale)


def _notice(failure: ModelUnavailable | None) -> Notice | None:
    """Name the notice under what a model did write."""
    if failure is None:
        return None
    return Notice.UNFINISHED if isinstance(failure, AnswerCut) else Notice.MODEL_FAILED
