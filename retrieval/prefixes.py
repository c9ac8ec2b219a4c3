"""What each family of embedding models was trained to read before a text; fastembed adds none of it."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Prefixes:
    """The words before a question and before what is searched."""

    query: str = ""
    passage: str = ""


E5 = Prefixes("query: ", "passage: ")

_SEARCH = Prefixes("Represent this sentence for searching relevant passages: ")
_TASK = "Instruct: Given a web search query, retrieve relevant passages that answer the query"

# From the model cards. Those that say a prefix is optional get none, as their authors measured.
_FAMILIES = (
    ("*e5-*", E5),
    ("*bge-*-en", _SEARCH),
    ("*mxbai-embed-*", _SEARCH),
    ("*snowflake-arctic-embed-*", _SEARCH),
    ("*nomic-embed-*", Prefixes("search_query: ", "search_document: ")),
    ("*embeddinggemma-*", Prefixes("task: search result | query: ", "title: none | text: ")),
    ("*qwen3-embedding-*", Prefixes(f"{_TASK}\nQuery:")),
    ("*stella-en-*", Prefixes(f"{_TASK}.\nQuery: ")),
)


def prefixes_of(model: str) -> Prefixes:
    """Give a model's prefixes by its name; none for a family that needs none."""
    name = model.lower()
    return next((prefixes for pattern, prefixes in _FAMILIES if fnmatchcase(name, pattern)), Prefixes())
