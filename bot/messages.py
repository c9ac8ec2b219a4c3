"""Platform-neutral values: what an adapter hands in and what it gets back to render."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, StrEnum
from typing import Literal

from retrieval.types import Explanation, PageListing, Passage, Said, Viewer

QUESTION_LIMIT_CHARACTERS = 500
HISTORY_LIMIT_TURNS = 12

Locale = Literal["es", "en"]


class Route(StrEnum):
    LITERAL = "literal"
    ORACLE = "oracle"
    SMALL_TALK = "small_talk"


class Mode(StrEnum):
    """How the oracle speaks: `oracle` answers, `help` gives steps, `tutor` teaches with questions."""

    ORACLE = "oracle"
    HELP = "help"
    TUTOR = "tutor"


class Outcome(Enum):
    """How a turn ended; every claimed message ends in one of these."""

    ANSWERED = "answered"
    ABSTAINED = "abstained"
    NO_MATCHES = "no_matches"
    LISTED = "listed"
    SMALL_TALK = "small_talk"
    FAILED = "failed"


class Stage(StrEnum):
    """What a waiting user is told."""

    SEARCHING = "searching"
    WRITING = "writing"


class Notice(StrEnum):
    """Why an answer is not what was hoped for; each names a text of bot/texts."""

    EXTRACTIVE = "extractive"
    MODEL_FAILED = "model-failed"
    OVER_BUDGET = "over-budget"
    TOO_LONG = "too-long"
    UNCITED = "uncited"
    """The model cited nothing."""
    UNFINISHED = "unfinished"
    """It reached its length limit."""


@dataclass(frozen=True, slots=True)
class MessageKey:
    """Where a message stands, unique within a platform."""

    platform: str
    workspace: str
    channel: str
    message: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """Where a question was asked; `thread` is empty outside one."""

    platform: str = "console"
    workspace: str = ""
    channel: str = ""
    channel_kind: Literal["public", "private", "dm", "terminal"] = "terminal"
    thread: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing a person asked, with all the core needs to answer it."""

    id: str
    text: str
    asker: str
    conversation: Conversation
    viewer: Viewer
    locale: Locale
    asked_at: datetime
    history: tuple[Said, ...] = ()
    route: Route | None = None
    mode: Mode = Mode.ORACLE
    hybrid: bool = True


@dataclass(frozen=True, slots=True)
class Citation:
    """`number` as in `[n]`; `spans` are the character spans of the answer's text that lean on the passage."""

    number: int
    passage: Passage
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    prompt_tokens: int = 0
    answer_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.prompt_tokens + other.prompt_tokens, self.answer_tokens + other.answer_tokens)


@dataclass(frozen=True, slots=True)
class Answer:
    """What an adapter renders. `text` is markdown; `model` is empty when no language model wrote it.

    `citations` are the sources the text leans on; when the oracle abstains, up to five weak ones.
    """

    text: str
    outcome: Outcome
    route: Route
    citations: tuple[Citation, ...] = ()
    relevance: float | None = None
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    generation: str = ""
    explanation: Explanation | None = None
    listing: PageListing | None = None
    chunks_used: int = 0
    notice: Notice | None = None


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One telemetry row. Never the answer's text; `user` is the platform's id and is hashed before it is stored."""

    created_at: datetime
    question: str
    mode: str
    route: str
    outcome: str
    platform: str
    workspace: str
    channel: str
    channel_kind: str
    thread: str
    user: str
    sources_count: int
    top_relevance: float | None
    duration_ms: float
    stages_ms: Mapping[str, float]
    generation: str
    model: str
    prompt_tokens: int
    answer_tokens: int
    sources: Sequence[tuple[str, int, str]] = ()
    """The cited pages as (doc_id, rank, retrieval)."""
