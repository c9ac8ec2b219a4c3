"""`oraculo retrieve`: what retrieval finds for a file of queries, one JSON line each."""

from __future__ import annotations

from pathlib import Path

import click

from bot.commands.options import current_settings, global_options, viewer_of, viewer_options


@click.command(name="retrieve", epilog="Example: oraculo retrieve queries.jsonl --top 8 > found.jsonl")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--top", type=click.IntRange(1, 1000), default=8, show_default=True, help="Pages for each query.")
@click.option("--literal", is_flag=True, help="Literal search in place of the hybrid one.")
@click.option("--field", default="text", show_default=True, help="The text of a query, in its JSON line.")
@click.option("--no-hybrid", is_flag=True, help="The semantic list alone.")
@viewer_options
@global_options
def command(*, file: Path, top: int, literal: bool, field: str, no_hybrid: bool, keys: str) -> None:
    """Put the queries of FILE (JSON lines with _id and text) to the index, and print what each one finds."""
    from dataclasses import asdict

    from bot.commands.output import print_json
    from bot.logs import log_to_standard_error
    from bot.wiring import measured_cross_encoder, opened_index
    from retrieval.evaluation.datasets import read_queries
    from retrieval.evaluation.harness import Asking, retrieve

    log_to_standard_error()
    settings = current_settings()
    queries = list(read_queries(file, field))
    encoder = None if literal else measured_cross_encoder(settings)
    with opened_index(settings, literal=literal) as index:
        hybrid = settings.retrieval.hybrid and not no_hybrid
        asking = Asking(viewer_of(keys), top, literal, hybrid, encoder=encoder)
        for found in retrieve(queries, index, asking):
            line = {"_id": found.id, "results": [asdict(page) for page in found.results]}
            print_json({**line, "relevance": found.relevance, "ms": round(found.ms, 3)}, indent=None)
