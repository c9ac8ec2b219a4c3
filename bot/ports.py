"""What the core asks of the outside world. Each port belongs to its consumer; adapters implement it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.messages import Locale, MessageKey, Outcome, Stage, TurnRecord, Usage
from retrieval.types import Passage, Query

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the model is given: the rules, and the material with the question. Both are plain text.

    `limit_tokens` bounds what it may write (None: what an answer needs). `spent_seconds` went to earlier calls for the
    same question, and counts as part of the model's time limit.
    """

    system: str
    user: str
    limit_tokens: int | None = None
    spent_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the model's text as it comes; the last one carries the usage."""

    text: str
    usage: Usage | None = None


class LanguageModel(Protocol):
    """A text model. Raises bot.errors.ModelUnavailable when it fails for good; closing the stream ends the call."""

    @property
    def name(self) -> str: ...
    def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]: ...


@dataclass(frozen=True, slots=True)
class Ordering:
    """What a reranker makes of the passages it was given: their 0-based places, best first, each named once.

    `failure` tells in one line why there is no order. `usage` and `spent_seconds` are what a language model took for
    it, also in vain.
    """

    order: Sequence[int] = ()
    failure: str = ""
    usage: Usage = Usage()  # noqa: RUF009 - frozen
    spent_seconds: float = 0.0


class Reranker(Protocol):
    """Gives the first `depth` passages of a search a better order; it has no way to add, repeat or lose one.

    Never raises when it fails: the ordering says so, and the passages keep the order they have.
    """

    @property
    def name(self) -> str: ...
    @property
    def depth(self) -> int: ...
    async def order(self, query: Query, passages: Sequence[Passage]) -> Ordering: ...


class Progress(Protocol):
    """Where a waiting user sees what happens; `say` gets whole, checked sentences only, each with the space before it.

    Either nothing is said, and the answer's text is shown at the end, or all of it: what was said, joined, is the text.
    """

    async def stage(self, stage: Stage) -> None: ...
    async def say(self, sentence: str) -> None: ...


class Texts(Protocol):
    """User-facing strings, by key (`kind-hint`, `floor-reply`) and locale, with their variables filled in."""

    def say(self, key: str, locale: Locale, /, **values: str | float) -> str: ...


class TurnLog(Protocol):
    """Takes one row a turn, at once; never raises and never waits for the database."""

    def record(self, turn: TurnRecord) -> None: ...


class Claims(Protocol):
    """Durable claims: a message is answered once, across redeliveries, processes and restarts."""

    def claim(self, message: MessageKey) -> bool: ...
    def finish(self, message: MessageKey, end: Outcome, answer: MessageKey | None) -> None: ...
    def unfinished(self, older_than: datetime) -> Sequence[MessageKey]: ...
    def answer_to(self, message: MessageKey) -> MessageKey | None: ...
