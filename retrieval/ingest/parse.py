"""From the bytes of a page to what is indexed of it. Nothing here raises: what is wrong becomes a fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from retrieval.ingest.decoding import decode
from retrieval.ingest.front_matter import FrontMatter, Value, fields_of, read_front_matter
from retrieval.ingest.html_page import read_html
from retrieval.ingest.language import guess_language
from retrieval.ingest.page_fields import page_of, readable_name
from retrieval.ingest.sources import Fault, RawDocument
from retrieval.ingest.wikilinks import TitleIndex, resolve_wikilinks, wikilink_targets
from retrieval.markdown import first_heading
from retrieval.types import Page

__all__ = ["ParsedPage", "TitleIndex", "parse", "resolve_wikilinks"]

_HTML_FIELDS = frozenset(
    ["product", "status", "kind", "href", "updated", "tags", "visibility", "project", "author", "chapter", "language"]
)


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A page ready to be cut and indexed.

    `body` is markdown without front matter, its wikilinks not yet resolved; `source_text` the whole decoded file.
    `links` are wikilink targets as written. A page that is not `readable` is withheld: never indexed, its faults
    are all that is shown of it.
    """

    page: Page
    body: str
    source_text: str
    links: tuple[str, ...]
    faults: tuple[Fault, ...]
    readable: bool


@dataclass(frozen=True, slots=True)
class _Content:
    """A page's text and what it says of itself."""

    body: str
    title: str
    language: str
    fields: Mapping[str, Value]


def parse(raw: RawDocument) -> ParsedPage:
    """Parse one document as far as it can be."""
    text, errors = decode(raw.data)
    complaints = list(errors)
    front = fields_of(raw.metadata) if raw.format == "record" else read_front_matter(text)
    complaints.extend(front.faults)
    content = _content(raw, text, front)
    page = page_of(raw, content.fields, complaints.append, (content.title, content.language))
    readable = page is not None and not front.withheld
    return ParsedPage(
        page=page if page is not None and readable else _withheld_page(raw),
        body=content.body,
        source_text=text,
        links=wikilink_targets(content.body),
        faults=tuple(Fault(raw.source_path, error) for error in dict.fromkeys(complaints)),
        readable=readable,
    )


def _content(raw: RawDocument, text: str, front: FrontMatter) -> _Content:
    body = text[front.body_start :]
    if raw.format == "html":
        html = read_html(body)
        fields = {name: value for name, value in html.meta.items() if name in _HTML_FIELDS} | dict(front.fields)
        title = html.title or first_heading(html.body)
        return _Content(html.body, title, html.language[:2].lower() or guess_language(html.body), fields)
    title = first_heading(body) if raw.format == "markdown" and not front.fields.get("title") else ""
    return _Content(body, title, guess_language(body), front.fields)


def _withheld_page(raw: RawDocument) -> Page:
    return Page(doc_id=raw.doc_id, source_path=raw.source_path, title=readable_name(raw.doc_id), keys=frozenset())
