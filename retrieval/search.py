"""The one door of retrieval: a question goes in, passages that its asker may read come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TypeVar

import structlog

from retrieval.dated import dated_pages
from retrieval.errors import OracleError
from retrieval.exact import ExactLists, exact_lists
from retrieval.followups import carried_terms, with_the_question_before
from retrieval.fusion import Fused, Ranks, in_order, reciprocal_rank_fusion
from retrieval.generation import Generation
from retrieval.language import written_in
from retrieval.passages import CHUNKS_A_PAGE, Entry, SemanticHits, at_most_a_page, choose_chunks, semantic_hits
from retrieval.periods import periods
from retrieval.readable import Readable, Scope
from retrieval.relevance import FLOOR, Setting, Signals, measure
from retrieval.stopwatch import Stopwatch
from retrieval.terms import question_terms
from retrieval.types import Explanation, Passage, Query, Retrieval, SearchResult

CANDIDATES = 50  # a list
WINDOWS = 64  # for 50 chunks: few are embedded in more than one window
WEIGHTS = {
    "verbatim": 2.0,  # a page that holds the question word for word outranks one that leads two lists
    # Half a list lifts what only a date tells: with the years of xquad-es said as distances, hit@1 .896 to .958. A full
    # one does no more, and costs more where the words found the page already: .967 to .902, with half .957.
    "dates": 0.5,
}
ACROSS_LANGUAGES = {
    "semantic": 2.0
}  # where the nearest passage is in another language, no word of the question need be
REWEIGHING = frozenset({"dates"})  # these find nothing by themselves
EXPLAINED = 10  # entries of each list that an explanation names

log = structlog.get_logger(__name__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lists:
    """What the rankers found; a list that failed is empty and named in `failed`."""

    semantic: SemanticHits
    setting: Setting
    exact: ExactLists
    failed: tuple[str, ...]
    thread: Mapping[str, Ranks[Entry]] = field(default_factory=dict)
    """A follow-up's further lists, by the question before it."""
    reweighing: Mapping[str, Ranks[Entry]] = field(default_factory=dict)
    """Lists of pages that the others found, made of what the question names besides: a time."""

    def named(self, readable: Readable) -> dict[str, Ranks[Entry]]:
        """The lists as they are fused and explained, of readable pages only: the semantic one first, to win ties."""
        exact = {
            "specific": self.exact.specific,
            "all": self.exact.all_terms,
            "phrases": self.exact.phrases,
            "verbatim": self.exact.verbatim,
        }
        pages = {name: in_order(Entry(ranked.row) for ranked in found) for name, found in exact.items()}
        lists = {"semantic": self.semantic.ranks, **pages, **self.thread, **self.reweighing}
        return {
            name: {entry: rank for entry, rank in ranks.items() if readable.pages[entry.page]}
            for name, ranks in lists.items()
        }


NO_HITS = SemanticHits(None, {}, {}, {})
NO_EXACT = ExactLists((), (), (), (), ())


def hybrid_search(
    query: Query, index: Generation, *, limit: int = 8, spare: int = 0, chunks_a_page: int = CHUNKS_A_PAGE
) -> SearchResult:
    """Find the passages most like the question, by meaning and by its words, among those its asker may read.

    The lists run side by side and are fused by rank; one that fails is left out, logged and named in the explanation.
    `limit` counts passages, of which a page gives `chunks_a_page` at the most. `spare` further ones, for a reranker to
    choose from, count for nothing in the relevance. Raises OracleError when nothing is left.
    """
    watch = Stopwatch()
    readable = index.readable(Scope(query.viewer.keys, query.filters))
    lists = _reweighed(_lists(query, index, readable, watch), query, index, readable, watch)
    with watch.stage("fuse"):
        fused = reciprocal_rank_fusion(lists.named(readable), _weights(lists, index))
        # Access was checked inside each list; it is checked once more here, whatever the lists said.
        allowed = [entry for entry in fused if readable.pages[entry.key.page]]
    with watch.stage("passages"):
        passages, words = _passages(at_most_a_page(allowed, limit + spare, chunks_a_page), lists, index)
    with watch.stage("relevance"):
        signals = measure(passages[:limit], words, lists.exact.terms, lists.setting)
    return SearchResult(
        passages=passages,
        relevance=_relevance(signals, lists, index) if passages else None,
        generation=index.stamp,
        timings_ms=watch.timings_ms,
        explanation=_explanation(lists, signals, index, readable),
    )


def list_ranks(query: Query, index: Generation) -> Mapping[str, Mapping[str, int]]:
    """Give the 1-based rank of each page in every list that is fused, by list and doc_id: where a missed page stood."""
    readable = index.readable(Scope(query.viewer.keys, query.filters))
    doc_ids = index.catalogue.columns.doc_ids
    watch = Stopwatch()
    lists = _reweighed(_lists(query, index, readable, watch), query, index, readable, watch)
    return {
        name: {doc_ids[entry.page]: rank for entry, rank in ranks.items() if entry.chunk is None}
        for name, ranks in lists.named(readable).items()
    }


def _weights(lists: Lists, index: Generation) -> Mapping[str, float]:
    columns, nearest = index.catalogue.columns, next(iter(lists.semantic.best_chunk), None)
    language = lists.setting.language
    if nearest is None or language in (None, columns.language_names[columns.language[nearest]]):
        return WEIGHTS
    return WEIGHTS | ACROSS_LANGUAGES


