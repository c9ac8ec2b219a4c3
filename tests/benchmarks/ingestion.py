"""A whole ingest beside fastembed's bare embedding of the same texts; a run with nothing new, and one edited page."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from retrieval.embedding_models import OpenModel, open_model
from retrieval.types import Embedder, Vectors
from tests.benchmarks.children import ORACULO, Ended
from tests.benchmarks.children import run as run_process
from tests.benchmarks.figures import Bar, Row, row
from tests.benchmarks.places import MODELS, embedder, home_of, ingested, scratch, workfront_home, workfront_pages
from tests.benchmarks.timing import median

SAMPLE_PAGES = 150
THREADS = 2
AT_MOST = Bar(1.15)
WITHIN = Bar(3, unit=" s")
RUNS = 3


def run(*, whole: bool = False) -> Iterator[Row]:
    yield from _beside_bare_embedding(whole=whole)
    if (home_of("workfront") / "index").is_dir():
        yield from _small_changes()


@dataclass
class Spent:
    """Seconds of wall clock and of processor."""

    seconds: float = 0.0
    processor_seconds: float = 0.0

    def __enter__(self) -> None:
        self.seconds -= time.perf_counter()
        self.processor_seconds -= time.process_time()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter()
        self.processor_seconds += time.process_time()


@dataclass
class ByTurns:
    """The real model; each batch is also embedded by fastembed alone, right before or right after, and timed.

    fastembed does it the fastest way found: each text a run of one thread, several runs side by side.
    """

    inner: Embedder
    bare: OpenModel
    spent: Spent = field(default_factory=Spent)
    texts: int = 0
    batches: int = 0

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self.inner.queries(texts)

    def windows(self, text: str) -> Sequence[str]:
        return self.inner.windows(text)

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.texts, self.batches = self.texts + len(texts), self.batches + 1
        if self.batches % 2:
            self._embed_bare(texts)
        vectors = self.inner.passages(texts)
        if not self.batches % 2:
            self._embed_bare(texts)
        return vectors

    def _embed_bare(self, texts: Sequence[str]) -> None:
        def embed(text: str) -> None:
            list(self.bare.model.passage_embed([self.bare.prefixes.passage + text], batch_size=1))

        with self.spent, ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(embed, texts))


def _beside_bare_embedding(*, whole: bool) -> Iterator[Row]:
    pages = _pages(whole=whole)
    by_turns, all_of_it = ByTurns(embedder(THREADS), open_model("embedded", MODELS)), Spent()
    by_turns.inner.passages(["calienta"])
    list(by_turns.bare.model.embed(["calienta"]))
    with scratch() as folder:
        _copied(pages, folder / "pages")
        with all_of_it:
            ingested(folder / "pages", folder / "home", by_turns)
    bare, ours = by_turns.spent, all_of_it.seconds - by_turns.spent.seconds
    shown = f"{ours / bare.seconds:.2f} ({ours:.1f} / {bare.seconds:.1f} s, {by_turns.texts} texts)"
    yield row(f"ingest / bare embedding, {THREADS} threads in both", ours / bare.seconds, shown, AT_MOST)
    processor = all_of_it.processor_seconds - bare.processor_seconds
    shown = f"{processor / bare.processor_seconds:.2f} ({processor:.1f} / {bare.processor_seconds:.1f} s)"
    yield Row("the same in processor time", shown)


def _pages(*, whole: bool) -> list[Path]:
    pages = sorted(workfront_pages().rglob("*.md"))
    return pages if whole else random.Random(1).sample(pages, SAMPLE_PAGES)  # noqa: S311 - the same pages each time


def _copied(pages: Sequence[Path], folder: Path) -> None:
    for page in pages:
        there = folder / page.relative_to(workfront_pages())
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page, there)


def _small_changes() -> Iterator[Row]:
    """Run `oraculo ingest` as a process on a copy of the whole wiki and its index."""
    with scratch() as folder:
        pages, home = folder / "pages", folder / "home"
        shutil.copytree(workfront_pages(), pages)
        shutil.copytree(workfront_home(), home)
        command = (ORACULO, "ingest", "--source", pages, "--home", home, "--quiet")
        run_process(*command)
        yield _small("nothing changed", [run_process(*command) for _ in range(RUNS)])
        edited = []
        for page in sorted(pages.rglob("*.md"))[:RUNS]:
            with page.open("a", encoding="utf-8") as text:
                text.write("\n\nUna frase que antes no estaba en esta página.\n")
            edited.append(run_process(*command))
        yield _small("one page edited", edited)


def _small(what: str, runs: Sequence[Ended]) -> Row:
    seconds, processor = median([one.seconds for one in runs]), median([one.processor_seconds for one in runs])
    return row(f"oraculo ingest, {what}", seconds, f"{seconds:.2f} s ({processor:.2f} of processor)", WITHIN)
