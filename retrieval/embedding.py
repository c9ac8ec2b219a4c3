"""Text to vectors with fastembed, behind the Embedder port. Nothing heavy is imported before a model is opened."""

from __future__ import annotations

import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from retrieval.embedded_model import EMBEDDED_MODEL_NAME
from retrieval.model_catalogue import EMBEDDED, FoundModel, find_model
from retrieval.types import Embedder, Vectors
from retrieval.windows import TextWindows

if TYPE_CHECKING:
    from fastembed import TextEmbedding

QUERY_CACHE_ENTRIES = 1_024
"""About 1.5 MB at 384 dimensions: follow-ups, pages of a listing and buttons ask the same question again."""

CHARACTERS_PER_TOKEN = 32
"""More than any token of prose spans; what lies beyond a window's worth of them is never read, so never tokenised."""

_SURROGATES = re.compile("[\ud800-\udfff]")


def open_embedder(model: str, *, cache: Path, threads: int | None = None) -> Embedder:
    """Open a model by name: "embedded", a fastembed name, or the path of a model's folder.

    `cache` is where models are kept; `threads` is how many texts are embedded side by side (None: a core each).
    Nothing is ever downloaded. Raises EmbeddingUnavailable, with the mend, when the model is not there.
    """
    found = find_model(model, cache)
    return FastembedEmbedder(found, threads or os.cpu_count() or 1)


def embedder_name(model: str) -> str:
    """Name the vectors a model gives, without opening it: what `open_embedder(model, ...).name` says."""
    return EMBEDDED_MODEL_NAME if model == EMBEDDED else model


class FastembedEmbedder:
    """An open model. One onnxruntime thread a text, several texts at once.

    A text is always embedded alone: measured, that is the fastest and leanest way, and its vector does not
    depend on its neighbours, so it may be kept by a hash of the text.
    """

    def __init__(self, found: FoundModel, threads: int) -> None:
        self.name = found.name
        self.dimensions = found.dimensions
        self._model: TextEmbedding = found.model
        self._prefixes = found.prefixes
        self._threads = threads
        self._readable_characters = found.window_tokens * CHARACTERS_PER_TOKEN
        self._windows = TextWindows(found.tokenizer, found.window_tokens, found.prefixes.passage)
        self._cache = _VectorCache(QUERY_CACHE_ENTRIES)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions; those asked lately come from memory."""
        known = {text: self._cache.get(text) for text in texts}
        missing = [text for text, vector in known.items() if vector is None]
        for text, vector in zip(missing, self._embed_all(missing, self._embed_query), strict=True):
            self._cache.put(text, vector)
            known[text] = vector
        return self._stacked([known[text] for text in texts])

    def passages(self, texts: Iterable[str]) -> Vectors:
        """Embed what is searched, in the order given."""
        return self._stacked(self._embed_all(list(texts), self._embed_passage))

    def windows(self, text: str) -> Sequence[str]:
        """Cut a text into pieces the model reads whole as passages, overlapping a little; a short one is its own."""
        return self._windows.cut(text)

    def _embed_all(self, texts: Sequence[str], embed: Callable[[str], Vectors]) -> list[Vectors]:
        if len(texts) < 2 or self._threads == 1:
            return [embed(text) for text in texts]
        with ThreadPoolExecutor(min(self._threads, len(texts)), "embedding") as pool:
            return list(pool.map(embed, texts))

    def _embed_query(self, text: str) -> Vectors:
        prepared = self._prepared(self._prefixes.query, text)
        return _unit(next(iter(self._model.query_embed([prepared], batch_size=1))))

    def _embed_passage(self, text: str) -> Vectors:
        prepared = self._prepared(self._prefixes.passage, text)
        return _unit(next(iter(self._model.passage_embed([prepared], batch_size=1))))

    def _prepared(self, prefix: str, text: str) -> str:
        return prefix + _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text[: self._readable_characters])

    def _stacked(self, vectors: Sequence[Vectors | None]) -> Vectors:
        stacked = np.empty((len(vectors), self.dimensions), np.float32)
        for row, vector in enumerate(vectors):
            stacked[row] = vector
        return stacked


def _unit(vector: Vectors) -> Vectors:
    length = np.sqrt(np.dot(vector, vector))
    return vector if length == 0 else vector / length


class _VectorCache:
    """The vectors asked for last, a bounded number of them, shared by threads."""

    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, text: str) -> Vectors | None:
        with self._lock:
            if text in self._vectors:
                self._vectors.move_to_end(text)
            return self._vectors.get(text)

    def put(self, text: str, vector: Vectors) -> None:
        with self._lock:
            self._vectors[text] = vector
            self._vectors.move_to_end(text)
            while len(self._vectors) > self._entries:
                self._vectors.popitem(last=False)
