"""Evaluation sets: the formats, and one clear line for what is not of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retrieval.errors import ConfigurationError
from retrieval.evaluation.datasets import read_queries, read_set
from retrieval.evaluation.harness import Asking, evaluate, retrieve
from retrieval.types import Said
from tests.wikis import Wiki


def write_set(folder: Path, queries: list[dict[str, str]], qrels: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "queries.jsonl").write_text("\n".join(json.dumps(query) for query in queries), encoding="utf-8")
    (folder / "qrels.tsv").write_text(qrels, encoding="utf-8")
    return folder


def test_a_set_is_read_with_what_is_relevant_and_without_unlabelled_queries(tmp_path: Path) -> None:
    queries = [{"_id": "q1", "text": "uno"}, {"_id": "q2", "text": "dos"}, {"_id": "q3", "text": "tres"}]
    folder = write_set(tmp_path / "set", queries, "query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t1\nq2\tc\t0\n")
    data = read_set(folder)
    assert [query.id for query in data.queries] == ["q1"]
    assert data.relevant == {"q1": frozenset({"a", "b"})}


def test_turns_of_a_conversation_become_history(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps({"_id": "q", "text": "|user|: uno\n|agent|: sí\n|user|: ¿y dos?"}), encoding="utf-8")
    [query] = read_queries(path)
    assert query.text == "¿y dos?"
    assert query.history == (Said("user", "user", "uno"), Said("agent", "oracle", "sí"))


def test_another_field_can_be_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"_id": "q", "text_typo": "hla"}\n', encoding="utf-8")
    assert [query.text for query in read_queries(path, "text_typo")] == ["hla"]
    with pytest.raises(ConfigurationError, match=r"q\.jsonl:1: .*text"):
        list(read_queries(path))


@pytest.mark.parametrize("line", ["no json", "[]", '"text"', '{"text": "x"}'])
def test_a_line_that_is_no_query_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"_id": "a", "text": "b"}\n' + line, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"q\.jsonl:2"):
        list(read_queries(path))


def test_a_label_that_is_none_is_named(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", [], "query-id\tcorpus-id\tscore\nq1\ta\n")
    with pytest.raises(ConfigurationError, match=r"qrels\.tsv:2"):
        read_set(folder)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nowhere"):
        read_set(tmp_path / "nowhere")


def test_a_set_is_measured_on_a_real_index(wiki: Wiki, tmp_path: Path) -> None:
    wiki.write({f"{name}.md": f"# {name}\n\nTodo sobre {name}.\n" for name in ("gatos", "perros", "loros", "peces")})
    wiki.ingest()
    queries = [
        {"_id": "1", "text": "¿Qué hay sobre gatos?", "battery": "animales"},
        {"_id": "2", "text": "perros", "battery": "animales"},
    ]
    folder = write_set(tmp_path / "set", queries, "1\tgatos.md\t1\n2\tperros.md\t1\n")
    (folder / "unanswerable.jsonl").write_text(
        '{"_id": "u", "text": "¿Quién inventó la imprenta?"}\n', encoding="utf-8"
    )
    index = wiki.open()
    measured = evaluate(read_set(folder), index, Asking())
    assert measured["queries"] == 2
    assert measured["mrr@10"] == 1.0
    assert measured["batteries"]["animales"]["literal_found"] == 0.5  # type: ignore[index]  # a question holds other words
    assert measured["near_misses"] == {"queries": 1, "refused": 1.0}
    literal = list(retrieve(read_set(folder).queries, index, Asking(literal=True)))
    assert [page.doc_id for page in literal[1].results] == ["perros.md"]
    assert literal[1].relevance is None
    index.close()
