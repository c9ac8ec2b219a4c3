"""What a turn cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.commands.telemetry import cost_usd
from bot.settings import load_settings
from storage.telemetry import Turn
from tests.builders import ASKED_AT


def turn(model: str) -> Turn:
    return Turn(
        id=1,
        created_at=ASKED_AT,
        question="¿?",
        mode="oracle",
        route="oracle",
        outcome="answered",
        platform="console",
        workspace="",
        channel="",
        channel_kind="terminal",
        thread="",
        sources_count=1,
        top_relevance=0.5,
        duration_ms=1.0,
        stages_ms={},
        generation="g",
        model=model,
        prompt_tokens=2_000_000,
        answer_tokens=500_000,
        user_hash="",
        sources=(),
    )


def test_a_cost_is_told_where_the_model_has_a_price(tmp_path: Path) -> None:
    file = tmp_path / "oraculo.toml"
    file.write_text("[model]\nprices = { gemma = { prompt = 0.1, answer = 0.4 } }\n", encoding="utf-8")
    settings = load_settings(file)
    assert cost_usd(turn("gemma"), settings) == pytest.approx(0.4)
    assert cost_usd(turn("other"), settings) is None
