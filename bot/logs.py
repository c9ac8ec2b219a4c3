"""Where logs go: standard error, so that standard output holds answers alone."""

from __future__ import annotations

import logging
import sys
from io import StringIO
from typing import TextIO

import structlog
from structlog.typing import EventDict, ExcInfo, WrappedLogger

from bot.console.spans import one_row, printable
from bot.settings import color_refused


def log_to_standard_error(level: int = logging.WARNING) -> None:
    """Send the program's logs to standard error, a line each, from `level` on.

    Values name files and quote pages, models and exceptions: nothing of them drives the terminal.
    """
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
            _in_one_row,
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty() and not color_refused(),
                exception_formatter=_printable_traceback,
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # The stream is looked up at each line: a live display puts its own in the way, to print above itself.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )


def _in_one_row(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    # The renderer shows the `repr` of what is no text, where control characters are escaped already.
    return {key: one_row(value) if isinstance(value, str) else value for key, value in event.items()}


def _printable_traceback(output: TextIO, error: ExcInfo) -> None:
    written = StringIO()
    structlog.dev.plain_traceback(written, error)
    output.write(printable(written.getvalue()))
