"""Near spellings for words no readable page has, out of the index's own words."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from retrieval.lexical import PageIndex
from retrieval.readable import Readable
from retrieval.tokens import fold

SHORT_WORD_CHARACTERS = 5  # one slip in a short word, two in a longer one
SUGGESTIONS = 5


def near_spellings(word: str, index: PageIndex, readable: Readable) -> Sequence[str]:
    """Give words of the readable pages within one or two edits of a word, nearest first, then the most frequent."""
    folded = fold(word)
    reach = 1 if len(folded) <= SHORT_WORD_CHARACTERS else 2
    near = []
    for term, documents in index.words(readable):
        if abs(len(term) - len(folded)) <= reach and term != folded:
            distance = OSA.distance(folded, term, score_cutoff=reach)
            if distance <= reach:
                near.append((distance, -documents, term))
    return [term for _, _, term in sorted(near)[:SUGGESTIONS]]
