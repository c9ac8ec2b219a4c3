"""Pages that lie as records in a jsonl file: {_id, title, text, ...}."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from retrieval.ingest.folder import PageFile
from retrieval.ingest.sources import Fault, RawDocument, Report, Source, raw_document
from retrieval.ingest.wellformed import well_formed

_OWN_KEYS = frozenset({"_id", "title", "text"})


def read_records(file: PageFile, source: Source, report: Report) -> Iterator[RawDocument]:
    """Give a document for each record; a line that holds none is reported as path:line, and the rest is read."""
    with file.path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")  # noqa: PLW2901
            if not line.strip():
                continue
            document = _document(line, file, source)
            if isinstance(document, str):
                report(Fault(f"{file.shown}:{number}", document))
            else:
                yield document


def _document(line: bytes, file: PageFile, source: Source) -> RawDocument | str:
    """Give the record's document, or what is wrong with it."""
    try:
        record = json.loads(line.decode("utf-8", "strict"))
    except UnicodeDecodeError:
        return "the line is not UTF-8; save the file as UTF-8"
    except (ValueError, RecursionError):
        return "the line is not valid JSON; mend it (one object a line)"
    if not isinstance(record, Mapping):
        return 'the line is no JSON object; write {"_id": …, "title": …, "text": …}'
    doc_id, text = record.get("_id"), record.get("text")
    if isinstance(doc_id, int) and not isinstance(doc_id, bool):
        doc_id = str(doc_id)
    if not isinstance(doc_id, str) or not doc_id.strip():
        return "the record has no _id; give it one that is unique"
    if not isinstance(text, str):
        return 'the record has no text; give it a "text" with the page\'s text'
    title = record.get("title")
    return raw_document(
        well_formed(doc_id.strip()),
        source,
        file.shown,
        well_formed(text).encode(),
        "record",
        title=well_formed(title).strip() if isinstance(title, str) else "",
        metadata={key: value for key, value in record.items() if key not in _OWN_KEYS},
    )
