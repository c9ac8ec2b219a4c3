"""Access: nothing a viewer gets comes from a page they may not read. These tests are never loosened."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval import Generation, hybrid_search, search_pages
from retrieval.types import Embedder, Query, Viewer
from tests.wikis import Wiki, ask, doc_ids, literal

PUBLIC = frozenset({"public"})
PAGES = {
    "publica.md": "# Presupuesto\n\nEl presupuesto general se aprueba en enero.\nVéase [[diario]] y [[circulo]].\n",
    "circulo.md": """---
visibility: circle
project: faro
author: ana
chapter: uno
---
# Círculo del faro

El presupuesto del faro es de 4471 doblones.
""",
    "intima.md": """---
visibility: intimate
project: faro
author: ana
---
# Íntima

El presupuesto oculto: quimera.
""",
    "diario.md": """---
visibility: private
author: ana
title: Diario de naufragios
---
Mi presupuesto secreto: zafiro.
""",
    "capitulo.md": "---\nchapter: uno\n---\n# Capítulo uno\n\nEl presupuesto del capítulo se lee en voz alta.\n",
}
VIEWERS = {
    "outsider": (PUBLIC, {"publica.md", "capitulo.md"}),
    "reader": (PUBLIC | {"member:faro"}, {"publica.md", "capitulo.md", "circulo.md"}),
    "coauthor": (PUBLIC | {"coauthor:faro"}, {"publica.md", "capitulo.md", "circulo.md", "intima.md"}),
    "owner": (PUBLIC | {"user:ana"}, {"publica.md", "capitulo.md", "circulo.md", "intima.md", "diario.md"}),
    "chapter guest": (frozenset({"chapter:uno"}), {"capitulo.md", "circulo.md"}),
    "nobody": (frozenset({"member:otro"}), set()),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Generation]:
    wiki = Wiki(tmp_path_factory.mktemp("wiki"), tmp_path_factory.mktemp("home"), embedder)
    wiki.write(PAGES)
    wiki.ingest()
    opened = wiki.open()
    yield opened
    opened.close()


@pytest.mark.parametrize("viewer", VIEWERS)
def test_each_viewer_finds_exactly_the_pages_they_may_read(index: Generation, viewer: str) -> None:
    keys, readable = VIEWERS[viewer]
    listing = literal(index, "presupuesto", keys=keys)
    assert set(doc_ids(listing)) == readable
    assert listing.total == sum(listing.counts.values()) == len(readable)
    assert set(doc_ids(ask(index, "¿Cuál es el presupuesto?", keys=keys, limit=50))) == readable


def test_a_private_word_is_missing_and_never_suggested(index: Generation) -> None:
    listing = literal(index, "zafir", keys=PUBLIC)
    assert listing.missing == ("zafir",)
    assert listing.suggestions == ()
    assert literal(index, "zafir", keys=PUBLIC | {"user:ana"}).suggestions == ("zafiro",)


def test_a_public_page_does_not_show_the_title_of_a_private_page_it_links_to(index: Generation) -> None:
    text = index.page_text("publica.md")
    assert "naufragios" not in text
    assert "Círculo del faro" not in text
    assert literal(index, "naufragios", keys=PUBLIC).total == 0


def test_rarity_and_relevance_count_readable_pages_only(wiki: Wiki) -> None:
    """The same public pages give the same numbers, whatever private pages stand beside them."""
    public = {f"p{number}.md": f"# Página {number}\n\nTexto público sobre faros {number}.\n" for number in range(6)}
    wiki.write(public)
    wiki.ingest()
    alone = wiki.open()
    before = ask(alone, "¿Qué hay sobre faros y quimeras?")
    alone.close()
    wiki.write(
        {
            f"secreta{number}.md": "---\nvisibility: private\nauthor: ana\n---\n# Faros\n\nFaros y quimeras.\n"
            for number in range(10)
        }
    )
    wiki.ingest()
    crowded = wiki.open()
    after = ask(crowded, "¿Qué hay sobre faros y quimeras?")
    assert after.explanation.terms == before.explanation.terms
    assert after.relevance == pytest.approx(before.relevance)
    assert after.explanation.lists.keys() == before.explanation.lists.keys()
    assert not any("secreta" in doc_id for ids in after.explanation.lists.values() for doc_id in ids)
    crowded.close()


def test_a_viewer_narrows_their_keys_and_never_widens_them() -> None:
    viewer = Viewer("ana", frozenset({"public", "user:ana"}))
    assert viewer.narrowed(frozenset({"public", "member:faro"})).keys == PUBLIC


PROJECTS, AUTHORS, CHAPTERS = ("faro", "norte", ""), ("ana", "blas", ""), ("uno", "")
page_fields = st.fixed_dictionaries(
    {
        "visibility": st.sampled_from(["public", "circle", "intimate", "private", "secretísima"]),
        "project": st.sampled_from(PROJECTS),
        "author": st.sampled_from(AUTHORS),
        "chapter": st.sampled_from(CHAPTERS),
    }
)
KEYS = ("public", "member:faro", "member:norte", "coauthor:faro", "user:ana", "user:blas", "chapter:uno")


def may_read(page: dict[str, str], keys: frozenset[str]) -> bool:
    """DESIGN's table, written out once more and apart from the code."""
    project, author, chapter = page["project"], page["author"], page["chapter"]
    of_chapter = bool(chapter) and f"chapter:{chapter}" in keys
    by_author = bool(author) and f"user:{author}" in keys
    coauthor = bool(project) and f"coauthor:{project}" in keys
    match page["visibility"]:
        case "public":
            return "public" in keys or of_chapter
        case "circle":
            return bool(project) and (f"member:{project}" in keys or coauthor or by_author or of_chapter)
        case "intimate":
            return coauthor or by_author
        case "private":
            return by_author
    return False


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pages=st.lists(page_fields, min_size=1, max_size=8), keys=st.frozensets(st.sampled_from(KEYS), min_size=1))
def test_nothing_derives_from_a_page_the_viewer_may_not_read(
    wiki: Wiki, pages: list[dict[str, str]], keys: frozenset[str]
) -> None:
    for old in wiki.folder.iterdir():
        old.unlink()
    for number, page in enumerate(pages):
        front = "\n".join(f"{name}: {value}" for name, value in page.items() if value)
        wiki.write({f"p{number}.md": f"---\n{front}\n---\n# Título{number}\n\nTesoro enterrado, marca{number}.\n"})
    wiki.ingest()
    index = wiki.open()
    try:
        readable = {f"p{number}.md" for number, page in enumerate(pages) if may_read(page, keys)}
        listing = search_pages(Query("tesoro", Viewer(keys=keys)), index)
        found = hybrid_search(Query("¿Dónde está el tesoro enterrado?", Viewer(keys=keys)), index, limit=50)
        assert set(doc_ids(listing)) == readable
        assert listing.total == len(readable)
        assert set(doc_ids(found)) == readable
        assert {doc_id for ids in found.explanation.lists.values() for doc_id in ids} <= readable
        assert (found.relevance is None) == (not readable)
        for number in range(len(pages)):
            alone = search_pages(Query(f"marca{number}", Viewer(keys=keys)), index)
            assert alone.total == (f"p{number}.md" in readable)
    finally:
        index.close()
