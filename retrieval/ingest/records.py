"""Pages that lie as records in a jsonl file: {_id, title, text, ...}."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from retrieval.ingest.documents import Fault, RawDocument, Report, Source
from retrieval.ingest.folder import PageFile
from retrieval.ingest.wellformed import well_formed

_OWN_KEYS = frozenset({"_id", "title", "text", "metadata"})
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class _NotARecord(ValueError):
    """A line holds no page; the text says why, with the mend."""


def read_records(file: PageFile, source: Source, report: Report) -> Iterator[RawDocument]:
    """Give a document for each record; a line that holds none is reported as path:line, and the rest is read.

    Keys besides _id, title and text are the page's fields, as in front matter, and so are those of `metadata`.
    """
    with file.path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            written = line.removeprefix(_BYTE_ORDER_MARK).strip() if number == 1 else line.strip()
            if not written:
                continue
            try:
                yield _document(_record(written), file, source)
            except _NotARecord as error:
                report(Fault(f"{file.shown}:{number}", str(error)))


def _record(line: bytes) -> Mapping[str, object]:
    try:
        record = json.loads(line.decode())
    except UnicodeDecodeError:
        raise _NotARecord("the line is not UTF-8; save the file as UTF-8") from None
    except (ValueError, RecursionError):
        raise _NotARecord("the line is not valid JSON; write one object a line") from None
    if not isinstance(record, dict):
        raise _NotARecord('the line is no JSON object; write {"_id": …, "title": …, "text": …}')
    return record


def _document(record: Mapping[str, object], file: PageFile, source: Source) -> RawDocument:
    doc_id, text, title = record.get("_id"), record.get("text"), record.get("title")
    if isinstance(doc_id, int) and not isinstance(doc_id, bool):
        doc_id = str(doc_id)
    if not isinstance(doc_id, str) or not doc_id.strip():
        raise _NotARecord("the record has no _id; give it one of its own")
    if not isinstance(text, str):
        raise _NotARecord('the record has no text; give it a "text"')
    return RawDocument(
        doc_id=well_formed(doc_id.strip()),
        source=source,
        source_path=file.shown,
        data=well_formed(text).encode(),
        format="record",
        title=" ".join(well_formed(title).split()) if isinstance(title, str) else "",
        metadata=_fields(record),
    )


def _fields(record: Mapping[str, object]) -> Mapping[str, object]:
    """Give the record's other keys, flat; a visibility that stands deeper is kept as one nobody knows."""
    more = record.get("metadata")
    named = [item for item in record.items() if item[0] not in _OWN_KEYS]
    inner = list(more.items()) if isinstance(more, dict) else []
    fields: dict[str, object] = {}
    for key, value in inner + named:
        if _visibility_inside(value) or (key in fields and _is_visibility(key)):
            fields["visibility"] = None
        elif not isinstance(value, dict):
            fields[key] = value
    return fields


def _visibility_inside(value: object) -> bool:
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            if any(_is_visibility(key) for key in part):
                return True
            stack.extend(part.values())
        elif isinstance(part, list):
            stack.extend(part)
    return False


def _is_visibility(key: object) -> bool:
    return isinstance(key, str) and key.strip().casefold() == "visibility"
