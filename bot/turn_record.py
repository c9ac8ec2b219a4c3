"""A turn as telemetry keeps it: what was asked and how it ended, never what was answered."""

from __future__ import annotations

from datetime import datetime

from bot.messages import QUESTION_LIMIT_CHARACTERS, Answer, Question, TurnRecord


def turn_record(question: Question, answer: Answer, created_at: datetime) -> TurnRecord:
    """Make the record of an ended turn; the duration is the answer's `total`."""
    place = question.conversation
    return TurnRecord(
        created_at=created_at,
        question=question.text[:QUESTION_LIMIT_CHARACTERS],
        mode=question.mode.value,
        route=answer.route.value,
        outcome=answer.outcome.value,
        platform=place.platform,
        workspace=place.workspace,
        channel=place.channel,
        channel_kind=place.channel_kind,
        thread=place.thread,
        user=question.asker,
        sources_count=len(answer.citations),
        top_relevance=answer.relevance,
        duration_ms=answer.timings_ms.get("total", 0.0),
        stages_ms={name: spent for name, spent in answer.timings_ms.items() if name != "total"},
        generation=answer.generation,
        model=answer.model,
        prompt_tokens=answer.usage.prompt_tokens,
        answer_tokens=answer.usage.answer_tokens,
        sources=[
            (citation.passage.page.doc_id, citation.number, citation.passage.retrieval) for citation in answer.citations
        ],
    )
