"""Two runs of one set, paired."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.evaluation.comparison import compare
from retrieval.evaluation.harness import Retrieved, Run
from retrieval.evaluation.metrics import Judged

RANKS = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=30)


def run_of(ranks: Sequence[int], relevances: Sequence[float | None] | None = None, floor: float = 0.4) -> Run:
    """A run in which the right page of each query stands at a rank (11 and more: nowhere)."""
    judged = [
        Judged(str(number), [*(f"wrong{n}" for n in range(rank - 1)), "right"][:10], {"right"})
        for number, rank in enumerate(ranks)
    ]
    measured = relevances or [0.9] * len(ranks)
    retrieved = [Retrieved(one.query_id, (), relevance, 1.0) for one, relevance in zip(judged, measured, strict=True)]
    return Run(retrieved, judged, [], floor)


def test_queries_are_won_lost_and_tied_by_reciprocal_rank() -> None:
    compared = compare(run_of([1, 3, 5, 11]), run_of([2, 3, 4, 12]))
    assert (compared.won, compared.lost, compared.tied) == (1, 1, 2)
    assert compared.metrics["recall@1"].this == 0.25
    assert compared.metrics["recall@1"].that == 0
    assert compared.metrics["recall@1"].difference == 0.25


@given(RANKS)
def test_turned_round_every_difference_changes_its_sign(ranks: list[tuple[int, int]]) -> None:
    this, that = (run_of([pair[side] for pair in ranks]) for side in (0, 1))
    there, back = compare(this, that), compare(that, this)
    assert (there.won, there.lost, there.tied) == (back.lost, back.won, back.tied)
    for name, pair in there.metrics.items():
        assert pair.difference == -back.metrics[name].difference
        assert pair.interval == pytest.approx((-back.metrics[name].interval[1], -back.metrics[name].interval[0]))


def test_a_small_gain_on_every_query_shows_through_queries_that_differ_widely() -> None:
    """Apart, the two means could be the same; paired, they are not."""
    rng = np.random.default_rng(1)
    worse = rng.integers(2, 10, 40).tolist()
    compared = compare(run_of([rank - 1 for rank in worse]), run_of(worse)).metrics["mrr@10"]
    assert compared.interval[0] > 0


def test_the_share_above_the_floor_is_compared_each_by_its_own_floor() -> None:
    relevances = [0.45, 0.6, 0.3]
    compared = compare(run_of([1, 1, 1], relevances, floor=0.4), run_of([1, 1, 1], relevances, floor=0.5))
    assert compared.metrics["passed"].this == pytest.approx(2 / 3, abs=1e-4)
    assert compared.metrics["passed"].that == pytest.approx(1 / 3, abs=1e-4)


def test_what_only_one_side_measured_is_not_compared() -> None:
    literal = run_of([1, 2], [None, None])
    assert "passed" not in compare(run_of([1, 2]), literal).metrics
    assert "passed" not in literal.metrics
