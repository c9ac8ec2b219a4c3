"""What is known of a page: its fields, and what is made of those it lacks or gets wrong."""

from __future__ import annotations

import codecs
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ingest.documents import Format, RawDocument, Source
from retrieval.ingest.parse import ParsedPage, parse
from retrieval.types import PUBLIC, Status

WIKI = Source(Path("wiki"))
PUBLIC_KEYS = frozenset({PUBLIC})


def page_of(
    text: str | bytes, *, doc_id: str = "guias/primer-dia.md", source: Source = WIKI, kind: Format = "markdown"
) -> ParsedPage:
    data = text if isinstance(text, bytes) else text.encode()
    return parse(RawDocument(doc_id, source, f"wiki/{doc_id}", data, kind))


def errors(page: ParsedPage) -> list[str]:
    assert {fault.path for fault in page.faults} <= {"wiki/guias/primer-dia.md"}
    return [fault.error for fault in page.faults]


FULL = """---
title: 'Cómo: pedir vacaciones'
product: personas
status: Stale
kind: fixed
href: https://wiki.example.com/vacaciones
updated: 2026-11-20
tags: [vacaciones, '#permisos', vacaciones, 2026]
visibility: circle
project: rrhh
author: ana
chapter: es-madrid
language: es-ES
---
# Otro título

Texto
"""


def test_front_matter_gives_the_page_its_fields() -> None:
    parsed = page_of(FULL)
    page = parsed.page
    assert page.title == "Cómo: pedir vacaciones"
    assert (page.product, page.status, page.kind) == ("personas", Status.STALE, "fixed")
    assert (page.href, page.updated) == ("https://wiki.example.com/vacaciones", date(2026, 11, 20))
    assert page.tags == ("vacaciones", "permisos", "2026")
    assert (page.project, page.author, page.chapter, page.language) == ("rrhh", "ana", "es-madrid", "es")
    assert page.keys == {"member:rrhh", "coauthor:rrhh", "user:ana", "chapter:es-madrid"}
    assert (page.doc_id, page.source_path) == ("guias/primer-dia.md", "wiki/guias/primer-dia.md")
    assert parsed.body == "# Otro título\n\nTexto\n"
    assert parsed.source_text == FULL
    assert parsed.readable
    assert parsed.faults == ()


def test_what_a_page_does_not_say_comes_from_its_source_and_its_text() -> None:
    source = Source(Path("w"), product="soporte", kind="auto", href="https://a.example/{slug}?f={path}")
    page = page_of("The first day is for the team and its tools.", source=source, doc_id="a b/día.md").page
    assert (page.title, page.product, page.kind, page.language) == ("Día", "soporte", "auto", "en")
    assert page.href == "https://a.example/a%20b/d%C3%ADa?f=a%20b/d%C3%ADa.md"
    assert (page.status, page.updated, page.tags, page.keys) == (Status.ACTIVE, None, (), PUBLIC_KEYS)


@pytest.mark.parametrize(
    ("doc_id", "text", "title"),
    [
        ("a.md", "---\ntitle: Del campo\n---\n# Del texto", "Del campo"),
        ("a.md", "---\ntitle: 2024-01-01\n---\n", "2024-01-01"),
        ("a.md", "---\ntitle: 3.10\n---\n", "3.10"),
        ("a.md", "---\ntitle: >\n  Una\n  línea\n---\n", "Una línea"),
        ("a.md", "---\ntitle:\n---\n# Del texto", "Del texto"),
        ("a.md", "---\ntitle: {a: b}\n---\n# Del texto", "Del texto"),
        ("a.md", "Intro\n\nDel texto\n---\n", "Del texto"),
        ("guias/primer-dia_en_la_oficina.md", "Texto", "Primer dia en la oficina"),
        ("guias/viajes/index.md", "Texto", "Viajes"),
        ("README.md", "Texto", "README"),
        ("a/--.md", "Texto", "A/--.md"),
    ],
)
def test_the_title_is_the_field_or_the_first_heading_or_the_name(doc_id: str, text: str, title: str) -> None:
    assert page_of(text, doc_id=doc_id).page.title == title


