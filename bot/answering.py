"""From a question to an answer, always."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import structlog

from bot import replies
from bot.messages import QUESTION_LIMIT_CHARACTERS, Answer, Outcome, Question, Route, Stage
from bot.oracle import consult
from bot.ports import Progress
from bot.routing import route
from bot.services import Services, Turn
from bot.telling import Telling
from bot.turn_record import turn_record
from retrieval import search_pages
from retrieval.errors import OracleError
from retrieval.stopwatch import Stopwatch
from retrieval.types import Query

__all__ = ["Services", "answer_question"]

log = structlog.get_logger(__name__)


async def answer_question(question: Question, services: Services, progress: Progress) -> Answer:
    """Answer one question: what breaks becomes an answer that says so, and is logged.

    Cancelling ends the model's call and raises. Each turn leaves one record, whatever its end.
    """
    started = services.elapsed_seconds()
    turn = Turn(question, services, Telling(progress), Stopwatch())
    way = route(question)
    answer = Answer("", Outcome.FAILED, way)  # what a cancelled question leaves in its record
    try:
        answer = await _answer(turn, way)
    except Exception as error:  # noqa: BLE001  # the outermost edge: the user gets an answer, the log the error
        answer = await _failed(turn, way, error)
    finally:
        total_ms = (services.elapsed_seconds() - started) * 1000
        answer = replace(answer, timings_ms={**answer.timings_ms, **turn.watch.timings_ms, "total": total_ms})
        _record(turn, answer)
    return answer


async def _answer(turn: Turn, way: Route) -> Answer:
    question, texts = turn.question, turn.services.texts
    if not question.text.strip():
        return replies.empty(question, texts, way)
    if len(question.text.strip()) > QUESTION_LIMIT_CHARACTERS:
        return replies.too_long(question, texts, way)
    if way is Route.SMALL_TALK:
        return replies.chat(question, texts)
    await turn.telling.stage(Stage.SEARCHING)
    return await (_list(turn) if way is Route.LITERAL else consult(turn))


async def _list(turn: Turn) -> Answer:
    query = Query(turn.question.text, turn.question.viewer, asked_at=turn.question.asked_at)
    with turn.watch.stage("search"):
        listing = await asyncio.to_thread(lambda: search_pages(query, turn.services.index()))
    return replies.listed(turn.question, turn.services.texts, listing)


async def _failed(turn: Turn, way: Route, error: Exception) -> Answer:
    if isinstance(error, OracleError):
        log.error("question failed", question=turn.question.id, reason=str(error))
    else:
        log.error("question failed", question=turn.question.id, exc_info=error)
    answer = replies.failed(turn.question, turn.services.texts, way, error)
    if turn.telling.said:  # it cannot be untold: the answer goes on from there
        await turn.telling.say(f"\n\n{answer.text}")
        answer = replace(answer, text=turn.telling.said)
    return answer


def _record(turn: Turn, answer: Answer) -> None:
    try:
        turn.services.turn_log.record(turn_record(turn.question, answer, turn.services.clock()))
    except Exception as error:  # noqa: BLE001  # telemetry is best effort: it never costs the answer
        log.warning("turn not recorded", question=turn.question.id, error=type(error).__name__)
