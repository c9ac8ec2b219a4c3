"""The semantic list: exact search and graph agree, and neither gives a row that may not be read."""

from __future__ import annotations

import resource
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.dense import DenseIndex, SemanticFailure, load_graph, new_graph, save_graph, write_vectors
from retrieval.errors import DamagedIndex
from retrieval.readable import Readable, Scope
from retrieval.types import Filters, Vectors

DIMENSIONS = 48


def unit_vectors(count: int, seed: int = 7) -> Vectors:
    found = np.random.default_rng(seed).standard_normal((count, DIMENSIONS)).astype(np.float32)
    vectors: Vectors = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)
    return vectors


def seeing(windows: np.ndarray, *, everything: bool = False) -> Readable:
    rows = np.flatnonzero(windows)
    scope = Scope(frozenset({"public"}), Filters())
    background = {"es": rows[:100]} if len(rows) else {}
    return Readable(scope, windows, windows, rows, len(rows), everything, background)


def nearest_by_hand(vectors: Vectors, rows: np.ndarray, query: Vectors, limit: int) -> list[int]:
    cosines = vectors[rows] @ query
    return [int(rows[at]) for at in np.argsort(-cosines, kind="stable")[:limit]]


@pytest.fixture(scope="module")
def with_graph(tmp_path_factory: pytest.TempPathFactory) -> DenseIndex:
    folder = tmp_path_factory.mktemp("graph")
    rows = np.arange(3000)
    write_vectors(folder, unit_vectors(3000), rows, None, rows, graph_from_rows=1000)
    return DenseIndex(folder)


