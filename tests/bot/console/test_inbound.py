"""What a typed line means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.console.inbound import NAMES, Command, Order, name_of, near_name, read_order
from bot.texts import FluentTexts


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("¿qué es?", Order(Command.SAY, "¿qué es?")),
        ("  uno   dos \n", Order(Command.SAY, "uno dos")),
        ("", Order(Command.SAY, "")),
        ("\x1b[A\x1b[31mhola\x00", Order(Command.SAY, "hola")),
        ("/buscar copia de seguridad", Order(Command.SEARCH, "copia de seguridad", "/buscar")),
        ("/BUSCAR x", Order(Command.SEARCH, "x", "/BUSCAR")),
        ("/preguntar", Order(Command.ASK, "", "/preguntar")),
        ("/mas", Order(Command.MORE, "", "/mas")),
        ("/más", Order(Command.MORE, "", "/más")),
        ("/fuentes 2", Order(Command.SOURCES, "2", "/fuentes")),
        ("/quit", Order(Command.QUIT, "", "/quit")),
        ("/etc/hosts", Order(Command.UNKNOWN, "", "/etc/hosts")),
        ("/", Order(Command.UNKNOWN, "", "/")),
    ],
)
def test_a_line_is_text_or_a_command(line: str, order: Order) -> None:
    assert read_order(line) == order


@given(st.text())
def test_any_line_is_understood(line: str) -> None:
    order = read_order(line)
    assert "\n" not in order.text


@pytest.mark.parametrize(
    ("written", "near"), [("/buscra", "/buscar"), ("/sorces", "/sources"), ("/zzz", ""), ("/", "")]
)
def test_a_misspelt_command_has_a_near_name(written: str, near: str) -> None:
    assert near_name(written) == near


@pytest.mark.parametrize("locale", ["es", "en"])
def test_every_command_has_a_name_and_stands_in_the_help(locale: str) -> None:
    text = FluentTexts().say("console-help", locale)  # type: ignore[arg-type]  # the parameters above
    for command in Command:
        if command not in {Command.SAY, Command.UNKNOWN}:
            assert name_of(command, locale) in text  # type: ignore[arg-type]
    assert len(NAMES["es"]) == len(NAMES["en"])
