"""Fixtures every part shares. What is slow to make is made once and kept in the checkout, in `.oraculo-test/`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from retrieval import Generation
from retrieval.embedding import open_embedder
from retrieval.types import Embedder
from tests.wikis import Wiki

MODEL_CACHE = Path(__file__).parent.parent / ".oraculo-test" / "model"


@pytest.fixture(scope="session")
def model_cache() -> Path:
    """Where the embedded model is built: the first run builds it, under a lock that parallel workers wait for."""
    return MODEL_CACHE


@pytest.fixture(scope="session")
def embedder(model_cache: Path) -> Embedder:
    """The real embedded model, on one thread."""
    return open_embedder("embedded", cache=model_cache, threads=1)


@pytest.fixture
def wiki(tmp_path: Path, embedder: Embedder) -> Wiki:
    """An empty wiki; write pages, ingest, open."""
    folder = tmp_path / "wiki"
    folder.mkdir()
    return Wiki(folder, tmp_path / "home", embedder)


@pytest.fixture
def index_of(wiki: Wiki) -> Iterator[Callable[[Mapping[str, str]], Generation]]:
    """Index pages and open what was built; it is closed at the end of the test."""
    opened: list[Generation] = []

    def build(pages: Mapping[str, str]) -> Generation:
        wiki.write(pages)
        wiki.ingest()
        opened.append(wiki.open())
        return opened[-1]

    yield build
    for index in opened:
        index.close()
