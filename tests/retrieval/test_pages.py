"""Literal listings: how queries are read, the order, counts and paging, drafts, and what is said of nothing found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from retrieval import Generation, search_pages
from retrieval.ingest.build import ingest
from retrieval.ingest.sources import Source
from retrieval.types import Embedder, Filters, Query
from tests.wikis import SeenProgress, Wiki, doc_ids, literal

Build = Callable[[Mapping[str, str]], Generation]

PAGES = {
    "copias.md": """---
title: Copias de seguridad
product: Servidor
updated: 2026-03-01
tags: [backup]
---
Las copias se guardan cada noche en el disco externo.
""",
    "discos.md": """---
title: Discos
product: Servidor
kind: briefing
author: ana
updated: 2025-11-20
---
El disco externo guarda las copias. La noche del viernes se revisa.
""",
    "correo.md": "---\ntitle: Correo\nproduct: Oficina\n---\nEl correo se lee en el navegador, también de noche.\n",
    "informe.md": """---
title: Informe nocturno
product: Servidor
kind: auto
---
Cada noche: copias, disco, copias, disco externo, copias.
""",
    "plan.md": "---\ntitle: Plan de copias\nproduct: Servidor\nstatus: draft\n---\nMover las copias a la noche.\n",
    "vieja.md": "---\ntitle: Copias viejas\nproduct: Servidor\nstatus: archived\n---\nCopias en cinta de noche.\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Generation]:
    wiki = Wiki(tmp_path_factory.mktemp("wiki"), tmp_path_factory.mktemp("home"), embedder)
    wiki.write(PAGES)
    wiki.ingest()
    opened = wiki.open()
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("copias noche", {"copias.md", "discos.md", "informe.md"}),
        ('"disco externo"', {"copias.md", "discos.md", "informe.md"}),
        ('"externo disco"', set()),
        ("noche -copias", {"correo.md"}),
        ('noche -"disco externo"', {"correo.md"}),
        ("noche producto:oficina", {"correo.md"}),
        ("noche product:Oficina", {"correo.md"}),
        ("copias estado:borrador", {"plan.md"}),
        ("copias status:archived", {"vieja.md"}),
        ("copias tipo:auto", {"informe.md"}),
        ("copias autor:Ana", {"discos.md"}),
        ("noche desde:2026-01", {"copias.md"}),
        ("noche hasta:2025", {"discos.md"}),
        ("noche desde:2025-11-21 hasta:2026-03", {"copias.md"}),
        ("etiqueta:backup", {"copias.md"}),
        ("noche tag:backup", {"copias.md"}),
        ("copias AND noche", set()),
    ],
)
def test_queries_mean_what_they_say(index: Generation, query: str, found: set[str]) -> None:
    assert set(doc_ids(literal(index, query))) == found


def test_hand_written_pages_come_first_and_automatic_ones_last(index: Generation) -> None:
    assert doc_ids(literal(index, "copias"))[-1] == "informe.md"


def test_the_title_weighs_more_than_the_text(index: Generation) -> None:
    assert doc_ids(literal(index, "copias"))[0] == "copias.md"


def test_drafts_and_archived_pages_are_listed_only_when_asked_for(index: Generation) -> None:
    assert not {"plan.md", "vieja.md"} & set(doc_ids(literal(index, "copias")))
    assert {"plan.md", "vieja.md"} <= set(doc_ids(literal(index, "copias", drafts=True)))


def test_counts_by_product_add_up_to_the_total(index: Generation) -> None:
    listing = literal(index, "noche", limit=1)
    assert listing.counts == {"Servidor": 3, "Oficina": 1}
    assert (listing.total, listing.pages) == (4, 4)


def test_filters_given_by_the_caller_join_those_in_the_text(index: Generation) -> None:
    asked = Query("noche", filters=Filters(products=frozenset({"Oficina"})))
    assert doc_ids(search_pages(asked, index)) == ["correo.md"]


def test_the_snippet_shows_and_marks_the_words_whatever_their_accents(index: Generation) -> None:
    hit = literal(index, "tambien navegador").hits[0]
    assert {hit.snippet[start:end] for start, end in hit.highlights} == {"también", "navegador"}


def test_nothing_found_names_the_missing_words_and_offers_near_ones(index: Generation) -> None:
    listing = literal(index, "copias nochhe zyxw")
    assert listing.total == 0
    assert listing.missing == ("nochhe", "zyxw")
    assert "noche" in listing.suggestions


def test_an_empty_query_lists_nothing(index: Generation) -> None:
    assert literal(index, "   ").total == 0


def test_pages_of_equal_score_never_repeat_or_skip(index_of: Build) -> None:
    index = index_of({f"p{number:02}.md": f"# Página\n\nLa misma palabra {'x' * 3}.\n" for number in range(23)})
    pages = [doc_ids(literal(index, "palabra", page=page, limit=5)) for page in range(1, 6)]
    assert [len(page) for page in pages] == [5, 5, 5, 5, 3]
    assert len({doc_id for page in pages for doc_id in page}) == 23


def test_blocks_follow_the_configured_order_of_the_sources(tmp_path: Path, embedder: Embedder) -> None:
    for name in ("zeta", "alfa"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.md").write_text("# Noche\n\nnoche " + "noche " * (name == "alfa"))
    sources = [
        Source(tmp_path / "zeta", product="Zeta", order=1),
        Source(tmp_path / "alfa", product="Alfa", order=2),
    ]
    home = tmp_path / "home"
    ingest(sources, home, lambda: embedder, embedder_name=embedder.name, progress=SeenProgress())
    index = Wiki(tmp_path, home, embedder).open()
    assert doc_ids(literal(index, "noche")) == ["zeta.md", "alfa.md"]
    index.close()
