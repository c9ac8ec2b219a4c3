"""The turns before a question, from a file: `oraculo ask --history`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from bot.messages import HISTORY_LIMIT_TURNS
from retrieval.errors import ConfigurationError
from retrieval.types import Said

SHAPE = '{"speaker": "Ana", "role": "user", "text": "…"}'
ROLES = ("user", "oracle")


def read_history(file: Path) -> tuple[Said, ...]:
    """Read the turns of a JSON list, or of JSON lines; the last ones when there are more than a history holds.

    Raises ConfigurationError naming the entry that is wrong.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"{file}: {error.strerror}; give --history a file that can be read") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{file}: is not UTF-8; save it as UTF-8") from None
    turns = tuple(_turn(entry, f"{file}: {place}") for place, entry in _entries(text, file))
    return turns[-HISTORY_LIMIT_TURNS:]


def _entries(text: str, file: Path) -> Iterator[tuple[str, object]]:
    if text.lstrip().startswith("["):
        try:
            entries = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ConfigurationError(f"{file}: is not JSON ({error}); write a list of {SHAPE}") from None
        for number, entry in enumerate(entries, 1):
            yield f"entry {number}", entry
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield f"line {number}", json.loads(line)
            except (ValueError, RecursionError):
                raise ConfigurationError(f"{file}: line {number}: is not JSON; write {SHAPE}") from None


def _turn(entry: object, place: str) -> Said:
    if not isinstance(entry, dict):
        raise ConfigurationError(f"{place}: is not a turn; write {SHAPE}")
    speaker, role, text = entry.get("speaker", ""), entry.get("role"), entry.get("text")
    if role not in ROLES:
        raise ConfigurationError(f'{place}: its role is not "user" or "oracle"; write {SHAPE}')
    if not isinstance(text, str) or not isinstance(speaker, str):
        raise ConfigurationError(f"{place}: its text or its speaker is not text; write {SHAPE}")
    return Said(speaker, role, text)
