"""`oraculo migrate`: bring the database up to date."""

from __future__ import annotations

import click

from bot.commands.options import current_settings, global_options


@click.command(name="migrate", epilog="Example: oraculo migrate --config oraculo.toml")
@global_options
def command() -> None:
    """Make the database's tables, or bring them up to date. The bot does so by itself; a deployment may do it first."""
    from bot import wiring
    from bot.commands.output import print_lines
    from bot.console.spans import Span
    from storage.faults import place
    from storage.migrations import HEAD, Schema, migrate, schema_of

    with wiring.database(current_settings()) as engine:
        before = schema_of(engine)
        migrate(engine)
    done = "was up to date" if before is Schema.CURRENT else "is up to date now"
    print_lines([(Span(f"[OK] migrate :: {place(engine.url)} {done} (revision {HEAD})"),)])
