"""Reranking changes the order of what was found, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval import Generation, hybrid_search
from retrieval.errors import RerankingFailed
from retrieval.evaluation.datasets import EvaluationQuery, EvaluationSet
from retrieval.evaluation.harness import Asking, retrieve, run
from retrieval.evaluation.misses import missed
from retrieval.reranking import RERANKED, order_by_scores, read_text, reordered, rerank, unchanged
from retrieval.types import Query, Reranking, Said, Viewer
from tests.builders import make_page, make_passage, make_result
from tests.wikis import ask

Index = Callable[[Mapping[str, str]], Generation]


@dataclass
class Favours:
    """A cross-encoder that likes one word, and keeps what it was given to read."""

    word: str
    name: str = "favours"
    read: list[tuple[str, Sequence[str]]] = field(default_factory=list)

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        self.read.append((question, texts))
        return [text.count(self.word) for text in texts]


def rows(passages: Sequence[object]) -> list[int]:
    return [passage.chunk.row for passage in passages]  # type: ignore[attr-defined]


@given(st.data(), st.integers(0, RERANKED + 5))
def test_an_order_puts_the_very_same_passages_in_its_order(data: st.DataObject, count: int) -> None:
    found = make_result(*(make_passage(row=row) for row in range(count)))
    order = data.draw(st.permutations(range(min(count, RERANKED))))
    result = reordered(found, order, "any")
    assert rows(result.passages) == [*order, *range(len(order), count)]
    assert all(passage is found.passages[passage.chunk.row] for passage in result.passages)
    assert replace(result, passages=found.passages, explanation=found.explanation) == found


@given(st.integers(0, 12), st.lists(st.integers(-3, 15), max_size=14))
def test_what_names_not_each_place_once_is_refused_whole(count: int, order: list[int]) -> None:
    found = make_result(*(make_passage(row=row) for row in range(count)))
    if sorted(order) == list(range(count)):
        assert rows(reordered(found, order, "any").passages) == order
    else:
        with pytest.raises(RerankingFailed, match=f"any did not name each of the {count} passages once"):
            reordered(found, order, "any")


@given(st.lists(st.floats(allow_nan=False)))
def test_higher_scores_come_first_and_equal_ones_keep_their_order(scores: list[float]) -> None:
    order = order_by_scores(scores)
    assert sorted(order) == list(range(len(scores)))
    assert [scores[place] for place in order] == sorted(scores, reverse=True)
    assert all(a < b for a, b in pairwise(order) if scores[a] == scores[b])


def test_the_explanation_tells_where_each_passage_stood() -> None:
    found = make_result(*(make_passage(row=row, page=make_page(f"{name}.md")) for row, name in enumerate("abc")))
    told = reordered(found, [2, 0, 1], "any").explanation.reranking
    assert told == Reranking("any", (("c.md", 3), ("a.md", 1), ("b.md", 2)))
    assert unchanged(found, "any").explanation.reranking == Reranking("any", failed=True)
    assert unchanged(found, "any").passages == found.passages


def test_a_cross_encoder_reads_the_question_with_title_heading_and_readable_text() -> None:
    page = make_page("copias.md", title="Copias")
    found = make_result(
        make_passage("Se hace de **día**.", row=0),
        make_passage("Se hace de **no**che, según [el plan](https://x.example).", row=1, page=page, heading="Cuándo"),
    )
    encoder = Favours("noche")
    result = rerank(found, Query("¿y de noche?", history=(Said("Ana", "user", "¿Hay copias?"),)), encoder)
    assert rows(result.passages) == [1, 0]
    assert result.timings_ms.keys() == {"semantic", "rerank"}
    ((question, texts),) = encoder.read
    assert texts[1] == "Copias\nCuándo\nSe hace de noche, según el plan."
    assert "¿Hay copias?" in question
    assert question.endswith("¿y de noche?")


def test_only_the_first_passages_are_read() -> None:
    found = make_result(*(make_passage(row=row) for row in range(RERANKED + 3)))
    encoder = Favours("nothing")
    assert rows(rerank(found, Query("¿?"), encoder).passages) == list(range(RERANKED + 3))
    assert len(encoder.read[0][1]) == RERANKED


def test_a_very_long_passage_is_read_in_part() -> None:
    assert len(read_text(make_passage("palabra " * 100_000))) < 10_000


def test_spare_passages_change_neither_the_first_ones_nor_the_relevance(index_of: Index) -> None:
    index = index_of(
        {f"{n:02}.md": f"# Página {n}\n\nLa copia número {n} de Faro se hace de noche.\n" for n in range(30)}
    )
    plain, wide = (
        ask(index, "¿Cuándo se hace la copia 7?", limit=4),
        ask(index, "¿Cuándo se hace la copia 7?", limit=4, spare=16),
    )
    assert wide.passages[:4] == plain.passages
    assert len(wide.passages) == 20
    assert (wide.relevance, wide.explanation.signals) == (plain.relevance, plain.explanation.signals)


def test_a_page_that_may_not_be_read_is_not_given_to_a_reranker(index_of: Index) -> None:
    index = index_of(
        {
            "abierta.md": "# Copias\n\nLa copia se hace de noche.\n",
            "cerrada.md": "---\nvisibility: circle\nproject: atlas\n---\n\n# Copias\n\nLa copia secreta.\n",
        }
    )
    encoder = Favours("secreta")
    query = Query("¿Dónde está la copia secreta?", Viewer())
    result = rerank(hybrid_search(query, index, spare=12), query, encoder)
    assert [passage.page.doc_id for passage in result.passages] == ["abierta.md"]
    assert "secreta" not in repr(encoder.read[0][1])
    assert result.explanation.reranking == Reranking("favours", (("abierta.md", 1),))


def test_what_is_evaluated_is_reranked_from_further_down_than_what_is_asked_for(index_of: Index) -> None:
    pages = {f"{n:02}.md": f"# Página {n}\n\nLa copia número {n} de Faro se hace de noche.\n" for n in range(30)}
    index, queries = (
        index_of({**pages, "ultima.md": "# Otra\n\nLa turquesa.\n"}),
        [EvaluationQuery("q", "¿La copia de Faro?")],
    )
    asking = Asking(top=3, encoder=Favours("número 7 "))
    (plain,), (reranked,) = retrieve(queries, index, replace(asking, encoder=None)), retrieve(queries, index, asking)
    ranked = [page.doc_id for page in reranked.results]
    assert ranked[0] == "07.md"
    assert len(ranked) == 3
    assert reranked.relevance == plain.relevance


def test_a_miss_tells_its_rank_after_reranking(index_of: Index) -> None:
    pages = {f"{n:02}.md": f"# Página {n}\n\nLa copia número {n} de Faro se hace de noche.\n" for n in range(12)}
    index = index_of({**pages, "perro.md": "# El perro\n\nEl perro guarda la casa.\n"})
    data = EvaluationSet((EvaluationQuery("q", "¿La copia de Faro?"),), {"q": frozenset({"perro.md"})}, None, ())
    asking = Asking(encoder=Favours("noche"))
    (miss,) = missed(data, run(data, index, asking), index, asking)
    assert miss.right[0].ranks["reranked"] == 13
    assert list(miss.right[0].ranks)[:2] == ["reranked", "fused"]
