"""Turns for the tests of storage, all filled in but the point of the test."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from bot.messages import TurnRecord

ASKED_AT = datetime(2026, 3, 2, 9, 30, 15, 123456, tzinfo=UTC)

TURN = TurnRecord(
    created_at=ASKED_AT,
    question="¿Cómo conecto el bot a Slack?",
    mode="oracle",
    route="oracle",
    outcome="answered",
    platform="slack",
    workspace="T1",
    channel="C1",
    channel_kind="public",
    thread="1700000000.000100",
    user="U1",
    sources_count=2,
    top_relevance=0.75,
    duration_ms=812.5,
    stages_ms={"semantic": 3.25, "exact": 1.5},
    generation="20260302T093000-ab12",
    model="gemma-4-26b-a4b-it",
    prompt_tokens=2048,
    answer_tokens=180,
    sources=(("slack.md", 1, "both"), ("instalar.md", 2, "semantic")),
)


def make_turn(question: str = TURN.question, **fields: Any) -> TurnRecord:
    return replace(TURN, question=question, **fields)
