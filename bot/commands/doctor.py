"""`oraculo doctor`: what works, what does not, and how to mend it."""

from __future__ import annotations

import click

from bot.commands.options import current_settings, global_options, json_option


@click.command(
    name="doctor", short_help="Check every part, and say how to mend it.", epilog="Example: oraculo doctor --online"
)
@click.option("--online", is_flag=True, help="Ask the language model for a word too; it costs a few tokens.")
@json_option
@global_options
def command(*, online: bool, as_json: bool) -> int:
    """Check the settings, the sources, the index, the database and the models, and say how to mend what is wrong."""
    from bot.commands.output import print_json, print_lines
    from bot.console.spans import Look, Span, one_line
    from bot.doctor import diagnose

    settings = current_settings()
    looks = {"ok": Look.QUIET, "warn": Look.MATCH, "fail": Look.LABEL}
    checks = []
    for check in diagnose(settings, online=online):
        checks.append(check)
        if not as_json:
            line = (Span(f"{check.verdict:<5}", looks[check.verdict]), Span(f"{check.part}: {one_line(check.finding)}"))
            print_lines([line])
    if as_json:
        print_json([{"part": c.part, "verdict": c.verdict, "finding": c.finding} for c in checks])
    return 1 if any(check.verdict == "fail" for check in checks) else 0
