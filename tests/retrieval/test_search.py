"""Hybrid search on a real index: what each list brings, what is left out, and how a failing list is borne."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

import pytest

from retrieval import Generation, hybrid_search, open_index
from retrieval.errors import EmbeddingUnavailable
from retrieval.types import Embedder, Filters, Query, Said, Status
from tests.wikis import Wiki, ask, doc_ids

Build = Callable[[Mapping[str, str]], Generation]

PAGES = {
    "gatos.md": "# Gatos\n\nLos felinos domésticos duermen muchas horas y cazan ratones.\n",
    "perros.md": "# Perros\n\nLos canes necesitan paseos diarios y compañía.\n",
    "servidor.md": "# Servidor\n\nEl servidor XK-4471 se reinicia los lunes.\n",
    "english.md": "# Backups\n\nBackups are copied to the external disk every night.\n",
    "borrador.md": "---\nstatus: draft\n---\n# Gatos nuevos\n\nLos felinos domésticos del plan nuevo.\n",
    "largo.md": "# Manual largo\n\n"
    + "\n\n".join(f"## Parte {number}\n\n" + "Texto de relleno sobre jardines y plantas. " * 30 for number in range(6))
    + "\n\n## Final\n\nLa contraseña de emergencia se llama QZX-99.\n",
}


@pytest.fixture
def index(index_of: Build) -> Generation:
    return index_of(PAGES)


def test_a_question_finds_its_page_by_meaning_alone(index: Generation) -> None:
    found = ask(index, "¿Qué animales comen ratones?")
    assert doc_ids(found)[0] == "gatos.md"
    assert found.passages[0].retrieval in ("semantic", "both")


def test_an_identifier_finds_its_page_and_the_chunk_that_holds_it(index: Generation) -> None:
    best = ask(index, "¿Qué es QZX-99?").passages[0]
    assert best.page.doc_id == "largo.md"
    assert "QZX-99" in best.chunk.text


def test_words_copied_from_a_page_find_it_first(index: Generation) -> None:
    assert doc_ids(ask(index, "el servidor XK-4471 se"))[0] == "servidor.md"


def test_drafts_never_enter_unless_a_filter_names_them(index: Generation) -> None:
    assert "borrador.md" not in doc_ids(ask(index, "felinos domésticos del plan nuevo", limit=50))
    wanted = Query("felinos del plan", filters=Filters(statuses=frozenset({Status.DRAFT})))
    assert doc_ids(hybrid_search(wanted, index)) == ["borrador.md"]


def test_a_page_gives_three_chunks_at_the_most(index: Generation) -> None:
    assert doc_ids(ask(index, "jardines y plantas", limit=20)).count("largo.md") == 3
    assert doc_ids(ask(index, "jardines y plantas", limit=20, chunks_a_page=1)).count("largo.md") == 1


def test_every_passage_is_cut_out_of_its_page(index: Generation) -> None:
    for passage in ask(index, "jardines, gatos y servidores", limit=20).passages:
        text = index.page_text(passage.page.doc_id)
        assert text[passage.chunk.start : passage.chunk.end] == passage.chunk.text


def test_without_hybrid_the_semantic_list_stands_alone(index: Generation) -> None:
    found = hybrid_search(Query("servidor XK-4471", hybrid=False), index)
    assert {name for passage in found.passages for name in passage.ranks} == {"semantic"}
    assert found.explanation.signals["coverage"] == 1.0  # the words still tell how relevant it is


def test_filters_act_inside_every_list(index_of: Build) -> None:
    index = index_of(
        {
            f"{product}-{number}.md": f"---\nproduct: {product}\nupdated: {2020 + number}-05-01\n---\n# Copias\n"
            for product in ("A", "B")
            for number in range(4)
        }
    )
    only_b = Query("copias", filters=Filters(products=frozenset({"b"}), since=date(2022, 1, 1)))
    assert set(doc_ids(hybrid_search(only_b, index))) == {"B-2.md", "B-3.md"}


def test_a_follow_up_is_asked_with_the_words_before_it(index: Generation) -> None:
    history = (
        Said("ana", "user", "¿Cada cuánto se reinicia el servidor XK-4471?"),
        Said("oráculo", "oracle", "Los lunes."),
    )
    found = hybrid_search(Query("¿y por qué?", history=history), index)
    assert doc_ids(found)[0] == "servidor.md"


def test_a_follow_up_that_stands_by_itself_is_not_drowned_by_the_question_before(index: Generation) -> None:
    history = (Said("ana", "user", "¿Cada cuánto se reinicia el servidor XK-4471?"),)
    found = hybrid_search(Query("¿Qué animales domésticos cazan ratones?", history=history), index)
    assert doc_ids(found)[0] == "gatos.md"


def test_no_passage_stands_twice_in_a_follow_up(index: Generation) -> None:
    history = (Said("ana", "user", "¿Qué dice el manual largo sobre jardines y plantas?"),)
    found = hybrid_search(Query("¿y la parte tres sobre jardines?", history=history), index, limit=20)
    rows = [passage.chunk.row for passage in found.passages]
    assert len(rows) == len(set(rows))


def test_relevance_is_high_for_what_the_wiki_holds_and_low_for_what_it_does_not(index: Generation) -> None:
    held = ask(index, "¿Cuándo se reinicia el servidor XK-4471?").relevance
    foreign = ask(index, "¿Quién ganó el mundial de fútbol de 1986?").relevance
    assert held is not None
    assert foreign is not None
    assert foreign < 0.4 < held


def test_an_empty_index_gives_no_passages_and_no_relevance(index_of: Build) -> None:
    found = ask(index_of({}), "¿Qué hay?")
    assert found.passages == ()
    assert found.relevance is None


def test_when_the_model_cannot_be_had_the_exact_lists_answer(wiki: Wiki) -> None:
    wiki.write(PAGES)
    wiki.ingest()

    def unavailable() -> Embedder:
        raise EmbeddingUnavailable("the model is gone; run `oraculo doctor`")

    index = open_index(wiki.home, unavailable)
    found = ask(index, "servidor XK-4471")
    assert doc_ids(found)[0] == "servidor.md"
    assert found.explanation.failed_lists == ("semantic",)
    assert found.relevance == 1.0  # all that was asked stands in the page
    with pytest.raises(EmbeddingUnavailable):
        hybrid_search(Query("servidor", hybrid=False), index)  # nothing is left to answer
    index.close()


def test_the_explanation_names_lists_terms_and_signals(index: Generation) -> None:
    explanation = ask(index, "¿Cuándo se reinicia el servidor XK-4471?").explanation
    assert "servidor.md" in explanation.lists["all"]
    assert {term.text for term in explanation.terms} >= {"servidor", "xk 4471"}
    assert set(explanation.signals) >= {"cosine", "contrast", "coverage"}


@pytest.mark.parametrize("text", ["", "   ", "¿?", "\x00", "😀", "a" * 5000, "AND OR NOT", '"', "\ud800"])
def test_odd_questions_are_answered_or_found_empty_but_never_an_error(index: Generation, text: str) -> None:
    assert ask(index, text).generation == index.stamp
