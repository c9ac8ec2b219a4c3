"""From fused ranks to passages: which chunk of a page is shown when only its words found it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrieval.catalogue import Catalogue
from retrieval.fusion import Fused
from retrieval.generation import Generation
from retrieval.relevance import coverage
from retrieval.types import Ranked, WeightedTerm

CHUNKS_A_PAGE = 3  # enough to answer from, few enough to leave room for other pages


class Entry(NamedTuple):
    """What is fused: a page, by its best chunk, or a further chunk of a page that the semantic list found."""

    page: int
    chunk: int | None = None


@dataclass(frozen=True, slots=True)
class SemanticHits:
    """The semantic list: the question's vector (None: no list), ranks, the chunk that shows each page, and cosines.

    A page's rank is its place among pages, by its best chunk; a further chunk's is its place among chunks.
    """

    vector: NDArray[np.float32] | None
    ranks: Mapping[Entry, int]
    best_chunk: dict[int, int]
    cosines: Mapping[int, float]

    def joined(self, other: SemanticHits) -> SemanticHits:
        """Know another list's chunks and cosines as well; the ranks, and what both know, stay this one's."""
        return replace(
            self,
            best_chunk=self.best_chunk
            | {page: c for page, c in other.best_chunk.items() if page not in self.best_chunk},
            cosines={**other.cosines, **self.cosines},
        )


def semantic_hits(
    vector: NDArray[np.float32], windows: Iterable[Ranked], catalogue: Catalogue, limit: int
) -> SemanticHits:
    """Read ranked windows as chunks: a chunk stands at its best window, a page at its best chunk."""
    ranks: dict[Entry, int] = {}
    best_chunk: dict[int, int] = {}
    cosines: dict[int, float] = {}
    for window in windows:
        chunk = int(catalogue.window_chunks[window.row])
        if chunk in cosines:
            continue
        if len(cosines) == limit:
            break
        cosines[chunk] = window.score
        page = int(catalogue.chunk_pages[chunk])
        if page in best_chunk:
            ranks[Entry(page, chunk)] = len(cosines)
        else:
            best_chunk[page] = chunk
            ranks[Entry(page)] = len(best_chunk)
    return SemanticHits(vector, ranks, best_chunk, cosines)


def at_most_a_page(fused: Iterable[Fused[Entry]], limit: int, chunks: int) -> list[Fused[Entry]]:
    """Keep the order and give `limit` entries; a page gives so many `chunks` at the most."""
    kept: list[Fused[Entry]] = []
    given: dict[int, int] = {}
    for entry in fused:
        if len(kept) == limit:
            break
        page = entry.key.page
        given[page] = given.get(page, 0) + 1
        if given[page] <= chunks:
            kept.append(entry)
    return kept


@dataclass(frozen=True, slots=True)
class Chosen:
    """The chunk that shows each entry (None: its page has no text), and the cosines that are known, by chunk."""

    by_entry: Sequence[int | None]
    cosines: Mapping[int, float]

    @property
    def chunks(self) -> Sequence[int]:
        return [chunk for chunk in self.by_entry if chunk is not None]


def choose_chunks(
    best: Sequence[Fused[Entry]],
    semantic: SemanticHits,
    index: Generation,
    terms: Sequence[WeightedTerm],
) -> Chosen:
    """Show a page by its semantic chunk; one found only by its words, by the chunk that holds most of them."""
    by_words = [
        entry.key.page for entry in best if entry.key.chunk is None and entry.key.page not in semantic.best_chunk
    ]
    candidates = [chunk for page in by_words for chunk in index.catalogue.page_chunks.get(page, ())]
    cosines = {**semantic.cosines, **_cosines(candidates, index, semantic.vector)}
    words = index.catalogue.words(candidates) if candidates else {}
    shown = {
        page: _chunk_by_words(index.catalogue.page_chunks.get(page, ()), words, terms, cosines) for page in by_words
    }
    shown.update(semantic.best_chunk)
    return Chosen(
        [entry.key.chunk if entry.key.chunk is not None else shown[entry.key.page] for entry in best], cosines
    )


def _chunk_by_words(
    chunks: Sequence[int], words: Mapping[int, str], terms: Sequence[WeightedTerm], cosines: Mapping[int, float]
) -> int | None:
    """Choose the chunk that holds most of the question's rarity, and of those the most like the question.

    When none holds any (the words stand in the title, say) it is the first; a page without text gives None.
    """
    held = {chunk: round(coverage(words[chunk], terms), 6) for chunk in chunks}
    if not any(held.values()):
        return chunks[0] if chunks else None
    return max(chunks, key=lambda chunk: (held[chunk], cosines.get(chunk, -1.0), -chunk))


def _cosines(chunks: Sequence[int], index: Generation, vector: NDArray[np.float32] | None) -> dict[int, float]:
    """Give each chunk the cosine of its best window."""
    windows = [window for chunk in chunks for window in index.catalogue.chunk_windows.get(chunk, ())]
    if vector is None or not windows:
        return {}
    by_chunk: dict[int, float] = {}
    values = index.dense.cosines(np.array(windows, np.intp), vector).tolist()
    for window, cosine in zip(windows, values, strict=True):
        chunk = int(index.catalogue.window_chunks[window])
        by_chunk[chunk] = max(cosine, by_chunk.get(chunk, -1.0))
    return by_chunk
