"""Sentences in Spanish and English: where they end, where they do not, and that no text is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Uno. Dos. Tres.", ["Uno.", "Dos.", "Tres."]),
        ("¿Qué es? Un bot. ¡Pruébalo! Vale.", ["¿Qué es?", "Un bot.", "¡Pruébalo!", "Vale."]),
        ("Lo dijo el Sr. Pérez. Luego calló.", ["Lo dijo el Sr. Pérez.", "Luego calló."]),
        ("La Dra. Ruiz, p. ej., lo usa. Otros no.", ["La Dra. Ruiz, p. ej., lo usa.", "Otros no."]),
        ("Véase la pág. 12 y el art. 3. Fin.", ["Véase la pág. 12 y el art. 3.", "Fin."]),
        ("Dijo que no. Luego vino.", ["Dijo que no.", "Luego vino."]),
        ("Está junto al mar. Luego llueve.", ["Está junto al mar.", "Luego llueve."]),
        ("Hay pan, leche, etc. También café.", ["Hay pan, leche, etc.", "También café."]),
        ("Vive en EE. UU. desde 2019. Trabaja allí.", ["Vive en EE. UU. desde 2019.", "Trabaja allí."]),
        ("Cuesta 3.5 euros o 1.500,25 pesos. Caro.", ["Cuesta 3.5 euros o 1.500,25 pesos.", "Caro."]),
        ("Usa la versión 2.26.1. Es estable.", ["Usa la versión 2.26.1.", "Es estable."]),
        ("Mira https://a.example/b.html?c=1. Después sigue.", ["Mira https://a.example/b.html?c=1.", "Después sigue."]),
        ("Edita oraculo.toml y pyproject.toml. Guarda.", ["Edita oraculo.toml y pyproject.toml.", "Guarda."]),
        ("Espera... y verás. Sí.", ["Espera... y verás.", "Sí."]),
        ("Dijo «hola». Y se fue.", ["Dijo «hola».", "Y se fue."]),
        ("Es **importante.** Léelo.", ["Es **importante.**", "Léelo."]),
        ("He works at Acme Inc. in Dr. Smith's team. Good.", ["He works at Acme Inc. in Dr. Smith's team.", "Good."]),
        ("Use a flag, e.g. --full. It rebuilds.", ["Use a flag, e.g. --full.", "It rebuilds."]),
        ("See No. 5 and Fig. 2. Done.", ["See No. 5 and Fig. 2.", "Done."]),
        ("1. Abre el menú. 2. Guarda.", ["1. Abre el menú.", "2. Guarda."]),
        ("これは文です。次の文！最後？", ["これは文です。", "次の文！", "最後？"]),
        ("Sin punto final", ["Sin punto final"]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_a_line_that_wraps_goes_on() -> None:
    assert cut("Una frase que\nsigue en otra línea. Otra.") == ["Una frase que\nsigue en otra línea.", "Otra."]


def test_blocks_end_sentences_without_a_stop() -> None:
    assert cut("Título\n\nTexto\n- uno\n- dos\n\n# Más\n> cita") == [
        "Título",
        "Texto",
        "- uno",
        "- dos",
        "# Más",
        "> cita",
    ]


def test_a_row_of_cells_is_a_sentence() -> None:
    assert cut("a\tb\nc\td\n\nFin") == ["a\tb", "c\td", "Fin"]


def test_nothing_but_space_has_no_sentence() -> None:
    assert sentences(" \n\t ") == []


pieces = st.sampled_from(
    ["a", "Bc", "é", "3", ".", "...", "?", "¿", "!", "。", " ", "\n", "\n\n", "\t", "- ", "Sr.", '"', "»", "*"]
)


@given(st.lists(pieces, max_size=30).map("".join) | st.text(max_size=60))
def test_sentences_hold_every_character_that_is_not_space_once_and_in_order(text: str) -> None:
    reached = 0
    for start, end in sentences(text):
        assert text[reached:start].strip() == ""
        assert start < end
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
        reached = end
    assert text[reached:].strip() == ""
