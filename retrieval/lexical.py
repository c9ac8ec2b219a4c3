"""Tantivy: the full-text index of pages, and the queries that are put to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from errno import EIO
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

import tantivy
from tantivy import Occur, Query

from retrieval.errors import DamagedIndex, OracleError, one_line
from retrieval.readable import Readable, Scope
from retrieval.recent import Recent
from retrieval.tokens import BOUNDARY, is_atom, name_parts, tokens
from retrieval.types import Page, Ranked, Status

TITLE_REPEATS = 3  # title weight by repetition in the one field: separate boosted fields wreck the ranking
WRITER_HEAP_BYTES = 64_000_000
COUNTS_KEPT = 8192
STEMMERS = {"es": "spanish", "en": "english"}

T = TypeVar("T")


class LexicalFailure(OracleError):
    """Tantivy could not carry a query out; the other lists answer."""


@dataclass(frozen=True, slots=True)
class IndexedPage:
    """A page on its way into the index: `rendered` is what a person reads, `source` the whole file as written."""

    row: int
    page: Page
    rendered: str
    source: str


def schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("row", fast=True, indexed=False)
    for name in ("row_key", "keys", "product", "kind", "status", "tags", "author"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("updated", indexed=True, fast=True)
    builder.add_text_field("text", tokenizer_name="tokens")  # title and rendered text: what ranks
    for language in STEMMERS:
        builder.add_text_field(f"stems_{language}", tokenizer_name=f"stems_{language}", index_option="freq")
    builder.add_text_field("literal", tokenizer_name="tokens")  # every atom of the source too: what is promised
    builder.add_text_field("symbols", tokenizer_name="tokens")  # the same with its symbols: "C++" is not "c"
    builder.add_text_field("parts", tokenizer_name="tokens", index_option="basic")  # parts of camelCase names
    return builder.build()


def register_tokenizers(index: tantivy.Index) -> None:
    """Tokens come ready made and joined by spaces; Tantivy splits them, and stems two of the fields."""
    whitespace = tantivy.Tokenizer.whitespace
    index.register_tokenizer("tokens", tantivy.TextAnalyzerBuilder(whitespace()).build())
    for language, name in STEMMERS.items():
        stemmed = tantivy.TextAnalyzerBuilder(whitespace()).filter(tantivy.Filter.stemmer(name)).build()
        index.register_tokenizer(f"stems_{language}", stemmed)


def write_pages(folder: Path, pages: Iterable[IndexedPage], removed_rows: Iterable[int] = ()) -> None:
    """Add pages to the index in `folder` (made when missing) after taking rows out: one commit, then merged.

    Raises OSError when it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _write(folder, map(_document, pages), removed_rows)
    except LexicalFailure as error:
        raise OSError(EIO, str(error), str(folder)) from error


def _write(folder: Path, documents: Iterable[tantivy.Document], removed_rows: Iterable[int]) -> None:
    index = _guarded(lambda: tantivy.Index(schema(), path=str(folder)))
    register_tokenizers(index)
    writer = _guarded(lambda: index.writer(heap_size=WRITER_HEAP_BYTES, num_threads=1))
    for row in removed_rows:
        _guarded(partial(writer.delete_documents_by_term, "row_key", str(row)))
    for document in documents:
        _guarded(partial(writer.add_document, document))
    _guarded(writer.commit)
    _guarded(writer.wait_merging_threads)


def _document(indexed: IndexedPage) -> tantivy.Document:
    page = indexed.page
    title, rendered, source = (list(tokens(text)) for text in (page.title, indexed.rendered, indexed.source))
    atoms = [[token for token in stream if is_atom(token)] for stream in (title, rendered, source)]
    text = _joined(*[atoms[0]] * TITLE_REPEATS, atoms[1])
    fields: dict[str, object] = {
        "row": indexed.row,
        "row_key": str(indexed.row),
        "keys": sorted(page.keys),
        "product": page.product.casefold(),
        "kind": page.kind.casefold(),
        "status": str(page.status),
        "tags": [tag.casefold() for tag in page.tags],
        "author": page.author.casefold(),
        "text": text,
        f"stems_{stem_language(page.language)}": text,
        "literal": _joined(*atoms),
        "symbols": _joined(title, rendered, source),
        "parts": " ".join(set(name_parts(f"{page.title}\n{indexed.source}\n{indexed.rendered}"))),
    }
    if page.updated is not None:
        fields["updated"] = page.updated.toordinal()
    return tantivy.Document.from_dict(fields, schema())