def test_a_text_file_has_no_headings_but_may_link() -> None:
    parsed = page_of("# No es un título\n[[otra página]]", doc_id="notas/diario.txt", kind="text")
    assert parsed.page.title == "Diario"
    assert parsed.body == "# No es un título\n[[otra página]]"
    assert parsed.links == ("otra página",)


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("updated: 2025-03-04", date(2025, 3, 4)),
        ("updated: 2025/3/4", date(2025, 3, 4)),
        ('updated: "2025-03-04T18:03:50.000Z"', date(2025, 3, 4)),
        ("last-update: 2026-04-01T18:03:50.000Z", date(2026, 4, 1)),
        ("lastUpdated: 2025-03-04 10:00", date(2025, 3, 4)),
        ("lastmod: 2025-03-04", date(2025, 3, 4)),
        ("date: 2025-03-04", date(2025, 3, 4)),
        ("date: 2025-03-04\nupdated: 2026-01-01", date(2026, 1, 1)),
        ("date: pronto", None),
    ],
)
def test_the_date_is_read_from_the_keys_that_wikis_use(field: str, expected: date | None) -> None:
    parsed = page_of(f"---\n{field}\n---\n")
    assert parsed.page.updated == expected
    assert parsed.faults == ()


@pytest.mark.parametrize(
    ("field", "tags"),
    [
        ("tags: uno, dos,, uno", ("uno", "dos")),
        ("tags: 5", ("5",)),
        ("tags:\n- uno\n- dos: tres\n- null", ("uno",)),
        ("tags: {a: b}", ()),
        ("tags:", ()),
        ("Tags: [Uno  dos]", ("Uno dos",)),
    ],
)
def test_tags_are_a_list_or_words_between_commas(field: str, tags: tuple[str, ...]) -> None:
    assert page_of(f"---\n{field}\n---\n").page.tags == tags


@pytest.mark.parametrize(
    ("field", "error"),
    [
        (
            "status: listo",
            "status 'listo' is not known, the page counts as active; write one of active, stale, draft, archived",
        ),
        ("updated: ayer", "updated 'ayer' is no date; write it as 2025-01-31"),
        ("updated: 2025-02-31", "updated '2025-02-31' is no date; write it as 2025-01-31"),
        ("author: [ana, eva]", "`author` takes one value, not several; keep one"),
        ("href: javascript:alert(1)", "href 'javascript:alert(1)' is no web address and is left out; write https://…"),
        ("product: a\nproduct: b", "`product` is given twice and the last one counts; keep one"),
    ],
)
def test_a_field_that_cannot_be_used_is_one_fault_and_the_page_is_read(field: str, error: str) -> None:
    parsed = page_of(f"---\n{field}\n---\nTexto")
    assert errors(parsed) == [error]
    assert parsed.readable
    assert (parsed.page.status, parsed.page.updated, parsed.page.author, parsed.page.href) == ("active", None, "", "")


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        (
            "visibility: secreta",
            "withheld: visibility 'secreta' is not known; write one of public, circle, intimate, private",
        ),
        ("visibility:", "withheld: visibility '' is not known; write one of public, circle, intimate, private"),
        ("visibility: circle", "withheld: visibility 'circle' needs a project; name it in the front matter"),
        ("visibility: Private", "withheld: visibility 'Private' needs an author; name it in the front matter"),
        (
            "visibility: intimate\nchapter: x",
            "withheld: visibility 'intimate' needs a project or an author; name it in the front matter",
        ),
    ],
)
def test_a_page_that_no_key_can_be_made_for_is_withheld(fields: str, error: str) -> None:
    parsed = page_of(f"---\ntitle: Nóminas\n{fields}\n---\nTexto")
    assert errors(parsed) == [error]
    assert not parsed.readable
    assert (parsed.page.keys, parsed.page.title) == (frozenset(), "Primer dia")


def test_the_sources_visibility_is_for_pages_that_name_none() -> None:
    source = Source(Path("w"), visibility="circle")
    assert page_of("---\nproject: datos\n---\n", source=source).page.keys == {"member:datos", "coauthor:datos"}
    assert page_of("---\nvisibility: public\n---\n", source=source).page.keys == {"public"}
    withheld = page_of("Texto", source=source)
    assert not withheld.readable
    assert errors(withheld) == [
        "withheld: the source's visibility 'circle' needs a project; name it in the front matter"
    ]


