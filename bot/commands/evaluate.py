"""`oraculo evaluate`: how well an index answers a set of questions with known pages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.commands.options import (
    config_name,
    current_settings,
    global_options,
    json_option,
    viewer_of,
    viewer_options,
)

if TYPE_CHECKING:
    from bot.settings import Settings
    from retrieval import Generation
    from retrieval.evaluation.harness import Asking


@click.command(name="evaluate", epilog="Example: oraculo evaluate my-questions --pages wiki --why-missed")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--pages", type=click.Path(path_type=Path), help="The folder of pages the set asks about.")
@click.option("--queries", type=click.Path(path_type=Path), help="Another file of questions than DIR/queries.jsonl.")
@click.option("--field", default="text", show_default=True, help="The text of a query, in its JSON line.")
@click.option("--literal", is_flag=True, help="Literal search in place of the hybrid one.")
@click.option("--no-hybrid", is_flag=True, help="The semantic list alone.")
@click.option(
    "--against",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Compare, query by query, with the hybrid search that another settings file gives.",
)
@click.option("--why-missed", is_flag=True, help="List the misses, and where each list had the right page.")
@viewer_options
@json_option
@global_options
def command(
    *,
    folder: Path,
    pages: Path | None,
    queries: Path | None,
    field: str,
    literal: bool,
    no_hybrid: bool,
    against: Path | None,
    why_missed: bool,
    keys: str,
    as_json: bool,
) -> None:
    """Measure retrieval on the set in DIR: queries.jsonl, qrels.tsv, and corpus.jsonl or --pages.

    A set with a corpus, or with --pages, is asked of an index of its own under the home; one without, of the home's.
    --literal and --no-hybrid are of this side of a comparison alone.
    """
    from bot.commands.evaluation_lines import evaluation_lines
    from bot.commands.output import print_json, print_lines
    from bot.logs import log_to_standard_error
    from bot.settings import settings_beside
    from bot.wiring import measured_cross_encoder
    from retrieval.evaluation.comparison import compare
    from retrieval.evaluation.datasets import read_set
    from retrieval.evaluation.harness import Asking, report, run
    from retrieval.evaluation.misses import missed

    log_to_standard_error()
    settings, viewer = current_settings(), viewer_of(keys)
    other = settings_beside(settings, against) if against else None
    data = read_set(folder, queries=queries, field=field)
    corpus = pages or data.corpus
    hybrid = settings.retrieval.hybrid and not no_hybrid
    encoder = None if literal else measured_cross_encoder(settings)
    asking = Asking(viewer, literal=literal, hybrid=hybrid, floor=settings.retrieval.floor, encoder=encoder)
    with _opened(corpus, settings) as index:
        measured = run(data, index, asking)
        document: dict[str, Any] = {**report(data, measured, index, viewer)}
        this = _configuration(config_name(), settings, asking, index)
        if why_missed:
            document["missed"] = [_renamed(asdict(miss)) for miss in missed(data, measured, index, asking)]
    if other and against:
        encoder = measured_cross_encoder(other)
        asking = Asking(viewer, hybrid=other.retrieval.hybrid, floor=other.retrieval.floor, encoder=encoder)
        with _opened(corpus, other) as index:
            that = _configuration(str(against), other, asking, index)
            compared = compare(measured, run(data, index, asking))
        document["against"] = {"this": this, "that": that, **asdict(compared)}
    if as_json or not sys.stdout.isatty():
        print_json(document)
    else:
        print_lines(evaluation_lines(document))


@contextmanager
def _opened(corpus: Path | None, settings: Settings) -> Iterator[Generation]:
    from bot.wiring import opened_index

    with opened_index(settings, settings.home if corpus is None else _indexed(corpus, settings)) as index:
        yield index


def _indexed(corpus: Path, settings: Settings) -> Path:
    """Index a set's corpus apart from the home's own pages, a folder for each model, and give where."""
    import hashlib

    from bot.commands.progress import shown_progress
    from bot.wiring import embedder, embedder_name
    from retrieval.ingest.build import ingest
    from retrieval.ingest.sources import Source

    model = embedder_name(settings)
    name = hashlib.sha256(f"{corpus.resolve()}\n{model}".encode()).hexdigest()[:12]
    home = settings.home / "evaluation" / name
    with shown_progress(quiet=False) as progress:
        ingest([Source(corpus)], home, embedder(settings), embedder_name=model, progress=progress)
    return home


def _configuration(config: str, settings: Settings, asking: Asking, index: Generation) -> dict[str, object]:
    search = "literal" if asking.literal else "hybrid" if asking.hybrid else "semantic"
    return {
        "config": config,
        "home": str(settings.home),
        "generation": index.stamp,
        "embedding": index.manifest.embedder,
        "search": search,
        "rerank": asking.encoder.name if asking.encoder else "none",
        "floor": asking.floor,
    }


def _renamed(miss: dict[str, Any]) -> dict[str, Any]:
    """Name the query's id as the set does."""
    return {"_id": miss.pop("id"), **miss}
