"""The read-answer loop: lines from a person or from a pipe, one answered after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from bot.console.chat import Chat
from bot.console.inbound import read_order
from bot.console.screen import Screen
from bot.console.spans import Look, Span

INTERRUPTED = 130
"""What a shell expects of a process that Ctrl-C ended: 128 and the signal's number."""


def converse(chat: Chat, read: Callable[[], str]) -> None:
    """Talk with a person. Ctrl-C stops the question that runs, and leaves when none does; so does Ctrl-D."""
    with asyncio.Runner() as runner:
        while True:
            try:
                line = read()
            except (EOFError, KeyboardInterrupt):
                chat.leave()
                return
            try:
                if not runner.run(chat.obey(read_order(line))):
                    return
            except KeyboardInterrupt:
                chat.tell_cancelled()


def answer_lines(chat: Chat, lines: Iterable[str], screen: Screen) -> int:
    """Answer each line of a pipe, under the line itself; give the exit code. Ctrl-C ends it all."""
    with asyncio.Runner() as runner:
        try:
            for order in map(read_order, lines):
                shown = f"{order.written} {order.text}".strip()
                if not shown:
                    continue
                screen.lines([(Span(f"› {shown}", Look.TITLE),)])
                if not runner.run(chat.obey(order)):
                    break
        except KeyboardInterrupt:
            return INTERRUPTED
    return 0
