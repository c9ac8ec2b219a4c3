"""The measuring itself: it compares what it says, and it runs where the data is not."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.__main__ import PARTS, main
from tests.benchmarks.figures import Bar, Row, read, row, written
from tests.benchmarks.fts5 import Fts5, quoted, words
from tests.benchmarks.places import DATA_VARIABLE
from tests.benchmarks.synthetic import SeededEmbedder, keys_for, questions, write_corpus
from tests.benchmarks.timing import Paired, Taken, by_turns


def test_each_part_whose_data_is_not_there_is_skipped_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "nowhere"))
    parts = [part for part in PARTS if part != "growth"]
    assert main([*parts, "--json"]) == 0
    rows = list(read(capsys.readouterr().out))
    assert [one.what for one in rows] == ["skipped"] * len(parts)
    assert all(DATA_VARIABLE in one.figure for one in rows)


def test_a_bar_is_met_from_the_right_side() -> None:
    assert row("ratio", 1.0, "1.0", Bar(1.15)) == Row("ratio", "1.0", "≤ 1.15", True)
    assert row("ratio", 1.2, "1.2", Bar(1.15)).verdict is False
    assert row("found", 0.95, "0.95", Bar(0.96, at_least=True)).verdict is False
    assert row("size", 3.0, "3 MB").verdict is None


def test_lines_survive_being_written_and_read() -> None:
    rows = [Row("a", "1", "≤ 2", True), Row("b", "3")]
    assert list(read(written(rows))) == rows


def test_both_ways_take_turns_over_the_same_items() -> None:
    called: list[str] = []
    times = by_turns(lambda item: called.append(f"ours {item}"), lambda item: called.append(f"theirs {item}"), [1, 2])
    assert called == ["ours 1", "theirs 1", "theirs 2", "ours 2"]
    assert (len(times.ours), len(times.theirs)) == (2, 2)


def test_the_ratio_is_that_of_the_medians() -> None:
    ours = [Taken(1.0, 3.0), Taken(2.0, 4.0), Taken(90.0, 4.0)]
    times = Paired(ours, [Taken(4.0, 4.0)] * 3)
    assert (times.ratio, times.processor_ratio) == (0.5, 1.0)


def test_the_yardstick_finds_all_the_words_whatever_their_accents_and_symbols(tmp_path: Path) -> None:
    pages = [("a.md", "Copias", "La copia de cada noche: AND, C++."), ("b.md", "Otra", "De noche, la copia.")]
    with Fts5(tmp_path / "fts5.sqlite", pages) as peer:
        assert peer.all_with(words("NOCHE copía")) == {"a.md", "b.md"}
        assert peer.all_with(quoted('cada "noche"')) == {"a.md"}
        assert peer.all_with(words("AND c++")) == {"a.md"}
        assert len(peer.listed(words("copia"))) == 2
        assert "[noche]" in peer.with_snippets(words("cada noche"))[0][2]


def test_a_synthetic_wiki_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_corpus(tmp_path / name, 40)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    records = [json.loads(line) for line in (tmp_path / "one").read_text(encoding="utf-8").splitlines()]
    assert len(records) == 5
    assert {f"member:{record['project']}" for record in records} <= keys_for("rest")
    assert len(set(questions(50))) == 50


def test_seeded_vectors_are_unit_vectors_of_their_text() -> None:
    embedder = SeededEmbedder()
    one, two, again = embedder.passages(["uno", "dos", "uno"])
    assert np.allclose(np.linalg.norm([one, two], axis=1), 1, atol=1e-6)
    assert np.array_equal(one, again)
    assert not np.allclose(one, two)
    assert not np.allclose(one, embedder.queries(["uno"])[0])
