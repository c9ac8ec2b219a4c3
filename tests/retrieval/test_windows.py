"""Long texts are cut so that the model reads every word of them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from retrieval.embedded_model import ensure_embedded_model
from retrieval.types import Embedder
from retrieval.windows import TextWindows, encodable

WINDOW_TOKENS = 512

# Words, and all that makes characters and tokens differ: ligatures that unfold to eighteen characters, combining
# marks, runs of blanks, scripts without spaces, unknown signs, control characters, half of a surrogate pair.
FRAGMENTS = [
    *("hola ", "mundo\n", "antidisestablishmentarianism ", "x", "ab1-", "ﷺ", "e\u0301", "\u0301", " ", "\t", "字"),
    *("あ", "😀", "👩‍👩‍👧", "𓀀", "\x00", "\ud800", "\ufb03", "<s>", "</s> ", "| a | b |\n", "한", "\u200b", "\ufeff"),
]

long_texts = st.lists(
    st.tuples(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=4).map("".join), st.integers(1, 400)),
    max_size=5,
).map(lambda parts: "".join(fragment * times for fragment, times in parts))


@pytest.fixture(scope="module")
def tokenizer(model_cache: Path) -> Tokenizer:
    """The model's tokenizer set up as fastembed does: what does not fit overflows, and is padded."""
    tokenizer = Tokenizer.from_file(str(ensure_embedded_model(model_cache) / "tokenizer.json"))
    tokenizer.enable_truncation(WINDOW_TOKENS)
    tokenizer.enable_padding(pad_id=1, pad_token="<pad>")
    return tokenizer


@settings(max_examples=60, deadline=None)
@given(text=long_texts)
def test_every_piece_is_read_whole_and_together_they_are_the_text(tokenizer: Tokenizer, text: str) -> None:
    spans = TextWindows(tokenizer, WINDOW_TOKENS, "passage: ").spans(text)
    assert not any(tokenizer.encode("passage: " + encodable(text[slice(*span)])).overflowing for span in spans)
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    assert all(not text[end:start].strip() for end, start in zip(ends, starts, strict=True))
    assert ends == sorted(ends)


@pytest.mark.parametrize("text", ["", " ", "corto", "una frase " * 100])
def test_a_text_that_fits_is_its_own_piece(embedder: Embedder, text: str) -> None:
    assert list(embedder.windows(text)) == [text]


def test_neighbours_share_a_little_text_and_are_cut_between_words(embedder: Embedder) -> None:
    words = [f"palabra{number}" for number in range(2_000)]
    pieces = [piece.split() for piece in embedder.windows(" ".join(words))]
    assert len(pieces) > 10
    assert {word for piece in pieces for word in piece} == set(words)
    for before, after in pairwise(pieces):
        assert 3 <= len(set(before) & set(after)) <= 40


def test_words_behind_a_long_run_of_blanks_are_read(embedder: Embedder) -> None:
    pieces = embedder.windows("inicio" + " " * 100_000 + "final")
    assert pieces[0].startswith("inicio")
    assert pieces[-1].endswith("final")
    assert max(map(len, pieces)) <= WINDOW_TOKENS * 32


def test_a_megabyte_is_cut_into_hardly_more_pieces_than_it_has_windows(
    embedder: Embedder, tokenizer: Tokenizer
) -> None:
    text = "el perro come pan " * 58_000
    windows = 1 + len(tokenizer.encode(text).overflowing)
    assert windows < len(embedder.windows(text)) < 1.2 * windows