def _lists(query: Query, index: Generation, readable: Readable, watch: Stopwatch) -> Lists:
    lists = _lists_for(query.text, query, index, readable, watch)
    thread = with_the_question_before(query)
    if thread is None:
        return lists
    before = _lists_for(thread, query, index, readable, watch)
    named = before.named(readable)
    return replace(
        lists,
        semantic=lists.semantic.joined(before.semantic),
        exact=replace(lists.exact, terms=carried_terms(lists.exact.terms, before.exact.terms)),
        thread={f"thread_{name}": _pages_of(named[name]) for name in ("semantic", "all")},
    )


def _reweighed(lists: Lists, query: Query, index: Generation, readable: Readable, watch: Stopwatch) -> Lists:
    """Add the list by dates when the question names a time; other questions are fused as if there were none."""
    with watch.stage("dates"):
        asked = periods(query.text, query.asked_at) if query.asked_at is not None and query.hybrid else ()
        if not asked:
            return lists
        fused = reciprocal_rank_fusion(lists.named(readable), _weights(lists, index))
        candidates = [entry.key.page for entry in fused if entry.key.chunk is None]
        dates = in_order(map(Entry, dated_pages(candidates, asked, index.catalogue)))
        return replace(lists, reweighing={"dates": dates} if dates else {})


def _pages_of(ranks: Ranks[Entry]) -> Ranks[Entry]:
    """Leave a page's further chunks out: the page is shown by the chunk that the question itself found best."""
    return {entry: rank for entry, rank in ranks.items() if entry.chunk is None}


def _lists_for(text: str, query: Query, index: Generation, readable: Readable, watch: Stopwatch) -> Lists:
    """Run the lists side by side for one text."""
    exact_at_work = index.beside(lambda: _exact(text, index, readable))
    faults: dict[str, OracleError] = {}
    found = _attempt("semantic", lambda: _semantic(text, index, readable, watch), faults)
    with watch.stage("exact_wait"):
        exact = _attempt("exact", exact_at_work.result, faults)
    if exact is not None and not query.hybrid:
        exact = replace(NO_EXACT, terms=exact.terms)  # the words still tell how relevant the passages are
    if found is None and (exact is None or not query.hybrid):
        raise next(iter(faults.values()))
    semantic, setting = found or (NO_HITS, Setting(None, {}, index.calibration.prior))
    return Lists(semantic, setting, exact or NO_EXACT, tuple(faults))


def _attempt(name: str, work: Callable[[], T], faults: dict[str, OracleError]) -> T | None:
    """Run a list. Its failure is logged and kept, and leaves the others to answer."""
    try:
        return work()
    except OracleError as error:
        log.warning("a list failed; the others answer", list=name, reason=str(error))
        faults[name] = error
        return None


def _semantic(text: str, index: Generation, readable: Readable, watch: Stopwatch) -> tuple[SemanticHits, Setting]:
    with watch.stage("embed"):
        vector = index.embedder.queries([text])[0]
    with watch.stage("semantic"):
        windows = index.dense.nearest(vector, readable, WINDOWS)
        hits = semantic_hits(vector, windows, index.catalogue, CANDIDATES)
        backgrounds = index.dense.backgrounds(vector, readable)
    return hits, Setting(written_in(text), backgrounds, index.calibration.prior)


def _exact(text: str, index: Generation, readable: Readable) -> ExactLists:
    return exact_lists(question_terms(text), index.pages, readable, index.manifest.languages, CANDIDATES)


def _passages(
    best: Sequence[Fused[Entry]], lists: Lists, index: Generation
) -> tuple[tuple[Passage, ...], Mapping[int, str]]:
    """Read the best entries from the catalogue, and the words their chunks hold."""
    chosen = choose_chunks(best, lists.semantic, index, lists.exact.terms)
    chunks, words = index.catalogue.chunks(chosen.chunks)
    pages = index.catalogue.pages(entry.key.page for entry in best)
    passages = tuple(
        Passage(
            chunk=chunks[chunk],
            page=pages[entry.key.page],
            score=entry.score,
            cosine=chosen.cosines.get(chunk, 0.0),
            retrieval=_retrieval(entry.ranks),
            ranks=entry.ranks,
        )
        for entry, chunk in zip(best, chosen.by_entry, strict=True)
        if chunk is not None
    )
    return passages, words


def _retrieval(ranks: Mapping[str, int]) -> Retrieval:
    finders = ranks.keys() - REWEIGHING
    if "semantic" not in finders:
        return "exact"
    return "both" if len(finders) > 1 else "semantic"


def _relevance(signals: Signals, lists: Lists, index: Generation) -> float:
    """Without a semantic list only the words speak: the share of the question's rarity that a passage holds."""
    return index.calibration.relevance(signals) if lists.semantic.vector is not None else signals.coverage


def _explanation(lists: Lists, signals: Signals, index: Generation, readable: Readable) -> Explanation:
    named = {name: sorted(found, key=found.__getitem__)[:EXPLAINED] for name, found in lists.named(readable).items()}
    doc_ids = index.catalogue.columns.doc_ids
    return Explanation(
        lists={name: tuple(doc_ids[entry.page] for entry in entries) for name, entries in named.items()},
        terms=lists.exact.terms,
        signals=asdict(signals),
        floor=FLOOR,
        failed_lists=lists.failed,
    )
