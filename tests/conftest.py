"""Fixtures every part shares. What is slow to make is made once and kept in the checkout, in `.oraculo-test/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.embedding import open_embedder
from retrieval.types import Embedder

MODEL_CACHE = Path(__file__).parent.parent / ".oraculo-test" / "model"


@pytest.fixture(scope="session")
def model_cache() -> Path:
    """Where the embedded model is built: the first run builds it, under a lock that parallel workers wait for."""
    return MODEL_CACHE


@pytest.fixture(scope="session")
def embedder(model_cache: Path) -> Embedder:
    """The real embedded model, on one thread."""
    return open_embedder("embedded", cache=model_cache, threads=1)
