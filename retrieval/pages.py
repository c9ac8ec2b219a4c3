"""Literal search: every readable page that holds all the terms, in blocks by product."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from retrieval.generation import Generation
from retrieval.literal import LiteralQuery, LiteralTerm, matching, parse_literal
from retrieval.readable import Readable, Scope
from retrieval.snippets import snippet
from retrieval.suggestions import SUGGESTIONS, near_spellings
from retrieval.types import PageHit, PageListing, Query

PAGE_SIZE = 30
SCORE_DECIMALS = 5  # scores closer than this are equal, so that their order is the pages' own


def search_pages(
    query: Query,
    index: Generation,
    *,
    page: int = 1,
    limit: int = PAGE_SIZE,
    drafts: bool = False,
    snippets: bool = True,
) -> PageListing:
    """List the readable pages in which every term stands, whatever its length, accents, case or symbols.

    `page` is 1-based, of `limit` hits each; drafts and archived pages only when asked for. Blocks by product in the
    configured order, automatic pages last, within a block by relevance; equal scores keep the pages' own order.
    Without `snippets` theirs are empty: who only counts or compares pages need not wait for them.
    """
    asked = parse_literal(query.text, query.filters)
    readable = index.readable(Scope(query.viewer.keys, asked.filters, drafts))
    if not asked.terms and asked.filters == query.filters:
        return _empty(index, page)
    found = index.pages.rank(matching(asked, index.pages, readable), readable, max(1, readable.page_count))
    allowed = [hit for hit in found if readable.pages[hit.row]]
    if not allowed:
        return _nothing(asked, index, readable, page)
    rows = np.array([hit.row for hit in allowed], np.intp)
    scores = np.round(np.array([hit.score for hit in allowed]), SCORE_DECIMALS)
    order = _in_blocks(rows, scores, index)
    shown = order[(page - 1) * limit : page * limit]
    return PageListing(
        hits=_hits(rows[shown].tolist(), scores[shown].tolist(), index, asked if snippets else None),
        total=len(order),
        counts=_counts(rows[order], index),
        page=page,
        pages=-(-len(order) // limit),
        suggestions=(),
        missing=(),
        generation=index.stamp,
    )


def _in_blocks(rows: NDArray[np.intp], scores: NDArray[np.float64], index: Generation) -> NDArray[np.intp]:
    """Order by automatic last, the product's configured place, the product's best page, then score, then row."""
    columns = index.catalogue.columns
    best = np.zeros(len(columns.product_names))
    np.maximum.at(best, columns.product[rows], scores)
    products = columns.product[rows]
    return np.lexsort((rows, -scores, products, -best[products], columns.block[rows], columns.automatic[rows]))


def _counts(rows: NDArray[np.intp], index: Generation) -> dict[str, int]:
    columns = index.catalogue.columns
    counts: dict[str, int] = {}
    for product in columns.product[rows].tolist():
        name = columns.product_names[product]
        counts[name] = counts.get(name, 0) + 1
    return counts


def _hits(
    rows: Sequence[int], scores: Sequence[float], index: Generation, asked: LiteralQuery | None
) -> tuple[PageHit, ...]:
    """Read the pages to be shown, with snippets of what was asked, or without any."""
    pages = index.catalogue.pages(rows)
    if asked is None:
        return tuple(PageHit(pages[row], score, "", ()) for row, score in zip(rows, scores, strict=True))
    texts = index.catalogue.rendered(rows)
    atoms = [atom for term in asked.terms for atom in term.atoms]
    hits = []
    for row, score in zip(rows, scores, strict=True):
        shown = pages[row]
        cut = snippet(atoms, partial(texts.__getitem__, row), partial(index.page_text, shown.doc_id))
        hits.append(PageHit(shown, score, cut.text, cut.highlights))
    return tuple(hits)


def _nothing(asked: LiteralQuery, index: Generation, readable: Readable, page: int) -> PageListing:
    """Name the words no readable page has, and offer near spellings of them."""
    missing = [term for term in asked.terms if not _stands_somewhere(term, index, readable)]
    offered = [near for term in missing for near in near_spellings(term.text, index.pages, readable)]
    suggestions = tuple(dict.fromkeys(offered))[:SUGGESTIONS]
    return _empty(index, page, suggestions, tuple(term.text for term in missing))


def _empty(
    index: Generation, page: int, suggestions: tuple[str, ...] = (), missing: tuple[str, ...] = ()
) -> PageListing:
    return PageListing(
        hits=(),
        total=0,
        counts={},
        page=page,
        pages=0,
        suggestions=suggestions,
        missing=missing,
        generation=index.stamp,
    )


def _stands_somewhere(term: LiteralTerm, index: Generation, readable: Readable) -> bool:
    alone = LiteralQuery((term,), (), readable.scope.filters)
    return bool(index.pages.rank(matching(alone, index.pages, readable), readable, 1))
