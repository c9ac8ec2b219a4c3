"""Typed values out of a page's fields, with a complaint for each that cannot be used."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from urllib.parse import urlsplit

from retrieval.access import VISIBILITIES, page_keys
from retrieval.dates.stretches import Period
from retrieval.ingest.text_dates import dates_in
from retrieval.ingest.wellformed import well_formed
from retrieval.ingest.yaml_fields import Value
from retrieval.types import Status

_DATE_NAMES = "updated last_update last_updated lastupdate lastupdated updated_at last_modified lastmod modified date"
_DATE_KEYS = tuple(_DATE_NAMES.split())
_DATE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?=$|[-_])")
_SAFE_SCHEMES = ("", "http", "https", "mailto")

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

    def occurred(self) -> tuple[Period, ...]:
        """The days, months or years that `occurred` names, one or a list."""
        value = self._fields.get("occurred") or ()
        found: list[Period] = []
        for written in (value,) if isinstance(value, str) else value:
            named = dates_in(f"en {written}")  # a year that stands alone could be any number
            if written and not named:
                self._complain(f"occurred {written[:60]!r} is no date; write it as 2025-01-31, 2025-01 or 2025")
            found.extend(named)
        return tuple(dict.fromkeys(found))

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
