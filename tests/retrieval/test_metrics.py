"""Metrics against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.evaluation.metrics import METRICS, Judged, ndcg_at, recall_at, reciprocal_rank_at, summary


def test_metrics_of_one_relevant_page_in_third_place() -> None:
    judged = Judged("q", ["a", "b", "c", "d"], {"c"})
    assert recall_at(judged, 1) == 0
    assert recall_at(judged, 5) == 1
    assert reciprocal_rank_at(judged, 10) == pytest.approx(1 / 3)
    assert ndcg_at(judged, 10) == pytest.approx(1 / math.log2(4))


def test_recall_counts_every_relevant_page() -> None:
    assert recall_at(Judged("q", ["a", "b"], {"a", "z"}), 5) == 0.5


def test_a_relevant_page_beyond_the_cut_counts_nothing() -> None:
    judged = Judged("q", [*"abcdefghijk"], {"k"})
    assert reciprocal_rank_at(judged, 10) == 0


def test_without_queries_every_metric_is_zero() -> None:
    assert set(summary([]).values()) == {0.0}


@given(st.lists(st.sampled_from("abcdefghijkl"), unique=True), st.sets(st.sampled_from("abcdefghijkl"), min_size=1))
def test_every_metric_stays_between_nothing_and_all(ranked: list[str], relevant: set[str]) -> None:
    judged = Judged("q", ranked, relevant)
    assert all(0 <= metric(judged) <= 1 for metric in METRICS.values())
