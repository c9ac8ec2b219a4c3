"""A small wiki on the disk with an index of its own: real files, the real model, real Tantivy and usearch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from retrieval import Generation, hybrid_search, open_index, search_pages
from retrieval.dense import GRAPH_FROM_ROWS
from retrieval.ingest.build import IngestReport, ingest
from retrieval.ingest.sources import Source
from retrieval.types import Embedder, PageListing, Query, SearchResult, Viewer


@dataclass
class SeenProgress:
    """Keeps the stages an ingest went through, with their totals, and how far each came."""

    stages: dict[str, int] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=dict)

    def stage(self, name: str, total: int) -> None:
        self.stages[name], self.done[name] = total, 0

    def advance(self, count: int = 1) -> None:
        name = next(reversed(self.stages))
        self.done[name] += count


@dataclass
class Wiki:
    """`wiki.write(...)`, `wiki.ingest()`, then `wiki.open()`."""

    folder: Path
    home: Path
    embedder: Embedder
    source: Mapping[str, object] = field(default_factory=dict)
    graph_from_rows: int = GRAPH_FROM_ROWS

    def write(self, pages: Mapping[str, str | bytes]) -> None:
        for name, content in pages.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def delete(self, name: str) -> None:
        (self.folder / name).unlink()

    def ingest(self, *, full: bool = False, embedder: Callable[[], Embedder] | None = None) -> IngestReport:
        source = Source(path=self.folder, **self.source)  # type: ignore[arg-type]  # the fields of Source by name
        return ingest(
            [source],
            self.home,
            embedder or (lambda: self.embedder),
            embedder_name=self.embedder.name,
            full=full,
            graph_from_rows=self.graph_from_rows,
            progress=SeenProgress(),
        )

    def open(self) -> Generation:
        return open_index(self.home, lambda: self.embedder)


def literal(
    index: Generation, text: str, *, keys: frozenset[str] = frozenset({"public"}), **options: object
) -> PageListing:
    return search_pages(Query(text, Viewer(keys=keys)), index, **options)  # type: ignore[arg-type]


def ask(
    index: Generation, text: str, *, keys: frozenset[str] = frozenset({"public"}), **options: object
) -> SearchResult:
    return hybrid_search(Query(text, Viewer(keys=keys)), index, **options)  # type: ignore[arg-type]


def doc_ids(found: PageListing | SearchResult) -> list[str]:
    entries = found.hits if isinstance(found, PageListing) else found.passages
    return [entry.page.doc_id for entry in entries]
