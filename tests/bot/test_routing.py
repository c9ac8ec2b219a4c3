"""The rules of routing, word for word."""

from __future__ import annotations

import pytest

from bot.messages import Route
from bot.routing import is_question, route
from retrieval.types import Said
from tests.builders import make_question

HISTORY = (Said("Ana", "user", "¿Cómo se instala?"), Said("Oráculo", "oracle", "Con make demo."))


@pytest.mark.parametrize(
    "text",
    [
        "cómo instalar",
        "como instalar",
        "COMO INSTALAR",
        "qué versión",
        "que version",
        "dónde vive",
        "donde vive",
        "por qué falla",
        "por que falla",
        "cuál sirve",
        "cual sirve",
        "quién decide",
        "quien decide",
        "cuándo caduca",
        "cuando caduca",
        "what version",
        "how install",
        "where config",
        "why failing",
        "which plan",
        "who decides",
        "when released",
        "instalar en cuatro palabras",
        "reset the admin password",
        "¿instalar?",
        "instalar?",
        "¿instalar",
        "install?",
        "informe mensual?",
    ],
)
def test_questions_of_eight_characters_go_to_the_oracle(text: str) -> None:
    assert is_question(text)
    assert route(make_question(text)) is Route.ORACLE


@pytest.mark.parametrize(
    "text",
    [
        "¿por qué?"[:7],  # 7 characters
        "why not",  # 7 characters, an interrogative
        "a b c d",  # 7 characters, four words
        "  how?  ",  # the spaces around do not count
        "instalar servicio local",
        "install local service",
        "comodidad",  # interrogatives count as whole words only
        "quequén turismo",
        "showhow internals",
        "whoami command",
        "cualquier cosa",
        "porqué",
        "setDurationUnit",
        "error-code-4711",
        "a - b - c",
    ],
)
def test_keywords_are_searched_literally(text: str) -> None:
    assert not is_question(text)
    assert route(make_question(text)) is Route.LITERAL


@pytest.mark.parametrize("text", ["why?", "dame un ejemplo", "más", "y en windows", "instalar"])
def test_in_a_thread_text_goes_to_the_oracle(text: str) -> None:
    assert route(make_question(text, history=HISTORY)) is Route.ORACLE


@pytest.mark.parametrize("text", ["hola", "instalar", "¿Cómo instalo el bot en Slack?", ""])
@pytest.mark.parametrize("forced", [Route.LITERAL, Route.ORACLE])
@pytest.mark.parametrize("history", [(), HISTORY])
def test_a_command_decides_whatever_the_text(text: str, forced: Route, history: tuple[Said, ...]) -> None:
    assert route(make_question(text, route=forced, history=history)) is forced


@pytest.mark.parametrize("history", [(), HISTORY])
@pytest.mark.parametrize("text", ["¡Gracias!", "hola", "who are you?", "ayuda"])
def test_small_talk_needs_no_retrieval_on_a_first_turn_or_in_a_thread(text: str, history: tuple[Said, ...]) -> None:
    assert route(make_question(text, history=history)) is Route.SMALL_TALK


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_a_message_without_text_is_small_talk(text: str) -> None:
    assert route(make_question(text)) is Route.SMALL_TALK
