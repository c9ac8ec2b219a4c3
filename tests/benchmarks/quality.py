"""How well questions find their pages: the sets of the measuring data, by the project's own harness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from retrieval.evaluation.datasets import EvaluationSet, read_set
from retrieval.evaluation.harness import Asking, evaluate
from tests.benchmarks.figures import Bar, Row, notes, row
from tests.benchmarks.places import data, embedder, home_of, opened, up_to_date, workfront_home

BARS = {
    "xquad-es": ("mrr@10", Bar(0.960, at_least=True)),
    "faq-es": ("hit@8", Bar(0.55, at_least=True)),
    "squad2-es-dev": ("recall@5", Bar(0.94, at_least=True)),
}
METRICS = ("recall@1", "recall@5", "hit@8", "mrr@10", "ndcg@10")
ALL_FOUND = Bar(1.0, at_least=True)


def run() -> Iterator[Row]:
    for name in BARS:
        yield from _own_corpus(name)
    yield from _battery()


def _own_corpus(name: str) -> Iterator[Row]:
    """Ask a set of the corpus that it brings."""
    asked = read_set(data("eval", name))
    if asked.corpus is None:
        return
    up_to_date(name, asked.corpus)
    measured = _measured(name, asked, home_of(name))
    metric, bar = BARS[name]
    yield row(f"{name} {metric}", measured[metric], f"{measured[metric]:.4f}", bar)
    yield Row(f"{name}, the others", _others(measured, metric))
    missed = measured.get("near_misses")
    passed = f"answerable {measured['relevance']['passed']:.3f}"
    yield Row(f"{name}, above the floor", passed + (f"; near misses {1 - missed['refused']:.3f}" if missed else ""))


def _battery() -> Iterator[Row]:
    name = "battery-workfront-es"
    for battery, measured in _measured(name, read_set(data("eval", name)), workfront_home())["batteries"].items():
        yield Row(f"battery {battery}", f"hit@8 {measured['hit@8']:.3f}; {_others(measured, 'hit@8')}")
        words, quoted = measured["literal_found"], measured["literal_found_quoted"]
        yield row(f"battery {battery}, literal, as words", words, f"{words:.3f}", ALL_FOUND)
        # Three words of a title need not stand side by side.
        bar = None if battery.startswith("title") else ALL_FOUND
        yield row(f"battery {battery}, literal, as a phrase", quoted, f"{quoted:.3f}", bar)


def _measured(name: str, asked: EvaluationSet, home: Path) -> Mapping[str, Any]:
    notes.print(f"  asking {name}: {len(asked.queries)} queries")
    with opened(home, embedder()) as index:
        return evaluate(asked, index, Asking())


def _others(measured: Mapping[str, Any], metric: str) -> str:
    return ", ".join(f"{name} {measured[name]:.3f}" for name in METRICS if name != metric)
