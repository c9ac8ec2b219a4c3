"""Text to vectors with fastembed, behind the Embedder port. Nothing heavy is imported before a model is opened."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.embedding_models import OpenModel, model_name, open_model
from retrieval.errors import EmbeddingUnavailable, one_line
from retrieval.recent import Recent
from retrieval.types import Embedder, Vectors
from retrieval.windows import CHARACTERS_PER_TOKEN, TextWindows, encodable

QUERY_CACHE_ENTRIES = 1_024
"""About 2 MB at 384 dimensions. Follow-ups, buttons and pages of a listing ask the same question again."""


def open_embedder(model: str, *, cache: Path, threads: int | None = None) -> Embedder:
    """Open a model: "embedded", a fastembed name, or the path of a model's folder (it starts with `/`, `.` or `~`).

    `cache` is where models are kept; `threads` is how many texts are embedded side by side (None: one a core).
    Nothing is ever downloaded. Raises EmbeddingUnavailable, with the mend, when the model cannot be had.
    """
    return FastembedEmbedder(open_model(model, cache), threads or os.cpu_count() or 1)


def embedder_name(model: str) -> str:
    """Give the `name` that `open_embedder(model)` would have, without opening anything.

    Raises EmbeddingUnavailable when the model is a folder that is not there.
    """
    return model_name(model)


class FastembedEmbedder:
    """An open model that embeds one text a run, each run on one thread, and several runs side by side.

    Measured on two cores, that is the fastest and leanest way (1.3 to 1.7 times one run over both), and a text's
    vector does not depend on its neighbours, so it may be kept by a hash of the text.
    """

    def __init__(self, opened: OpenModel, threads: int) -> None:
        self.name = opened.name
        self._model = opened.model
        self._prefixes = opened.prefixes
        self._threads = threads
        # What lies beyond is past the window in any text a person reads; to tokenise a megabyte would take a second.
        self._read_characters = opened.window_tokens * CHARACTERS_PER_TOKEN
        self._windows = TextWindows(opened.tokenizer, opened.window_tokens, opened.prefixes.passage)
        self._recent: Recent[str, Vectors] = Recent(QUERY_CACHE_ENTRIES)
        self.dimensions = len(self._query_vector("."))

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions; those asked lately come from memory. Raises EmbeddingUnavailable when the model fails."""
        recent = {text: self._recent.get(text) for text in texts}
        missing = [text for text, vector in recent.items() if vector is None]
        fresh = dict(zip(missing, self._side_by_side(self._query_vector, missing), strict=True))
        self._recent.put(fresh)
        return self._rows([fresh[text] if (vector := recent[text]) is None else vector for text in texts])

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed what is searched, in the order given."""
        return self._rows(self._side_by_side(self._passage_vector, texts))

    def windows(self, text: str) -> Sequence[str]:
        """Cut a text into pieces the model reads whole as passages; a text that fits is its own piece."""
        return self._windows.cut(text)

    def _side_by_side(self, embed: Callable[[str], Vectors], texts: Sequence[str]) -> Sequence[Vectors]:
        if self._threads == 1 or len(texts) <= 1:
            return [embed(text) for text in texts]
        with ThreadPoolExecutor(min(self._threads, len(texts)), "embedding") as pool:
            return list(pool.map(embed, texts))

    def _query_vector(self, text: str) -> Vectors:
        readable = encodable(text[: self._read_characters])
        return self._embedded(self._model.query_embed, self._prefixes.query + readable)

    def _passage_vector(self, text: str) -> Vectors:
        readable = encodable(text[: self._read_characters])
        return self._embedded(self._model.passage_embed, self._prefixes.passage + readable)

    def _embedded(self, embed: Callable[..., Iterable[NDArray[Any]]], text: str) -> Vectors:
        try:
            return _unit(embed([text], batch_size=1))
        except Exception as error:  # the errors of onnxruntime and tokenizers share no narrower base
            raise EmbeddingUnavailable(
                f"{self.name} cannot embed a text ({one_line(error)}); free memory, or mend the model's files"
            ) from error

    def _rows(self, vectors: Sequence[Vectors]) -> Vectors:
        rows = np.empty((len(vectors), self.dimensions), np.float32)
        for row, vector in zip(rows, vectors, strict=True):
            row[:] = vector
        return rows


def _unit(embedded: Iterable[NDArray[Any]]) -> Vectors:
    """Scale the one vector to length 1; that of a text in which a static model knows no word stays 0."""
    (vector,) = embedded
    vector = vector.astype(np.float32, copy=False)
    length = np.sqrt(np.dot(vector, vector))
    return vector / length if length else vector
