"""Real values for tests, all filled in but the point of the test. Append; do not rewrite what others use."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from bot.messages import Conversation, Question
from retrieval.types import Chunk, Explanation, Page, Passage, SearchResult, Viewer, WeightedTerm

ASKED_AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


def make_page(doc_id: str = "guia.md", **fields: object) -> Page:
    values: dict[str, object] = {"source_path": f"wiki/{doc_id}", "title": "Guía", **fields}
    return Page(doc_id=doc_id, **values)  # type: ignore[arg-type]  # the fields of Page by name


def make_chunk(text: str = "El servicio arranca solo.", *, row: int = 0, heading: str = "", start: int = 0) -> Chunk:
    return Chunk(row=row, ordinal=row, heading=heading, text=text, start=start, end=start + len(text))


def make_passage(
    text: str = "El servicio arranca solo.",
    *,
    page: Page | None = None,
    row: int = 0,
    heading: str = "",
    start: int = 0,
    cosine: float = 0.9,
) -> Passage:
    return Passage(
        chunk=make_chunk(text, row=row, heading=heading, start=start),
        page=page or make_page(f"pagina-{row}.md", title=f"Página {row}"),
        score=1 / (60 + row + 1),
        cosine=cosine,
        retrieval="both",
        ranks={"semantic": row + 1},
    )


def make_result(
    *passages: Passage, relevance: float | None = 0.9, terms: Iterable[tuple[str, float]] = (), floor: float = 0.4
) -> SearchResult:
    return SearchResult(
        passages=passages,
        relevance=relevance if passages else None,
        generation="20260302T093000-test",
        timings_ms={"semantic": 1.0},
        explanation=Explanation(
            lists={"semantic": [passage.page.doc_id for passage in passages]},
            terms=tuple(WeightedTerm(text, idf) for text, idf in terms),
            signals={},
            floor=floor,
        ),
    )


def make_question(text: str = "¿Cómo arranca el servicio?", **fields: object) -> Question:
    values: dict[str, object] = {
        "id": "q1",
        "asker": "U1",
        "conversation": Conversation(),
        "viewer": Viewer(),
        "locale": "es",
        "asked_at": ASKED_AT,
        **fields,
    }
    return Question(text=text, **values)  # type: ignore[arg-type]  # the fields of Question by name
