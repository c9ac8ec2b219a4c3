"""What a follow-up asks: a thread's last question lends its words to the next one."""

from __future__ import annotations

from retrieval.types import Query

TURNS_CARRIED = 1


def standalone_text(query: Query) -> str:
    """Give the question with the words of the asker's last one before it; without history, the question itself."""
    asked = [said.text for said in query.history if said.role == "user"]
    return "\n".join([*asked[-TURNS_CARRIED:], query.text]) if asked else query.text
