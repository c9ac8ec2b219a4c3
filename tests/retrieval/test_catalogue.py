"""The catalogue as readers see it: pages by row, however many, and rows that are given out once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.catalogue import PAGES_KEPT, Catalogue
from retrieval.ingest.catalogue_writer import CatalogueWriter
from retrieval.ingest.plan import PreparedPage
from tests.builders import make_page

PAGES = PAGES_KEPT + 50


def prepared(doc_id: str) -> PreparedPage:
    return PreparedPage(make_page(doc_id, title=f"Título {doc_id}"), 0, "", (), "", (), "", "", "", (), ())


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalogue]:
    path = tmp_path_factory.mktemp("large") / "catalogue.sqlite"
    with CatalogueWriter(path, None) as writer:
        for row in range(PAGES):
            writer.add_page(row, prepared(f"p{row}.md"))
    catalogue = Catalogue(path)
    yield catalogue
    catalogue.close()


def test_more_pages_than_are_kept_in_memory_are_all_given_at_once_and_again(large: Catalogue) -> None:
    for _ in range(2):
        pages = large.pages(range(PAGES))
        assert {row: page.doc_id for row, page in pages.items()} == {row: f"p{row}.md" for row in range(PAGES)}


def test_pages_are_given_when_the_kept_ones_are_let_go(large: Catalogue) -> None:
    for first in range(0, PAGES, 5_000):
        large.pages(range(first, min(first + 5_000, PAGES)))
    for rows in ([3], [PAGES - 1, 3], [PAGES + 7], [], range(100)):
        found = large.pages(rows)
        assert {row: page.title for row, page in found.items()} == {
            row: f"Título p{row}.md" for row in rows if row < PAGES
        }


def test_a_row_is_given_out_once_even_when_its_page_has_left(tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    with CatalogueWriter(first, None) as writer:
        assert [writer.next_row(table) for table in ("pages", "chunks", "windows")] == [0, 0, 0]
        for row in range(3):
            writer.add_page(row, prepared(f"p{row}.md"))
    with CatalogueWriter(second, first) as writer:
        writer.remove_pages([1, 2])
        assert writer.next_row("pages") == 3
    with CatalogueWriter(third, second) as writer:
        assert writer.next_row("pages") == 3
