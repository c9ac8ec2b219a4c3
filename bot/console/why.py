"""The layout of an explanation: what found each page, and how sure the relevance is."""

from __future__ import annotations

from collections.abc import Iterator

from bot.console.listing import EMPTY
from bot.console.spans import Line, Look, Span, one_line
from bot.messages import Answer
from bot.texts.voice import Voice
from retrieval.types import Reranking

SHOWN_PAGES = 8


def why_lines(answer: Answer, voice: Voice) -> Iterator[Line]:
    """Lay out why the answer is what it is; nothing without an explanation."""
    why = answer.explanation
    if why is None:
        return
    yield EMPTY
    yield (Span(voice.say("why-heading"), Look.HEADING),)
    if answer.relevance is not None:
        yield (Span(voice.say("why-relevance", relevance=f"{answer.relevance:.2f}", floor=f"{why.floor:.2f}")),)
    signals = ", ".join(f"{name} {value:.2f}" for name, value in why.signals.items())
    if signals:
        yield Span(voice.say("why-signals"), Look.QUIET), Span(f" {signals}")
    terms = ", ".join(f"{one_line(term.text)} {term.idf:.1f}" for term in why.terms)
    if terms:
        yield Span(voice.say("why-terms"), Look.QUIET), Span(f" {terms}")
    for name, pages in why.lists.items():
        shown = ", ".join(map(one_line, pages[:SHOWN_PAGES])) or "—"
        more = f" (+{len(pages) - SHOWN_PAGES})" if len(pages) > SHOWN_PAGES else ""
        yield Span(f"{one_line(name)}:", Look.QUIET), Span(f" {shown}{more}")
    for name in why.failed_lists:
        yield (Span(voice.say("why-failed-list", name=one_line(name)), Look.LABEL),)
    if why.reranking is not None:
        yield _reranking_line(why.reranking, voice)


def _reranking_line(reranking: Reranking, voice: Voice) -> Line:
    name = one_line(reranking.reranker)
    if reranking.failed:
        return (Span(voice.say("why-reranking-failed", name=name), Look.LABEL),)
    places = [
        voice.say("why-reranked-page", page=one_line(page), before=str(before))
        for page, before in reranking.places[:SHOWN_PAGES]
    ]
    more = f" (+{len(reranking.places) - SHOWN_PAGES})" if len(reranking.places) > SHOWN_PAGES else ""
    return Span(voice.say("why-reranked", name=name), Look.QUIET), Span(f" {', '.join(places)}{more}")
