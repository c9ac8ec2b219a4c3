"""How building and searching grow with the wiki: thousands of chunks of synthetic text, with seeded vectors."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval import Generation, hybrid_search, search_pages
from retrieval.ingest.build import VECTOR_CACHE_FILE
from retrieval.readable import Readable, Scope
from retrieval.types import Filters, Query, Viewer
from tests.benchmarks import synthetic
from tests.benchmarks.figures import Bar, Row, notes, row
from tests.benchmarks.places import home_of, ingested, opened
from tests.benchmarks.synthetic import SeededEmbedder
from tests.benchmarks.timing import Taken, percentile, timed

TOLD = "built.json"  # what the build took, for the runs that find it built
ASKED, WARM_UP = 100, 10
TOP = 10
FILTERED_SHARES = {"half": "50 %", "small": "5 %", "tiny": "0.5 %"}
LARGE = 100_000  # the size that has bars
RECALL = Bar(0.98, at_least=True)
FILTERED, UNFILTERED = Bar(20, unit=" ms"), Bar(8, unit=" ms")


def run(sizes: Sequence[int], *, rebuild: bool) -> Iterator[Row]:
    for chunks in sizes:
        home = home_of(f"growth-{chunks}")
        if rebuild or not (home / TOLD).exists():
            shutil.rmtree(home, ignore_errors=True)  # what a run that was broken off left too
        yield _built(home, chunks)
        with opened(home, SeededEmbedder()) as index:
            yield from _searched(index, chunks)


def _built(home: Path, chunks: int) -> Row:
    """Build an index, or tell how long it took when it was built."""
    told = home / TOLD
    corpus = home / "corpus" / "corpus.jsonl"
    if not corpus.exists():
        synthetic.write_corpus(corpus, chunks)
    notes.print(f"  indexing {chunks} synthetic chunks in {home} (what is there is kept)")
    processor = time.process_time()
    report = ingested(corpus, home, SeededEmbedder())
    processor = time.process_time() - processor
    (home / VECTOR_CACHE_FILE).unlink(missing_ok=True)  # seeded vectors are made faster than they are read
    if report.upserted:
        spent = {"seconds": report.seconds, "processor_seconds": processor, "chunks": report.chunks}
        told.write_text(json.dumps(spent), encoding="utf-8")
    built = json.loads(told.read_text(encoding="utf-8"))
    megabytes = sum(path.stat().st_size for path in (home / "index").rglob("*") if path.is_file()) / 1e6
    kept = "" if report.upserted else " when it was built"
    spent_shown = f"{built['seconds']:.1f} s ({built['processor_seconds']:.1f} of processor){kept}"
    return Row(
        f"{chunks} chunks: build without embedding, index size",
        f"{spent_shown}, {megabytes:.0f} MB ({built['chunks']} chunks)",
    )


def _searched(index: Generation, chunks: int) -> Iterator[Row]:
    asked = list(synthetic.questions(ASKED + WARM_UP))
    everyone = Viewer(keys=synthetic.keys_for("rest"))
    bar = UNFILTERED if chunks == LARGE else None
    yield _speed(f"{chunks} chunks: retrieval without embedding", _times(index, everyone, asked), bar)
    listed = [timed(lambda text: search_pages(Query(text, everyone), index), _some_words(text)) for text in asked]
    yield _speed(f"{chunks} chunks: literal search of two words", listed[WARM_UP:])
    yield Row(f"{chunks} chunks: recall@{TOP}, all readable", f"{_recall(index, everyone):.3f}")
    for share, shown_share in FILTERED_SHARES.items():
        viewer = Viewer(keys=synthetic.keys_for(share))
        if not index.readable(Scope(viewer.keys, Filters())).page_count:
            continue
        what, recall = f"{chunks} chunks: {shown_share} readable", _recall(index, viewer)
        yield row(f"{what}, recall@{TOP}", recall, f"{recall:.3f}", RECALL if chunks == LARGE else None)
        yield _speed(what, _times(index, viewer, asked), FILTERED if chunks == LARGE else None)


def _speed(what: str, times: Sequence[Taken], bar: Bar | None = None) -> Row:
    p50, p95 = (percentile([one.wall_ms for one in times], q) for q in (50, 95))
    processor = percentile([one.processor_ms for one in times], 50)
    return row(f"{what}, p50 / p95", p50, f"{p50:.2f} / {p95:.2f} ms (p50 of processor time: {processor:.2f})", bar)


def _some_words(text: str) -> str:
    return " ".join(text.strip("¿?").split()[-2:])


def _times(index: Generation, viewer: Viewer, asked: Sequence[str]) -> list[Taken]:
    """Time questions; the seeded embedder answers at once, and the first ones warm what is opened once."""
    return [timed(lambda text: hybrid_search(Query(text, viewer), index), text) for text in asked][WARM_UP:]


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
