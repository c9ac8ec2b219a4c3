"""Where the data lies, where indexes are kept between runs, and what opens the model."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from retrieval import Generation, open_index
from retrieval.embedding import open_embedder
from retrieval.ingest.build import IngestReport, ingest
from retrieval.ingest.sources import Source
from retrieval.types import Embedder
from tests.benchmarks.figures import Skipped, notes

CHECKOUT = Path(__file__).parents[2]
HOME = CHECKOUT / ".oraculo-bench"
MODELS = HOME / "models"
DATA_VARIABLE = "ORACULO_BENCH_DATA"


def data(*parts: str) -> Path:
    """Give a corpus or a set of the measuring data. Raises Skipped when it is not there."""
    root = Path(os.environ.get(DATA_VARIABLE) or CHECKOUT.parent / "shared" / "data")
    path = root.joinpath(*parts)
    if not path.exists():
        raise Skipped(f"{path} is not there; name the folder of the data with {DATA_VARIABLE}")
    return path


def workfront_pages() -> Path:
    return data("corpora", "workfront-es", "pages")


@cache
def embedder(threads: int | None = None) -> Embedder:
    """Open the embedded model, once for each number of threads (None: one a core)."""
    return open_embedder("embedded", cache=MODELS, threads=threads)


def home_of(name: str) -> Path:
    return HOME / name


def workfront_home() -> Path:
    """Index workfront-es, or bring its index up to date, and give its home."""
    up_to_date("workfront", workfront_pages())
    return home_of("workfront")


def up_to_date(name: str, corpus: Path) -> IngestReport:
    """Index a corpus under a name; the next run finds its vectors and, if nothing changed, all of it."""
    notes.print(f"  indexing {corpus.name} in {home_of(name)} (what is there is kept)")
    return ingested(corpus, home_of(name), embedder())


def ingested(corpus: Path, home: Path, model: Embedder, *, full: bool = False) -> IngestReport:
    return ingest([Source(corpus)], home, lambda: model, embedder_name=model.name, full=full, progress=Quiet())


@contextmanager
def opened(home: Path, model: Embedder | None = None) -> Iterator[Generation]:
    """Open a home's index; without a model, for literal search only."""
    index = open_index(home, None if model is None else lambda: model)
    try:
        yield index
    finally:
        index.close()


@contextmanager
def scratch() -> Iterator[Path]:
    """Give a folder that is gone at the end, on the disk the indexes are on."""
    HOME.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="scratch-", dir=HOME) as folder:
        yield Path(folder)


class Quiet:
    """An ingest's progress that nobody watches."""

    def stage(self, name: str, total: int) -> None: ...
    def advance(self, count: int = 1) -> None: ...
