"""Which language a person is answered in, as far as the bot's own words go."""

from __future__ import annotations

from typing import cast

from bot.messages import Locale, Question
from retrieval import language


def written_in(text: str, default: Locale) -> Locale:
    """Tell Spanish from English; `default` when the text does not tell."""
    return cast("Locale", language.written_in(text) or default)


def language_of(question: Question) -> Locale:
    """The language a question is answered in: its own, as far as it can be told."""
    return written_in(question.text, question.locale)
