"""A thread as the model reads it: the last turns, each of a bearable length, their speakers told apart."""

from __future__ import annotations

from collections.abc import Sequence

from bot.citations import without_marks
from bot.messages import HISTORY_LIMIT_TURNS
from retrieval.sentences import sentences
from retrieval.types import Said

TURN_LIMIT_CHARACTERS = 700  # about what an answer of 100 to 150 words takes
HISTORY_LIMIT_CHARACTERS = 5_000
SPEAKER_LIMIT_CHARACTERS = 40


def recent_turns(history: Sequence[Said]) -> tuple[Said, ...]:
    """Keep the last 12 turns that say something, trimmed at sentences; when all is too long, the oldest go."""
    turns = [_short(said) for said in history if said.text.strip()][-HISTORY_LIMIT_TURNS:]
    kept: list[Said] = []
    room = HISTORY_LIMIT_CHARACTERS
    for said in reversed(turns):
        room -= len(said.text)
        if room < 0:
            break
        kept.append(said)
    return tuple(reversed(kept))


def trim_at_sentence(text: str, limit_characters: int) -> str:
    """Cut a text that is too long after its last whole sentence that fits; within one, after a word."""
    text = text.strip()
    if len(text) <= limit_characters:
        return text
    fitting = [end for _, end in sentences(text) if end < limit_characters]
    if fitting:
        return f"{text[: fitting[-1]]} …"
    words = text[: limit_characters - 1].rsplit(maxsplit=1)
    return f"{words[0] if words else ''}…"


def _short(said: Said) -> Said:
    text = without_marks(said.text) if said.role == "oracle" else said.text
    speaker = " ".join(said.speaker.split())[:SPEAKER_LIMIT_CHARACTERS]
    return Said(speaker, said.role, trim_at_sentence(text, TURN_LIMIT_CHARACTERS))
