"""A home's own calibration: it wins over the shipped one, and a damaged file never stops an answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval import CurrentIndex, Generation, open_index
from retrieval.home_calibration import CALIBRATION_FILE, fingerprint, home_calibration, save_calibration
from retrieval.relevance import Calibration, calibration_for
from retrieval.types import Embedder
from tests.wikis import Wiki, ask

PAGES = {
    "faro.md": "# El faro\n\nEl faro se enciende al anochecer.\n",
    "mar.md": "# El mar\n\nEl mar sube dos veces.\n",
}
MODEL = "any-model"
QUESTIONS = {"answerable": 30, "unanswerable": 30}


def always(model: str = MODEL, bias: float = 50.0) -> Calibration:
    """A calibration that lets everything through."""
    return replace(calibration_for(model), bias=bias, weights={"coverage": 1.0})


def entry(**changes: object) -> str:
    """The file as it is saved for the model, with changes."""
    saved = {"fitted_from": fingerprint(calibration_for(MODEL)), "bias": 50.0, "weights": {"coverage": 1.0}}
    return json.dumps({MODEL: {**saved, **changes}})


def test_without_a_file_the_shipped_calibration_serves_in_silence(tmp_path: Path) -> None:
    assert home_calibration(tmp_path, MODEL) == (calibration_for(MODEL), ())


def test_what_is_saved_is_read_back_for_its_model_alone(tmp_path: Path) -> None:
    save_calibration(tmp_path / "new", always(), QUESTIONS)
    assert home_calibration(tmp_path / "new", MODEL) == (always(), ())
    assert home_calibration(tmp_path / "new", "another") == (calibration_for("another"), ())


def test_every_part_of_the_embedded_models_calibration_is_read_back(tmp_path: Path, embedder: Embedder) -> None:
    shipped = calibration_for(embedder.name)
    save_calibration(tmp_path, shipped, QUESTIONS)
    assert home_calibration(tmp_path, embedder.name) == (shipped, ())


def test_saving_one_model_keeps_the_others_and_leaves_no_other_file(tmp_path: Path) -> None:
    save_calibration(tmp_path, always("one"), QUESTIONS)
    save_calibration(tmp_path, always("two", bias=1.0), QUESTIONS)
    assert home_calibration(tmp_path, "one")[0].bias == 50.0
    assert home_calibration(tmp_path, "two")[0].bias == 1.0
    assert [path.name for path in tmp_path.iterdir()] == [CALIBRATION_FILE]


def test_a_fit_from_another_shipped_calibration_waits_to_be_made_again(tmp_path: Path) -> None:
    (tmp_path / CALIBRATION_FILE).write_text(entry(fitted_from="0123456789abcdef"), encoding="utf-8")
    calibration, [warning] = home_calibration(tmp_path, MODEL)
    assert calibration == calibration_for(MODEL)
    assert "another version" in warning
    assert "oraculo calibrate" in warning


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        "{",
        "[]",
        '{"any-model": 3}',
        '{"any-model": {}}',
        entry(bias="much"),
        entry(bias=True),
        entry(bias=float("nan")),
        entry(weights={"a signal of another version": 1.0}),
        entry(weights=[1.0]),
        entry(weights={"coverage": None}),
        "\x00\x01",
    ],
)
def test_a_damaged_file_is_one_warning_and_the_shipped_calibration_serves(tmp_path: Path, damaged: str) -> None:
    (tmp_path / CALIBRATION_FILE).write_text(damaged, encoding="utf-8")
    calibration, warnings = home_calibration(tmp_path, MODEL)
    assert calibration == calibration_for(MODEL)
    [warning] = warnings
    assert str(tmp_path / CALIBRATION_FILE) in warning
    assert "oraculo calibrate" in warning
    assert "\n" not in warning


def test_a_damaged_file_is_replaced_by_what_is_saved(tmp_path: Path) -> None:
    (tmp_path / CALIBRATION_FILE).write_bytes(b"\xff\xfe{")
    save_calibration(tmp_path, always(), QUESTIONS)
    assert home_calibration(tmp_path, MODEL)[0].bias == 50.0


def test_an_index_answers_by_its_homes_own_calibration(
    wiki: Wiki, index_of: Callable[[Mapping[str, str]], Generation], tmp_path: Path
) -> None:
    question = "¿Cuánto pesa un elefante africano adulto?"
    assert (ask(index_of(PAGES), question).relevance or 0) < 0.4
    save_calibration(wiki.home, always(wiki.embedder.name), QUESTIONS)
    index = wiki.open()
    assert ask(index, question).relevance == pytest.approx(1.0)
    assert index.warnings == ()
    index.close()
    elsewhere = open_index(wiki.home, lambda: wiki.embedder, calibrated_in=tmp_path)
    assert elsewhere.calibration == calibration_for(wiki.embedder.name)
    elsewhere.close()


def test_an_index_with_a_damaged_calibration_warns_once_and_answers(
    wiki: Wiki, index_of: Callable[[Mapping[str, str]], Generation]
) -> None:
    index_of(PAGES)
    (wiki.home / CALIBRATION_FILE).write_text("{", encoding="utf-8")
    index = wiki.open()
    assert len(index.warnings) == 1
    assert ask(index, "¿Cuándo se enciende el faro?").passages
    index.close()
    literal_only = open_index(wiki.home)
    assert literal_only.warnings == ()  # it needs no calibration
    literal_only.close()


def test_a_saved_calibration_serves_from_the_next_question_on(wiki: Wiki) -> None:
    wiki.write(PAGES)
    wiki.ingest()
    current = CurrentIndex(wiki.home, lambda: wiki.embedder)
    first = current()
    save_calibration(wiki.home, always(wiki.embedder.name), QUESTIONS)
    assert current() is not first
    assert current().calibration.bias == 50.0
    assert current() is current()
