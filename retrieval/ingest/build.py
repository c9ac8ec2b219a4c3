"""From a corpus to a published generation: read, parse, cut, embed what is new, build, publish."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout

from retrieval.dense import GRAPH_FROM_ROWS
from retrieval.errors import DamagedIndex, IngestRunning, NoIndex
from retrieval.generation import Generation, open_index
from retrieval.ingest.chunk import CHUNKER_VERSION
from retrieval.ingest.embed import embed_pages
from retrieval.ingest.plan import Document, Plan, PreparedPage, ReadableTitles, plan_changes, prepare, read_document
from retrieval.ingest.publish import Inputs, build_generation, needed_hashes, publish, same_content, stamp_of, sweep
from retrieval.ingest.sources import Fault, Source, check_sources, read_sources
from retrieval.ingest.vector_cache import VectorCache
from retrieval.ingest.writing import explained
from retrieval.manifest import INDEX_FOLDER, Manifest
from retrieval.private import close_to_others, private_folder
from retrieval.types import Embedder

VECTOR_CACHE_FILE = "vectors.sqlite"
GARBAGE_SHARE = 0.2  # more dead rows than this and the generation is built from scratch


class IngestProgress(Protocol):
    """Where a long ingest shows itself. `total` is 0 where it is not known."""

    def stage(self, name: str, total: int) -> None: ...
    def advance(self, count: int = 1) -> None: ...


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did. `upserted` and `pruned` count pages, `embedded` the texts the model read this time."""

    generation: str
    pages: int
    chunks: int
    upserted: int
    unchanged: int
    pruned: int
    embedded: int
    failures: tuple[Fault, ...]
    seconds: float


def ingest(
    sources: Sequence[Source],
    home: Path,
    embedder: Callable[[], Embedder],
    *,
    embedder_name: str,
    full: bool = False,
    graph_from_rows: int = GRAPH_FROM_ROWS,
    progress: IngestProgress,
) -> IngestReport:
    """Bring the index of a home up to date with its sources and publish it in one step.

    The model is opened only when there is text to embed; `full` builds all files anew (vectors of known text are kept).
    From `graph_from_rows` vectors on they are searched by a graph. Raises SourceMissing before anything is touched,
    IngestRunning when another ingest works on this home, EmbeddingUnavailable, and IngestFailed when the disk is full.
    """
    started = time.monotonic()
    check_sources(sources)
    with _alone(home), _whole(home, embedder) as whole:
        previous = whole if whole is not None and not full and _can_grow(whole, embedder_name) else None
        documents, plan = _planned(sources, previous, progress)
        stamp = stamp_of(plan.corpus, embedder_name)
        if previous is not None and same_content(stamp, previous.stamp):
            with explained(home):
                publish(home / INDEX_FOLDER, previous.stamp, previous.stamp)
            manifest, embedded = previous.manifest, 0
        else:
            manifest, embedded = _built(
                home,
                stamp,
                documents,
                plan,
                previous,
                verified=whole.stamp if whole is not None else None,
                embedder=embedder,
                embedder_name=embedder_name,
                graph_from_rows=graph_from_rows,
                progress=progress,
            )
    return IngestReport(
        generation=manifest.stamp,
        pages=manifest.pages,
        chunks=manifest.chunks,
        upserted=len(plan.changed),
        unchanged=len(plan.unchanged),
        pruned=len(plan.removed),
        embedded=embedded,
        failures=plan.faults,
        seconds=time.monotonic() - started,
    )


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    """Hold the home's ingest lock; the kernel lets go of it when the process dies."""
    lock = FileLock(home / "ingest.lock", timeout=0)
    try:
        with explained(home):
            private_folder(home)
            private_folder(home / INDEX_FOLDER)
            try:
                lock.acquire()
            except Timeout as error:
                raise IngestRunning(f"another ingest is at work in {home}; wait until it ends, then repeat") from error
            close_to_others(home / INDEX_FOLDER)  # one that was made before may be open to all
            sweep(home / INDEX_FOLDER)
        try:
            yield
        finally:
            sweep(home / INDEX_FOLDER)  # what failed half-way takes no room
    finally:
        lock.release()


@contextmanager
def _whole(home: Path, embedder: Callable[[], Embedder]) -> Iterator[Generation | None]:
    """Give the newest generation whose files are all what was written, or None."""
    try:
        generation = open_index(home, embedder)
    except (NoIndex, DamagedIndex):
        yield None
        return
    with closing(generation):
        yield generation


def _can_grow(generation: Generation, embedder_name: str) -> bool:
    manifest = generation.manifest
    rows = generation.catalogue.windows_ever()
    dead = rows - int((generation.catalogue.window_chunks >= 0).sum())
    same = manifest.embedder == embedder_name and manifest.chunker == CHUNKER_VERSION
    return same and dead <= GARBAGE_SHARE * rows


def _planned(
    sources: Sequence[Source], previous: Generation | None, progress: IngestProgress
) -> tuple[tuple[Document, ...], Plan]:
    known = previous.catalogue.known() if previous is not None else {}
    faults: list[Fault] = []
    documents: list[Document] = []
    progress.stage("read", 0)
    for raw in read_sources(sources, faults.append):
        document = read_document(raw, known.get(raw.doc_id), faults)
        if document is not None:
            documents.append(document)
        progress.advance()
    return tuple(documents), plan_changes(documents, known, faults)


def _built(
    home: Path,
    stamp: str,
    documents: Sequence[Document],
    plan: Plan,
    previous: Generation | None,
    *,
    verified: str | None,
    embedder: Callable[[], Embedder],
    embedder_name: str,
    graph_from_rows: int,
    progress: IngestProgress,
) -> tuple[Manifest, int]:
    progress.stage("parse", len(plan.changed))
    prepared: list[PreparedPage] = []
    for page in prepare(plan.changed, ReadableTitles(documents)):
        prepared.append(page)
        progress.advance()
    with explained(home), VectorCache(home / VECTOR_CACHE_FILE, embedder_name) as cache:
        embedded = embed_pages(prepared, cache, embedder, progress)
        progress.stage("build", 1)
        dimensions = previous.manifest.dimensions if previous is not None else embedder().dimensions
        inputs = Inputs(stamp, plan, embedded, previous, verified, embedder_name, dimensions, graph_from_rows)
        manifest = build_generation(home / INDEX_FOLDER, inputs)
        cache.keep_only(needed_hashes(home / INDEX_FOLDER))
        progress.advance()
    return manifest, embedded.embedded
