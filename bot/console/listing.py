"""The layout of a page listing: blocks by product with their counts, automatic pages folded to their titles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from bot.console.spans import Line, Look, Span, marked, one_line, web_link
from bot.texts.voice import Voice
from retrieval.types import Page, PageHit, PageListing, Status

EMPTY: Line = ()


def listing_lines(listing: PageListing, text: str, voice: Voice) -> Iterator[Line]:
    """Lay out one page of results for the search `text`."""
    if not listing.hits:
        yield from _nothing(listing, text, voice)
        return
    yield (Span(_summary(listing, text, voice), Look.QUIET),)
    if listing.loosened:
        yield (Span(voice.say("listing-loosened", words=_quoted(listing.missing)), Look.LABEL),)
    named = any(listing.counts)
    for product, hits in groupby(listing.hits, key=lambda hit: hit.page.product):
        yield EMPTY
        if named:
            heading = product or voice.say("listing-no-product")
            yield Span(one_line(heading), Look.HEADING), Span(f" ({listing.counts.get(product, 0)})", Look.QUIET)
        yield from _block(list(hits), voice)


def page_labels(page: Page, voice: Voice) -> Line:
    """Say what a reader must know before trusting the page; nothing for an active one."""
    labels = {
        Status.DRAFT: "status-draft",
        Status.ARCHIVED: "status-archived",
        Status.STALE: "status-stale",
    }
    key = labels.get(page.status)
    return (Span(f" [{voice.say(key)}]", Look.LABEL),) if key else ()


def _block(hits: list[PageHit], voice: Voice) -> Iterator[Line]:
    for hit in hits:
        if not hit.page.automatic:
            yield from _hit(hit, voice)
    folded = [hit.page for hit in hits if hit.page.automatic]
    if folded:
        yield (Span("  " + voice.say("listing-automatic", count=len(folded)), Look.QUIET),)
    for page in folded:
        yield Span("    ▸ ", Look.QUIET), _title(page), *page_labels(page, voice)


def _hit(hit: PageHit, voice: Voice) -> Iterator[Line]:
    page = hit.page
    yield Span("  "), _title(page), *page_labels(page, voice)
    if hit.snippet:
        yield Span("    "), *marked(hit.snippet, hit.highlights)
    details = (page.href or page.source_path, page.updated.isoformat() if page.updated else "")
    yield (Span("    " + " · ".join(filter(None, map(one_line, details))), Look.QUIET),)


def _title(page: Page) -> Span:
    return Span(one_line(page.title), Look.TITLE, web_link(page.href))


def _summary(listing: PageListing, text: str, voice: Voice) -> str:
    found = voice.say("listing-total", total=listing.total, text=one_line(text))
    if listing.pages <= 1:
        return found
    return f"{found} · {voice.say('listing-page', page=listing.page, pages=listing.pages)}"


def _nothing(listing: PageListing, text: str, voice: Voice) -> Iterator[Line]:
    if listing.total:
        yield (Span(voice.say("listing-past-the-end", page=listing.page, pages=listing.pages)),)
        return
    yield (Span(voice.say("listing-nothing", text=one_line(text))),)
    if listing.suggestions:
        yield (Span(voice.say("listing-suggestions", words=_quoted(listing.suggestions))),)


def _quoted(words: tuple[str, ...]) -> str:
    return ", ".join(f"«{one_line(word)}»" for word in words)
