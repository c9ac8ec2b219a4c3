"""What changed since the generation before: only that is parsed, cut and embedded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from retrieval.catalogue import Known
from retrieval.dates.stretches import Period
from retrieval.ingest.chunk import ChunkDraft, chunk_page, embedded_text
from retrieval.ingest.parse import ParsedPage, TitleIndex, parse, resolve_wikilinks
from retrieval.ingest.sources import Fault, Format, RawDocument
from retrieval.ingest.text_dates import dates_in
from retrieval.markdown import plain
from retrieval.types import PUBLIC, Page


@dataclass(frozen=True, slots=True)
class Document:
    """A page that will stand in the index: known from the generation before, or parsed now, or both."""

    doc_id: str
    fingerprint: str
    title: str
    keys: frozenset[str]
    links: tuple[str, ...]
    block: int
    format: Format
    known: Known | None
    parsed: ParsedPage | None
    raw: RawDocument


@dataclass(frozen=True, slots=True)
class PreparedPage:
    """A new or changed page, cut and ready to be embedded and indexed."""

    page: Page
    block: int
    fingerprint: str
    links: tuple[str, ...]
    resolved: str
    faults: tuple[Fault, ...]
    text: str
    rendered: str
    source_text: str
    drafts: tuple[ChunkDraft, ...]
    embedded: tuple[str, ...]
    dates: tuple[Period, ...] = ()
    """What the page tells of: the days in its fields, and those in its title and its text."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The difference between the corpus and the generation before."""

    changed: tuple[tuple[Document, str], ...]  # with the hash of what their wikilinks resolve to
    unchanged: tuple[Known, ...]
    removed: tuple[Known, ...]
    faults: tuple[Fault, ...]
    corpus: str
    """A hash of everything the index is made of."""

    @property
    def pages(self) -> int:
        return len(self.changed) + len(self.unchanged)


def read_document(raw: RawDocument, known: Known | None, faults: list[Fault]) -> Document | None:
    """Take a page as it is known when its fingerprint is the same, else parse it; None when it is withheld."""
    if known is not None and known.fingerprint == raw.fingerprint:
        faults.extend(Fault(path, error) for path, error in known.faults)
        return Document(
            raw.doc_id,
            raw.fingerprint,
            known.title,
            known.keys,
            known.links,
            raw.source.order,
            raw.format,
            known,
            None,
            raw,
        )
    parsed = parse(raw)
    faults.extend(parsed.faults)
    if not parsed.readable:
        return None
    page = parsed.page
    return Document(
        raw.doc_id,
        raw.fingerprint,
        page.title,
        page.keys,
        parsed.links,
        raw.source.order,
        raw.format,
        known,
        parsed,
        raw,
    )


def plan_changes(documents: Sequence[Document], known: Mapping[str, Known], faults: Sequence[Fault]) -> Plan:
    """Tell what to build. A page also changes when what its wikilinks resolve to does, or its block."""
    titles = ReadableTitles(documents)
    changed: list[tuple[Document, str]] = []
    unchanged: list[Known] = []
    corpus = hashlib.sha256()
    for document in documents:
        resolved = titles.resolved(document)
        corpus.update(json.dumps([document.doc_id, document.fingerprint, document.block, resolved]).encode())
        before = document.known
        if (
            document.parsed is None
            and before is not None
            and (before.resolved, before.block) == (resolved, document.block)
        ):
            unchanged.append(before)
        else:
            changed.append((document, resolved))
    there = {document.doc_id for document in documents}
    removed = tuple(page for doc_id, page in known.items() if doc_id not in there)
    return Plan(tuple(changed), tuple(unchanged), removed, tuple(faults), corpus.hexdigest())


def prepare(changed: Iterable[tuple[Document, str]], titles: ReadableTitles) -> Iterator[PreparedPage]:
    """Cut pages one by one, as they are asked for."""
    for document, resolved in changed:
        parsed = document.parsed or parse(document.raw)
        text = resolve_wikilinks(parsed.body, titles.index_for(document).title_of)
        drafts = chunk_page(text, title=parsed.page.title, format=document.format)
        rendered = text if document.format == "text" else plain(text)
        yield PreparedPage(
            page=parsed.page,
            block=document.block,
            fingerprint=document.fingerprint,
            links=parsed.links,
            resolved=resolved,
            faults=parsed.faults,
            text=text,
            rendered=rendered,
            source_text=parsed.source_text,
            drafts=drafts,
            embedded=tuple(embedded_text(parsed.page.title, draft) for draft in drafts),
            dates=(*parsed.occurred, *dates_in(f"{parsed.page.title}\n{rendered}")),
        )


class ReadableTitles:
    """Titles for wikilinks: a page shows another's title only when all of its readers may read that other page."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._indexes: dict[frozenset[str], TitleIndex] = {}

    def index_for(self, document: Document) -> TitleIndex:
        index = self._indexes.get(document.keys)
        if index is None:
            seen = [
                (other.doc_id, other.title) for other in self._documents if _shown_to_all(other.keys, document.keys)
            ]
            index = self._indexes[document.keys] = TitleIndex(seen)
        return index

    def resolved(self, document: Document) -> str:
        """Hash what the page's links resolve to; empty without links."""
        if not document.links:
            return ""
        index = self.index_for(document)
        titles = [(target, index.title_of(target)) for target in document.links]
        return hashlib.sha256(json.dumps(titles).encode()).hexdigest()


def _shown_to_all(other: frozenset[str], readers: frozenset[str]) -> bool:
    """Tell whether everyone who may read one page may read the other. A chapter's guest holds no other key."""
    guests = any(key.startswith("chapter:") for key in readers)
    return other >= readers or (PUBLIC in other and not guests)
