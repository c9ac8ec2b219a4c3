"""What one viewer may see of one index under some filters: worked out once, then used inside every list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.catalogue import Catalogue
from retrieval.types import Filters, Status

BACKGROUND_ROWS = (
    512  # a language: enough for a mean and a deviation of cosines, small enough to cost nothing at a question
)


@dataclass(frozen=True, slots=True)
class Scope:
    """Who asks, under which conditions, and whether drafts and archived pages are wanted."""

    keys: frozenset[str]
    filters: Filters
    drafts: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Readable:
    """The rows a scope opens. `everything`: no alive row is shut out, so no list needs to look.

    `background` are window rows spread evenly over what may be read, by language, for the background of cosines.
    """

    scope: Scope
    pages: NDArray[np.bool_]
    windows: NDArray[np.bool_]
    window_rows: NDArray[np.intp]
    page_count: int
    everything: bool
    background: Mapping[str, NDArray[np.intp]]


def readable(catalogue: Catalogue, scope: Scope) -> Readable:
    """Work out what a scope opens. A page without a key in common is never opened, whatever the filters say."""
    columns = catalogue.columns
    open_keysets = [number for number, keys in catalogue.keysets.items() if keys & scope.keys]
    pages = columns.alive & np.isin(columns.keyset, open_keysets)
    if not scope.drafts and not scope.filters.statuses & {Status.DRAFT, Status.ARCHIVED}:
        pages &= ~columns.hidden
    if scope.filters != Filters():
        pages &= _marked(catalogue.filtered_rows(scope.filters), len(pages))
    windows = _windows(catalogue, pages)
    rows = np.flatnonzero(windows)
    return Readable(
        scope=scope,
        pages=pages,
        windows=windows,
        window_rows=rows,
        page_count=int(pages.sum()),
        everything=bool((pages == columns.alive).all()),
        background=_background(catalogue, rows),
    )


def _background(catalogue: Catalogue, rows: NDArray[np.intp]) -> dict[str, NDArray[np.intp]]:
    languages = catalogue.columns.language[catalogue.chunk_pages[catalogue.window_chunks[rows]]]
    background = {}
    for number in np.unique(languages).tolist():
        of_language = rows[languages == number]
        spread = np.linspace(0, len(of_language) - 1, min(len(of_language), BACKGROUND_ROWS)).astype(np.intp)
        background[catalogue.columns.language_names[number]] = of_language[spread]
    return background


def _windows(catalogue: Catalogue, pages: NDArray[np.bool_]) -> NDArray[np.bool_]:
    chunk_pages = np.append(catalogue.chunk_pages, -1)  # the last entry answers for rows that are not there
    readable_page = np.append(pages, np.False_)
    windows: NDArray[np.bool_] = readable_page[chunk_pages[catalogue.window_chunks]]
    return windows


def _marked(rows: NDArray[np.intp], size: int) -> NDArray[np.bool_]:
    marked = np.zeros(size, np.bool_)
    marked[rows] = True
    return marked
