"""Where logs go: standard error, so that standard output holds answers alone."""

from __future__ import annotations

import logging
import sys

import structlog

from bot.settings import color_refused


def log_to_standard_error(level: int = logging.WARNING) -> None:
    """Send the program's logs to standard error, a line each, from `level` on."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty() and not color_refused(),
                exception_formatter=structlog.dev.plain_traceback,
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # The stream is looked up at each line: a live display puts its own in the way, to print above itself.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )
