"""[[wikilinks]] become what a person reads, and nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ingest.wikilinks import TitleIndex, resolve_wikilinks, wikilink_targets

TITLES = TitleIndex(
    [
        ("guias/vacaciones.md", "Cómo pedir vacaciones"),
        ("archivo/vacaciones.md", "Vacaciones de antes"),
        ("equipo/Año Nuevo.md", "Fiesta"),
        ("ci.md", "CI/CD"),
        ("otra.html", "Vacaciones"),
    ]
)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[[guias/vacaciones]]", "Cómo pedir vacaciones"),
        ("[[guias/vacaciones.md]]", "Cómo pedir vacaciones"),
        ("[[/Guias/VACACIONES]]", "Cómo pedir vacaciones"),
        ("[[archivo/vacaciones]]", "Vacaciones de antes"),
        ("[[ano-nuevo]]", "Fiesta"),
        ("[[AÑO  NUEVO]]", "Fiesta"),
        ("[[como pedir vacaciones]]", "Cómo pedir vacaciones"),
        ("[[vacaciones]]", "Vacaciones"),
        ("[[../otro/sitio/ano_nuevo]]", "Fiesta"),
        ("[[ci/cd]]", "CI/CD"),
        ("[[^ci]]", "CI/CD"),
        ("[[ci|la integración]]", "la integración"),
        ("[[ci\\|en una tabla]]", "en una tabla"),
        ("[[ci#Pasos]]", "CI/CD › Pasos"),
        ("[[ci#Pasos|así]]", "así"),
        ("[[#Aquí mismo]]", "Aquí mismo"),
        ("[[no existe#Nada]]", "no existe › Nada"),
        ("[[no existe]]", "no existe"),
        ("[[no/existe|]]", "no/existe"),
        ("![[ci]]", "CI/CD"),
        ("[[ ]]", "[[ ]]"),
        ("[[]]", "[[]]"),
        ("[[a\nb]]", "[[a\nb]]"),
        ("**[[ci]]**, [[ci]]", "**CI/CD**, CI/CD"),
    ],
)
def test_a_link_shows_its_alias_or_the_title_of_its_page(written: str, shown: str) -> None:
    assert resolve_wikilinks(f"a {written} b", TITLES.title_of) == f"a {shown} b"


@pytest.mark.parametrize(
    "code",
    [
        "`[[ci]]`",
        "``a ` [[ci]]``",
        "```\n[[ci]]\n```",
        "~~~lua\nquery[[ci]]\n~~~",
        "> ```\n> [[ci]]\n> ```",
        "````\n```\n[[ci]]\n````",
        "```\n[[ci]] sin cerrar",
    ],
)
def test_code_is_left_as_it_is(code: str) -> None:
    assert resolve_wikilinks(f"antes\n\n{code}", TITLES.title_of) == f"antes\n\n{code}"


def test_stray_backticks_hide_no_link() -> None:
    assert resolve_wikilinks("un ` suelto y [[ci]]", TITLES.title_of) == "un ` suelto y CI/CD"
    assert resolve_wikilinks("```\ncódigo\n```\n[[ci]]", TITLES.title_of) == "```\ncódigo\n```\nCI/CD"


def test_targets_are_told_once_in_order_without_alias_and_section() -> None:
    assert wikilink_targets("[[b#x]] [[a|A]] [[b]] `[[c]]` [[#d]] ![[^e]]") == ("b", "a", "e")


def test_an_unknown_target_has_no_title() -> None:
    assert TITLES.title_of("no existe") is None
    assert TITLES.title_of("") is None


@given(st.text("[]|#a`~\n \\!", max_size=40))
def test_text_without_links_stays_as_it_is(text: str) -> None:
    if not wikilink_targets(text) and "#" not in text and "|" not in text:
        assert resolve_wikilinks(text, lambda _: None) == text


@given(st.lists(st.sampled_from(["[[a]]", "[[b|c]]", "`", "```\n", "\n", "x", "[", "]"]), max_size=15).map("".join))
def test_what_is_resolved_are_the_links_that_are_told(text: str) -> None:
    asked: list[str] = []
    resolve_wikilinks(text, asked.append)
    assert set(asked) <= set(wikilink_targets(text))
    assert set(wikilink_targets(text)) - set(asked) <= {"b"}
