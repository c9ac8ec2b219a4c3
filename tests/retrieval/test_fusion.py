"""Reciprocal rank fusion."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrieval.fusion import RRF_K, in_order, reciprocal_rank_fusion

lists = st.dictionaries(st.text(min_size=1, max_size=3), st.lists(st.integers(0, 20), max_size=10), max_size=4)


@given(lists)
def test_every_key_stands_once_and_none_is_lost(found: dict[str, list[int]]) -> None:
    fused = reciprocal_rank_fusion({name: in_order(keys) for name, keys in found.items()})
    keys = [entry.key for entry in fused]
    assert sorted(keys) == sorted({key for ranked in found.values() for key in ranked})


@given(lists)
def test_scores_fall_and_are_the_sum_over_the_lists(found: dict[str, list[int]]) -> None:
    fused = reciprocal_rank_fusion({name: in_order(keys) for name, keys in found.items()})
    scores = [entry.score for entry in fused]
    assert scores == sorted(scores, reverse=True)
    for entry in fused:
        assert abs(entry.score - sum(1 / (RRF_K + rank) for rank in entry.ranks.values())) < 1e-12


def test_a_key_in_two_lists_goes_before_the_first_of_either() -> None:
    fused = reciprocal_rank_fusion({"a": in_order(["x", "both"]), "b": in_order(["y", "both"])})
    assert fused[0].key == "both"
    assert fused[0].ranks == {"a": 2, "b": 2}


def test_the_first_list_wins_a_tie() -> None:
    fused = reciprocal_rank_fusion({"semantic": in_order(["s"]), "exact": in_order(["e"])})
    assert [entry.key for entry in fused] == ["s", "e"]


def test_a_key_that_stands_twice_in_a_list_counts_at_its_better_rank() -> None:
    assert in_order(["a", "b", "a"]) == {"a": 1, "b": 2}


def test_a_heavier_list_counts_more() -> None:
    fused = reciprocal_rank_fusion({"light": in_order(["l"]), "heavy": in_order(["h"])}, {"heavy": 2.0})
    assert [entry.key for entry in fused] == ["h", "l"]