class PageIndex:
    """Reads the full-text index of one generation. Safe to use from several threads.

    Nothing it holds leads back to it, so that it goes, with its files, when the last who holds it lets it go.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self._index = _guarded(lambda: tantivy.Index.open(str(folder)))
            register_tokenizers(self._index)
            self.schema = self._index.schema
            self._searcher = _guarded(self._index.searcher)
        except LexicalFailure as error:
            raise DamagedIndex(f"{folder} cannot be opened ({error}); run `oraculo ingest --full`") from error
        self._counts: Recent[tuple[str, tuple[str, ...], Readable], int] = Recent(COUNTS_KEPT)

    def rank(self, query: Query, readable: Readable, limit: int) -> list[Ranked]:
        """Give page rows by score, highest first, of the pages that may be read; `limit` must be at least 1."""
        hits = _guarded(lambda: self._searcher.search(self.within(query, readable), limit=limit, count=False).hits)
        if not hits:
            return []
        rows = _guarded(lambda: self._searcher.fast_field_values("row", [address for _, address in hits]))
        return [Ranked(int(row), float(score)) for (score, _), row in zip(hits, rows, strict=True) if row is not None]

    def documents_with(self, field: str, atoms: tuple[str, ...], readable: Readable) -> int:
        """Count the readable pages whose `field` holds the atoms side by side."""
        asked = (field, atoms, readable)
        count = self._counts.get(asked)
        if count is None:
            count = self._count_documents(field, atoms, readable)
            self._counts.put({asked: count})
        return count

    def _count_documents(self, field: str, atoms: tuple[str, ...], readable: Readable) -> int:
        query = self.within(self.side_by_side(field, atoms), readable)
        hits: Any = _guarded(lambda: self._searcher.search(query, limit=1, count=True))
        return int(hits.count)

    def words(self, readable: Readable) -> list[tuple[str, int]]:
        """Give every word of the readable pages with the number of pages that hold it."""
        within = None if readable.everything else self.within(Query.all_query(), readable)
        found: list[tuple[str, int]] = _guarded(
            lambda: self._searcher.terms_with_prefix("text", "", filter_query=within)
        )
        return [(word, documents) for word, documents in found if documents and word != BOUNDARY]

    def side_by_side(self, field: str, atoms: Sequence[str]) -> Query:
        """Match the atoms as a phrase; one atom is a plain term (a one-word phrase makes Tantivy panic)."""
        if len(atoms) == 1:
            return Query.term_query(self.schema, field, atoms[0])
        return Query.phrase_query(self.schema, field, list(atoms))

    def within(self, query: Query, readable: Readable) -> Query:
        """Keep a query inside what may be read, at no weight of its own."""
        if readable.everything:
            return query
        clauses = [(Occur.Must, Query.const_score_query(clause, 0.0)) for clause in self._clauses(readable.scope)]
        return Query.boolean_query([(Occur.Must, query), *clauses])

    def _clauses(self, scope: Scope) -> list[Query]:
        filters = scope.filters
        shown = [str(status) for status in Status if scope.drafts or not status.hidden]
        wanted: dict[str, Iterable[str]] = {
            "keys": scope.keys,
            "status": [str(status) for status in filters.statuses] or shown,
            "product": [product.casefold() for product in filters.products],
            "kind": [kind.casefold() for kind in filters.kinds],
            "tags": [tag.casefold() for tag in filters.tags],
            "author": [filters.author.casefold()] if filters.author else [],
        }
        clauses = [
            Query.term_set_query(self.schema, field, sorted(values))
            for field, values in wanted.items()
            if values or field == "keys"
        ]
        if filters.since is not None or filters.until is not None:
            first = filters.since.toordinal() if filters.since else None
            last = filters.until.toordinal() if filters.until else None
            clauses.append(Query.range_query(self.schema, "updated", tantivy.FieldType.Integer, first, last))
        return clauses


def _guarded(search: Callable[[], T]) -> T:
    """Turn Tantivy's faults into ours; its panics are BaseExceptions that an `except Exception` would miss."""
    try:
        return search()
    except (ValueError, RuntimeError, OSError) as error:
        raise LexicalFailure(f"the full-text index failed: {one_line(error)}") from error
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise LexicalFailure(f"the full-text index failed: {one_line(error)}") from error
        raise


@lru_cache(maxsize=1)
def _stem_analyzers() -> dict[str, tantivy.TextAnalyzer]:
    whole = tantivy.Tokenizer.raw
    return {
        language: tantivy.TextAnalyzerBuilder(whole()).filter(tantivy.Filter.stemmer(name)).build()
        for language, name in STEMMERS.items()
    }


@lru_cache(maxsize=65_536)
def stem(atom: str, language: str) -> str:
    """Give the stem the index holds for an atom, by the Snowball stemmer of the language."""
    stemmed = _stem_analyzers()[language].analyze(atom)
    return stemmed[0] if stemmed else atom


def stem_language(language: str) -> str:
    """Pages in a language without a stemmer of its own are stemmed as Spanish: the folded words still match."""
    return language if language in STEMMERS else "es"


def _joined(*streams: Sequence[str]) -> str:
    return f" {BOUNDARY} ".join(" ".join(stream) for stream in streams)
