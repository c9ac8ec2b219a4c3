"""The graph of vectors over a wiki's life: rows that left are never found, never given out again, never in the way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.manifest import DENSE_FOLDER
from retrieval.types import Embedder
from tests.wikis import Wiki, ask, doc_ids

FRUITS = (
    "manzanas",
    "peras",
    "ciruelas",
    "membrillos",
    "higos",
    "uvas",
    "moras",
    "fresas",
    "limones",
    "kiwis",
    "nueces",
)


def page(fruit: str) -> dict[str, str]:
    return {f"{fruit}.md": f"# Sobre {fruit}\n\nEste texto habla de {fruit}.\n"}


@pytest.fixture
def orchard(wiki: Wiki) -> Wiki:
    """A wiki of ten pages, searched by a graph from three on."""
    wiki.graph_from_rows = 3
    for fruit in FRUITS[:10]:
        wiki.write(page(fruit))
    wiki.ingest()
    return wiki


def found_by_meaning(wiki: Wiki, question: str) -> list[str]:
    index = wiki.open()
    assert (index.folder / DENSE_FOLDER / "graph.usearch").exists()
    found = ask(index, question, limit=20)
    assert found.explanation.failed_lists == ()
    index.close()
    return list(found.explanation.lists["semantic"])


def test_the_newest_page_is_deleted_and_another_added(orchard: Wiki) -> None:
    orchard.write(page("nueces"))
    orchard.ingest()
    orchard.delete("nueces.md")
    orchard.ingest()
    assert "nueces.md" not in found_by_meaning(orchard, "¿Qué texto habla de nueces?")
    orchard.write({"castañas.md": "# Castañas\n\nUn texto sobre castañas asadas.\n"})
    orchard.ingest()
    assert found_by_meaning(orchard, "¿Qué texto habla de castañas?")[0] == "castañas.md"
    assert "nueces.md" not in found_by_meaning(orchard, "¿Qué texto habla de nueces?")


def test_the_newest_page_is_edited_again_and_again(orchard: Wiki) -> None:
    for number in range(12):
        orchard.write({"uvas.md": f"# Uvas\n\nVersión {number} de un texto sobre uvas.\n"})
        orchard.ingest()
        assert found_by_meaning(orchard, "¿Qué texto habla de uvas?").count("uvas.md") == 1


def test_dead_rows_at_the_end_count_as_garbage_too(orchard: Wiki) -> None:
    for fruit in FRUITS[4:10]:
        orchard.delete(f"{fruit}.md")
    orchard.ingest()
    orchard.write(page("nueces"))
    orchard.ingest()
    index = orchard.open()
    assert index.catalogue.windows_ever() == 5  # built anew, and not on top of six dead rows
    index.close()


@settings(max_examples=10, deadline=None)
@given(lives=st.lists(st.sets(st.sampled_from(FRUITS), min_size=4), min_size=2, max_size=5))
def test_whatever_comes_and_goes_each_page_is_found_while_it_is_there(
    embedder: Embedder, tmp_path_factory: pytest.TempPathFactory, lives: list[set[str]]
) -> None:
    folder = tmp_path_factory.mktemp("life", numbered=True)
    (folder / "wiki").mkdir()
    wiki = Wiki(folder / "wiki", folder / "home", embedder, graph_from_rows=3)
    for alive in lives:
        for fruit in FRUITS:
            if fruit in alive:
                wiki.write(page(fruit))
            elif (wiki.folder / f"{fruit}.md").exists():
                wiki.delete(f"{fruit}.md")
        wiki.ingest()
        index = wiki.open()
        for fruit in FRUITS:
            found = doc_ids(ask(index, f"¿Qué texto habla de {fruit}?", limit=20))
            assert set(found) <= {f"{name}.md" for name in alive}
            assert (fruit in alive) == (f"{fruit}.md" in found)
        index.close()
