"""The `oraculo` command. Each command is a module of bot/commands with a click command named `command`."""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click

from bot.commands.options import global_options
from bot.console.spans import printable
from retrieval.errors import ConfigurationError, OracleError

COMMANDS = ("chat", "ingest", "search", "ask", "retrieve", "evaluate", "calibrate", "telemetry", "doctor", "migrate")
"""In the order a newcomer needs them; `--help` shows it."""

DONE, FAILED, WRONG_CALL, INTERRUPTED = 0, 1, 2, 130


class Commands(click.Group):
    """Imports a command's module when it is asked for: `oraculo search` starts without what `ask` needs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name not in COMMANDS:
            near = get_close_matches(cmd_name, COMMANDS, n=1)
            ctx.fail(f"no such command '{cmd_name}'" + (f"; did you mean '{near[0]}'?" if near else ""))
        command: click.Command = import_module(f"bot.commands.{cmd_name}").command
        return command


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog='Example: oraculo ask "¿Cómo añado una fuente?"',
)
@click.version_option(package_name="oraculo", message="%(version)s")
@global_options
def cli() -> None:
    """Ask your team's markdown wiki, in Spanish or English."""


def main() -> NoReturn:
    """Run the command line and leave with its code: 0 done, 1 the work failed, 2 the call or a setting is wrong."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us (`<&-`)
            setattr(sys, name, Path(os.devnull).open("r+", encoding="utf-8"))  # noqa: SIM115  (for the process)
        # Bytes that are not text, and characters the terminal lacks, become marks instead of tracebacks.
        getattr(sys, name).reconfigure(errors="replace")
    sys.exit(_run())


def _run() -> int:
    try:
        code = cli.main(prog_name="oraculo", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has gone: say nothing, not even when the interpreter flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (click.ClickException, click.Abort, OracleError, OSError) as error:
        return _explain(error)
    return code if isinstance(code, int) else DONE


def _explain(error: Exception) -> int:
    """Print the error on standard error, a line each, and give the exit code.

    It may name a file or quote a page: nothing of them drives the terminal.
    """
    match error:
        case click.exceptions.NoArgsIsHelpError():
            message, code = error.format_message(), WRONG_CALL
            click.echo(message, err=True)
            return code
        case click.UsageError():
            path = error.ctx.command_path if error.ctx else "oraculo"
            message, code = f"{error.format_message().rstrip('.')}; see `{path} --help`", WRONG_CALL
        case click.ClickException():
            message, code = error.format_message(), error.exit_code
        case click.Abort():
            message, code = "interrupted", INTERRUPTED
        case OSError():
            message, code = f"{error.filename or 'the system says'}: {error.strerror or error}", FAILED
        case _:
            message, code = str(error), WRONG_CALL if isinstance(error, ConfigurationError) else FAILED
    for line in printable(message).splitlines():
        click.echo(f"oraculo: {line}", err=True)
    return code


if __name__ == "__main__":
    main()
