"""How building and searching grow with the wiki: thousands of chunks of synthetic text, with seeded vectors."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval import Generation, hybrid_search, search_pages
from retrieval.readable import Readable, Scope
from retrieval.types import Filters, Query, Viewer
from tests.benchmarks import synthetic
from tests.benchmarks.figures import Bar, Row, notes, row
from tests.benchmarks.places import home_of, ingested, opened
from tests.benchmarks.synthetic import SeededEmbedder
from tests.benchmarks.timing import percentile, timed

ASKED = 100
TOP = 10
FILTERED_SHARES = {"half": "50 %", "small": "5 %", "tiny": "0.5 %"}
LARGE = 100_000  # the size that has bars
RECALL = Bar(0.98, at_least=True)
FILTERED, UNFILTERED = Bar(20, unit=" ms"), Bar(8, unit=" ms")


def run(sizes: Sequence[int], *, rebuild: bool) -> Iterator[Row]:
    for chunks in sizes:
        home = home_of(f"growth-{chunks}")
        if rebuild:
            shutil.rmtree(home, ignore_errors=True)
        yield _built(home, chunks)
        with opened(home, SeededEmbedder()) as index:
            yield from _searched(index, chunks)


def _built(home: Path, chunks: int) -> Row:
    """Build an index, or tell how long it took when it was built."""
    told = home / "built.json"
    corpus = home / "corpus" / "corpus.jsonl"
    if not corpus.exists():
        synthetic.write_corpus(corpus, chunks)
    notes.print(f"  indexing {chunks} synthetic chunks in {home} (what is there is kept)")
    report = ingested(corpus, home, SeededEmbedder())
    if report.upserted:
        told.write_text(json.dumps({"seconds": report.seconds, "chunks": report.chunks}), encoding="utf-8")
    built = json.loads(told.read_text(encoding="utf-8"))
    megabytes = sum(path.stat().st_size for path in (home / "index").rglob("*") if path.is_file()) / 1e6
    kept = "" if report.upserted else ", when it was built"
    return Row(
        f"{chunks} chunks: build without embedding, index size",
        f"{built['seconds']:.1f} s{kept}, {megabytes:.0f} MB ({built['chunks']} chunks)",
    )


def _searched(index: Generation, chunks: int) -> Iterator[Row]:
    asked = list(synthetic.questions(ASKED + 10))
    everyone = Viewer(keys=synthetic.keys_for("rest"))
    times = _times(index, everyone, asked)
    shown = f"{percentile(times, 50):.2f} / {percentile(times, 95):.2f} ms"
    what = f"{chunks} chunks: retrieval without embedding, p50 / p95"
    yield row(what, percentile(times, 50), shown, UNFILTERED if chunks == LARGE else None)
    listed = [
        timed(lambda text: search_pages(Query(text, everyone), index), _some_words(text)).wall_ms for text in asked
    ]
    yield Row(f"{chunks} chunks: literal search of two words, p50", f"{percentile(listed, 50):.2f} ms")
    yield Row(f"{chunks} chunks: recall@{TOP}, all readable", f"{_recall(index, everyone):.3f}")
    for share, shown_share in FILTERED_SHARES.items():
        viewer = Viewer(keys=synthetic.keys_for(share))
        if not index.readable(Scope(viewer.keys, Filters())).page_count:
            continue
        recall, p50 = _recall(index, viewer), percentile(_times(index, viewer, asked), 50)
        what = f"{chunks} chunks: {shown_share} readable"
        yield row(f"{what}, recall@{TOP}", recall, f"{recall:.3f}", RECALL if chunks == LARGE else None)
        yield row(f"{what}, p50", p50, f"{p50:.2f} ms", FILTERED if chunks == LARGE else None)


def _some_words(text: str) -> str:
    return " ".join(text.strip("¿?").split()[-2:])


def _times(index: Generation, viewer: Viewer, asked: Sequence[str]) -> list[float]:
    """Time questions in milliseconds; the seeded embedder answers at once. The first ten warm what is opened once."""
    times = [timed(lambda text: hybrid_search(Query(text, viewer), index), text).wall_ms for text in asked]
    return times[-ASKED:]


def _recall(index: Generation, viewer: Viewer) -> float:
    """Compare the semantic list with an exact search over what the viewer may read."""
    readable = index.readable(Scope(viewer.keys, Filters()))
    vectors = SeededEmbedder().queries(list(synthetic.questions(ASKED)))
    found = [_exactly(vector, index, readable) for vector in vectors]
    shares = [
        len(exact & {ranked.row for ranked in index.dense.nearest(vector, readable, TOP)}) / len(exact)
        for vector, exact in zip(vectors, found, strict=True)
    ]
    return float(np.mean(shares))


def _exactly(vector: NDArray[np.float32], index: Generation, readable: Readable) -> set[int]:
    rows = np.flatnonzero(readable.windows)
    cosines = index.dense.vectors[rows].astype(np.float64) @ vector
    return {int(row) for row in rows[np.argsort(-cosines)[:TOP]]}
