"""Fits the embedding model's calibration: `python -m retrieval.evaluation.fit_relevance DATA HOME CROSS`.

DATA is a folder with `eval/` and `corpora/` as described in their READMEs; HOME keeps the indexes between runs; CROSS
a set of questions in the other language than the pages that answer them (tests/evaluation/cross). A set's questions
are answerable on their own corpus and foreign on the others; sets that share articles or a subject are not paired.
Slices of a few documents stand for the wiki of a team that begins. Prints how every group fares, when its corpus is
left out of the fit and when not, and writes retrieval/calibrations.json with `--write`.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from retrieval.embedding import open_embedder
from retrieval.evaluation.calibration import GroupResult, Observation, as_json, fit, judge, observe
from retrieval.evaluation.datasets import EvaluationSet, read_set
from retrieval.generation import Generation, open_index
from retrieval.ingest.build import ingest
from retrieval.ingest.sources import Source
from retrieval.relevance import Calibration, Prior
from retrieval.types import Embedder

PRIOR = Prior(mean=0.775, deviation=0.022, rows=30)
FOREIGN_SIGNALS = ("cosine", "contrast", "contrast_top", "covered_contrast")
WANTED_FOREIGN_PASS = 0.91  # the promise across languages is .90
CROSS = {"es-en": "silverbullet", "en-es": "workfront"}
ANY_MODEL_SIGNALS = ("contrast", "contrast_top", "coverage", "covered_contrast")
QUESTIONS = 400  # a group
SLICE_SIZES, SLICES = (3, 6, 12, 25), 4
SETS = {"xquad": "xquad-es", "faq": "faq-es", "squad": "squad2-es-dev", "mtrag": "mtrag-cloud-pooled"}
PAGES = {"workfront": "workfront-es", "silverbullet": "silverbullet-wiki-en"}
FOREIGN = (
    *(("xquad", corpus) for corpus in ("faq", "workfront", "silverbullet", "mtrag")),
    *(("squad", corpus) for corpus in ("faq", "workfront", "silverbullet", "mtrag")),
    *(("faq", corpus) for corpus in ("xquad", "squad", "silverbullet")),
    *(("mtrag", corpus) for corpus in ("xquad", "squad")),
)


class Silent:
    def stage(self, name: str, total: int) -> None: ...
    def advance(self, count: int = 1) -> None: ...


def main() -> None:
    data, home, cross = (Path(argument) for argument in sys.argv[1:4])
    embedder = open_embedder("embedded", cache=home / "models")
    observations = [
        *_whole(data, home, embedder),
        *_slices(data, home, embedder),
        *_across_languages(data, home, cross, embedder),
    ]
    fitted = _fitted(observations, embedder.name)
    held_out = list(_held_out(observations, embedder.name))
    for with_all, without in zip(judge(fitted, observations), sorted(held_out, key=_order), strict=True):
        kind = "passed" if with_all.answerable else "refused"
        print(f"{with_all.group:<28} {kind:<8} {with_all.right:.3f}  left out: {without.right:.3f}")
    print(fitted)
    if "--write" in sys.argv:
        any_model = fit(observations, "any", Prior(0.0, 1.0, 0.0), names=ANY_MODEL_SIGNALS)
        written = {"any": as_json(any_model), embedder.name: as_json(fitted)}
        path = Path(__file__).parents[1] / "calibrations.json"
        path.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


def _fitted(observations: Sequence[Observation], model: str) -> Calibration:
    """Fit questions whose best passage is in their own language and the others apart."""
    own = [one for one in observations if not one.signals.foreign]
    others = [one for one in observations if one.signals.foreign]
    apart = fit(others, model, PRIOR, names=FOREIGN_SIGNALS, wanted_pass=WANTED_FOREIGN_PASS, large_group=50)
    return replace(fit(own, model, PRIOR), foreign=apart)


def _across_languages(data: Path, home: Path, cross: Path, embedder: Embedder) -> Iterator[Observation]:
    asked = read_set(cross)
    for battery, corpus in CROSS.items():
        index = _indexed(data / "corpora" / PAGES[corpus] / "pages", home / corpus, embedder)
        texts = [query.text for query in asked.queries if query.battery == battery]
        yield from observe(texts, index, f"{battery} on {corpus}", answerable=True)
        index.close()


def _whole(data: Path, home: Path, embedder: Embedder) -> Iterator[Observation]:
    sets = {name: read_set(data / "eval" / folder, queries=_rewrites(data, name)) for name, folder in SETS.items()}
    corpora = {name: found.corpus for name, found in sets.items()} | {
        name: data / "corpora" / folder / "pages" for name, folder in PAGES.items()
    }
    for corpus, path in corpora.items():
        index = _indexed(path, home / corpus, embedder)
        for name in [name for name in sets if name == corpus or (name, corpus) in FOREIGN]:
            texts = list(dict.fromkeys(query.text for query in sets[name].queries))
            random.Random(7).shuffle(texts)
            yield from observe(texts[:QUESTIONS], index, f"{name} on {corpus}", answerable=name == corpus)
        index.close()


def _rewrites(data: Path, name: str) -> Path | None:
    """Turns of a conversation are no first questions: their stand-alone form is."""
    return data / "eval" / SETS[name] / "queries_rewrite.jsonl" if name == "mtrag" else None


def _slices(data: Path, home: Path, embedder: Embedder) -> Iterator[Observation]:
    rng = random.Random(7)
    sets = {name: read_set(data / "eval" / SETS[name]) for name in ("xquad", "faq")}
    for name, other in (("xquad", "faq"), ("faq", "xquad")):
        records = (sets[name].corpus or Path()).read_text(encoding="utf-8").splitlines()
        for size in SLICE_SIZES:
            for number in range(SLICES):
                chosen = rng.sample(records, size)
                folder = home / "slices" / f"{name}-{size}-{number}"
                folder.mkdir(parents=True, exist_ok=True)
                (folder / "corpus.jsonl").write_text("\n".join(chosen), encoding="utf-8")
                index = _indexed(folder / "corpus.jsonl", folder, embedder)
                yield from observe(_asked_of(sets[name], chosen), index, f"slice of {name}", answerable=True)
                foreign = rng.sample([query.text for query in sets[other].queries], 20)
                yield from observe(foreign, index, f"{other} on slice of {name}", answerable=False)
                index.close()


def _asked_of(data: EvaluationSet, records: Sequence[str]) -> list[str]:
    there = {json.loads(record)["_id"] for record in records}
    return [query.text for query in data.queries if data.relevant[query.id] & there][:20]


def _indexed(path: Path | None, home: Path, embedder: Embedder) -> Generation:
    source = Source(path or Path())
    ingest([source], home, lambda: embedder, embedder_name=embedder.name, progress=Silent())
    return open_index(home, lambda: embedder)


def _held_out(observations: Sequence[Observation], model: str) -> Iterator[GroupResult]:
    """Judge each corpus by a fit that never saw it."""
    corpora = {_corpus(one) for one in observations}
    for corpus in sorted(corpora):
        fitted = _fitted([one for one in observations if _corpus(one) != corpus], model)
        yield from judge(fitted, [one for one in observations if _corpus(one) == corpus])


def _corpus(observation: Observation) -> str:
    return observation.group.rpartition(" on ")[2].removeprefix("slice of ")


def _order(result: GroupResult) -> tuple[bool, str]:
    return (not result.answerable, result.group)


if __name__ == "__main__":
    main()
