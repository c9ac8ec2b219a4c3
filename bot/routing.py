"""Literal search or the oracle: which way a message goes."""

from __future__ import annotations

import re

from bot.messages import Question, Route
from bot.small_talk import small_talk
from retrieval.tokens import fold

SHORTEST_QUESTION_CHARACTERS = 8
FEWEST_QUESTION_WORDS = 4

_WORD = re.compile(r"\w+(?:['’\-]\w+)*")
_QUESTION_MARK = re.compile(r"[?¿？]")
_INTERROGATIVE = re.compile(  # folded: accents and case are gone
    r"\b(?:que|como|donde|por\s+que|cual|quien|cuando|what|how|where|why|which|who|when)\b"
)


def route(question: Question) -> Route:
    """Choose the way of a message: a command decides, then small talk, then the thread, then the text itself."""
    if question.route is not None:
        return question.route
    if not question.text.strip() or small_talk(question.text):
        return Route.SMALL_TALK
    if question.history or is_question(question.text):
        return Route.ORACLE
    return Route.LITERAL


def is_question(text: str) -> bool:
    """Tell a question from keywords: 8 characters or more, and four words, a question mark or an interrogative word."""
    text = text.strip()
    if len(text) < SHORTEST_QUESTION_CHARACTERS:
        return False
    return (
        len(_WORD.findall(text)) >= FEWEST_QUESTION_WORDS
        or _QUESTION_MARK.search(text) is not None
        or _INTERROGATIVE.search(fold(text)) is not None
    )
