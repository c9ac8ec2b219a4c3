"""Retrieval of a question on workfront-es, beside the bare embedding of the same question, one thread in both."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence

from retrieval import Generation, hybrid_search
from retrieval.embedding_models import open_model
from retrieval.evaluation.datasets import read_set
from retrieval.types import Query
from tests.benchmarks.children import run as run_process
from tests.benchmarks.figures import Bar, Row, notes, read, row
from tests.benchmarks.places import CHECKOUT, DATA_VARIABLE, MODELS, data, embedder, opened, workfront_home
from tests.benchmarks.timing import by_turns, percentile

WARM_UP = 40
ASKED = 360
AT_MOST = Bar(1.6)
BLAS_VARIABLE = "OPENBLAS_NUM_THREADS"


def run() -> Iterator[Row]:
    """Measure here, and once more in a process whose matrix products use one thread."""
    questions = list(dict.fromkeys(query.text for query in read_set(data("eval", "faq-es")).queries))
    with opened(workfront_home(), embedder(threads=1)) as index:
        yield from _measured(questions[: WARM_UP + ASKED], index)
    if BLAS_VARIABLE in os.environ:
        return
    notes.print(f"  once more with {BLAS_VARIABLE}=1")
    extra = {BLAS_VARIABLE: "1", DATA_VARIABLE: str(data())}
    again = run_process(sys.executable, "-m", "tests.benchmarks", "retrieval", "--json", extra=extra, folder=CHECKOUT)
    for one in read(again.output):
        yield Row(f"{one.what}, {BLAS_VARIABLE}=1", one.figure, one.bar, one.verdict)


def _measured(questions: Sequence[str], index: Generation) -> Iterator[Row]:
    """Ask each question once, so that no query comes from the cache."""
    bare = open_model("embedded", MODELS)
    stages: dict[str, list[float]] = {}

    def ours(text: str) -> None:
        for stage, taken in hybrid_search(Query(text), index).timings_ms.items():
            stages.setdefault(stage, []).append(taken)

    def theirs(text: str) -> None:
        list(bare.model.query_embed([bare.prefixes.query + text]))

    by_turns(ours, theirs, questions[:WARM_UP])
    stages.clear()
    times = by_turns(ours, theirs, questions[WARM_UP:])
    yield row("hybrid_search / bare embedding, p50", times.ratio, str(times), AT_MOST)
    p95 = percentile([one.wall_ms for one in times.ours], 95)
    yield row("hybrid_search, p95", p95, f"{p95:.2f} ms")
    shown = ", ".join(
        f"{stage} {percentile(taken, 50):.2f}/{percentile(taken, 95):.2f}" for stage, taken in stages.items()
    )
    yield Row("its stages, p50/p95 ms", shown)
