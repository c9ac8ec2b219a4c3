"""Reading sources: every page once, in a stable order, and nothing from outside."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from retrieval.errors import SourceMissing
from retrieval.ingest.sources import Fault, RawDocument, Source, check_sources, read_sources


def write(folder: Path, pages: Mapping[str, str]) -> Path:
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def read(*sources: Source) -> tuple[list[RawDocument], list[Fault]]:
    faults: list[Fault] = []
    return list(read_sources(sources, faults.append)), faults


def ids(*sources: Source) -> list[str]:
    return [document.doc_id for document in read(*sources)[0]]


@pytest.fixture
def wiki(tmp_path: Path) -> Path:
    (tmp_path / "wiki").mkdir()
    return tmp_path / "wiki"


def test_pages_of_every_format_are_read_in_the_order_of_their_paths(wiki: Path) -> None:
    names = ["b.md", "a/z.md", "a/b.MDX", "c.txt", "d.html", "e.HTM", "f.markdown", "ñ.md"]
    write(wiki, dict.fromkeys([*names, "foto.png", "notas.docx"], "Texto"))
    documents, faults = read(Source(wiki))
    assert [document.doc_id for document in documents] == sorted(names)
    assert {document.doc_id: document.format for document in documents} == {
        "a/b.MDX": "markdown",
        "a/z.md": "markdown",
        "b.md": "markdown",
        "c.txt": "text",
        "d.html": "html",
        "e.HTM": "html",
        "f.markdown": "markdown",
        "ñ.md": "markdown",
    }
    assert faults == []


def test_paths_are_shown_with_the_sources_name_and_never_with_this_machines_folders(wiki: Path) -> None:
    write(wiki, {"a/b.md": "Texto"})
    assert [document.source_path for document in read(Source(wiki))[0]] == ["wiki/a/b.md"]
    assert [document.source_path for document in read(Source(wiki, name="Soporte"))[0]] == ["Soporte/a/b.md"]


def test_hidden_files_and_folders_are_not_read(wiki: Path) -> None:
    write(wiki, {".git/x.md": "no", ".oculta.md": "no", "a/.b/c.md": "no", "si.md": "sí"})
    assert ids(Source(wiki)) == ["si.md"]


def test_a_source_may_be_one_file(wiki: Path) -> None:
    write(wiki, {"a.md": "Texto", "b.md": "Texto", "otros.jsonl": '{"_id": "1", "text": "x"}'})
    assert ids(Source(wiki / "a.md")) == ["a.md"]
    assert ids(Source(wiki / "otros.jsonl")) == ["1"]


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        ((), (), ["a/b/c.md", "a/toc.md", "d.txt", "toc.md"]),
        (("**/*.md",), (), ["a/b/c.md", "a/toc.md", "toc.md"]),
        (("*.md",), (), ["a/b/c.md", "a/toc.md", "toc.md"]),
        (("/*.md",), (), ["toc.md"]),
        (("a",), (), ["a/b/c.md", "a/toc.md"]),
        (("a/**",), (), ["a/b/c.md", "a/toc.md"]),
        (("a/*.md",), (), ["a/toc.md"]),
        (("*.txt", "a/b/"), (), ["a/b/c.md", "d.txt"]),
        ((), ("toc.md",), ["a/b/c.md", "d.txt"]),
        ((), ("a/",), ["d.txt", "toc.md"]),
        ((), ("**/b/**",), ["a/toc.md", "d.txt", "toc.md"]),
        ((), ("?.txt", "[st]oc.md"), ["a/b/c.md"]),
        ((), ("[!t]*",), ["toc.md"]),
        (("**",), ("*",), []),
    ],
)
def test_globs_choose_the_pages(
    wiki: Path, include: tuple[str, ...], exclude: tuple[str, ...], expected: list[str]
) -> None:
    write(wiki, dict.fromkeys(["toc.md", "a/toc.md", "a/b/c.md", "d.txt"], "Texto"))
    assert ids(Source(wiki, include=include, exclude=exclude)) == expected


def test_a_missing_source_is_an_error_before_anything_is_read(wiki: Path, tmp_path: Path) -> None:
    write(wiki, {"a.md": "Texto"})
    sources = [Source(wiki), Source(tmp_path / "no-hay")]
    with pytest.raises(SourceMissing, match="no-hay: there is no such folder or file; correct its path"):
        check_sources(sources)
    with pytest.raises(SourceMissing):
        next(read_sources(sources, lambda fault: pytest.fail(fault.error)))


def test_a_file_of_a_kind_that_is_not_read_is_no_source(wiki: Path) -> None:
    (wiki / "foto.png").write_bytes(b"\x89PNG")
    with pytest.raises(SourceMissing, match=r"foto\.png: not a kind of file that is read"):
        check_sources([Source(wiki / "foto.png")])


def test_loops_of_links_end_and_each_page_is_read_once(wiki: Path) -> None:
    write(wiki, {"a/b.md": "Texto"})
    (wiki / "a" / "arriba").symlink_to(wiki)
    (wiki / "a" / "si-misma").symlink_to(wiki / "a")
    (wiki / "x").symlink_to(wiki / "y")
    (wiki / "y").symlink_to(wiki / "x")
    (wiki / "copia.md").symlink_to(wiki / "a" / "b.md")
    documents, faults = read(Source(wiki))
    assert [document.doc_id for document in documents] == ["a/b.md"]
    assert faults == []


def test_a_link_to_a_hidden_folder_of_the_source_is_followed(wiki: Path) -> None:
    write(wiki, {".guardado/a.md": "Texto"})
    (wiki / "actual").symlink_to(wiki / ".guardado")
    assert ids(Source(wiki)) == ["actual/a.md"]


def test_what_lies_outside_the_source_is_not_followed(wiki: Path, tmp_path: Path) -> None:
    write(tmp_path / "fuera", {"secreto.md": "Texto"})
    write(wiki, {"dentro.md": "Texto"})
    (wiki / "enlace.md").symlink_to(tmp_path / "fuera" / "secreto.md")
    (wiki / "carpeta").symlink_to(tmp_path / "fuera")
    (wiki / "foto.png").symlink_to(tmp_path / "fuera" / "secreto.md")
    documents, faults = read(Source(wiki))
    assert [document.doc_id for document in documents] == ["dentro.md"]
    assert sorted(fault.path for fault in faults) == ["wiki/carpeta", "wiki/enlace.md"]
    assert all("leads outside the source and is not followed" in fault.error for fault in faults)


def test_a_source_that_is_itself_a_link_is_read(wiki: Path, tmp_path: Path) -> None:
    write(wiki, {"a.md": "Texto"})
    (tmp_path / "alias").symlink_to(wiki)
    assert ids(Source(tmp_path / "alias")) == ["a.md"]


def test_what_cannot_be_read_is_a_fault_and_the_others_are_read(wiki: Path) -> None:
    write(wiki, {"a.md": "Texto", "carpeta.md/dentro.md": "Texto"})
    (wiki / "roto.md").symlink_to(wiki / "no-hay.md")
    os.mkfifo(wiki / "tubo.md")
    documents, faults = read(Source(wiki))
    assert [document.doc_id for document in documents] == ["a.md", "carpeta.md/dentro.md"]
    assert {fault.path: fault.error.split(";")[0] for fault in faults} == {
        "wiki/carpeta.md": "it is a folder with the name of a page",
        "wiki/roto.md": "the link leads nowhere",
        "wiki/tubo.md": "it is no regular file and is not read",
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_page_without_permission_is_a_fault(wiki: Path) -> None:
    write(wiki, {"a.md": "Texto", "b.md": "Texto"})
    (wiki / "a.md").chmod(0)
    documents, [fault] = read(Source(wiki))
    assert [document.doc_id for document in documents] == ["b.md"]
    assert fault == Fault("wiki/a.md", "it cannot be read (Permission denied); mend its permissions or remove it")


def test_a_file_name_that_is_not_utf_8_can_be_shown_and_stored(wiki: Path) -> None:
    path = os.fsencode(wiki) + b"/a\xf1o.md"
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_WRONLY)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    os.close(descriptor)
    [document], _ = read(Source(wiki))
    assert document.doc_id == "a\ufffdo.md"


def test_a_second_page_with_the_same_id_gets_its_sources_name(tmp_path: Path) -> None:
    for name in ("uno", "dos", "tres"):
        write(tmp_path / name, {"inicio.md": "Texto"})
    sources = [Source(tmp_path / "uno"), Source(tmp_path / "dos"), Source(tmp_path / "tres", name="dos")]
    documents, faults = read(*sources)
    assert [document.doc_id for document in documents] == ["inicio.md", "dos/inicio.md", "dos/inicio.md#2"]
    assert faults[0] == Fault(
        "dos/inicio.md",
        "another page has the id inicio.md; this one is indexed as dos/inicio.md: rename one of them",
    )
    assert len({document.fingerprint for document in documents}) == 3


def test_the_fingerprint_tells_what_changes_a_page_and_nothing_else(wiki: Path) -> None:
    def fingerprint(**settings: object) -> str:
        [document], _ = read(Source(wiki, **settings))  # type: ignore[arg-type]  # the fields of Source by name
        return document.fingerprint

    write(wiki, {"a.md": "Texto"})
    before = fingerprint()
    assert fingerprint() == before
    os.utime(wiki / "a.md", (1, 1))
    assert fingerprint(order=3, exclude=("b.md",)) == before
    changed = [
        fingerprint(product="x"),
        fingerprint(kind="auto"),
        fingerprint(href="https://a.example/{slug}"),
        fingerprint(visibility="private"),
        fingerprint(name="otra"),
    ]
    write(wiki, {"a.md": "Texto."})
    assert len({before, *changed, fingerprint()}) == 7