@given(seed=st.integers(0, 200), share=st.sampled_from([1.0, 0.5, 0.05, 0.005]))
def test_an_exact_search_gives_the_nearest_readable_rows(with_graph: DenseIndex, seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    windows = rng.random(3000) < share
    query = unit_vectors(1, seed + 1000)[0]
    found = [ranked.row for ranked in with_graph.nearest(query, seeing(windows), 10)]
    assert found == nearest_by_hand(np.array(with_graph.vectors), np.flatnonzero(windows), query, 10)


def test_the_graph_finds_nearly_all_that_an_exact_search_finds(with_graph: DenseIndex) -> None:
    every = np.ones(3000, np.bool_)
    found, wanted = 0, 0
    for query in unit_vectors(50, seed=99):
        near = {ranked.row for ranked in with_graph.nearest(query, seeing(every, everything=True), 20)}
        found += len(near & set(nearest_by_hand(np.array(with_graph.vectors), np.arange(3000), query, 20)))
        wanted += 20
    assert found / wanted >= 0.98


def test_rows_that_left_are_passed_over_and_new_ones_found_when_a_graph_grows(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    vectors = unit_vectors(2200)
    old_rows, new_rows = np.arange(2000), np.arange(2000, 2200)
    write_vectors(first, vectors[:2000], old_rows, None, old_rows, graph_from_rows=1000)
    alive = np.concatenate([np.arange(300, 2000), new_rows])
    write_vectors(second, vectors, alive, first / "graph.usearch", new_rows, graph_from_rows=1000)
    grown = DenseIndex(second)
    windows = np.zeros(2200, np.bool_)
    windows[alive] = True
    for row in (0, 299, 300, 2199):
        near = [ranked.row for ranked in grown.nearest(vectors[row], seeing(windows, everything=True), 5)]
        assert (row in near) == bool(windows[row])
        assert all(windows[found] for found in near)


def test_a_graph_grows_after_its_newest_rows_left(tmp_path: Path) -> None:
    vectors = unit_vectors(2100)
    old_rows, new_rows = np.arange(2000), np.arange(2000, 2100)
    write_vectors(tmp_path / "first", vectors[:2000], old_rows, None, old_rows, graph_from_rows=1000)
    nothing = np.zeros(0, np.intp)
    shorter = tmp_path / "shorter"
    write_vectors(
        shorter, vectors[:1900], old_rows[:1900], tmp_path / "first/graph.usearch", nothing, graph_from_rows=9
    )
    near = DenseIndex(shorter).nearest(vectors[1999], seeing(np.ones(1900, np.bool_), everything=True), 5)
    assert len(near) == 5
    alive = np.concatenate([old_rows[:1900], new_rows])
    write_vectors(tmp_path / "third", vectors, alive, shorter / "graph.usearch", new_rows, graph_from_rows=1000)
    windows = np.zeros(2100, np.bool_)
    windows[alive] = True
    for row in (0, 1899, 1999, 2000, 2099):
        near = DenseIndex(tmp_path / "third").nearest(vectors[row], seeing(windows, everything=True), 5)
        assert (near[0].row == row) == bool(windows[row])


@pytest.mark.parametrize("share", [0.5, 0.75, 0.99])
def test_the_graph_serves_those_who_may_read_half_of_it_as_well(with_graph: DenseIndex, share: float) -> None:
    windows = np.zeros(3000, np.bool_)
    windows[np.random.default_rng(3).permutation(3000)[: int(3000 * share)]] = True
    found, wanted = 0, 0
    for query in unit_vectors(50, seed=98):
        near = [ranked.row for ranked in with_graph.nearest(query, seeing(windows), 20)]
        assert all(windows[row] for row in near)
        found += len(set(near) & set(nearest_by_hand(np.array(with_graph.vectors), np.flatnonzero(windows), query, 20)))
        wanted += 20
    assert found / wanted >= 0.98


def test_where_all_that_is_near_is_shut_out_the_exact_search_answers(with_graph: DenseIndex) -> None:
    vectors = np.array(with_graph.vectors)
    query = unit_vectors(1, seed=5)[0]
    windows = np.zeros(3000, np.bool_)
    windows[np.argsort(vectors @ query)[:1600]] = True  # the far half
    found = [ranked.row for ranked in with_graph.nearest(query, seeing(windows), 20)]
    assert found == nearest_by_hand(vectors, np.flatnonzero(windows), query, 20)


def test_what_usearch_refuses_is_told_in_one_line(with_graph: DenseIndex, tmp_path: Path) -> None:
    every = seeing(np.ones(3000, np.bool_), everything=True)
    with pytest.raises(SemanticFailure, match=r"^the graph of the vectors failed: [^\n]+$"):
        with_graph.nearest(unit_vectors(1)[0][:5], every, 5)
    (tmp_path / "graph").write_bytes(b"x" * 1000)
    with pytest.raises(DamagedIndex, match="oraculo ingest --full"):
        load_graph(tmp_path / "graph", DIMENSIONS)


@pytest.mark.parametrize("missing_bytes", [1, 100, 5_000])
def test_a_graph_that_is_not_written_whole_is_an_error(tmp_path: Path, missing_bytes: int) -> None:
    graph = new_graph(DIMENSIONS)
    graph.add(np.arange(500, dtype=np.uint64), unit_vectors(500).astype(np.float16), threads=1)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (graph.serialized_length - missing_bytes, hard))
    try:
        with pytest.raises(OSError, match="graph"):
            save_graph(tmp_path / "graph", graph)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_equal_cosines_come_in_row_order(tmp_path: Path) -> None:
    vectors = np.repeat(unit_vectors(1), 5, axis=0)
    write_vectors(tmp_path, vectors, np.arange(5), None, np.arange(5))
    found = DenseIndex(tmp_path).nearest(vectors[0], seeing(np.ones(5, np.bool_), everything=True), 3)
    assert [ranked.row for ranked in found] == [0, 1, 2]


def test_nothing_readable_gives_nothing(with_graph: DenseIndex) -> None:
    nothing = seeing(np.zeros(3000, np.bool_))
    assert with_graph.nearest(unit_vectors(1)[0], nothing, 5) == []
    assert with_graph.backgrounds(unit_vectors(1)[0], nothing) == {}
