"""Fastembed's cross-encoders behind the CrossEncoder port. Nothing heavy is imported before a model is opened."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from retrieval.errors import RerankingFailed
from retrieval.reranker_models import open_reranker_model
from retrieval.types import CrossEncoder
from retrieval.windows import encodable

READ_CHARACTERS = 8_000
"""Of the question and of a text. The tokenizer keeps what it cuts off, every piece of one with every piece of the
other: two texts of a megabyte would take all memory there is."""


def open_cross_encoder(model: str, *, cache: Path, threads: int | None = None) -> CrossEncoder:
    """Open a fastembed cross-encoder by name, or the path of a model's folder (it starts with `/`, `.` or `~`).

    `cache` is where models are kept; `threads` is how many passages are read side by side (None: one a core).
    Nothing is ever downloaded. Raises RerankingFailed, with the mend, when the model cannot be had.
    """
    return FastembedCrossEncoder(model, cache, threads or os.cpu_count() or 1)


class FastembedCrossEncoder:
    """An open model that reads one pair a run, each run on one thread, and several runs side by side.

    A batch would be padded to its longest passage, and a score would depend on its neighbours.
    """

    def __init__(self, model: str, cache: Path, threads: int) -> None:
        self.name, self._model = open_reranker_model(model, cache)
        self._threads = threads
        self.scores("?", ["?"])  # a model of another kind is found out now, and not in the middle of an answer

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Score each text; what lies beyond the model's window is not read. Raises RerankingFailed."""
        if self._threads == 1 or len(texts) <= 1:
            return [self._score(question, text) for text in texts]
        with ThreadPoolExecutor(min(self._threads, len(texts)), "reranking") as pool:
            return list(pool.map(partial(self._score, question), texts))

    def _score(self, question: str, text: str) -> float:
        asked, read = (encodable(one[:READ_CHARACTERS]) for one in (question, text))
        try:
            (score,) = self._model.rerank(asked, [read], batch_size=1)
        except Exception as error:  # the errors of onnxruntime and tokenizers share no narrower base
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            raise RerankingFailed(f"{self.name} cannot score a passage ({reason}); is it a cross-encoder?") from error
        if not math.isfinite(score):
            raise RerankingFailed(f"{self.name} scored a passage {score}; it needs an export in another precision")
        return score
