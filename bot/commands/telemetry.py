"""`oraculo telemetry`: the last turns, as they were stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from bot.commands.options import current_settings, global_options, json_option

if TYPE_CHECKING:
    from bot.console.spans import Line
    from bot.settings import Settings
    from storage.telemetry import Turn


@click.command(name="telemetry", short_help="Show the last turns.", epilog="Example: oraculo telemetry --last 20")
@click.option("--last", type=click.IntRange(min=1), default=20, show_default=True, help="How many turns.")
@json_option
@global_options
def command(*, last: int, as_json: bool) -> None:
    """Show the last turns, newest first: when, how it went, how long it took, the question.

    Answers are never stored, and of the user only a keyed hash.
    """
    from bot import wiring
    from bot.commands.output import print_json, print_lines
    from storage.telemetry import read_turns

    settings = current_settings()
    with wiring.database(settings) as engine:
        turns = read_turns(engine, last)
    if as_json:
        print_json([_document(turn, settings) for turn in turns])
    else:
        print_lines(_lines(turns, settings))


def cost_usd(turn: Turn, settings: Settings) -> float | None:
    """What the model's tokens cost, in US dollars; None when no price is set for the model."""
    price = settings.model.prices.get(turn.model)
    if price is None:
        return None
    return (turn.prompt_tokens * price.prompt + turn.answer_tokens * price.answer) / 1_000_000


def _document(turn: Turn, settings: Settings) -> dict[str, Any]:
    document = asdict(turn)
    document["created_at"] = turn.created_at.isoformat()
    document["stages_ms"] = dict(turn.stages_ms)
    document["cost_usd"] = cost_usd(turn, settings)
    return document


def _lines(turns: Sequence[Turn], settings: Settings) -> Iterator[Line]:
    from bot.console.spans import Look, Span, one_line

    if not turns:
        yield (Span("no turns have been stored yet; ask something with `oraculo ask` or `oraculo chat`"),)
    for turn in turns:
        relevance = "  -  " if turn.top_relevance is None else f"{turn.top_relevance:5.2f}"
        cost = cost_usd(turn, settings)
        yield (
            Span(f"{turn.created_at:%Y-%m-%d %H:%M:%S}  ", Look.QUIET),
            Span(f"{turn.outcome:<10}", Look.LABEL),
            Span(f" {turn.platform:<8} {relevance} {turn.sources_count:>2} {turn.duration_ms:>7.0f} ms  "),
            Span(one_line(turn.question), Look.TITLE),
            Span(f"  {turn.model}" if turn.model else "", Look.QUIET),
            Span("" if cost is None else f"  ${cost:.4f}", Look.QUIET),
        )
