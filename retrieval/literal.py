"""Literal queries: what a person types after `/buscar`, and the Tantivy query that keeps the promise.

All terms must match; `"quotes"` make a phrase; `-word` excludes; `product:x` and its kin filter. Anything else is text,
operators typed by accident too: no query is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from tantivy import Occur, Query

from retrieval.lexical import PageIndex
from retrieval.readable import Readable
from retrieval.terms import EDGES
from retrieval.tokens import LONGEST_TOKEN_CHARACTERS, is_atom, is_unspaced, tokens
from retrieval.types import Filters, Status

LONGEST_QUERY_CHARACTERS = 500
_PIECE = re.compile(r'(?P<minus>(?<!\S)-(?=["\w]))?(?:(?P<name>[^\W\d]+):)?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+))')
_OPENING = EDGES.replace(".", "").replace("#", "")  # a word may begin with a dot or a hash: ".env", "#176"
_STATUSES = {
    "activa": Status.ACTIVE,
    "activo": Status.ACTIVE,
    "desactualizada": Status.STALE,
    "desactualizado": Status.STALE,
    "borrador": Status.DRAFT,
    "archivada": Status.ARCHIVED,
    "archivado": Status.ARCHIVED,
    **{str(status): status for status in Status},
}
_FILTER_NAMES = {
    "producto": "product",
    "estado": "status",
    "tipo": "kind",
    "autor": "author",
    "desde": "since",
    "hasta": "until",
    "etiqueta": "tag",
}
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")


@dataclass(frozen=True, slots=True)
class LiteralTerm:
    """A word or a quoted phrase, with its tokens, symbols among them.

    `atoms` are its words, without the rest of one that was cut: the query may end before the word in the page does.
    """

    text: str
    tokens: tuple[str, ...]
    atoms: tuple[str, ...]

    @property
    def symbols_matter(self) -> bool:
        """Single letters with symbols, "C++" or "C#", mean nothing without them."""
        return len(self.atoms) < len(self.tokens) and all(len(atom) == 1 for atom in self.atoms)


@dataclass(frozen=True, slots=True)
class LiteralQuery:
    terms: tuple[LiteralTerm, ...]
    excluded: tuple[LiteralTerm, ...]
    filters: Filters


def parse_literal(text: str, filters: Filters = Filters()) -> LiteralQuery:  # noqa: B008 - frozen
    """Read a query. A query that would only exclude is text."""
    terms: list[LiteralTerm] = []
    excluded: list[LiteralTerm] = []
    for piece in _PIECE.finditer(text[:LONGEST_QUERY_CHARACTERS]):
        value = piece["phrase"] if piece["phrase"] is not None else piece["word"]
        narrowed = _filtered(filters, piece["name"], value) if piece["name"] and not piece["minus"] else None
        if narrowed is not None:
            filters = narrowed
            continue
        term = _term(f"{piece['name']}:{value}" if piece["name"] else value)
        if term is not None:
            (excluded if piece["minus"] else terms).append(term)
    if not terms and filters == Filters():
        terms, excluded = excluded, []
    return LiteralQuery(tuple(dict.fromkeys(terms)), tuple(dict.fromkeys(excluded)), filters)


@lru_cache(maxsize=4096)
def _term(text: str) -> LiteralTerm | None:
    """Sentence punctuation around a word is not meant, unless there is nothing else."""
    for form in (text.lstrip(_OPENING).rstrip(EDGES), text):
        found = tuple(tokens(form))
        if found:
            return LiteralTerm(form, found, _atoms(found))
    return None


def _atoms(found: Sequence[str]) -> tuple[str, ...]:
    atoms = [token for token in found if is_atom(token)]
    follows_a_piece = [False, *(len(atom) == LONGEST_TOKEN_CHARACTERS for atom in atoms)]
    return tuple(
        atom
        for atom, piece in zip(atoms, follows_a_piece, strict=False)
        if not piece or len(atom) == LONGEST_TOKEN_CHARACTERS
    )


def _filtered(filters: Filters, name: str, value: str) -> Filters | None:  # noqa: PLR0911 - one return a name
    """Add a condition, or None when the name or the value is not one: then it is text."""
    field = _FILTER_NAMES.get(name.lower(), name.lower())
    match field:
        case "product" if value:
            return replace(filters, products=filters.products | {value})
        case "kind" if value:
            return replace(filters, kinds=filters.kinds | {value})
        case "tag" if value:
            return replace(filters, tags=filters.tags | {value})
        case "author" if value:
            return replace(filters, author=value)
        case "status" if value.lower() in _STATUSES:
            return replace(filters, statuses=filters.statuses | {_STATUSES[value.lower()]})
        case "since" | "until" if (day := _day(value, last=field == "until")) is not None:
            return replace(filters, since=day) if field == "since" else replace(filters, until=day)
        case _:
            return None


def _day(value: str, *, last: bool) -> date | None:
    """Read 2026, 2026-01 or 2026-01-31 as its first or its last day."""
    found = _DATE.fullmatch(value)
    if found is None:
        return None
    year, month, day = (int(part) if part else None for part in found.groups())
    try:
        if day is not None:
            return date(year or 0, month or 0, day)
        first = date(year or 0, month or 1, 1)
        if not last:
            return first
        if month is None or month == 12:  # noqa: PLR2004 - December
            return date(first.year, 12, 31)
        return date.fromordinal(date(first.year, month + 1, 1).toordinal() - 1)
    except ValueError:
        return None


def matching(query: LiteralQuery, index: PageIndex, readable: Readable) -> Query:
    """Build the query: every term must match; only the ranking field gives a score."""
    required = [_must(_match(term, index, readable)) for term in query.terms] or [_must(Query.all_query())]
    forbidden = [(Occur.MustNot, _match(term, index, readable)) for term in query.excluded]
    scored = [(Occur.Should, ranking) for ranking in _rankings(query.terms, index)]
    return Query.boolean_query([*required, *forbidden, *scored])


def _must(query: Query) -> tuple[Occur, Query]:
    return (Occur.Must, Query.const_score_query(query, 0.0))


def _match(term: LiteralTerm, index: PageIndex, readable: Readable) -> Query:
    """Match a term wherever it stands in a page. Symbols only count where the term is nothing without them."""
    if not term.atoms or (term.symbols_matter and index.documents_with("symbols", term.tokens, readable)):
        return index.side_by_side("symbols", term.tokens)
    stretches = [_match_stretch(stretch, index) for stretch in _stretches(term.atoms)]
    if len(stretches) == 1:
        return stretches[0]
    return Query.boolean_query([(Occur.Must, stretch) for stretch in stretches])


def _stretches(atoms: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Cut atoms around single characters of unspaced scripts: the index holds those in pairs, and alone as parts."""
    stretch: list[str] = []
    for atom in atoms:
        if len(atom) == 1 and is_unspaced(atom):
            if stretch:
                yield tuple(stretch)
            yield (atom,)
            stretch = []
        else:
            stretch.append(atom)
    if stretch:
        yield tuple(stretch)


def _match_stretch(atoms: tuple[str, ...], index: PageIndex) -> Query:
    whole = index.side_by_side("literal", atoms)
    if len(atoms) > 1:
        return whole
    part = Query.term_query(index.schema, "parts", atoms[0])
    return Query.boolean_query([(Occur.Should, whole), (Occur.Should, part)])


def _rankings(terms: Sequence[LiteralTerm], index: PageIndex) -> Iterator[Query]:
    """Rank by BM25 over title and text; all the words in a row, or a term with its symbols, lift a page."""
    with_atoms = [term for term in terms if term.atoms]
    for term in with_atoms:
        yield index.side_by_side("text", term.atoms)
    in_a_row = [atom for term in with_atoms for atom in term.atoms]
    if len(with_atoms) > 1:
        yield index.side_by_side("text", in_a_row)
    for term in terms:
        if len(term.tokens) > len(term.atoms):
            yield index.side_by_side("symbols", term.tokens)
