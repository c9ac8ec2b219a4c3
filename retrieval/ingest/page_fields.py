"""A page's fields, from what its front matter says and what its source defaults to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import quote

from retrieval.ingest.documents import RawDocument
from retrieval.ingest.field_reader import Complain, FieldReader
from retrieval.ingest.yaml_fields import Value
from retrieval.types import Page

_LONGEST_TITLE_CHARACTERS = 300
_FOLDER_PAGES = frozenset({"index", "_index", "readme"})


@dataclass(frozen=True, slots=True)
class Found:
    """What a page's own text tells, for where its fields do not."""

    title: str
    language: str


def page_of(raw: RawDocument, fields: Mapping[str, Value], complain: Complain, found: Found) -> Page | None:
    """Give the page, or None when it must be withheld."""
    reader = FieldReader(fields, complain)
    project, author, chapter = reader.text("project"), reader.text("author"), reader.text("chapter")
    keys = reader.keys(project, author, chapter, raw.source.visibility)
    page = Page(
        doc_id=raw.doc_id,
        source_path=raw.source_path,
        title=_shortened(raw.title or reader.text("title") or found.title or readable_name(raw.doc_id)),
        product=reader.text("product") or raw.source.product,
        kind=reader.text("kind") or raw.source.kind,
        status=reader.status(),
        href=reader.href() or source_href(raw),
        updated=reader.updated(),
        language=reader.language() or found.language,
        tags=reader.tags(),
        author=author,
        project=project,
        chapter=chapter,
        keys=keys or frozenset(),
    )
    return page if keys else None


def _shortened(title: str) -> str:
    return title if len(title) <= _LONGEST_TITLE_CHARACTERS else title[: _LONGEST_TITLE_CHARACTERS - 1] + "…"


def readable_name(doc_id: str) -> str:
    """Make a title of a path: `guias/primer-dia.md` is `Primer dia`; a folder's index takes the folder's name."""
    path = PurePosixPath(doc_id)
    stem = path.parent.name if path.stem.casefold() in _FOLDER_PAGES and path.parent.name else path.stem
    words = " ".join(re.split(r"[-_\s]+", stem)).strip() or doc_id
    return words[:1].upper() + words[1:]


def source_href(raw: RawDocument) -> str:
    """Fill the source's address: `{path}` is the page's path, `{slug}` the same without its extension."""
    path = raw.doc_id
    suffix = "" if raw.format == "record" else PurePosixPath(path).suffix
    return raw.source.href.replace("{slug}", quote(path.removesuffix(suffix))).replace("{path}", quote(path))
