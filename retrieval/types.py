"""The values retrieval takes and gives: plain, frozen, and free of any library's types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

PUBLIC = "public"

Vectors = NDArray[np.float32]


class Status(StrEnum):
    """How far a page may be trusted; drafts and archived pages are shown only when asked for."""

    ACTIVE = "active"
    STALE = "stale"
    DRAFT = "draft"
    ARCHIVED = "archived"

    @property
    def hidden(self) -> bool:
        return self in (Status.DRAFT, Status.ARCHIVED)


@dataclass(frozen=True, slots=True)
class Page:
    """What is known of one page besides its text. `doc_id` is unique within an index."""

    doc_id: str
    source_path: str
    title: str
    product: str = ""
    kind: str = "wiki"
    status: Status = Status.ACTIVE
    href: str = ""
    updated: date | None = None
    language: str = "es"
    tags: tuple[str, ...] = ()
    author: str = ""
    project: str = ""
    chapter: str = ""
    keys: frozenset[str] = frozenset({PUBLIC})

    @property
    def automatic(self) -> bool:
        """Generated pages come last and folded in a listing."""
        return self.kind == "auto"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a page: `text` is exactly `page_text[start:end]`, markdown as written, wikilinks as titles."""

    row: int
    ordinal: int
    heading: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who reads: a page is readable when it shares a key with the viewer."""

    user: str = ""
    keys: frozenset[str] = frozenset({PUBLIC})

    def narrowed(self, keys: frozenset[str]) -> Viewer:
        """Give up keys; a viewer can never gain one."""
        return Viewer(self.user, self.keys & keys)


@dataclass(frozen=True, slots=True)
class Said:
    """One line of a thread."""

    speaker: str
    role: Literal["user", "oracle"]
    text: str


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions a page must meet; an empty one asks nothing."""

    products: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    statuses: frozenset[Status] = frozenset()
    tags: frozenset[str] = frozenset()
    author: str = ""
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A question as retrieval sees it. `hybrid=False` turns the exact lists off: the semantic list stands alone.

    Words about time are read against `asked_at`; without it they are words like any other.
    """

    text: str
    viewer: Viewer = field(default_factory=Viewer)
    filters: Filters = field(default_factory=Filters)
    history: tuple[Said, ...] = ()
    asked_at: datetime | None = None
    hybrid: bool = True


Retrieval = Literal["semantic", "exact", "both"]


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A term of the question, folded, with its rarity among the pages the viewer may read (idf, >= 0)."""

    text: str
    idf: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk that was found. `score` is the fused one (never compared with the floor); `cosine` is in -1..1.

    `ranks` gives the chunk's 1-based rank in each list that held it.
    """

    chunk: Chunk
    page: Page
    score: float
    cosine: float
    retrieval: Retrieval
    ranks: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Reranking:
    """How a reranker put passages in order: the page of each, with its 1-based place before, best first.

    One that `failed` left them in the order they had; the log tells why.
    """

    reranker: str
    places: tuple[tuple[str, int], ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a result is what it is, for `--why` and the "¿Por qué?" button; made of readable pages only."""

    lists: Mapping[str, Sequence[str]]
    terms: tuple[WeightedTerm, ...]
    signals: Mapping[str, float]
    floor: float
    failed_lists: tuple[str, ...] = ()
    reranking: Reranking | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What `hybrid_search` gives. `relevance` is calibrated to 0..1, or None without passages."""

    passages: tuple[Passage, ...]
    relevance: float | None
    generation: str
    timings_ms: Mapping[str, float]
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class PageHit:
    """One line of a listing. `highlights` are character spans of `snippet`."""

    page: Page
    score: float
    snippet: str
    highlights: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PageListing:
    """One page of literal results, 1-based, with the counts of all of them by product, in block order."""

    hits: tuple[PageHit, ...]
    total: int
    counts: Mapping[str, int]
    page: int
    pages: int
    suggestions: tuple[str, ...]
    missing: tuple[str, ...]
    generation: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entry of a ranker's list, best first: a catalogue row and the ranker's own score."""

    row: int
    score: float


class Embedder(Protocol):
    """Text to unit vectors, float32, shape (texts, dimensions). Adds its model's own prefixes.

    Raises EmbeddingUnavailable when the model cannot be had.
    """

    @property
    def name(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def queries(self, texts: Sequence[str]) -> Vectors: ...
    def passages(self, texts: Sequence[str]) -> Vectors: ...
    def windows(self, text: str) -> Sequence[str]:
        """Cut a text into pieces the model reads whole (tokens within its window), overlapping a little."""
        ...


class CrossEncoder(Protocol):
    """Reads a question and a passage together and scores how well one answers the other: higher is better.

    Scores are comparable within one question only. Raises RerankingFailed when the model cannot be had or fails.
    """

    @property
    def name(self) -> str: ...
    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]: ...
