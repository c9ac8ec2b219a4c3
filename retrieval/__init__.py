"""Retrieval: everything that searches goes through one door."""

from retrieval.generation import CurrentIndex, Generation, open_index
from retrieval.pages import search_pages
from retrieval.search import hybrid_search

__all__ = ["CurrentIndex", "Generation", "hybrid_search", "open_index", "search_pages"]
