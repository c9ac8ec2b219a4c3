"""`oraculo chat`: a conversation in the terminal, or the answers to the lines of a pipe."""

from __future__ import annotations

import sys
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING

import click

from bot.commands.options import current_settings, global_options, viewer_of, viewer_options

if TYPE_CHECKING:
    from bot.answering import Services


@click.command(
    name="chat",
    short_help="Talk with the wiki in the terminal.",
    epilog='Example: echo "¿Cómo añado una fuente?" | oraculo chat',
)
@viewer_options
@global_options
def command(*, keys: str) -> int:
    """Talk with the wiki: questions get answers with sources, a few words get the pages that hold them.

    A question may be followed up. Lines of a pipe are answered one by one.
    """
    from uuid import uuid4

    from bot import wiring
    from bot.commands.output import screen_for
    from bot.console.chat import Chat, Manner
    from bot.console.inbound import Command, name_of
    from bot.console.loop import answer_lines, converse
    from bot.console.prompt import Prompt
    from bot.console.spans import Look, Span

    viewer, settings = viewer_of(keys), current_settings()
    voice = wiring.voice(settings)
    screen = screen_for(sys.stdout)
    with wiring.services(settings) as services:
        manner = Manner(viewer, lambda: uuid4().hex, hybrid=settings.retrieval.hybrid)
        chat = Chat(services, voice, screen, manner)
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            return answer_lines(chat, sys.stdin, screen)
        warm_up(services)
        names = {key: name_of(name, voice.locale) for key, name in (("help", Command.HELP), ("quit", Command.QUIT))}
        screen.lines([(Span(voice.say("welcome", **names), Look.QUIET),)])
        converse(chat, Prompt())
    return 0


def warm_up(services: Services) -> None:
    """Load the embedding model while the first question is being typed."""

    def load() -> None:
        # What is wrong is told by the question that needs it.
        with suppress(Exception):
            services.index().embedder.queries(["hola"])

    # Not a daemon: leaving while a native library is half way through its loading crashes the process.
    Thread(target=load, name="warm-up").start()
