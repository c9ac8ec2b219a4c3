"""The layout of an answer's sources: numbered, with product, age and where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from bot.console.listing import EMPTY, page_labels
from bot.console.spans import Line, Look, Span, one_line, printable, web_link
from bot.messages import Citation, Outcome
from bot.texts.voice import Voice
from retrieval.types import Page

MONTH_DAYS = 30.44
YEAR_DAYS = 365.25


def sources_lines(citations: Sequence[Citation], outcome: Outcome, today: date, voice: Voice) -> Iterator[Line]:
    """Lay out `[n] title — product · age · address`, one line each; nothing without citations.

    Only what an answer leans on is called its sources: the nearest pages of an abstention are introduced by its text.
    """
    if citations and outcome is Outcome.ANSWERED:
        yield (Span(voice.say("sources-heading"), Look.HEADING),)
    for citation in citations:
        yield _source(citation, today, voice)


def passages_lines(citations: Sequence[Citation], today: date, voice: Voice) -> Iterator[Line]:
    """Lay out the sources with the passages themselves, as they stand in the pages."""
    for citation in citations:
        yield _source(citation, today, voice)
        heading = citation.passage.chunk.heading
        if heading:
            yield Span("    "), Span(one_line(heading), Look.QUIET)
        for row in printable(citation.passage.chunk.text).strip().splitlines():
            yield Span("    │ ", Look.QUIET), Span(row)
        yield EMPTY


def age(updated: date, today: date, voice: Voice) -> str:
    """Say how long ago a page was updated, in the largest unit that fits."""
    days = max(0, (today - updated).days)
    if days >= YEAR_DAYS:
        return voice.say("age-years", count=int(days / YEAR_DAYS))
    if days >= MONTH_DAYS:
        return voice.say("age-months", count=int(days / MONTH_DAYS))
    return voice.say("age-days", count=days)


def _source(citation: Citation, today: date, voice: Voice) -> Line:
    page = citation.passage.page
    details = " · ".join(filter(None, map(one_line, _details(page, today, voice))))
    return (
        Span(f"[{citation.number}] "),
        Span(one_line(page.title), Look.TITLE, web_link(page.href)),
        *page_labels(page, voice),
        Span(f" — {details}", Look.QUIET),
    )


def _details(page: Page, today: date, voice: Voice) -> tuple[str, str, str]:
    return page.product, age(page.updated, today, voice) if page.updated else "", page.href or page.source_path
