"""`oraculo ask`, with a stand-in for Gemini and without any model."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.bot.conftest import Run, command_line
from tests.gemini_stand_in import GeminiStandIn, Refuses, Says

QUESTION = "¿Cuándo se hace la copia de seguridad?"
WRITTEN = "La copia de seguridad se hace cada noche a las tres [1]."


def test_ask_prints_its_json_and_nothing_else(oraculo: Run, home: Path) -> None:
    done = oraculo("ask", QUESTION, "--home", home, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document.keys() == {
        "answer", "sources", "model", "chunks_used", "duration_ms", "route",
        "outcome", "relevance", "generation", "timings_ms",
    }  # fmt: skip
    assert "cada noche a las tres" in document["answer"]
    assert (document["route"], document["outcome"], document["model"]) == ("oracle", "answered", "")
    assert 0 <= document["relevance"] <= 1
    source = document["sources"][0]
    assert source.keys() == {"title", "doc_id", "source_path", "href", "heading", "score", "retrieval"}
    assert source["doc_id"] == "copias.md"


def test_why_explains(oraculo: Run, home: Path) -> None:
    shown = oraculo("ask", QUESTION, "--home", home, "--why").stdout
    assert "Por qué\nRelevancia " in shown


def test_keywords_give_a_listing(oraculo: Run, home: Path) -> None:
    document = json.loads(oraculo("ask", "copia", "--home", home, "--json").stdout)
    assert (document["route"], document["outcome"]) == ("literal", "listed")
    assert document["listing"]["results"][0]["doc_id"] == "copias.md"


def test_without_hybrid_only_meaning_searches(oraculo: Run, home: Path) -> None:
    document = json.loads(oraculo("ask", QUESTION, "--home", home, "--json", "--why", "--no-hybrid").stdout)
    assert {source["retrieval"] for source in document["sources"]} == {"semantic"}
    assert document["explanation"]["floor"] == 0
    assert "semantic" in document["explanation"]["lists"]


def test_a_history_makes_a_follow_up_of_a_few_words(oraculo: Run, home: Path, tmp_path: Path) -> None:
    said = [{"speaker": "Ana", "role": "user", "text": QUESTION}, {"role": "oracle", "text": WRITTEN}]
    (tmp_path / "thread.json").write_text(json.dumps(said), encoding="utf-8")
    document = json.loads(oraculo("ask", "restaurar", "--history", "thread.json", "--home", home, "--json").stdout)
    assert document["route"] == "oracle"


def test_a_wrong_history_is_one_line_and_exit_code_2(oraculo: Run, home: Path, tmp_path: Path) -> None:
    (tmp_path / "thread.json").write_text("nada", encoding="utf-8")
    done = oraculo("ask", QUESTION, "--history", "thread.json", "--home", home)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("oraculo: thread.json: line 1: is not JSON; write ")


def test_every_turn_leaves_a_row_without_the_answer(oraculo: Run, home: Path) -> None:
    oraculo("ask", QUESTION, "--home", home)
    oraculo("chat", "--home", home, stdin="copia\nhola\n")
    rows = json.loads(oraculo("telemetry", "--last", "9", "--json", "--home", home).stdout)
    assert [(row["question"], row["outcome"]) for row in rows] == [
        ("hola", "small_talk"),
        ("copia", "listed"),
        (QUESTION, "answered"),
    ]
    assert "cada noche" not in json.dumps(rows, ensure_ascii=False)
    assert QUESTION in oraculo("telemetry", "--home", home).stdout


def test_a_broken_database_never_breaks_an_answer(oraculo: Run, home: Path, tmp_path: Path) -> None:
    (tmp_path / "oraculo.sqlite").write_bytes(b"this is no database" * 500)
    done = oraculo("ask", QUESTION, "--home", home, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["outcome"] == "answered"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["ask", "search"])
def test_text_that_is_no_text_is_asked_all_the_same(oraculo: Run, home: Path, command: str) -> None:
    done = oraculo(command, "copia\udcff\udc80 \x1b[31m", "--home", home)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout


async def ask(
    gemini: GeminiStandIn, environment: dict[str, str], home: Path, *options: str, **settings: str
) -> tuple[dict[str, Any], str]:
    """Ask with a model behind; give the document and what went to standard error."""
    env = {"GEMINI_API_KEY": gemini.key, "ORACULO_MODEL__BASE_URL": gemini.base_url, **settings}
    process = await asyncio.create_subprocess_exec(
        *command_line(["ask", QUESTION, "--home", home, "--json", *options]),
        env={**environment, **env},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await asyncio.wait_for(process.communicate(), 60)
    return json.loads(output), errors.decode()


async def test_with_a_key_the_model_writes_the_answer(environment: dict[str, str], home: Path) -> None:
    async with GeminiStandIn([Says((WRITTEN,))]) as gemini:
        document, errors = await ask(gemini, environment, home)
    assert document["answer"].startswith("La copia de seguridad se hace cada noche")
    assert (document["model"], document["outcome"]) == ("gemma-4-26b-a4b-it", "answered")
    assert errors == ""


async def test_when_the_model_refuses_the_pages_answer_and_the_key_is_never_shown(
    environment: dict[str, str], home: Path
) -> None:
    async with GeminiStandIn([Refuses(403, "PERMISSION_DENIED")]) as gemini:
        document, errors = await ask(gemini, environment, home)
        assert gemini.key not in errors + json.dumps(document)
    assert "cada noche a las tres" in document["answer"]
    assert (document["model"], document["outcome"]) == ("", "answered")
    assert errors


async def test_the_daily_budget_counts_what_other_runs_spent(environment: dict[str, str], home: Path) -> None:
    usage = {"promptTokenCount": 60_000, "candidatesTokenCount": 40, "totalTokenCount": 60_040}
    async with GeminiStandIn([Says((WRITTEN,), usage=usage)] * 2) as gemini:
        budget = {"ORACULO_MODEL__DAILY_BUDGET": "50000"}
        first, _ = await ask(gemini, environment, home, **budget)
        second, _ = await ask(gemini, environment, home, **budget)
        assert len(gemini.calls) == 1
    assert (first["model"], second["model"]) == ("gemma-4-26b-a4b-it", "")


async def test_the_doctor_asks_the_model_only_when_told_to(environment: dict[str, str], home: Path) -> None:
    async with GeminiStandIn([Refuses(403, "PERMISSION_DENIED")]) as gemini:
        env = {**environment, "GEMINI_API_KEY": gemini.key, "ORACULO_MODEL__BASE_URL": gemini.base_url}
        process = await asyncio.create_subprocess_exec(
            *command_line(["doctor", "--online", "--home", home]), env=env, stdout=asyncio.subprocess.PIPE
        )
        output, _ = await asyncio.wait_for(process.communicate(), 60)
        shown = output.decode()
        assert process.returncode == 1
        assert "fail language model: " in shown
        assert gemini.key not in shown
