"""`retrieval.rerank` from the command line: what is reranked, shown, kept and measured."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bot.doctor import diagnose
from bot.settings import Settings
from bot.settings_sections import Embedding, Retrieval
from tests.bot.conftest import Run, command_line
from tests.cross_encoders import write_cross_encoder
from tests.gemini_stand_in import GeminiStandIn, Says

QUESTION = "¿Cuándo se hace la copia de seguridad?"
WRITTEN = "La copia de seguridad se hace cada noche a las tres [1]."
RERANK = "ORACULO_RETRIEVAL__RERANK"


@pytest.fixture
def colours(tmp_path: Path) -> Path:
    """A cross-encoder that knows one word, of a page that nothing else would put first."""
    return write_cross_encoder(tmp_path / "colours", ["turquesa"])


@pytest.fixture
def settings(home: Path, model_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    return Settings(home=home, embedding=Embedding(cache=model_cache))


def test_a_cross_encoder_reorders_and_why_shows_how(oraculo: Run, home: Path, colours: Path) -> None:
    asked = ("ask", f"{QUESTION} turquesa", "--home", home, "--json", "--why")
    document = json.loads(oraculo(*asked, env={RERANK: str(colours)}).stdout)
    reranking = document["explanation"]["reranking"]
    assert (reranking["reranker"], reranking["failed"]) == ("colours", False)
    assert reranking["places"][0]["doc_id"] == "malicia.md"
    assert sorted(place["before"] for place in reranking["places"]) == list(range(1, len(reranking["places"]) + 1))
    assert document["timings_ms"]["rerank"] > 0


def test_a_cross_encoder_that_is_not_there_costs_a_line_and_not_the_answer(oraculo: Run, home: Path) -> None:
    done = oraculo("ask", QUESTION, "--home", home, "--json", "--why", env={RERANK: "BAAI/bge-reranker-base"})
    document = json.loads(done.stdout)
    assert (done.returncode, document["outcome"]) == (0, "answered")
    assert document["explanation"]["reranking"] == {"reranker": "bge-reranker-base", "failed": True, "places": []}
    (line,) = done.stderr.splitlines()
    assert "bring it with: hf download BAAI/bge-reranker-base" in line


@pytest.mark.parametrize(
    ("rerank", "finding"),
    [
        ("none", "ok: none, so passages keep the order of the search"),
        ("{colours}", "ok: colours@"),
        ("model", "warn: the language model, and there is none; set GEMINI_API_KEY"),
        ("BAAI/bge-reranker-bas", "fail: there is no reranker 'BAAI/bge-reranker-bas'"),
    ],
)
def test_the_doctor_opens_the_reranker_and_names_the_mend(
    settings: Settings, colours: Path, rerank: str, finding: str
) -> None:
    chosen = settings.model_copy(update={"retrieval": Retrieval(rerank=rerank.format(colours=colours))})
    (check,) = [check for check in diagnose(chosen) if check.part == "reranker"]
    assert f"{check.verdict}: {check.finding}".startswith(finding)


def test_without_a_language_model_there_is_nothing_to_rerank_with_and_a_line_says_so(oraculo: Run, home: Path) -> None:
    done = oraculo("ask", QUESTION, "--home", home, "--json", "--why", env={RERANK: "model"})
    assert json.loads(done.stdout)["explanation"]["reranking"] is None
    (line,) = done.stderr.splitlines()
    assert 'retrieval.rerank is "model", and there is none' in line


async def test_the_language_model_orders_and_then_writes_and_both_are_counted(
    oraculo: Run, environment: dict[str, str], home: Path
) -> None:
    async with GeminiStandIn([Says(("4, 3, 2, 1",)), Says((WRITTEN,))]) as gemini:
        env = {"GEMINI_API_KEY": gemini.key, "ORACULO_MODEL__BASE_URL": gemini.base_url, RERANK: "model"}
        process = await asyncio.create_subprocess_exec(
            *command_line(["ask", QUESTION, "--home", home, "--json", "--why"]),
            env={**environment, **env},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        output, errors = await asyncio.wait_for(process.communicate(), 60)
    document: dict[str, Any] = json.loads(output)
    assert errors == b""
    assert [place["before"] for place in document["explanation"]["reranking"]["places"]] == [4, 3, 2, 1]
    assert document["sources"][0]["doc_id"] == document["explanation"]["reranking"]["places"][0]["doc_id"]
    rows = await asyncio.to_thread(oraculo, "telemetry", "--last", "1", "--json", "--home", home)
    (row,) = json.loads(rows.stdout)
    assert (row["prompt_tokens"], row["answer_tokens"]) == (1_800, 80)
    assert row["stages_ms"]["rerank"] > 0


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    folder = tmp_path / "questions"
    folder.mkdir()
    query = json.dumps({"_id": "q", "text": f"{QUESTION} turquesa"})
    (folder / "queries.jsonl").write_text(query, encoding="utf-8")
    (folder / "qrels.tsv").write_text("q\tmalicia.md\t1\n", encoding="utf-8")
    return folder


def test_a_cross_encoder_is_measured_against_the_order_of_the_search(
    oraculo: Run, home: Path, questions: Path, colours: Path, tmp_path: Path
) -> None:
    (tmp_path / "plain.toml").write_text("", encoding="utf-8")
    (tmp_path / "reranked.toml").write_text(f'[retrieval]\nrerank = "{colours}"\n', encoding="utf-8")
    arguments = ("evaluate", questions, "--home", home, "--config", "reranked.toml", "--against", "plain.toml")
    against = json.loads(oraculo(*arguments).stdout)["against"]
    assert against["this"]["rerank"].startswith("colours@")
    assert against["that"]["rerank"] == "none"
    assert against["metrics"]["recall@1"]["this"] == 1
    assert (against["won"], against["metrics"]["recall@1"]["that"]) == (1, 0)


def test_retrieve_gives_the_reranked_order(oraculo: Run, home: Path, questions: Path, colours: Path) -> None:
    def retrieved(rerank: str, option: str) -> list[str]:
        arguments = ("retrieve", questions / "queries.jsonl", "--home", home, option)
        found = json.loads(oraculo(*arguments, env={RERANK: rerank}).stdout)
        return [page["doc_id"] for page in found["results"]]

    assert retrieved(str(colours), "--top=1") == ["malicia.md"]
    assert retrieved("no/such-model", "--literal") == []


@pytest.mark.parametrize("command", ["evaluate", "retrieve"])
def test_nothing_is_measured_with_a_cross_encoder_that_is_not_there(
    oraculo: Run, home: Path, questions: Path, command: str
) -> None:
    asked = questions if command == "evaluate" else questions / "queries.jsonl"
    done = oraculo(command, asked, "--home", home, env={RERANK: "BAAI/bge-reranker-base"})
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("oraculo: the reranker BAAI/bge-reranker-base is not in ")


def test_the_language_model_is_never_asked_to_be_measured(oraculo: Run, home: Path, questions: Path) -> None:
    done = oraculo("evaluate", questions, "--home", home, env={RERANK: "model", "GEMINI_API_KEY": "any"})
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert "the language model reranks nothing here" in line
