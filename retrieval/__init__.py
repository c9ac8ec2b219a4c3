"""Retrieval: everything that searches goes through one door."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrieval.generation import CurrentIndex, Generation, open_index
    from retrieval.pages import search_pages
    from retrieval.search import hybrid_search

__all__ = ["CurrentIndex", "Generation", "hybrid_search", "open_index", "search_pages"]

_MODULES = {
    "CurrentIndex": "retrieval.generation",
    "Generation": "retrieval.generation",
    "hybrid_search": "retrieval.search",
    "open_index": "retrieval.generation",
    "search_pages": "retrieval.pages",
}


def __getattr__(name: str) -> object:
    """Import what is asked for: a literal search does not pay for what a question needs, nor an error for either."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
