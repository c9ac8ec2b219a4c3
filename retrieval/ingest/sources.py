"""Where the corpus comes from: folders of pages and files of records, read in a stable order."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from retrieval.errors import SourceMissing
from retrieval.types import PUBLIC

Format = Literal["markdown", "text", "html", "record"]

PARSER_VERSION = 1
"""Part of every page's fingerprint: raised when parsing makes something else of the same bytes."""


@dataclass(frozen=True, slots=True)
class Source:
    """A folder of pages, or one file. `include` and `exclude` are globs relative to the folder."""

    path: Path
    product: str = ""
    kind: str = "wiki"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    href: str = ""
    order: int = 0
    visibility: str = PUBLIC
    name: str = ""

    @property
    def shown_name(self) -> str:
        """The source as people read it: never a path of this machine."""
        return self.name or self.path.name or self.path.resolve().name


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with one page: `error` is one line, with the mend."""

    path: str
    error: str


Report = Callable[[Fault], None]


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A page as it lies in its source. `fingerprint` changes with anything that changes the parsed page.

    `title` and `metadata` come from a record of a jsonl file, and are empty for other formats.
    """

    doc_id: str
    source: Source
    source_path: str
    data: bytes
    format: Format
    fingerprint: str
    title: str = ""
    metadata: Mapping[str, object] = field(default_factory=dict)


def raw_document(
    doc_id: str,
    source: Source,
    source_path: str,
    data: bytes,
    page_format: Format,
    title: str = "",
    metadata: Mapping[str, object] | None = None,
) -> RawDocument:
    """Make a raw document with its fingerprint."""
    fields = metadata or {}
    settings = [PARSER_VERSION, doc_id, source_path, page_format, source.product, source.kind, source.href]
    told = json.dumps([*settings, source.visibility, title, fields], sort_keys=True, default=str)
    fingerprint = hashlib.sha256(told.encode("utf-8", "surrogatepass") + b"\0" + data).hexdigest()
    return RawDocument(doc_id, source, source_path, data, page_format, fingerprint, title, fields)


def check_sources(sources: Sequence[Source]) -> None:
    """Raise SourceMissing when a source is not there, before anything is touched."""
    for source in sources:
        if not source.path.exists():
            raise SourceMissing(
                f"source {source.path}: there is no such folder or file; correct its path in [[sources]]"
            )
        if not os.access(source.path, os.R_OK):
            raise SourceMissing(f"source {source.path}: it cannot be read; give this user permission to read it")


def read_sources(sources: Sequence[Source], report: Report) -> Iterator[RawDocument]:
    """Give every page of every source, in the order of the sources and then of their paths; doc_ids are unique.

    What cannot be read is reported and left out. Raises SourceMissing as check_sources does.
    """
    check_sources(sources)
    taken: set[str] = set()
    for source in sources:
        for document in _read_source(source, report):
            yield _unique(document, taken, report)


def _read_source(source: Source, report: Report) -> Iterator[RawDocument]:
    # These modules use this one's values.
    from retrieval.ingest.folder import page_files
    from retrieval.ingest.records import read_records

    for file in page_files(source, report):
        try:
            if file.format == "record":
                yield from read_records(file, source, report)
            else:
                yield raw_document(file.relative, source, file.shown, file.path.read_bytes(), file.format)
        except OSError as error:
            report(Fault(file.shown, f"it cannot be read ({error.strerror}); mend its permissions or remove it"))


def _unique(document: RawDocument, taken: set[str], report: Report) -> RawDocument:
    doc_id = document.doc_id
    if doc_id in taken:
        named = f"{document.source.shown_name}/{doc_id}"
        doc_id = named
        number = 2
        while doc_id in taken:
            doc_id = f"{named}#{number}"
            number += 1
        report(
            Fault(
                document.source_path,
                f"another page has the id {document.doc_id}; this one is indexed as {doc_id}: rename one of them",
            )
        )
        digest = hashlib.sha256(f"{document.fingerprint}\0{doc_id}".encode("utf-8", "replace")).hexdigest()
        document = replace(document, doc_id=doc_id, fingerprint=digest)
    taken.add(doc_id)
    return document
