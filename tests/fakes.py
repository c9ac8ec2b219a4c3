"""Small real stand-ins for the ports. Append; do not rewrite what others use."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from bot.messages import Stage, TurnRecord, Usage
from bot.ports import Delta, Prompt


@dataclass
class FakeModel:
    """A language model that says what it is told to. A reply is a text, pieces of one, or an error to raise.

    Pieces may hold errors: they are raised where they stand.
    """

    replies: list[str | Exception | Sequence[str | Exception]]
    name: str = "fake-model"
    prompts: list[Prompt] = field(default_factory=list)

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        self.prompts.append(prompt)
        reply = self.replies.pop(0)
        pieces = [reply] if isinstance(reply, str | Exception) else reply
        for piece in pieces:
            await asyncio.sleep(0)
            if isinstance(piece, Exception):
                raise piece
            yield Delta(piece)
        yield Delta("", Usage(prompt_tokens=100, answer_tokens=20))


@dataclass
class RecordingProgress:
    """Keeps what a waiting user would have seen."""

    stages: list[Stage] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    async def stage(self, stage: Stage) -> None:
        self.stages.append(stage)

    async def say(self, sentence: str) -> None:
        self.said.append(sentence)

    @property
    def text(self) -> str:
        return "".join(self.said)


@dataclass
class ListTurnLog:
    """A turn log one can look into."""

    turns: list[TurnRecord] = field(default_factory=list)

    def record(self, turn: TurnRecord) -> None:
        self.turns.append(turn)
