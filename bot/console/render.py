"""An answer as blocks for a screen: markdown, and lines laid out here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from bot.console.inbound import Command, name_of
from bot.console.listing import EMPTY, listing_lines
from bot.console.screen import Screen
from bot.console.sources import sources_lines
from bot.console.spans import Line, Look, Span
from bot.language import written_in
from bot.messages import Answer, Outcome, Route
from bot.texts.voice import Voice

Block = str | tuple[Line, ...]
"""Markdown, or lines."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a rendering depends on besides the answer. `hints`: offer the other way (only where one can type it)."""

    voice: Voice
    today: date
    hints: bool = False


def answer_blocks(answer: Answer, text: str, rendering: Rendering) -> Iterator[Block]:
    """Render the answer to `text`: a listing, or the answer's words with its notice and its sources.

    What stands around an answer is in the language of the answer's own words, the question's; a listing, which answers
    a few words, in the terminal's.
    """
    voice = rendering.voice
    if answer.listing is not None:
        yield tuple(listing_lines(answer.listing, text, voice))
    else:
        voice = Voice(voice.texts, written_in(text, voice.locale))
        yield answer.text
        yield from _apart(_notice(answer, voice))
        yield from _apart(sources_lines(answer.citations, answer.outcome, rendering.today, voice))
    if rendering.hints:
        yield from _apart(_hints(answer, voice))


def show(blocks: Iterator[Block], screen: Screen) -> None:
    """Put the blocks on the screen, in order."""
    for block in blocks:
        if isinstance(block, str):
            screen.markdown(block)
        else:
            screen.lines(block)


def _apart(lines: Iterator[Line]) -> Iterator[Block]:
    """The lines after an empty one, when there are any."""
    block = tuple(lines)
    if block:
        yield (EMPTY, *block)


def _notice(answer: Answer, voice: Voice) -> Iterator[Line]:
    if answer.notice:
        yield (Span(voice.say(answer.notice), Look.QUIET),)


def _hints(answer: Answer, voice: Voice) -> Iterator[Line]:
    listing = answer.listing
    if listing is not None and listing.page < listing.pages:
        yield (Span(voice.say("listing-more", command=name_of(Command.MORE, voice.locale)), Look.QUIET),)
    if answer.route is Route.LITERAL:
        yield (Span(voice.say("other-way-ask", command=name_of(Command.ASK, voice.locale)), Look.QUIET),)
    elif answer.route is Route.ORACLE and answer.outcome is not Outcome.FAILED:
        yield (Span(voice.say("other-way-search", command=name_of(Command.SEARCH, voice.locale)), Look.QUIET),)
