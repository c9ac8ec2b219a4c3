"""Gives every window of every prepared page its vector: from the cache, or from the model, a batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from retrieval.ingest.plan import PreparedPage
from retrieval.ingest.vector_cache import VectorCache, text_hash
from retrieval.types import Embedder, Vectors

BATCH_TEXTS = 64  # what a kill may cost: about two seconds of work


class Progress(Protocol):
    def stage(self, name: str, total: int) -> None: ...
    def advance(self, count: int = 1) -> None: ...


@dataclass(frozen=True, slots=True)
class WindowedPage:
    """A prepared page with the hashes of the windows of each of its chunks."""

    prepared: PreparedPage
    windows: tuple[tuple[bytes, ...], ...]


@dataclass(frozen=True, slots=True)
class Embedded:
    """Windowed pages, the vectors of all their windows by hash, and how many texts the model read for it."""

    pages: tuple[WindowedPage, ...]
    vectors: dict[bytes, Vectors]
    embedded: int


def embed_pages(
    prepared: Sequence[PreparedPage], cache: VectorCache, embedder: Callable[[], Embedder], progress: Progress
) -> Embedded:
    """Embed what the cache does not know; each batch is kept before the next begins."""
    pages, texts = _windowed(prepared, embedder)
    vectors = cache.get(list(texts))
    missing = [(key, text) for key, text in texts.items() if key not in vectors]
    progress.stage("embed", len(missing))
    for batch in _batches(missing):
        found = embedder().passages([text for _, text in batch])
        fresh = {key: vector for (key, _), vector in zip(batch, found, strict=True)}
        cache.put(fresh)
        vectors.update(fresh)
        progress.advance(len(batch))
    return Embedded(pages, vectors, len(missing))


def _windowed(
    prepared: Sequence[PreparedPage], embedder: Callable[[], Embedder]
) -> tuple[tuple[WindowedPage, ...], dict[bytes, str]]:
    texts: dict[bytes, str] = {}
    pages = []
    for page in prepared:
        windows = []
        for text in page.embedded:
            pieces = {text_hash(piece): piece for piece in embedder().windows(text)}
            texts.update(pieces)
            windows.append(tuple(pieces))
        pages.append(WindowedPage(page, tuple(windows)))
    return tuple(pages), texts


def _batches(missing: Sequence[tuple[bytes, str]]) -> Iterator[Sequence[tuple[bytes, str]]]:
    for start in range(0, len(missing), BATCH_TEXTS):
        yield missing[start : start + BATCH_TEXTS]
