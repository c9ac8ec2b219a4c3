"""Relevance: what its signals say, and that one prior steadies small wikis."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.dense import Background
from retrieval.relevance import SIGNAL_NAMES, Calibration, Prior, Setting, Signals, calibration_for, coverage, measure
from retrieval.types import Embedder, WeightedTerm
from tests.builders import make_passage

PRIOR = Prior(mean=0.77, deviation=0.02, rows=30)


def test_coverage_is_the_share_of_the_rarity_that_stands_in_the_words() -> None:
    terms = [WeightedTerm("faro", 3.0), WeightedTerm("xk 4471", 1.0)]
    assert coverage(" el faro de xk 4471 ", terms) == 1.0
    assert coverage(" el faro xk ", terms) == 0.75
    assert coverage(" farola ", terms) == 0.0
    assert coverage(" nada ", []) == 0.0


def test_few_rows_lean_on_the_models_usual_background_and_many_on_their_own() -> None:
    few = PRIOR.steady(Background(mean=0.90, deviation=0.01, rows=3))
    many = PRIOR.steady(Background(mean=0.90, deviation=0.01, rows=3000))
    assert few.mean == pytest.approx(0.77, abs=0.02)
    assert many.mean == pytest.approx(0.90, abs=0.005)


def test_without_a_prior_the_measured_background_stands() -> None:
    measured = Background(0.8, 0.03, 5)
    assert Prior(0, 1, 0).steady(measured) == measured


def test_a_passage_is_contrasted_with_its_own_language() -> None:
    """The same cosine says more where the question is usually farther away."""
    backgrounds = {"es": Background(0.80, 0.02, 5000), "en": Background(0.74, 0.02, 5000)}
    passages = {
        language: make_passage(cosine=0.84, page=make_passage().page.__class__("p.md", "p.md", "P", language=language))
        for language in ("es", "en")
    }
    contrasts = {
        language: measure([passage], {0: " "}, [], Setting("es", backgrounds, PRIOR)).contrast
        for language, passage in passages.items()
    }
    assert contrasts["en"] > contrasts["es"] + 2


def test_without_a_semantic_list_only_the_words_count() -> None:
    signals = measure([make_passage()], {0: " faro "}, [WeightedTerm("faro", 1.0)], Setting("es", {}, PRIOR))
    assert signals == Signals(coverage=1.0)


@given(st.lists(st.floats(-1e6, 1e6), min_size=5, max_size=5))
def test_relevance_stays_between_nothing_and_all(values: list[float]) -> None:
    calibration = Calibration("m", 0.5, dict.fromkeys(SIGNAL_NAMES, 2.0), PRIOR)
    assert 0 <= calibration.relevance(Signals(*values)) <= 1


def test_the_embedded_model_has_a_calibration_of_its_own_and_others_borrow(embedder: Embedder) -> None:
    assert calibration_for(embedder.name).weights.keys() == set(SIGNAL_NAMES)
    borrowed = calibration_for("some/other-model")
    assert "cosine" not in borrowed.weights  # a raw cosine means something else in every model
    assert borrowed.prior.rows == 0


def test_a_question_answered_in_another_language_is_weighed_apart() -> None:
    apart = Calibration("m", 5.0, {}, PRIOR)
    calibration = Calibration("m", -5.0, {}, PRIOR, apart)
    assert calibration.relevance(Signals(foreign=1.0)) > 0.9
    assert calibration.relevance(Signals()) < 0.1
