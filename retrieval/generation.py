"""A published index, opened for reading: one generation, from the start of a question to its end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TypeVar

from retrieval.catalogue import Catalogue
from retrieval.dense import DenseIndex
from retrieval.errors import DamagedIndex, EmbeddingUnavailable, NoIndex
from retrieval.home_calibration import calibration_mark, home_calibration
from retrieval.lexical import PageIndex
from retrieval.manifest import (
    CATALOGUE_FILE,
    DENSE_FOLDER,
    INDEX_FOLDER,
    LEXICAL_FOLDER,
    Manifest,
    current_stamp,
    generations,
    read_manifest,
    verify,
)
from retrieval.readable import Readable, Scope, readable
from retrieval.relevance import Calibration, calibration_for
from retrieval.types import Embedder

SCOPES_KEPT = 256
T = TypeVar("T")


class Generation:
    """One index, read-only. Made by `open_index`; safe to use from several threads.

    Nothing it holds leads back to it: its threads and files go at once when the last who holds it lets it go.
    """

    def __init__(
        self,
        folder: Path,
        manifest: Manifest,
        embedder: Callable[[], Embedder] | None,
        calibration: Calibration,
        warnings: tuple[str, ...] = (),
    ) -> None:
        self.folder = folder
        self._open_embedder = embedder
        self._opening = threading.Lock()
        self._pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="exact")
        self.manifest = manifest
        self.calibration = calibration
        self.warnings = warnings
        self.catalogue = Catalogue(folder / CATALOGUE_FILE)
        self.pages = PageIndex(folder / LEXICAL_FOLDER)
        self.readable: Callable[[Scope], Readable] = lru_cache(maxsize=SCOPES_KEPT)(partial(readable, self.catalogue))
        self._dense = DenseIndex(folder / DENSE_FOLDER) if embedder is not None else None

    @property
    def stamp(self) -> str:
        return self.manifest.stamp

    @property
    def embedder(self) -> Embedder:
        """The model that made the vectors, opened at the first use.

        Raises EmbeddingUnavailable when there is none, or when it is another model than the index was built with.
        """
        with self._opening:
            return self._embedder

    @cached_property
    def _embedder(self) -> Embedder:
        if self._open_embedder is None:
            raise EmbeddingUnavailable("this index was opened for literal search only")
        embedder = self._open_embedder()
        if embedder.name != self.manifest.embedder:
            raise EmbeddingUnavailable(
                f"the index was built with {self.manifest.embedder}, the settings name {embedder.name};"
                " run `oraculo ingest` to build it anew"
            )
        return embedder

    @property
    def dense(self) -> DenseIndex:
        """The vectors. Raises EmbeddingUnavailable when the index was opened for literal search only."""
        if self._dense is None:
            raise EmbeddingUnavailable("this index was opened for literal search only")
        return self._dense

    def beside(self, work: Callable[[], T]) -> Future[T]:
        """Run something on another thread while this one goes on; the native searches let go of the GIL."""
        return self._pool.submit(work)

    def page_text(self, doc_id: str) -> str:
        """Give a page's markdown, its wikilinks as titles. Raises KeyError."""
        text = self.catalogue.page_text(doc_id)
        if text is None:
            raise KeyError(doc_id)
        return text

    def close(self) -> None:
        self._pool.shutdown(wait=False)
        self.catalogue.close()


def open_index(
    home: Path, embedder: Callable[[], Embedder] | None = None, *, calibrated_in: Path | None = None
) -> Generation:
    """Open the published generation of a home, or the one before when its files are damaged (`warnings` says so).

    Its calibration is the home's own, or that of the home `calibrated_in`. Raises NoIndex when nothing was published,
    DamagedIndex when no generation is whole.
    """
    folder = home / INDEX_FOLDER
    stamp = current_stamp(folder)
    if stamp is None:
        raise NoIndex(f"there is no index in {home} yet; run `oraculo ingest`")
    faults: list[str] = []
    for candidate in [folder / stamp, *_others(folder, stamp)]:
        try:
            manifest = read_manifest(candidate)
            literal_parts = (CATALOGUE_FILE, f"{LEXICAL_FOLDER}/")
            verify(candidate, manifest, literal_parts if embedder is None else manifest.files)
        except DamagedIndex as fault:
            faults.append(str(fault))
            continue
        warnings = tuple(f"{fault}; the one before serves" for fault in faults)
        if embedder is None:
            return Generation(candidate, manifest, embedder, calibration_for(manifest.embedder), warnings)
        calibration, fault_of_calibration = home_calibration(calibrated_in or home, manifest.embedder)
        return Generation(candidate, manifest, embedder, calibration, warnings + fault_of_calibration)
    raise DamagedIndex(faults[0])


def _others(folder: Path, stamp: str) -> list[Path]:
    """The other generations still there, newest first."""
    others = [path for path in generations(folder) if path.name != stamp]
    return sorted(others, key=lambda path: path.stat().st_mtime, reverse=True)


class CurrentIndex:
    """The published generation at any moment: a new one is opened at the first question after it was published.

    A calibration that was saved serves from the next question on, too.
    """

    def __init__(self, home: Path, embedder: Callable[[], Embedder] | None = None) -> None:
        self._home = home
        self._embedder = embedder
        self._lock = threading.Lock()
        self._opened: tuple[object, Generation] | None = None

    def __call__(self) -> Generation:
        """Give the generation that now serves. One that a question still holds stays usable until it is let go."""
        with self._lock:
            mark = current_stamp(self._home / INDEX_FOLDER), calibration_mark(self._home)
            if self._opened is None or self._opened[0] != mark:
                self._opened = (mark, open_index(self._home, self._embedder))
            return self._opened[1]

    def close(self) -> None:
        """Close the generation that serves; nobody may still ask it. What is asked later opens it again."""
        with self._lock:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened[1].close()
