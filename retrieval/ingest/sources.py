"""Where the corpus comes from: folders of pages and files of records, read in a stable order."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.errors import SourceMissing
from retrieval.ingest.documents import Fault, Format, RawDocument, Report, Source, fingerprint_of
from retrieval.ingest.folder import FORMATS, page_files
from retrieval.ingest.records import read_records

__all__ = ["Fault", "Format", "RawDocument", "Report", "Source", "check_sources", "read_sources"]


def check_sources(sources: Sequence[Source]) -> None:
    """Raise SourceMissing when a source is not there or cannot hold pages, before anything is touched."""
    for source in sources:
        path = source.path
        if not path.exists():
            raise SourceMissing(f"source {path}: there is no such folder or file; correct its path")
        if not os.access(path, os.R_OK):
            raise SourceMissing(f"source {path}: it cannot be read; give this user the permission to read it")
        if not path.is_dir() and path.suffix.lower() not in FORMATS:
            raise SourceMissing(f"source {path}: not a kind of file that is read ({' '.join(FORMATS)}); name another")


def read_sources(sources: Sequence[Source], report: Report) -> Iterator[RawDocument]:
    """Give every page of every source, in the order of the sources and then of their paths; doc_ids are unique.

    What cannot be read is reported and left out. Raises SourceMissing as check_sources does.
    """
    check_sources(sources)
    taken: set[str] = set()
    for source in sources:
        for document in _read_source(source, report):
            yield _identified(document, taken, report)


def _read_source(source: Source, report: Report) -> Iterator[RawDocument]:
    for file in page_files(source, report):
        try:
            if file.format == "record":
                yield from read_records(file, source, report)
            else:
                yield RawDocument(file.relative, source, file.shown, file.path.read_bytes(), file.format)
        except OSError as error:
            report(Fault(file.shown, f"it cannot be read ({error.strerror}); mend its permissions or remove it"))


def _identified(document: RawDocument, taken: set[str], report: Report) -> RawDocument:
    """Give the document an id that no other has, and its fingerprint."""
    doc_id = document.doc_id
    if doc_id in taken:
        named = doc_id = f"{document.source.shown_name}/{document.doc_id}"
        number = 1
        while doc_id in taken:
            number += 1
            doc_id = f"{named}#{number}"
        problem = f"another page has the id {document.doc_id}; this one is indexed as {doc_id}: rename one of them"
        report(Fault(document.source_path, problem))
    taken.add(doc_id)
    document = replace(document, doc_id=doc_id)
    return replace(document, fingerprint=fingerprint_of(document))
