"""How a listing reads."""

from __future__ import annotations

from datetime import date

import pytest
from syrupy.assertion import SnapshotAssertion

from bot.console.listing import listing_lines
from bot.console.spans import to_ansi, to_plain
from bot.messages import Locale
from bot.texts import FluentTexts
from bot.texts.voice import Voice
from retrieval.types import PageHit, PageListing, Status
from tests.builders import make_page

SPANISH = Voice(FluentTexts(), "es")


def hit(doc_id: str, snippet: str = "una copia de seguridad", **fields: object) -> PageHit:
    return PageHit(make_page(doc_id, **fields), 1.0, snippet, ((4, 9),))


def listing(*hits: PageHit, **fields: object) -> PageListing:
    values: dict[str, object] = {
        "total": len(hits),
        "counts": {"Faro": 3, "": 1},
        "page": 1,
        "pages": 1,
        "suggestions": (),
        "missing": (),
        "generation": "g",
        **fields,
    }
    return PageListing(hits=hits, **values)  # type: ignore[arg-type]  # the fields of PageListing by name


MIXED = listing(
    hit("a.md", title="Copias", product="Faro", updated=date(2026, 1, 31), href="https://wiki.example/a"),
    hit("b.md", title="Borrador de copias", product="Faro", status=Status.DRAFT),
    hit("c.md", title="Copias viejas", product="Faro", status=Status.STALE),
    hit("d.md", title="Suelta", status=Status.ARCHIVED),
    hit("e.md", title="Volcado de la API", product="Faro", kind="auto"),
    total=35,
    pages=2,
)


@pytest.mark.parametrize("locale", ["es", "en"])
def test_a_listing_has_blocks_counts_labels_and_folded_automatic_pages(
    locale: Locale, snapshot: SnapshotAssertion
) -> None:
    assert to_plain(listing_lines(MIXED, "copia", Voice(FluentTexts(), locale))) == snapshot


def test_matches_stand_out_in_a_terminal() -> None:
    shown = to_ansi(listing_lines(MIXED, "copia", SPANISH))
    assert "una \x1b[1;33mcopia\x1b[0m de seguridad" in shown


def test_products_are_not_named_when_there_are_none() -> None:
    shown = to_plain(listing_lines(listing(hit("a.md"), counts={"": 1}), "copia", SPANISH))
    assert "Sin producto" not in shown


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"missing": ("copai",), "suggestions": ("copia", "copias")}, "¿Quizá «copia», «copias»?"),
        ({"missing": ("copai",)}, "No aparece en ninguna página: «copai»."),
        ({}, "Sus palabras no están juntas en ninguna página"),
        ({"total": 31, "page": 9, "pages": 2}, "No hay página 9: los resultados acaban en la 2."),
    ],
)
def test_an_empty_listing_says_why_and_what_to_try(fields: dict[str, object], words: str) -> None:
    assert words in to_plain(listing_lines(listing(**fields), "copai diaria", SPANISH))


def test_a_page_cannot_break_its_line_or_drive_the_terminal() -> None:
    bad = hit("a.md", "uno\n\x1b[2Jdos", title="Tí\x1b]0;x\x07tulo\n[bold]", product="P\x9b31m")
    shown = to_plain(listing_lines(listing(bad, counts={"P\x9b31m": 1}), "\x1b[1mx", SPANISH))
    assert "\x1b" not in shown
    assert "  Título [bold]\n    uno dos\n" in shown