@pytest.mark.parametrize(
    ("data", "body", "error"),
    [
        (codecs.BOM_UTF8 + "---\ntitle: T\n---\nAño".encode(), "Año", None),
        (codecs.BOM_UTF16_LE + "---\ntitle: T\n---\nAño".encode("utf-16-le"), "Año", None),
        (codecs.BOM_UTF16_BE + "---\ntitle: T\n---\nAño".encode("utf-16-be"), "Año", None),
        (b"---\r\ntitle: T\r\n---\r\nuno\r\ndos\rtres", "uno\ndos\ntres", None),
        (b"---\ntitle: T\n---\nu\0no", "uno", "it holds NUL bytes, which are left out; save it as plain text"),
        (
            "---\ntitle: T\n---\nLa configuración del año".encode("latin-1"),
            "La configuración del año",
            "it is not UTF-8 and is read as cp1252; save it as UTF-8",
        ),
        (
            "---\ntitle: T\n---\n“Comillas” — y 100 €".encode("cp1252"),
            "“Comillas” — y 100 €",
            "it is not UTF-8 and is read as cp1252; save it as UTF-8",
        ),
        (
            "---\ntitle: T\n---\nEl niño y la niña".encode() + b" rot\xf3",
            "El niño y la niña rot\ufffd",
            "1 bytes are not UTF-8 and are shown as \ufffd; save it as UTF-8",
        ),
        (
            "---\ntitle: T\n---\nПривет, это страница о том, как работает программа".encode("cp1251"),
            "Привет, это страница о том, как работает программа",
            "it is not UTF-8 and is read as cp1251; save it as UTF-8",
        ),
    ],
)
def test_bytes_become_text_with_line_feeds(data: bytes, body: str, error: str | None) -> None:
    parsed = page_of(data)
    assert parsed.page.title == "T"
    assert parsed.body == body
    assert errors(parsed) == ([error] if error else [])


def test_wikilinks_are_told_as_written() -> None:
    parsed = page_of("[[Uno]], [[dos#Sección|alias]] y [[uno]] `[[no]]` [[#aquí]]")
    assert parsed.links == ("Uno", "dos", "uno")
    assert parsed.body == "[[Uno]], [[dos#Sección|alias]] y [[uno]] `[[no]]` [[#aquí]]"


HTML = """<!doctype html><html lang="en-GB"><head><title>A  page</title>
<meta name="Visibility" content="private"><meta name="author" content="ana"></head><body><p>Hola</p></body></html>"""


def test_an_html_page_tells_its_fields_in_its_head() -> None:
    parsed = page_of(HTML, doc_id="guias/primer-dia.html", kind="html")
    assert (parsed.page.title, parsed.page.language, parsed.page.keys) == ("A page", "en", frozenset({"user:ana"}))
    assert parsed.body == "Hola"
    assert parsed.source_text == HTML


def test_front_matter_before_html_counts_more_than_its_head() -> None:
    parsed = page_of(f"---\ntitle: Otro\nvisibility: public\n---\n{HTML}", doc_id="a.html", kind="html")
    assert (parsed.page.title, parsed.page.keys) == ("Otro", PUBLIC_KEYS)


def test_an_html_page_without_a_title_takes_its_first_heading() -> None:
    assert page_of("<p>a</p><h2>Un <b>títu</b>lo</h2>", doc_id="x.html", kind="html").page.title == "Un título"


def test_a_page_of_ten_megabytes_is_read_whole() -> None:
    text = "---\ntitle: Larga\n---\n" + "# Sección\n\nUna frase de relleno. " * 300_000 + "final"
    parsed = page_of(text)
    assert len(parsed.body) > 9_000_000
    assert parsed.body.endswith("final")


@given(st.binary(max_size=200), st.sampled_from(["markdown", "text", "html", "record"]))
def test_no_bytes_stop_a_page_from_being_parsed(data: bytes, kind: Format) -> None:
    parsed = page_of(data, kind=kind)
    for text in (parsed.body, parsed.source_text, parsed.page.title, *parsed.links):
        text.encode()
        assert "\0" not in text
        assert "\r" not in text


FRAGMENTS = [
    "---",
    "...",
    "\n",
    " ",
    "title: ",
    "visibility: ",
    "private",
    "x",
    '"',
    "[",
    "{",
    "- ",
    ": ",
    "&a ",
    "*a",
    "|",
    "#",
]
FRAGMENTS += ["<<: ", "!!binary ", "? ", "\t", "%YAML 1.2", "'", "> ", "\x85", "\u2028", "\ufeff", "\ud7ff", "é"]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=20).map("".join))
def test_no_front_matter_stops_a_page_from_being_parsed(block: str) -> None:
    parsed = page_of(f"---\n{block}\n---\ncuerpo")
    assert parsed.readable == bool(parsed.page.keys)
    assert parsed.readable or parsed.faults
