"""Which words of an answer lean on which source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.citations import Numbering, leaning_spans, renumber, without_marks
from tests.builders import make_passage


def leaning(text: str) -> dict[int, list[str]]:
    return {number: [text[start:end] for start, end in spans] for number, spans in leaning_spans(text).items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Arranca solo [1]. Luego para [2].", {1: ["Arranca solo [1]."], 2: ["Luego para [2]."]}),
        ("Arranca solo. [1] Luego para.[2]", {1: ["Arranca solo."], 2: ["Luego para.[2]"]}),
        ("Uno [1][2].", {1: ["Uno [1][2]."], 2: ["Uno [1][2]."]}),
        ("Uno [1]. Dos. Tres [1].", {1: ["Uno [1].", "Tres [1]."]}),
        ("- Uno [1]\n- Dos [2]", {1: ["- Uno [1]"], 2: ["- Dos [2]"]}),
        ("Uno.\n\n[1] Dos.", {1: ["[1] Dos."]}),
        ("Usa `x[1]` ya.\n\n```\ny[2]\n```", {}),
        ("- «Uno. Dos.» [1]\n- «Tres.» [2]", {1: ["- «Uno. Dos.»"], 2: ["- «Tres.»"]}),
        ("“One. Two. Three.” [1]", {1: ["“One. Two. Three.”"]}),
        ("Sin nada.", {}),
    ],
)
def test_a_citation_leans_on_its_sentence(text: str, expected: dict[int, list[str]]) -> None:
    assert leaning(text) == expected


def test_sources_are_numbered_in_the_order_the_answer_first_leans_on_them() -> None:
    passages = [make_passage(row=row) for row in range(3)]
    numbering = Numbering(len(passages))
    text = renumber("Una cosa [3]. Otra [1]. Y otra [3].", numbering)
    citations = numbering.citations(text, passages)
    assert text == "Una cosa [1]. Otra [2]. Y otra [1]."
    assert [(one.number, one.passage.chunk.row) for one in citations] == [(1, 2), (2, 0)]
    assert [len(one.spans) for one in citations] == [2, 1]


def test_marks_of_other_answers_are_taken_out_of_a_thread() -> None:
    assert without_marks("Arranca solo [1][2]. Luego para [pasaje 3].") == "Arranca solo. Luego para."


@given(st.text("ab.[]12 \n«»`", max_size=80))
def test_spans_stand_in_the_text_and_carry_words(text: str) -> None:
    for spans in leaning_spans(text).values():
        assert all(0 <= start < end <= len(text) for start, end in spans)
