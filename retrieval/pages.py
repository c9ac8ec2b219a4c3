"""Literal search: every readable page that holds all the terms, in blocks by product."""

from __future__ import annotations

from collections.abc import Sequence

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
    query: Query, index: Generation, *, page: int = 1, limit: int = PAGE_SIZE, drafts: bool = False
) -> PageListing:
    """List the readable pages in which every term stands, whatever its length, accents, case or symbols.

    `page` is 1-based, of `limit` hits each; drafts and archived pages only when asked for. Blocks by product in the
    configured order, automatic pages last, within a block by relevance; equal scores keep the pages' own order.
    """
    asked = parse_literal(query.text, query.filters)
    readable = index.readable(Scope(query.viewer.keys, asked.filters, drafts))
    if not asked.terms and asked.filters == query.filters:
        return _listing([], {}, index, asked, page=page, limit=limit)
    found = index.pages.rank(matching(asked, index.pages, readable), readable, max(1, readable.page_count))
    allowed = [hit for hit in found if readable.pages[hit.row]]
    if not allowed:
        return _nothing(asked, index, readable, page)
    rows = np.array([hit.row for hit in allowed], np.intp)
    scores = np.round(np.array([hit.score for hit in allowed]), SCORE_DECIMALS)
    order = _in_blocks(rows, scores, index)
    ordered = [(int(rows[at]), float(scores[at])) for at in order]
    return _listing(ordered, _counts(rows[order], index), index, asked, page=page, limit=limit)


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


def _listing(
    ordered: Sequence[tuple[int, float]],
    counts: dict[str, int],
    index: Generation,
    asked: LiteralQuery,
    *,
    page: int,
    limit: int,
) -> PageListing:
    shown = ordered[(page - 1) * limit : page * limit]
    pages = index.catalogue.pages(row for row, _ in shown)
    texts = index.catalogue.rendered(row for row, _ in shown)
    atoms = [atom for term in asked.terms for atom in term.atoms]
    hits = []
    for row, score in shown:
        cut = snippet(atoms, *texts[row])
        hits.append(PageHit(pages[row], score, cut.text, cut.highlights))
    return PageListing(
        hits=tuple(hits),
        total=len(ordered),
        counts=counts,
        page=page,
        pages=-(-len(ordered) // limit),
        suggestions=(),
        missing=(),
        generation=index.stamp,
    )


def _nothing(asked: LiteralQuery, index: Generation, readable: Readable, page: int) -> PageListing:
    """Name the words no readable page has, and offer near spellings of them."""
    missing = [term for term in asked.terms if not _stands_somewhere(term, index, readable)]
    offered = [near for term in missing for near in near_spellings(term.text, index.pages, readable)]
    return PageListing(
        hits=(),
        total=0,
        counts={},
        page=page,
        pages=0,
        suggestions=tuple(dict.fromkeys(offered))[:SUGGESTIONS],
        missing=tuple(term.text for term in missing),
        generation=index.stamp,
    )


def _stands_somewhere(term: LiteralTerm, index: Generation, readable: Readable) -> bool:
    alone = LiteralQuery((term,), (), readable.scope.filters)
    return bool(index.pages.rank(matching(alone, index.pages, readable), readable, 1))
