"""Records of jsonl files: one page a line, and a bad line costs itself alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retrieval.ingest.parse import ParsedPage, parse
from retrieval.ingest.sources import Fault, RawDocument, Source, read_sources


def read(path: Path, **settings: object) -> tuple[list[RawDocument], list[Fault]]:
    faults: list[Fault] = []
    source = Source(path, **settings)  # type: ignore[arg-type]  # the fields of Source by name
    return list(read_sources([source], faults.append)), faults


def parsed(tmp_path: Path, record: dict[str, object], **settings: object) -> ParsedPage:
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"_id": "1", "text": "Texto", **record}), encoding="utf-8")
    [document], [] = read(tmp_path, **settings)
    return parse(document)


def test_each_line_is_a_document(tmp_path: Path) -> None:
    lines = ['{"_id": "a#1", "title": "Uno", "text": "Texto ñ"}', "", '{"_id": 7, "title": null, "text": ""}']
    (tmp_path / "corpus.jsonl").write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    documents, faults = read(tmp_path)
    assert [(document.doc_id, document.title, document.data.decode()) for document in documents] == [
        ("a#1", "Uno", "Texto ñ"),
        ("7", "", ""),
    ]
    assert {document.format for document in documents} == {"record"}
    assert faults == []


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b'{"_id": "x", "text": ', "the line is not valid JSON; write one object a line"),
        (b'{"_id": "x", "text": "a\xf1o"}', "the line is not UTF-8; save the file as UTF-8"),
        (b"[" * 100_000, "the line is not valid JSON; write one object a line"),
        (b"9" * 10_000, "the line is not valid JSON; write one object a line"),
        (b"[1, 2]", 'the line is no JSON object; write {"_id": …, "title": …, "text": …}'),
        (b'{"text": "sin id"}', "the record has no _id; give it one of its own"),
        (b'{"_id": "  ", "text": "sin id"}', "the record has no _id; give it one of its own"),
        (b'{"_id": true, "text": "sin id"}', "the record has no _id; give it one of its own"),
        (b'{"_id": "x"}', 'the record has no text; give it a "text"'),
        (b'{"_id": "x", "text": ["a"]}', 'the record has no text; give it a "text"'),
    ],
)
def test_a_bad_line_is_named_and_the_rest_is_read(tmp_path: Path, line: bytes, error: str) -> None:
    good = b'{"_id": "%d", "title": "T", "text": "Texto"}\n'
    (tmp_path / "corpus.jsonl").write_bytes(good % 1 + line + b"\n" + good % 2)
    documents, faults = read(tmp_path)
    assert [document.doc_id for document in documents] == ["1", "2"]
    assert faults == [Fault(f"{tmp_path.name}/corpus.jsonl:2", error)]


def test_beside_a_corpus_other_jsonl_files_are_read_only_when_they_are_named(tmp_path: Path) -> None:
    for name in ("corpus.jsonl", "queries.jsonl"):
        (tmp_path / name).write_text(f'{{"_id": "{name}", "text": "Texto"}}', encoding="utf-8")
    assert [document.doc_id for document in read(tmp_path)[0]] == ["corpus.jsonl"]
    assert [document.doc_id for document in read(tmp_path, include=("queries.jsonl",))[0]] == ["queries.jsonl"]


def test_a_repeated_id_keeps_both_documents(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "1", "text": "a"}\n{"_id": "1", "text": "b"}', encoding="utf-8")
    documents, [fault] = read(tmp_path, name="faq")
    assert [document.doc_id for document in documents] == ["1", "faq/1"]
    assert "another page has the id 1" in fault.error


def test_other_keys_are_fields_as_in_front_matter(tmp_path: Path) -> None:
    page = parsed(
        tmp_path,
        {
            "title": "Un  título",
            "product": "soporte",
            "tags": ["a", 5],
            "updated": "2025-03-04T10:00:00Z",
            "status": "stale",
            "metadata": {"language": "en", "author": "ana", "product": "otro"},
            "score": 0.5,
        },
    ).page
    assert (page.title, page.product, page.tags, page.status) == ("Un título", "soporte", ("a", "5"), "stale")
    assert (str(page.updated), page.language, page.author) == ("2025-03-04", "en", "ana")


@pytest.mark.parametrize(
    "fields",
    [
        {"visibility": "secreta"},
        {"visibility": None},
        {"visibility": ["public"]},
        {"Visibility": "private"},
        {"metadata": {"visibility": "private"}},
        {"metadata": {"visibility": "private"}, "visibility": "public"},
        {"metadata": {"acceso": {"visibility": "private"}}},
        {"acceso": [{"visibility": "private"}]},
        {"visibilty": "private"},
    ],
)
def test_a_record_that_may_mean_to_be_hidden_is_withheld(tmp_path: Path, fields: dict[str, object]) -> None:
    page = parsed(tmp_path, fields)
    assert not page.readable
    assert page.page.keys == frozenset()
    [fault] = page.faults
    assert fault.path == f"{tmp_path.name}/corpus.jsonl#1"
    assert fault.error.startswith("withheld: ")


def test_a_records_visibility_gives_its_keys(tmp_path: Path) -> None:
    page = parsed(tmp_path, {"metadata": {"visibility": "circle", "project": "datos"}})
    assert page.page.keys == {"member:datos", "coauthor:datos"}


def test_a_record_without_a_title_takes_its_first_heading_or_first_line(tmp_path: Path) -> None:
    assert parsed(tmp_path, {"text": "Intro\n\n# El título\n\nTexto"}).page.title == "El título"
    assert parsed(tmp_path, {"text": "\nPrimera **línea**\nsegunda"}).page.title == "Primera línea"
    assert parsed(tmp_path, {"text": "palabra " * 50}).page.title == "palabra " * 9 + "palabra…"
    assert parsed(tmp_path, {"_id": "guia-breve", "text": " "}).page.title == "Guia breve"


def test_the_address_of_a_record_holds_its_whole_id(tmp_path: Path) -> None:
    href = "https://a.example/{slug}?id={path}"
    assert parsed(tmp_path, {"_id": "a/b.md#0"}, href=href).page.href == "https://a.example/a/b.md%230?id=a/b.md%230"


def test_half_a_surrogate_pair_never_leaves_the_file(tmp_path: Path) -> None:
    record = '{"_id": "\\ud800", "title": "a\\udfff", "text": "b\\ud83d\\ude00\\ud83d", "author": "\\ud800"}'
    (tmp_path / "corpus.jsonl").write_text(record, encoding="utf-8")
    [document], _ = read(tmp_path)
    page = parse(document)
    assert page.page.doc_id == "\ufffd"
    assert page.page.title == "a\ufffd"
    assert page.body == "b😀\ufffd"
    assert page.page.author == "\ufffd"
