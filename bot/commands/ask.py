"""`oraculo ask`: one question, one answer."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.commands.options import current_settings, global_options, json_option, text_of, viewer_of, viewer_options

if TYPE_CHECKING:
    from bot.answering import Services
    from bot.console.screen import Screen
    from bot.messages import Answer, Question
    from bot.texts.voice import Voice


@click.command(name="ask", epilog='Example: oraculo ask "¿Cómo añado una fuente?" --why --json')
@click.argument("words", metavar="TEXT", nargs=-1, required=True)
@click.option(
    "--history",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help='The turns before: JSON lines, or a list, of {"speaker", "role": "user" or "oracle", "text"}.',
)
@click.option(
    "--mode",
    type=click.Choice(["oracle", "help", "tutor"]),
    default="oracle",
    show_default=True,
    help="Answer, give steps, or teach.",
)
@click.option("--no-hybrid", is_flag=True, help="Search by meaning alone.")
@click.option("--why", is_flag=True, help="Explain where the passages come from.")
@viewer_options
@json_option
@global_options
def command(
    *,
    words: tuple[str, ...],
    history: Path | None,
    mode: str,
    no_hybrid: bool,
    why: bool,
    keys: str,
    as_json: bool,
) -> int:
    """Answer TEXT from the wiki, with its sources."""
    from uuid import uuid4

    from bot import wiring
    from bot.commands.documents import answer_document
    from bot.commands.history import read_history
    from bot.commands.output import print_json, screen_for
    from bot.console.render import Rendering, answer_blocks, show
    from bot.console.screen import PlainScreen
    from bot.console.why import why_lines
    from bot.messages import Conversation, Mode, Outcome, Question

    text, viewer, settings = text_of(words), viewer_of(keys), current_settings()
    said = read_history(history) if history else ()
    voice = wiring.voice(settings)
    screen = PlainScreen(sys.stderr) if as_json else screen_for(sys.stdout)
    with wiring.services(settings) as services:
        question = Question(
            id=uuid4().hex,
            text=text,
            asker=viewer.user,
            conversation=Conversation(),
            viewer=viewer,
            locale=voice.locale,
            asked_at=services.clock(),
            history=said,
            mode=Mode(mode),
            hybrid=settings.retrieval.hybrid and not no_hybrid,
        )
        started = time.perf_counter()
        answer = asyncio.run(_answered(question, services, screen, voice))
        duration_ms = (time.perf_counter() - started) * 1000
        today = services.clock().date()
        if as_json:
            print_json(answer_document(answer, duration_ms, why=why))
        else:
            show(answer_blocks(answer, text, Rendering(voice, today)), screen)
            if why and answer.explanation:
                screen.lines(list(why_lines(answer, voice)))
    return 1 if answer.outcome is Outcome.FAILED else 0


async def _answered(question: Question, services: Services, screen: Screen, voice: Voice) -> Answer:
    from bot.answering import answer_question
    from bot.console.screen import stage_names

    with screen.waiting(stage_names(voice)) as progress:
        return await answer_question(question, services, progress)
