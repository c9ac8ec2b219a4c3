"""Snippets show what was searched: the words close together, marked, whatever their accents."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrieval.snippets import SNIPPET_CHARACTERS, Snippet, snippet
from retrieval.tokens import fold

FILLER = "relleno sin interés alguno " * 40
LETTERS = "abcdeñáéíöüÇÀZ0189"
words = st.text(LETTERS, min_size=1, max_size=12)
spaces = st.sampled_from([" ", "\n", ", ", " — ", "…", "_", "\t(", "«"])
texts = st.lists(st.tuples(words, spaces), min_size=1, max_size=200).map(
    lambda pieces: "".join(word + space for word, space in pieces)
)


def cut(atoms: list[str], *given_texts: str) -> Snippet:
    return snippet(atoms, *(lambda text=text: text for text in given_texts))


def marked(found: Snippet) -> list[str]:
    return [found.text[start:end] for start, end in found.highlights]


def test_the_stretch_is_where_most_words_stand_close_together() -> None:
    found = cut(["copia", "noche"], f"La copia. {FILLER} La noche. {FILLER} La copia de cada noche acaba a las seis.")
    assert marked(found) == ["copia", "noche"]
    assert found.text.endswith("La copia de cada noche acaba a las seis.")


def test_it_is_found_late_in_a_long_page_too() -> None:
    assert marked(cut(["seis"], f"{FILLER * 20} Acaba a las seis.")) == ["seis"]


def test_whole_words_go_before_parts_of_words() -> None:
    assert cut(["red"], f"Una redada. {FILLER} La red cayó.").text.endswith("La red cayó.")


def test_a_part_of_a_word_is_marked_when_no_word_is_whole() -> None:
    assert marked(cut(["duration"], "Llama a setDurationUnit al empezar.")) == ["Duration"]


def test_accents_and_case_do_not_matter() -> None:
    assert marked(cut(["congestion"], "CONGESTIÓN, congestión y Congestion")) == [
        "CONGESTIÓN",
        "congestión",
        "Congestion",
    ]


def test_words_that_plain_folding_would_miss_are_marked_whole() -> None:
    for written in ("co\u0301digo", "có\u00addigo", "cód\u200bigo"):
        assert marked(cut(["codigo"], f"El {written} nuevo.")) == [written]
    assert marked(cut(["erdo"], "Az erdő zöld.")) == ["erdő"]
    assert marked(cut(["東京"], "私は東京に住む。")) == ["東京"]


def test_the_next_text_is_looked_at_when_the_first_holds_none_of_the_words() -> None:
    assert marked(cut(["clave"], "Nada.", "[aquí](https://example.org/clave)")) == ["clave"]


def test_without_any_match_it_is_the_beginning_of_the_first_text() -> None:
    assert cut(["nada"], "Primera frase.", "Otra.") == Snippet("Primera frase.", ())
    assert cut([], "Primera frase.") == Snippet("Primera frase.", ())
    assert cut(["nada"]) == Snippet("", ())


def test_the_longer_of_two_words_that_begin_together_is_marked() -> None:
    assert marked(cut(["set", "setdura"], "Llama a setDurationUnit.")) == ["setDura"]


@given(texts, st.data())
def test_any_word_of_a_text_is_shown_and_marked(text: str, data: st.DataObject) -> None:
    written = data.draw(st.sampled_from([word for word in text.translate(SEPARATED).split() if word]))
    found = cut([fold(written)], text)
    assert fold(written) in {fold(mark) for mark in marked(found)}


@given(texts, st.lists(words, max_size=5))
def test_it_is_one_short_line_with_spans_in_order(text: str, asked: list[str]) -> None:
    found = cut([fold(word) for word in asked], text)
    assert "\n" not in found.text
    assert len(found.text) <= SNIPPET_CHARACTERS + 25
    ends = [0, *(end for _, end in found.highlights)]
    assert all(end <= start < stop for end, (start, stop) in zip(ends, found.highlights, strict=False))
    assert all(fold(mark) in {fold(word) for word in asked} for mark in marked(found))


SEPARATED = str.maketrans(dict.fromkeys(",—…_(«", " "))
