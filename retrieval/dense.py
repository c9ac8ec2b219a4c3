"""The semantic list: an exact search over the readable rows, or usearch's graph in an index too large for that.

On a wiki of 11,000 chunks one product with all vectors takes 0.4 ms and misses nothing, while a graph of them, full of
near copies, finds .82 to .92 of the nearest 50 (expansion 64 to 128). From tens of thousands of rows the graph wins.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from errno import EIO, ENOSPC
from functools import cache, lru_cache, partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from retrieval.errors import DamagedIndex, OracleError, one_line
from retrieval.readable import Readable
from retrieval.types import Ranked, Vectors

if TYPE_CHECKING:
    from usearch.index import Index

VECTORS_FILE = "vectors.npy"
GRAPH_FILE = "graph.usearch"
GRAPH_FROM_ROWS = 40_000  # below this an exact search takes under two milliseconds
GATHER_BELOW_SHARE = 0.1  # fewer readable rows than this are copied together; more are masked out of a full product
COSINE_DECIMALS = 6
SAMPLES_KEPT = 16  # of 1.5 MB each
EXPANSION_SEARCH = 512  # the graph's recall at 128 is too low for vectors as close together as these
OVERFETCH = 2  # what is near a question may be shut out more often than the rest
GRAPH_FROM_SHARE = 0.5  # of the graph's rows; where fewer may be read, an exact search of those is as fast


class SemanticFailure(OracleError):
    """The vectors could not be searched; the other lists answer."""


@dataclass(frozen=True, slots=True)
class Background:
    """How a question's cosines lie over the readable rows of one language: their mean and standard deviation."""

    mean: float
    deviation: float
    rows: int


@cache
def _one_thread_a_product() -> threadpool_limits:
    """Keep NumPy's products on the thread that asks, for the whole process.

    Two threads gain a third of a millisecond on idle cores, and lose twenty on busy ones by waiting for each other.
    """
    return threadpool_limits(limits=1, user_api="blas")


class DenseIndex:
    """Reads the vectors of one generation; rows are window rows of its catalogue."""

    def __init__(self, folder: Path) -> None:
        _one_thread_a_product()
        graph = folder / GRAPH_FILE
        self.vectors: Vectors = np.load(folder / VECTORS_FILE, mmap_mode="r")
        self._samples: Callable[[Readable], Mapping[str, Vectors]] = lru_cache(maxsize=SAMPLES_KEPT)(
            partial(_sample, self.vectors)
        )
        self._graph = load_graph(graph, self.vectors.shape[1]) if graph.exists() else None

    def nearest(self, vector: NDArray[np.float32], readable: Readable, limit: int) -> list[Ranked]:
        """Give the window rows nearest to a unit vector by cosine, highest first; equal cosines by row."""
        graph, alive = self._graph, len(readable.window_rows)
        if graph is not None and alive >= GRAPH_FROM_SHARE * len(graph):
            rows = _by_graph(graph, vector, readable, limit)
            if len(rows) >= min(limit, alive):
                return _best(rows, self.vectors[rows] @ vector, limit)
        return self._exact(vector, readable, limit)

    def _exact(self, vector: NDArray[np.float32], readable: Readable, limit: int) -> list[Ranked]:
        rows = readable.window_rows
        if len(rows) < GATHER_BELOW_SHARE * len(self.vectors):
            return _best(rows, self.vectors[rows] @ vector, limit)
        cosines = self.vectors @ vector
        return _best(rows, cosines if len(rows) == len(cosines) else cosines[rows], limit)

    def cosines(self, rows: NDArray[np.intp], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        products: NDArray[np.float32] = self.vectors[rows] @ vector
        return products

    def backgrounds(self, vector: NDArray[np.float32], readable: Readable) -> dict[str, Background]:
        """Measure the question against a sample of what may be read, by language."""
        found = {}
        for language, sample in self._samples(readable).items():
            cosines = sample @ vector
            found[language] = Background(float(cosines.mean()), float(cosines.std()), len(cosines))
        return found


def _sample(vectors: Vectors, readable: Readable) -> Mapping[str, Vectors]:
    return {language: vectors[rows] for language, rows in readable.background.items()}


def _by_graph(graph: Index, vector: NDArray[np.float32], readable: Readable, limit: int) -> NDArray[np.intp]:
    """Give readable rows near a vector; fewer than `limit` where most of what is near may not be read."""
    share = len(readable.window_rows) / len(graph)
    wanted = limit if share == 1 else ceil(limit * OVERFETCH / share)
    try:
        found = graph.search(vector.astype(np.float16), min(wanted, len(graph)), threads=1)
    except (RuntimeError, ValueError) as error:
        raise SemanticFailure(f"the graph of the vectors failed: {one_line(error)}") from error
    keys = found.keys[found.keys < len(readable.windows)].astype(np.intp)  # the last rows may have left since
    rows: NDArray[np.intp] = keys[readable.windows[keys]]
    return rows


def _best(rows: NDArray[np.intp], cosines: NDArray[np.float32], limit: int) -> list[Ranked]:
    """Give the highest cosines, equal ones in row order: the last bits of a product depend on where a row stands."""
    cosines = np.round(cosines, COSINE_DECIMALS)
    if len(rows) > limit:
        least = np.partition(cosines, len(cosines) - limit)[len(cosines) - limit]
        kept = cosines >= least
        rows, cosines = rows[kept], cosines[kept]
    order = np.lexsort((rows, -cosines))[:limit]
    return [Ranked(row, cosine) for row, cosine in zip(rows[order].tolist(), cosines[order].tolist(), strict=True)]


def load_graph(path: Path, dimensions: int) -> Index:
    """Open a saved graph for reading and for growing. Raises DamagedIndex."""
    graph = new_graph(dimensions)
    try:
        graph.load(str(path))
    except (RuntimeError, ValueError) as error:
        raise DamagedIndex(f"{path} cannot be opened ({one_line(error)}); run `oraculo ingest --full`") from error
    return graph


def new_graph(dimensions: int) -> Index:
    from usearch.index import Index

    return Index(
        ndim=dimensions,
        metric="ip",
        dtype="f16",
        expansion_add=128,
        expansion_search=EXPANSION_SEARCH,
    )


def write_vectors(
    folder: Path,
    vectors: Vectors,
    rows: NDArray[np.intp],
    previous: Path | None,
    added: NDArray[np.intp],
    *,
    graph_from_rows: int = GRAPH_FROM_ROWS,
) -> None:
    """Save `vectors` (all rows, float32) and, when there are enough of them, a graph over `rows`.

    A graph of the generation before grows by the `added` rows; rows that left stay in it, passed over by readers, and
    must never be given out again. Fewer rows than `graph_from_rows` are searched without a graph.
    One thread adds: concurrent adds lose vectors (unum-cloud/USearch).
    """
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / VECTORS_FILE, vectors)
    if len(rows) < graph_from_rows:
        return
    if previous is not None and previous.exists():
        graph = load_graph(previous, vectors.shape[1])
    else:
        graph, added = new_graph(vectors.shape[1]), rows
    if len(added):
        graph.add(added.astype(np.uint64), vectors[added].astype(np.float16), threads=1)
    save_graph(folder / GRAPH_FILE, graph)


def save_graph(path: Path, graph: Index) -> None:
    """Save a graph whole; usearch keeps silent when its last bytes are lost. Raises OSError."""
    try:
        graph.save(str(path))
    except RuntimeError as error:
        raise OSError(EIO, one_line(error), str(path)) from error
    if path.stat().st_size != graph.serialized_length:
        raise OSError(ENOSPC, os.strerror(ENOSPC), str(path))
