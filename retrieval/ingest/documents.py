"""What a source is, and a page as it lies in one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

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

    `source_path` is what people are shown. `title` and `metadata` come from a record of a jsonl file, and are empty
    for other formats.
    """

    doc_id: str
    source: Source
    source_path: str
    data: bytes
    format: Format
    fingerprint: str = ""
    title: str = ""
    metadata: Mapping[str, object] = field(default_factory=dict)


def fingerprint_of(document: RawDocument) -> str:
    """Hash what the parsed page is made of: the bytes, the record, and the settings of the source that count."""
    source = document.source
    told = [
        PARSER_VERSION,
        document.doc_id,
        document.source_path,
        document.format,
        document.title,
        document.metadata,
        source.product,
        source.kind,
        source.href,
        source.visibility,
    ]
    written = json.dumps(told, sort_keys=True, default=str)
    return hashlib.sha256(written.encode() + b"\0" + document.data).hexdigest()
