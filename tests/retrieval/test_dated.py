"""Questions about a time on a real index: pages that tell of it rise, none is hidden, and none enters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import pytest

from retrieval import Generation, hybrid_search
from retrieval.search import list_ranks
from retrieval.types import Query, SearchResult, Viewer
from tests.wikis import Wiki, doc_ids

Build = Callable[[Mapping[str, str]], Generation]

WEDNESDAY = datetime(2026, 12, 2, 10, tzinfo=UTC)
PUBLIC = frozenset({"public"})
PAGES = {
    "feria.md": "# La feria de julio\n\nQué pasó en la feria: en julio llovió y se suspendió el baile.\n",
    "verano.md": "# Las fiestas de julio\n\nLo que pasó en julio de otros años lo cuenta el ayuntamiento.\n",
    "lampara.md": "# La lámpara\n\nEl 12/07/2008 se rompió la lámpara grande y vino el cristalero.\n",
    "siglo.md": "# El puerto\n\nDe 1998 a 2012 el puerto tuvo dos grúas y un muelle corto.\n",
    "tejado.md": "---\noccurred: [2008-07, 2010-01-31]\n---\n# El tejado\n\nSe cambiaron las tejas viejas.\n",
    "revisada.md": "---\nupdated: 2008-07-20\n---\n# Los turnos\n\nLos turnos de guardia son de ocho horas.\n",
    "reciente.md": "# La caldera\n\nEl 26 de noviembre de 2026 la caldera perdió agua y se purgó el circuito.\n",
    "pasada.md": "# El ascensor\n\nEl ascensor se paró la semana de la feria y vino el técnico.\n",
    "secreta.md": "---\nvisibility: private\nauthor: ana\n---\n# Diario\n\nEl 13/07/2008 pasó lo del zafiro.\n",
}
JULY = "¿Qué pasó en julio de 2008?"


@pytest.fixture
def index(index_of: Build) -> Generation:
    return index_of(PAGES)


def at(index: Generation, text: str, asked_at: datetime | None = WEDNESDAY, **options: object) -> SearchResult:
    return hybrid_search(Query(text, asked_at=asked_at, **options), index, limit=50)  # type: ignore[arg-type]


def by_dates(found: SearchResult) -> list[str]:
    return list(found.explanation.lists.get("dates", ()))


def test_pages_that_tell_of_the_month_rise_whatever_way_its_date_is_written(index: Generation) -> None:
    before, after = doc_ids(at(index, JULY, None)), doc_ids(at(index, JULY))
    assert after.index("lampara.md") < before.index("lampara.md")
    assert "12/07/2008" in next(p.chunk.text for p in at(index, JULY).passages if p.page.doc_id == "lampara.md")


def test_of_two_like_pages_the_one_that_occurred_then_comes_first(index_of: Build) -> None:
    body = "# El tejado\n\nSe cambiaron las tejas viejas.\n"
    index = index_of({"a.md": body, "b.md": f"---\noccurred: 2010-01-31\n---\n{body}"})
    question = "¿Qué se cambió en enero de 2010?"
    assert doc_ids(at(index, question, None)) == ["a.md", "b.md"]
    assert doc_ids(at(index, question)) == ["b.md", "a.md"]


def test_a_date_in_the_month_comes_before_a_longer_stretch_and_that_before_an_update(index: Generation) -> None:
    dated = by_dates(at(index, JULY))
    assert set(dated[:2]) == {"lampara.md", "tejado.md"}
    assert dated[2:] == ["siglo.md", "revisada.md"]


@pytest.mark.parametrize("text", [JULY, "¿Qué se paró la semana pasada?", "What happened in January 2010?"])
def test_dates_hide_no_page_and_bring_none(index: Generation, text: str) -> None:
    assert set(doc_ids(at(index, text))) == set(doc_ids(at(index, text, None)))


def test_words_about_time_are_read_against_the_clock_of_the_question(index: Generation) -> None:
    question = "¿Qué se paró la semana pasada?"
    assert by_dates(at(index, question)) == ["reciente.md"]
    assert doc_ids(at(index, question, None))[0] == "pasada.md"
    assert doc_ids(at(index, question)).index("reciente.md") < doc_ids(at(index, question, None)).index("reciente.md")
    assert by_dates(at(index, question, datetime(2026, 12, 9, tzinfo=UTC))) == []


@pytest.mark.parametrize("text", ["¿Por qué se paró el ascensor?", "turnos de guardia", "¿Qué pasó en el año 1701?"])
def test_a_question_that_no_date_meets_is_answered_as_if_there_were_none(index: Generation, text: str) -> None:
    with_clock, without = at(index, text), at(index, text, None)
    assert (with_clock.passages, with_clock.relevance) == (without.passages, without.relevance)
    assert with_clock.explanation == without.explanation


def test_without_hybrid_search_the_semantic_list_stands_alone(index: Generation) -> None:
    assert by_dates(at(index, JULY, hybrid=False)) == []


def test_a_private_page_is_lifted_for_its_reader_alone(index: Generation) -> None:
    stranger, ana = at(index, JULY), at(index, JULY, viewer=Viewer("ana", PUBLIC | {"user:ana"}))
    assert "secreta.md" not in {*doc_ids(stranger), *by_dates(stranger)}
    assert "secreta.md" in by_dates(ana)


def test_a_date_says_nothing_of_how_a_passage_was_found(index: Generation) -> None:
    passages = {passage.page.doc_id: passage for passage in at(index, JULY).passages}
    assert {"semantic", "dates"} == passages["revisada.md"].ranks.keys()
    assert passages["revisada.md"].retrieval == "semantic"


def test_where_each_page_stood_by_its_dates_is_told(index: Generation) -> None:
    assert list_ranks(Query(JULY, asked_at=WEDNESDAY), index)["dates"]["revisada.md"] == 4


def test_dates_follow_their_page_as_it_changes_and_leaves(wiki: Wiki, index_of: Build) -> None:
    index_of(PAGES)
    wiki.delete("siglo.md")
    changed = index_of({"lampara.md": "# La lámpara\n\nEl 12/07/2009 se rompió la lámpara grande.\n"})
    assert by_dates(at(changed, JULY)) == ["tejado.md", "revisada.md"]
    assert "lampara.md" in by_dates(at(changed, "¿Qué pasó en julio de 2009?"))
