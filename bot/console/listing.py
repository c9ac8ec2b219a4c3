"""The layout of a page listing: blocks by product with their counts, automatic pages folded to their titles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    named = any(listing.counts)
    written = [hit for hit in listing.hits if not hit.page.automatic]
    for product, hits in groupby(written, key=lambda hit: hit.page.product):
        yield EMPTY
        if named:
            heading = product or voice.say("listing-no-product")
            yield Span(one_line(heading), Look.HEADING), Span(f" ({listing.counts.get(product, 0)})", Look.QUIET)
        for hit in hits:
            yield from _hit(hit, voice)
    yield from _folded([hit.page for hit in listing.hits if hit.page.automatic], voice)


def page_labels(page: Page, voice: Voice) -> Line:
    """Say what a reader must know before trusting the page; nothing for an active one."""
    labels = {
        Status.DRAFT: "status-draft",
        Status.ARCHIVED: "status-archived",
        Status.STALE: "status-stale",
    }
    key = labels.get(page.status)
    return (Span(f" [{voice.say(key)}]", Look.LABEL),) if key else ()


def _folded(pages: Sequence[Page], voice: Voice) -> Iterator[Line]:
    """Automatic pages, a title each: they hold the words too, and are seldom what one looks for."""
    if pages:
        yield EMPTY
        yield (Span(voice.say("listing-automatic", count=len(pages)), Look.QUIET),)
    for page in pages:
        product = f" — {one_line(page.product)}" if page.product else ""
        yield Span("  ▸ ", Look.QUIET), _title(page), *page_labels(page, voice), Span(product, Look.QUIET)


def _hit(hit: PageHit, voice: Voice) -> Iterator[Line]:
    page = hit.page
    yield Span("  "), _title(page), *page_labels(page, voice)
    if hit.snippet:
        yield Span("    "), *marked(hit.snippet, hit.highlights)
    details = (page.href or page.source_path, page.updated.isoformat() if page.updated else "")
    yield Span("    "), Span(" · ".join(filter(None, map(one_line, details))), Look.QUIET)


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
    if listing.missing:
        yield (Span(voice.say("listing-missing", words=_quoted(listing.missing))),)
    elif len(text.split()) > 1:
        yield (Span(voice.say("listing-apart")),)
    if listing.suggestions:
        yield (Span(voice.say("listing-suggestions", words=_quoted(listing.suggestions))),)


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"«{one_line(word)}»" for word in words)
