"""Why a query was missed, on a real index."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from retrieval import Generation
from retrieval.evaluation.datasets import EvaluationQuery, EvaluationSet
from retrieval.evaluation.harness import Asking, run
from retrieval.evaluation.misses import Missed, missed
from retrieval.search import list_ranks
from retrieval.types import Query

CATS = {
    f"gato{number}.md": f"# El gato {number}\n\nEl gato {number} duerme en la cocina junto al fuego.\n"
    for number in range(12)
}
PAGES = {
    **CATS,
    "perro.md": "# El perro\n\nEl perro guarda la casa de noche.\n",
    "borrador.md": "---\nstatus: draft\n---\n# El gato dormido\n\nEl gato duerme en la cocina.\n",
}
QUESTION = "¿Dónde duerme el gato junto al fuego?"

Index = Callable[[Mapping[str, str]], Generation]


def explained(index: Generation, right: frozenset[str], asking: Asking | None = None) -> list[Missed]:
    asking = asking or Asking()
    data = EvaluationSet((EvaluationQuery("q", QUESTION),), {"q": right}, None, ())
    return list(missed(data, run(data, index, asking), index, asking))


def test_a_miss_says_where_every_list_had_the_right_page(index_of: Index) -> None:
    [miss] = explained(index_of(PAGES), frozenset({"perro.md"}))
    [page] = miss.right
    assert miss.query == QUESTION
    assert page.readable
    assert page.ranks["semantic"] == 13
    assert page.ranks["phrases"] is None
    assert page.ranks["fused"] == 13
    assert len(miss.found) == 8
    assert set(miss.found) <= set(CATS)


def test_a_query_with_a_right_page_in_the_top_is_no_miss(index_of: Index) -> None:
    index = index_of({"gato0.md": PAGES["gato0.md"], "perro.md": PAGES["perro.md"]})
    assert explained(index, frozenset({"gato0.md"})) == []


def test_a_draft_and_a_page_that_is_not_there_are_told_apart_from_pages_ranked_low(index_of: Index) -> None:
    [miss] = explained(index_of(PAGES), frozenset({"borrador.md", "ninguna.md"}))
    assert [(page.doc_id, page.readable) for page in miss.right] == [("borrador.md", False), ("ninguna.md", False)]
    assert all(rank is None for page in miss.right for rank in page.ranks.values())


def test_a_literal_miss_is_explained_by_the_literal_list(index_of: Index) -> None:
    [miss] = explained(index_of(PAGES), frozenset({"perro.md"}), Asking(literal=True))
    assert miss.right[0].ranks == {"literal": None}


def test_a_miss_of_the_semantic_list_alone_names_no_other_list(index_of: Index) -> None:
    [miss] = explained(index_of(PAGES), frozenset({"perro.md"}), Asking(hybrid=False))
    assert miss.right[0].ranks == {"fused": 13, "semantic": 13}


def test_list_ranks_hold_every_page_once_a_list_from_one_on(index_of: Index) -> None:
    ranks = list_ranks(Query(QUESTION), index_of(PAGES))
    for found in ranks.values():
        assert sorted(found.values()) == list(range(1, len(found) + 1))
    assert len(ranks["semantic"]) == 13
    assert "borrador.md" not in {page for found in ranks.values() for page in found}
