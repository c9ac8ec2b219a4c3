"""From the bytes of a page to what is indexed of it. Nothing here raises: what is wrong becomes a fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from retrieval.dates.stretches import Period
from retrieval.ingest.decoding import decode
from retrieval.ingest.documents import Fault, RawDocument
from retrieval.ingest.field_reader import FieldReader
from retrieval.ingest.front_matter import FrontMatter, fields_of, read_front_matter
from retrieval.ingest.html_page import read_html
from retrieval.ingest.language import guess_language
from retrieval.ingest.page_fields import Found, page_of, readable_name
from retrieval.ingest.wikilinks import TitleIndex, resolve_wikilinks, wikilink_targets
from retrieval.ingest.yaml_fields import Value
from retrieval.markdown import first_heading, inline_text
from retrieval.types import Page

__all__ = ["ParsedPage", "TitleIndex", "parse", "resolve_wikilinks"]

_META_FIELD_NAMES = """
    product status kind href updated occurred tags visibility project author chapter language
"""
_META_FIELDS = frozenset(_META_FIELD_NAMES.split())
_LONGEST_FIRST_LINE = 80


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A page ready to be cut and indexed.

    `body` is markdown without front matter (plain text for the text format), its wikilinks not yet resolved;
    `source_text` is the whole decoded file; `links` are wikilink targets as written. A page that is not `readable`
    is withheld: it is never indexed, and its faults are all that is shown of it. `occurred` is when its fields say that
    what it tells of happened.
    """

    page: Page
    body: str
    source_text: str
    links: tuple[str, ...]
    faults: tuple[Fault, ...]
    readable: bool
    occurred: tuple[Period, ...] = ()


@dataclass(frozen=True, slots=True)
class _Content:
    """A page's text, its fields, and what the text itself tells."""

    body: str
    fields: Mapping[str, Value]
    found: Found


def parse(raw: RawDocument) -> ParsedPage:
    """Parse one document as far as it can be."""
    text, problems = decode(raw.data)
    front = fields_of(raw.metadata) if raw.format == "record" else read_front_matter(text)
    complaints = [*problems, *front.faults]
    content = _content(raw, text, front)
    page = None if front.withheld else page_of(raw, content.fields, complaints.append, content.found)
    occurred = FieldReader(content.fields, complaints.append).occurred() if page else ()
    shown_path = f"{raw.source_path}#{raw.doc_id}" if raw.format == "record" else raw.source_path
    return ParsedPage(
        page=page or Page(raw.doc_id, raw.source_path, readable_name(raw.doc_id), keys=frozenset()),
        body=content.body,
        source_text=text,
        links=wikilink_targets(content.body),
        faults=tuple(Fault(shown_path, complaint) for complaint in dict.fromkeys(complaints)),
        readable=page is not None,
        occurred=occurred,
    )


def _content(raw: RawDocument, text: str, front: FrontMatter) -> _Content:
    body = text[front.body_start :]
    titled = bool(raw.title or front.fields.get("title"))
    if raw.format == "html":
        html = read_html(body)
        meta = {name: value for name, value in html.meta.items() if name in _META_FIELDS}
        title = "" if titled else html.title or first_heading(html.body)
        language = html.language.strip()[:2].lower() or guess_language(html.body)
        return _Content(html.body, {**meta, **front.fields}, Found(title, language))
    title = "" if titled or raw.format == "text" else first_heading(body)
    if not title and raw.format == "record" and not titled:
        title = _first_line(body)
    return _Content(body, front.fields, Found(title, guess_language(body)))


def _first_line(body: str) -> str:
    """Give the beginning of a record's text: its id, often a number, would tell nothing."""
    line = inline_text(body.lstrip()[: 4 * _LONGEST_FIRST_LINE].split("\n", 1)[0])
    if len(line) <= _LONGEST_FIRST_LINE:
        return line
    return line[:_LONGEST_FIRST_LINE].rsplit(" ", 1)[0] + "…"
