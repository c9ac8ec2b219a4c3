"""`oraculo evaluate`: how well an index answers a set of questions with known pages."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.commands.options import current_settings, global_options, json_option, viewer_of, viewer_options

if TYPE_CHECKING:
    from bot.settings import Settings


@click.command(name="evaluate", epilog="Example: oraculo evaluate my-questions --pages wiki")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--pages", type=click.Path(path_type=Path), help="The folder of pages the set asks about.")
@click.option("--queries", type=click.Path(path_type=Path), help="Another file of questions than DIR/queries.jsonl.")
@click.option("--field", default="text", show_default=True, help="The text of a query, in its JSON line.")
@click.option("--literal", is_flag=True, help="Literal search in place of the hybrid one.")
@click.option("--no-hybrid", is_flag=True, help="The semantic list alone.")
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
    keys: str,
    as_json: bool,
) -> None:
    """Measure retrieval on the set in DIR: queries.jsonl, qrels.tsv, and corpus.jsonl or --pages.

    A set with a corpus, or with --pages, is asked of an index of its own under the home; one without, of the home's.
    """
    from bot.commands.output import print_json
    from bot.logs import log_to_standard_error
    from bot.wiring import embedder
    from retrieval import open_index
    from retrieval.evaluation.datasets import read_set
    from retrieval.evaluation.harness import Asking, evaluate

    log_to_standard_error()
    settings = current_settings()
    data = read_set(folder, queries=queries, field=field)
    corpus = pages or data.corpus
    home = settings.home if corpus is None else _indexed(corpus, settings)
    index = open_index(home, embedder(settings))
    try:
        hybrid = settings.retrieval.hybrid and not no_hybrid
        asking = Asking(viewer_of(keys), literal=literal, hybrid=hybrid, floor=settings.retrieval.floor)
        measured = evaluate(data, index, asking)
    finally:
        index.close()
    if as_json or not sys.stdout.isatty():
        print_json(measured)
    else:
        _print_table(measured)


def _indexed(corpus: Path, settings: Settings) -> Path:
    """Index a set's corpus apart from the home's own pages, and give where."""
    import hashlib

    from bot.commands.progress import shown_progress
    from bot.wiring import embedder, embedder_name
    from retrieval.ingest.build import ingest
    from retrieval.ingest.sources import Source

    name = hashlib.sha256(str(corpus.resolve()).encode()).hexdigest()[:12]
    home = settings.home / "evaluation" / name
    with shown_progress(quiet=False) as progress:
        ingest([Source(corpus)], home, embedder(settings), embedder_name=embedder_name(settings), progress=progress)
    return home


def _print_table(measured: Mapping[str, object]) -> None:
    """One line a figure; groups of figures on a line of their own."""
    for name, value in measured.items():
        if isinstance(value, Mapping):
            click.echo(f"{name}:")
            for inner, figures in value.items():
                click.echo(f"  {inner:<20} {_figures(figures)}")
        else:
            click.echo(f"{name:<12} {value}")


def _figures(value: object) -> str:
    if isinstance(value, Mapping):
        return "  ".join(f"{name} {figure}" for name, figure in value.items())
    return str(value)
