"""The texts: the same keys and variables in both languages, and the code uses exactly those."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import BaseNode, Junk, Message, VariableReference

import bot
from bot.messages import Locale
from bot.texts import FOLDER, LOCALES, FluentTexts, UnknownText

CODE = Path(bot.__file__).parent


def variables(node: object) -> frozenset[str]:
    if isinstance(node, VariableReference):
        return frozenset({node.id.name})
    if isinstance(node, BaseNode):
        return frozenset().union(*map(variables, vars(node).values()))
    return frozenset().union(*map(variables, node)) if isinstance(node, list) else frozenset()


def messages(locale: Locale) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for file in sorted((FOLDER / locale).glob("*.ftl")):
        for entry in FluentParser().parse(file.read_text(encoding="utf-8")).body:
            assert not isinstance(entry, Junk), f"{file.name}: {entry.content}"
            if isinstance(entry, Message):
                assert entry.id.name not in found, f"{entry.id.name} stands twice"
                found[entry.id.name] = variables(entry)
    return found


def constants() -> Iterator[ast.AST]:
    for file in CODE.rglob("*.py"):
        yield from ast.walk(ast.parse(file.read_text(encoding="utf-8")))


def test_both_languages_have_the_same_keys_with_the_same_variables() -> None:
    assert messages("es") == messages("en")


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("number", [0, 1, 2, 1234])
def test_every_text_can_be_said(locale: Locale, number: int) -> None:
    for key, names in messages(locale).items():
        text = FluentTexts().say(key, locale, **dict.fromkeys(names, number))
        assert text
        assert "{" not in text


def test_every_key_that_the_code_says_exists() -> None:
    said = {
        node.args[0].value
        for node in constants()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"say", "_tell"}
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    assert said
    assert said <= messages("es").keys()


def test_every_key_is_used_by_the_code() -> None:
    whole = {node.value for node in constants() if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    begun = tuple(
        str(node.values[0].value)
        for node in constants()
        if isinstance(node, ast.JoinedStr)
        and isinstance(node.values[0], ast.Constant)
        and str(node.values[0].value).endswith("-")
    )
    unused = {key for key in messages("es") if key not in whole and not key.startswith(begun)}
    assert not unused


def test_an_unknown_key_or_a_missing_variable_is_an_error_and_not_a_text() -> None:
    with pytest.raises(UnknownText, match="no-such-key"):
        FluentTexts().say("no-such-key", "es")
    with pytest.raises(UnknownText, match="listing-nothing"):
        FluentTexts().say("listing-nothing", "es")


def test_the_values_stand_in_the_text_as_they_are_without_invisible_marks() -> None:
    assert FluentTexts().say("listing-nothing", "es", text="{ $x } ñ") == "Ninguna página contiene «{ $x } ñ»."
