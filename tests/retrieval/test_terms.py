"""Which words carry a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.terms import is_stop_word, question_terms


def words(text: str) -> list[str]:
    return [" ".join(term.atoms) for term in question_terms(text).words]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("¿Cómo conecto el bot a Slack?", ["conecto", "bot", "slack"]),
        ("como conecto el bot a slack", ["conecto", "bot", "slack"]),
        ("How do I connect the bot?", ["connect", "bot"]),
        ("¿qué es D1?", ["d1"]),
        ("error en functions/_lib/x.ts", ["error", "functions lib x ts"]),
        ("¿Qué dice la IA?", ["dice", "ia"]),
        ("東京 の 天気", ["東京", "の", "天気"]),
        ("C# y C++", ["c"]),
        ("¿qué es?", ["que", "es"]),
        ("", []),
        ("¿?", []),
    ],
)
def test_stop_words_and_short_words_are_left_out(question: str, expected: list[str]) -> None:
    assert words(question) == expected


def test_a_question_of_stop_words_alone_keeps_them() -> None:
    assert words("¿y por qué?") == ["y", "por", "que"]


@pytest.mark.parametrize("word", ["cómo", "como", "Dónde", "donde", "the", "WHERE"])
def test_stop_words_are_known_in_both_languages_with_and_without_accents(word: str) -> None:
    assert is_stop_word(word)


def test_phrases_pair_neighbours_unless_both_are_stop_words() -> None:
    assert question_terms("¿Qué es la tarjeta de tarifa?").phrases == (
        ("la", "tarjeta"),
        ("tarjeta", "de"),
        ("de", "tarifa"),
    )


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    terms = question_terms(text)
    assert all(term.atoms for term in terms.words)
    assert len(set(terms.words)) == len(terms.words)
