"""Text any database takes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storage.columns import storable

# Every character there is, lone surrogates and NUL with them.
odd_text = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\0\ud83d\ude00")), max_size=600)


@given(odd_text)
def test_storable_text_holds_nothing_a_database_refuses(text: str) -> None:
    stored = storable(text, 500)
    assert "\0" not in stored
    assert stored.encode("utf-8").decode("utf-8") == stored
    assert len(stored) <= 500
    assert storable(stored, 500) == stored


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=500))
def test_text_a_database_takes_is_stored_as_it_is(text: str) -> None:
    assert storable(text, 500) == text


def test_two_surrogates_that_make_a_character_become_it() -> None:
    assert storable("\ud83d\ude00") == "😀"


def test_a_lone_surrogate_is_replaced_and_a_nul_removed() -> None:
    assert storable("a\ud83db\0c") == "a\ufffdbc"
