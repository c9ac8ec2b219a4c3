from __future__ import annotations

import pytest

from bot.language import written_in
from bot.messages import Locale


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("¿Cómo conecto el bot a Slack?", "es"),
        ("como conecto el bot a slack", "es"),
        ("dame un ejemplo", "es"),
        ("How do I connect the bot to Slack?", "en"),
        ("what does the floor mean", "en"),
        ("why?", "en"),
        ("¿Qué significa 'how to' en la guía?", "es"),
    ],
)
@pytest.mark.parametrize("default", ["es", "en"])
def test_the_language_of_a_question_is_told_by_its_own_words(text: str, locale: Locale, default: Locale) -> None:
    assert written_in(text, default) == locale


@pytest.mark.parametrize("text", ["", "Slack OAuth", "kubernetes", "4711", "日本語"])
@pytest.mark.parametrize("default", ["es", "en"])
def test_words_of_no_language_leave_the_default(text: str, default: Locale) -> None:
    assert written_in(text, default) == default
