"""What counts as small talk, and what only starts like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.messages import Locale
from bot.small_talk import Talk, small_talk


@pytest.mark.parametrize(
    ("text", "talk", "locale"),
    [
        ("hola", Talk.GREETING, "es"),
        ("¡¡Hola!!", Talk.GREETING, "es"),
        ("Holaaaa 👋", Talk.GREETING, "es"),
        ("hola, Oráculo", Talk.GREETING, "es"),
        ("Hola, buenos días a todos", Talk.GREETING, "es"),
        ("buenas tardes.", Talk.GREETING, "es"),
        ("hola, ¿qué tal?", Talk.GREETING, "es"),
        ("hi :wave:", Talk.GREETING, "en"),
        ("Hello there!", Talk.GREETING, "en"),
        ("hey, how are you?", Talk.GREETING, "en"),
        ("gracias", Talk.THANKS, "es"),
        ("Ok, muchas gracias!! 🙏🙏", Talk.THANKS, "es"),
        ("perfecto, gracias :)", Talk.THANKS, "es"),
        ("thanks <3", Talk.THANKS, "en"),
        ("Thank you very much.", Talk.THANKS, "en"),
        ("¿Quién eres?", Talk.IDENTITY, "es"),
        ("quien eres", Talk.IDENTITY, "es"),
        ("Hola, ¿quién eres?", Talk.IDENTITY, "es"),
        ("who are you??", Talk.IDENTITY, "en"),
        ("What’s your name?", Talk.IDENTITY, "en"),
        ("ayuda", Talk.HELP, "es"),
        ("¡AYUDA!", Talk.HELP, "es"),
        ("hola, ayuda por favor", Talk.HELP, "es"),
        ("help", Talk.HELP, "en"),
        ("What can you do?", Talk.HELP, "en"),
        ("adiós", Talk.FAREWELL, "es"),
        ("gracias, bye", Talk.THANKS, "es"),
        ("gracias, thanks", Talk.THANKS, None),
    ],
)
def test_a_message_that_is_small_talk_and_nothing_else(text: str, talk: Talk, locale: Locale | None) -> None:
    found = small_talk(text)
    assert found is not None
    assert (found.talk, found.locale) == (talk, locale)


@pytest.mark.parametrize(
    "text",
    [
        "hola, ¿cómo instalo X?",
        "gracias, ¿y en Windows?",
        "hi, where is the VPN runbook?",
        "ayuda con la VPN",
        "help desk",
        "hola mundo",
        "¿quién eres tú para el sistema de permisos?",
        "who are you integrating with",
        "oráculo",
        "ok",
        "vale, perfecto",
        "--help",
        "help()",
        "#ayuda",
        "/help",
        "hola@empresa.es",
        "help_text",
        "👋",
        "???",
        "",
        "hola " * 20,
    ],
)
def test_a_message_that_says_something_else_is_not_small_talk(text: str) -> None:
    assert small_talk(text) is None


@given(
    st.sampled_from(["gracias", "hola", "quién eres", "help", "thank you"]), st.text("¡!¿?.,… ()\"'👋🙏", max_size=8)
)
def test_punctuation_and_emoji_around_do_not_matter(phrase: str, noise: str) -> None:
    plain, noisy = small_talk(phrase), small_talk(f"{noise} {phrase.upper()} {noise}")
    assert noisy == plain or "()" in noise


@given(st.text(max_size=600))
def test_any_text_is_read_without_an_error(text: str) -> None:
    small_talk(text)
