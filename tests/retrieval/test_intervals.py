"""Bootstrap intervals: what they promise of a mean."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from retrieval.evaluation.intervals import intervals, resampled_means

figures = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@given(figures)
def test_an_interval_stays_among_the_figures_it_is_made_of(values: list[float]) -> None:
    low, high = intervals({"m": values}, resamples=200)["m"]
    assert min(values) - 1e-4 <= low <= high <= max(values) + 1e-4


@given(figures)
def test_the_same_queries_give_the_same_interval(values: list[float]) -> None:
    assert intervals({"m": values}, resamples=50) == intervals({"m": values}, resamples=50)


def test_nineteen_intervals_in_twenty_hold_the_true_mean() -> None:
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(300):
        low, high = intervals({"hit": (rng.random(80) < 0.7).astype(float).tolist()}, resamples=500)["hit"]
        held += low <= 0.7 <= high
    assert 0.92 <= held / 300 <= 0.98


def test_more_queries_make_it_narrower() -> None:
    rng = np.random.default_rng(1)
    few, many = (intervals({"m": rng.random(size).tolist()})["m"] for size in (50, 5000))
    assert many[1] - many[0] < (few[1] - few[0]) / 5


def test_metrics_are_drawn_together() -> None:
    """Two metrics that differ by a constant have intervals that differ by it."""
    values = np.random.default_rng(1).random(30)
    found = intervals({"low": (values / 2).tolist(), "high": (values / 2 + 0.5).tolist()})
    assert np.allclose(np.add(found["low"], 0.5), found["high"], atol=2e-4)


def test_without_queries_there_is_no_interval() -> None:
    assert intervals({"m": []}) == {}
    assert intervals({}) == {}


def test_a_large_set_is_drawn_in_parts_that_make_a_whole() -> None:
    means = resampled_means(np.ones((1 << 20, 1)), 9, np.random.default_rng(1))
    assert means.shape == (9, 1)
    assert np.all(means == 1)
