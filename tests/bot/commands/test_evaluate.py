"""`oraculo evaluate`: the document scripts read, the table people read, and two configurations compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.bot.conftest import Run, command_line
from tests.bot.terminal import Terminal

QUERIES = (
    ("copias", "¿Cuándo se hace la copia de seguridad?", "copias.md"),
    ("faro", "faro desplegar", "despliegue.md"),
    ("colores", "¿Qué palabra va con turquesa?", "malicia.md"),
    ("nada", "¿Cuándo se hace la copia de seguridad de noche?", "borrador.md"),
)
KEYS = {"queries", "recall@1", "recall@5", "hit@8", "mrr@10", "ndcg@10", "relevance", "ms", "batteries"}
METRICS = {"recall@1", "recall@5", "hit@8", "mrr@10", "ndcg@10"}


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    folder = tmp_path / "questions"
    folder.mkdir()
    lines = [json.dumps({"_id": name, "text": text, "battery": "todas"}) for name, text, _ in QUERIES]
    (folder / "queries.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "qrels.tsv").write_text("".join(f"{name}\t{page}\t1\n" for name, _, page in QUERIES), encoding="utf-8")
    (folder / "unanswerable.jsonl").write_text('{"_id": "u", "text": "¿Quién inventó la imprenta?"}', encoding="utf-8")
    return folder


def evaluated(oraculo: Run, *arguments: str | Path, env: dict[str, str] | None = None) -> dict[str, Any]:
    done = oraculo("evaluate", *arguments, env=env)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_figures_stay_plain_numbers_and_their_intervals_stand_apart(oraculo: Run, home: Path, questions: Path) -> None:
    measured = evaluated(oraculo, questions, "--home", home)
    assert measured.keys() == KEYS | {"near_misses", "intervals"}
    assert measured["queries"] == 4
    assert measured["hit@8"] == 0.75
    assert measured["intervals"].keys() == METRICS | {"passed", "refused", "batteries"}
    low, high = measured["intervals"]["hit@8"]
    assert low < 0.75 < high
    assert measured["intervals"]["batteries"]["todas"].keys() == METRICS


def test_literal_search_has_no_relevance_to_be_unsure_of(oraculo: Run, home: Path, questions: Path) -> None:
    measured = evaluated(oraculo, questions, "--home", home, "--literal")
    assert measured["intervals"].keys() == METRICS | {"batteries"}


def test_a_miss_is_listed_with_where_each_list_had_the_page(oraculo: Run, home: Path, questions: Path) -> None:
    [miss] = evaluated(oraculo, questions, "--home", home, "--why-missed")["missed"]
    assert (miss["_id"], miss["query"]) == (QUERIES[3][0], QUERIES[3][1])
    [page] = miss["right"]
    assert (page["doc_id"], page["readable"]) == ("borrador.md", False)
    assert {"fused", "semantic", "specific", "all", "phrases", "verbatim"} <= page["ranks"].keys()
    assert "copias.md" in miss["found"]


def test_another_file_is_compared_query_by_query_on_the_same_home(
    oraculo: Run, home: Path, questions: Path, tmp_path: Path
) -> None:
    (tmp_path / "other.toml").write_text("[retrieval]\nhybrid = false\n", encoding="utf-8")
    against = evaluated(oraculo, questions, "--home", home, "--against", "other.toml")["against"]
    assert (against["this"]["search"], against["that"]["search"]) == ("hybrid", "semantic")
    assert against["that"]["config"] == "other.toml"
    assert against["this"]["home"] == against["that"]["home"] == str(home)
    assert against["metrics"].keys() == METRICS | {"passed", "refused"}
    for pair in against["metrics"].values():
        assert pair["difference"] == pytest.approx(pair["this"] - pair["that"], abs=2e-4)
        assert pair["interval"][0] <= pair["difference"] <= pair["interval"][1]
    assert against["won"] + against["lost"] + against["tied"] == 4


def test_a_home_that_the_other_file_names_is_its_own(oraculo: Run, home: Path, questions: Path, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text('home = "elsewhere"\n', encoding="utf-8")
    done = oraculo("evaluate", questions, "--home", home, "--against", "other.toml")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"oraculo: there is no index in {Path('elsewhere')} yet; run `oraculo ingest`"
    )


def test_a_wrong_file_to_compare_with_is_told_before_anything_is_asked(
    oraculo: Run, home: Path, questions: Path
) -> None:
    done = oraculo("evaluate", questions, "--home", home, "--against", "no.toml")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("oraculo: no.toml: there is no such file")


def test_a_folder_of_pages_is_indexed_apart(oraculo: Run, wiki: Path, questions: Path, tmp_path: Path) -> None:
    measured = evaluated(oraculo, questions, "--pages", wiki, "--home", tmp_path / "own")
    assert measured["queries"] == 4
    assert not (tmp_path / "own" / "index").exists()
    assert (tmp_path / "own" / "evaluation").is_dir()


def test_on_a_terminal_it_is_a_table(environment: dict[str, str], home: Path, questions: Path, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text("[retrieval]\nhybrid = false\n", encoding="utf-8")
    arguments = ["evaluate", str(questions), "--home", str(home), "--against", "other.toml", "--why-missed"]
    with Terminal(command_line(arguments), environment, tmp_path) as screen:
        assert screen.wait_for_end() == 0
        shown = screen.text
    assert "4 queries" in shown
    assert "hit@8                           0.7500" in shown
    assert "passed the floor, 0" in shown
    assert "this: no settings file, hybrid search" in shown
    assert "that: other.toml, semantic search" in shown
    assert "1 of 4 queries without a right page in the top 8" in shown
    assert "borrador.md: no such page in the index, or a draft, or not for these keys" in shown
    tables = [line for line in shown.splitlines() if "of multilingual" not in line]
    assert max(map(len, tables)) <= 100
