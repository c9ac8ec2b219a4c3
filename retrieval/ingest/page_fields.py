"""A page's fields, from what its front matter says and what its source defaults to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
from urllib.parse import quote, urlsplit

from retrieval.access import VISIBILITIES, page_keys
from retrieval.ingest.documents import RawDocument
from retrieval.ingest.wellformed import well_formed
from retrieval.ingest.yaml_fields import Value
from retrieval.types import Page, Status

_DATE_KEYS = (
    "updated",
    "last_update",
    "last_updated",
    "lastupdate",
    "lastupdated",
    "updated_at",
    "last_modified",
    "lastmod",
    "modified",
    "date",
)
_DATE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?=$|[-_])")
_LONGEST_TITLE_CHARACTERS = 300
_SAFE_SCHEMES = ("", "http", "https", "mailto")
_FOLDER_PAGES = frozenset({"index", "_index", "readme"})

Complain = Callable[[str], None]


class FieldReader:
    """Reads typed values out of a page's fields, complaining about those that cannot be used."""

    def __init__(self, fields: Mapping[str, Value], complain: Complain) -> None:
        self._fields = fields
        self._complain = complain

    def text(self, *names: str) -> str:
        """The first of these fields that has a text, on one line."""
        for name in names:
            value = self._fields.get(name)
            if isinstance(value, tuple):
                if len(value) > 1:
                    self._complain(f"`{name}` takes one value, not several; keep one")
                value = value[0] if len(value) == 1 else None
            if value:
                return well_formed(" ".join(value.split()))
        return ""

    def status(self) -> Status:
        written = self.text("status")
        try:
            return Status(written.casefold()) if written else Status.ACTIVE
        except ValueError:
            known = ", ".join(Status)
            self._complain(f"status {written!r} is not known, the page counts as active; write one of {known}")
            return Status.ACTIVE

    def updated(self) -> date | None:
        for key in _DATE_KEYS:
            written = self.text(key)
            found = _DATE.match(written)
            try:
                if found:
                    return date(*map(int, found.groups()))
            except ValueError:
                pass
            if written and key == "updated":
                self._complain(f"updated {written!r} is no date; write it as 2025-01-31")
        return None

    def tags(self) -> tuple[str, ...]:
        value = self._fields.get("tags") or ()
        parts = value.split(",") if isinstance(value, str) else value
        named = (well_formed(" ".join(part.split())).removeprefix("#") for part in parts)
        return tuple(dict.fromkeys(tag for tag in named if tag))

    def language(self) -> str:
        found = _LANGUAGE.match(self.text("language", "lang"))
        return found.group().lower() if found else ""

    def href(self) -> str:
        written = self.text("href")
        if not written:
            return ""
        try:
            scheme = urlsplit(written).scheme.lower()
        except ValueError:
            scheme = "?"
        if scheme not in _SAFE_SCHEMES:
            self._complain(f"href {written[:60]!r} is no web address and is left out; write https://…")
            return ""
        return written

    def keys(self, project: str, author: str, chapter: str, default: str) -> frozenset[str] | None:
        """The page's keys, or None when it must be withheld."""
        named = "visibility" in self._fields
        value = self._fields.get("visibility")
        visibility = (value if isinstance(value, str) else "") if named else None
        keys = page_keys(visibility, project, author, chapter, default)
        if keys is None:
            self._complain(_why_withheld(visibility, default))
        return keys


def _why_withheld(visibility: str | None, default: str) -> str:
    where = "visibility" if visibility is not None else "the source's visibility"
    written = default if visibility is None else visibility
    if written.casefold() not in VISIBILITIES:
        return f"withheld: {where} {written!r} is not known; write one of {', '.join(VISIBILITIES)}"
    needs = {"circle": "a project", "intimate": "a project or an author", "private": "an author"}[written.casefold()]
    return f"withheld: {where} {written!r} needs {needs}; name it in the front matter"


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
