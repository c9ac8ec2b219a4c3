"""The conversation: what each order does, and what is remembered between them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

import structlog

from bot.answering import Services, answer_question
from bot.console.inbound import Command, Order, name_of, near_name
from bot.console.listing import EMPTY
from bot.console.render import Rendering, answer_blocks, show
from bot.console.screen import Screen, stage_names
from bot.console.sources import passages_lines
from bot.console.spans import Look, Span
from bot.messages import (
    HISTORY_LIMIT_TURNS,
    Answer,
    Conversation,
    Mode,
    Outcome,
    Question,
    Route,
)
from bot.texts.voice import Voice
from retrieval import search_pages
from retrieval.errors import OracleError
from retrieval.types import PageListing, Query, Said, Viewer

log = structlog.get_logger("console")


@dataclass(frozen=True, slots=True)
class Manner:
    """Who asks, and how every question of a conversation is asked. `new_id` names questions and conversations."""

    viewer: Viewer
    new_id: Callable[[], str]
    mode: Mode = Mode.ORACLE
    hybrid: bool = True


class Chat:
    """One person at a terminal. Only this process remembers the conversation."""

    def __init__(self, services: Services, voice: Voice, screen: Screen, manner: Manner) -> None:
        self._services = services
        self._voice = voice
        self._screen = screen
        self._manner = manner
        self._start()

    def _start(self) -> None:
        self._thread = self._manner.new_id()
        self._history: tuple[Said, ...] = ()
        self._text = ""
        self._answer: Answer | None = None
        self._sources: Answer | None = None

    async def obey(self, order: Order) -> bool:
        """Do what a line asks; False when the conversation is over. Errors are told, never raised."""
        try:
            return await self._obey(order)
        except OracleError as error:
            self._tell("turn-failed", reason=str(error))
        except BrokenPipeError:
            raise  # nobody reads any more; there is nobody to tell
        except Exception:  # the outermost edge: whoever waits gets an answer, and the log the reason
            log.exception("a turn failed")
            self._tell("answer-failed")
        return True

    def leave(self) -> None:
        """Say goodbye to somebody who left at the prompt, on a line of its own."""
        self._screen.lines([EMPTY])
        self._tell("goodbye")

    def tell_cancelled(self) -> None:
        """Say that the running question was stopped."""
        self._tell("cancelled")

    async def _obey(self, order: Order) -> bool:
        match order.command:
            case Command.QUIT:
                self._tell("goodbye")
                return False
            case Command.HELP:
                self._screen.lines([*((Span(row),) for row in self._voice.say("console-help").splitlines()), EMPTY])
            case Command.NEW:
                self._start()
                self._tell("new-conversation")
            case Command.SOURCES:
                self._show_sources(order.text)
            case Command.MORE:
                await self._show_more()
            case Command.UNKNOWN:
                near = near_name(order.written)
                key = "unknown-command-near" if near else "unknown-command"
                help_name = name_of(Command.HELP, self._voice.locale)
                self._tell(key, command=order.written, **({"near": near} if near else {"help": help_name}))
            case _:
                await self._converse(order)
        return True

    async def _converse(self, order: Order) -> None:
        text = order.text or self._text
        if not text and order.written:
            example = "example-search" if order.command is Command.SEARCH else "example-ask"
            self._tell("command-needs-text", command=order.written, example=self._voice.say(example))
        if not text:
            return
        self._text = text
        routes = {Command.SEARCH: Route.LITERAL, Command.ASK: Route.ORACLE}
        answer = await self._ask(self._question(text, routes.get(order.command)))
        self._remember(text, answer)
        self._show(answer)

    def _question(self, text: str, route: Route | None) -> Question:
        manner = self._manner
        return Question(
            id=manner.new_id(),
            text=text,
            asker=manner.viewer.user,
            conversation=Conversation(thread=self._thread),
            viewer=manner.viewer,
            locale=self._voice.locale,
            asked_at=self._services.clock(),
            history=self._history,
            route=route,
            mode=manner.mode,
            hybrid=manner.hybrid,
        )

    async def _ask(self, question: Question) -> Answer:
        with self._screen.waiting(stage_names(self._voice)) as progress:
            return await answer_question(question, self._services, progress)

    def _remember(self, text: str, answer: Answer) -> None:
        """Keep what the oracle was asked and said; a listing, small talk or a failure is no thread to follow up."""
        self._answer = answer
        if answer.citations:
            self._sources = answer
        if answer.route is not Route.ORACLE or answer.outcome is Outcome.FAILED:
            return
        said = (
            Said(self._voice.say("speaker-user"), "user", text),
            Said(self._voice.say("speaker-oracle"), "oracle", answer.text),
        )
        self._history = (*self._history, *said)[-HISTORY_LIMIT_TURNS:]

    def _show(self, answer: Answer) -> None:
        rendering = Rendering(self._voice, self._services.clock().date(), hints=True)
        show(answer_blocks(answer, self._text, rendering), self._screen)
        self._screen.lines([EMPTY])

    async def _show_more(self) -> None:
        listing = self._answer.listing if self._answer else None
        if self._answer is None or listing is None or listing.page >= listing.pages:
            self._tell("no-more-pages")
            return
        query = Query(self._text, self._manner.viewer)
        more = await asyncio.to_thread(self._listed, query, listing.page + 1)
        self._answer = replace(self._answer, listing=more)
        self._show(self._answer)

    def _listed(self, query: Query, page: int) -> PageListing:
        # The index too is asked for on the thread: a generation published meanwhile is verified and opened there.
        return search_pages(query, self._services.index(), page=page)

    def _show_sources(self, text: str) -> None:
        citations = self._sources.citations if self._sources else ()
        if not citations:
            self._tell("no-sources")
            return
        chosen = [citation for citation in citations if text in ("", str(citation.number))]
        if not chosen:
            self._tell("no-such-source", count=len(citations))
            return
        self._screen.lines(list(passages_lines(chosen, self._services.clock().date(), self._voice)))

    def _tell(self, key: str, **values: str | float) -> None:
        self._screen.lines([(Span(self._voice.say(key, **values), Look.QUIET),)])
