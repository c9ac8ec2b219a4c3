"""Folding and tokens: the same form for what is written in many ways, and nothing lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.tokens import BOUNDARY, LONGEST_TOKEN_CHARACTERS, fold, is_atom, name_parts, tokens


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("México", "mexico"),
        ("CONGÉS", "conges"),
        ("cañón", "canon"),
        ("ＭＥＸＩＣＯ", "mexico"),
        ("oﬁcina", "oficina"),
        ("mo\u00addificar", "modificar"),
        ("me\u0301xico", "mexico"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("a—b", "a-b"),
        ("l’eau", "l'eau"),
        ("en\u200bvío", "envio"),
        ("한국어", "한국어"),
        ("がぎ", "がぎ"),
    ],
)
def test_what_reads_the_same_folds_to_one_form(written: str, same: str) -> None:
    assert fold(written) == same


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("v1.132.2", ["v1", ".", "132", ".", "2"]),
        ("migrate_d1", ["migrate", "_", "d1"]),
        ("functions/_lib/x.ts", ["functions", "/", "_", "lib", "/", "x", ".", "ts"]),
        ("C++", ["c", "+", "+"]),
        ("#176", ["#", "176"]),
        ("日本語", ["日本", "本語"]),
        ("東", ["東"]),
        ("日本語text", ["日本", "本語", "text"]),
        ("Workfront™", ["workfront", "tm"]),
        ("👩‍💻", ["👩", "💻"]),
        ("", []),
    ],
)
def test_text_becomes_atoms_symbols_and_pairs(written: str, expected: list[str]) -> None:
    assert list(tokens(written)) == expected


def test_parts_of_a_camel_case_name_are_found_alone_and_joined() -> None:
    assert {"duration", "unit", "durationunit", "setduration"} <= set(name_parts("call setDurationUnit(3)"))
    assert {"html", "parser"} <= set(name_parts("HTMLParser"))


def test_a_single_character_of_an_unspaced_script_is_a_part() -> None:
    assert {"日", "本", "語"} <= set(name_parts("日本語"))


@given(st.text())
def test_folding_again_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_plain_ascii_folds_as_any_text_does(text: str) -> None:
    assert fold(text + "é").removesuffix("e") == fold(text)


@given(st.text())
def test_no_token_is_empty_blank_or_longer_than_tantivy_keeps(text: str) -> None:
    for token in tokens(text):
        assert token
        assert not any(character.isspace() for character in token)
        assert len(token) <= LONGEST_TOKEN_CHARACTERS
        assert token != BOUNDARY


@given(st.text(alphabet="abcñé123", min_size=1, max_size=400))
def test_a_long_word_is_cut_but_whole(word: str) -> None:
    assert "".join(token for token in tokens(word) if is_atom(token)) == fold(word)
