"""Nothing that a page or a model holds can drive the terminal."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.console.spans import Line, Look, Span, marked, one_line, printable, to_ansi, to_plain, web_link

DANGEROUS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
OUR_OWN = re.compile(r"\x1b\[(?:0|1|2|35|1;36|1;33)m")

mischief = st.text(st.sampled_from("\x1b[]31m;\x07\x9b\x9d\\a\n\r\t "))
anything = st.text(st.characters(exclude_categories=())) | mischief
lines = st.lists(st.lists(st.builds(Span, anything, st.sampled_from(Look)), max_size=4).map(tuple), max_size=4)


@given(anything)
def test_no_control_character_is_printable(text: str) -> None:
    assert not DANGEROUS.search(printable(text))


@given(lines)
def test_lines_stay_lines_and_hold_no_escape_but_ours(laid_out: list[Line]) -> None:
    plain, ansi = to_plain(laid_out), to_ansi(laid_out)
    assert plain.count("\n") == ansi.count("\n") == len(laid_out)
    assert not DANGEROUS.search(plain)
    assert not DANGEROUS.search(OUR_OWN.sub("", ansi))


@given(anything)
def test_printable_text_is_left_as_it_is(text: str) -> None:
    assert printable(printable(text)) == printable(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mrojo\x1b[0m", "rojo"),
        ("\x9b2Jborra", "borra"),
        ("\x1b]0;título\x07texto", "texto"),
        ("\x1b]8;;https://e.example\x1b\\enlace\x1b]8;;\x1b\\", "enlace"),
        ("\x1b]52;c;Y29waWE=\x07x", "x"),
        ("uno\r\ndos\rtres\tcuatro", "uno\ndos\ntres\tcuatro"),
        ("a\x08\x07b\x00", "ab"),
        ("ñandú — 日本語 👩‍🚀", "ñandú — 日本語 👩‍🚀"),
        ("abc\u202edcba", "abcdcba"),
    ],
)
def test_escape_sequences_go_whole(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_one_line_folds_every_blank() -> None:
    assert one_line(" a\n\tb \x1b[1m c ") == "a b c"


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://wiki.example/a", "https://wiki.example/a"),
        ("javascript:alert(1)", ""),
        ("file:///etc/passwd", ""),
        ("https://e.example/\x1b]8;;x", ""),
        ("https://e.example/a b", ""),
        ("", ""),
    ],
)
def test_only_web_addresses_become_links(address: str, link: str) -> None:
    assert web_link(address) == link


@given(st.text(), st.lists(st.tuples(st.integers(-2, 30), st.integers(-2, 30))))
def test_a_marked_snippet_is_the_snippet(text: str, highlights: list[tuple[int, int]]) -> None:
    assert "".join(span.text for span in marked(text, highlights)) == text


def test_highlights_are_marked() -> None:
    assert marked("una copia de", ((4, 9),)) == (Span("una "), Span("copia", Look.MATCH), Span(" de"))
