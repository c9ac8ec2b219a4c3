"""`oraculo ingest`: build a generation of the index and publish it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.commands.options import current_settings, global_options, json_option

if TYPE_CHECKING:
    from retrieval.ingest.build import IngestReport

INTERRUPTED = 130


@click.command(name="ingest", epilog="Example: oraculo ingest --source docs --home .oraculo")
@click.option(
    "--full", is_flag=True, help="Build every file of the index anew; text embedded before is not embedded again."
)
@click.option(
    "--source",
    "folders",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="DIR",
    help="Index this folder, and not the sources of the settings file. Repeatable.",
)
@click.option("--quiet", is_flag=True, help="Show no progress and no summary; faults and errors still appear.")
@json_option
@global_options
def command(*, full: bool, folders: tuple[Path, ...], quiet: bool, as_json: bool) -> None:
    """Read the sources, build the index and publish it.

    Text that has not changed is not embedded again. Until the new index is whole, the old one serves.
    """
    from bot import wiring
    from bot.commands.documents import ingest_document
    from bot.commands.output import print_fault, print_json
    from bot.commands.progress import shown_progress
    from retrieval.ingest.build import ingest

    settings = current_settings()
    sources = wiring.sources(settings, folders)
    embedder = wiring.embedder(settings)
    try:
        with shown_progress(quiet=quiet) as progress:
            report = ingest(
                sources,
                settings.home,
                embedder,
                embedder_name=wiring.embedder_name(settings),
                full=full,
                progress=progress,
            )
    except KeyboardInterrupt:
        click.echo("oraculo: interrupted; what was embedded is kept: run `oraculo ingest` again to go on", err=True)
        click.get_current_context().exit(INTERRUPTED)
    for fault in report.failures:
        print_fault(f"{fault.path}: {fault.error}")
    if as_json:
        print_json(ingest_document(report))
    elif not quiet:
        click.echo(summary(report))


def summary(report: IngestReport) -> str:
    """The line that ends an ingest; scripts read it."""
    return (
        f"[OK] ingest {report.seconds:.1f}s :: Docs: {report.pages}, Upserted: {report.upserted},"
        f" Pruned: {report.pruned}, Failures: {len(report.failures)}"
    )
