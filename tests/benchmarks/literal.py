"""Literal search on workfront-es, in process, beside SQLite FTS5: as fast, and every page that FTS5 finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from retrieval import Generation, search_pages
from retrieval.evaluation.datasets import read_set
from retrieval.types import Query
from tests.benchmarks import fts5
from tests.benchmarks.figures import Bar, Row, notes, row
from tests.benchmarks.fts5 import Fts5
from tests.benchmarks.places import data, opened, scratch, workfront_home, workfront_pages
from tests.benchmarks.timing import by_turns

AS_FAST = Bar(1.0)


def run() -> Iterator[Row]:
    queries = [query.text for query in read_set(data("eval", "battery-workfront-es")).queries]
    with opened(workfront_home()) as index, scratch() as folder, Fts5(folder / "fts5", pages_of(index)) as peer:
        _warm_up(index, peer)
        yield from _speed(queries, index, peer)
        yield from _coverage(queries, index, peer)


def pages_of(index: Generation) -> Iterator[tuple[str, str, str]]:
    """Give every page of the index as FTS5 gets it: the title, and the whole file as written."""
    for doc_id, known in index.catalogue.known().items():
        yield doc_id, known.title, (workfront_pages() / doc_id).read_text(encoding="utf-8", errors="replace")


def _warm_up(index: Generation, peer: Fts5) -> None:
    """Search every page's title, so that no page is read for the first time while it is timed."""
    for known in index.catalogue.known().values():
        search_pages(Query(known.title), index)
        peer.with_snippets(fts5.words(known.title))


def _speed(queries: Sequence[str], index: Generation, peer: Fts5) -> Iterator[Row]:
    """Compare like with like: lists with lists, and with snippets where both cut thirty of them."""
    for snippets, theirs, name in ((False, peer.listed, "lists"), (True, peer.with_snippets, "lists with snippets")):

        def search(text: str, snippets: bool = snippets) -> None:
            search_pages(Query(text), index, snippets=snippets)

        def search_peer(text: str, theirs: Callable[[str], object] = theirs) -> None:
            theirs(fts5.words(text))

        times = by_turns(search, search_peer, queries)
        yield row(f"search_pages / FTS5, {name}, p50", times.ratio, str(times), AS_FAST)


def _coverage(queries: Sequence[str], index: Generation, peer: Fts5) -> Iterator[Row]:
    for name, ours, theirs in (("words", str, fts5.words), ("phrase", fts5.quoted, fts5.quoted)):
        lacking = ((text, peer.all_with(theirs(text)) - _all_pages(ours(text), index)) for text in queries)
        missed = [(text, sorted(pages)) for text, pages in lacking if pages]
        for text, pages in missed:
            notes.print(f"  missed as {name}: {text!r}: {', '.join(pages)}", markup=False)
        what = f"queries with a page FTS5 finds and we do not, as {name}"
        yield row(what, len(missed), f"{len(missed)} of {len(queries)}", Bar(0))


def _all_pages(text: str, index: Generation) -> set[str]:
    listed = search_pages(Query(text), index, limit=index.manifest.pages, drafts=True, snippets=False)
    return {hit.page.doc_id for hit in listed.hits}
