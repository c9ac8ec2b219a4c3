"""How an answer and its sources read."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from syrupy.assertion import SnapshotAssertion

from bot.console.render import Rendering, answer_blocks
from bot.console.sources import age, passages_lines
from bot.console.spans import to_plain
from bot.console.why import why_lines
from bot.messages import Answer, Citation, Locale, Notice, Outcome, Route
from bot.texts import FluentTexts
from bot.texts.voice import Voice
from retrieval.types import Explanation, Reranking, Status, WeightedTerm
from tests.builders import make_page, make_passage

TODAY = date(2026, 3, 2)
SPANISH = Voice(FluentTexts(), "es")
OLD = make_page("v.md", title="Avisos", status=Status.STALE, updated=date(2023, 1, 1))

ANSWER = Answer(
    text="Arranca solo [1] y avisa [2].",
    outcome=Outcome.ANSWERED,
    route=Route.ORACLE,
    citations=(
        Citation(
            1,
            make_passage(
                "El servicio **arranca** solo.\n\nY se apaga.",
                heading="Guía › Arranque",
                page=make_page(title="Arranque", product="Faro", updated=date(2026, 2, 20), href="https://w.example/a"),
            ),
        ),
        Citation(
            2, make_passage(page=make_page("v.md", title="Avisos", status=Status.STALE, updated=date(2023, 1, 1)))
        ),
    ),
    notice=Notice.EXTRACTIVE,
)


def rendered(answer: Answer, voice: Voice = SPANISH, *, asked: str = "Faro", hints: bool = True) -> str:
    blocks = answer_blocks(answer, asked, Rendering(voice, TODAY, hints=hints))
    return "".join(block + "\n" if isinstance(block, str) else to_plain(block) for block in blocks)


@pytest.mark.parametrize("locale", ["es", "en"])
def test_an_answer_has_its_text_its_notice_its_sources_and_the_other_way(
    locale: Locale, snapshot: SnapshotAssertion
) -> None:
    assert rendered(ANSWER, Voice(FluentTexts(), locale)) == snapshot


@pytest.mark.parametrize(
    ("asked", "terminal", "spoken"),
    [
        ("How do I start it?", "es", "en"),
        ("¿Cómo lo arranco?", "en", "es"),
        ("How do I start it?", "en", "en"),
        ("¿Cómo lo arranco?", "es", "es"),
        ("Faro?", "es", "es"),
        ("Faro?", "en", "en"),
    ],
)
@pytest.mark.parametrize("notice", Notice)
def test_what_stands_around_an_answer_is_in_the_questions_language(
    asked: str, terminal: Locale, spoken: Locale, notice: Notice
) -> None:
    answer = replace(ANSWER, notice=notice)
    shown = rendered(answer, Voice(FluentTexts(), terminal), asked=asked)
    assert shown == rendered(answer, Voice(FluentTexts(), spoken), asked="Faro")
    assert FluentTexts().say(notice, spoken) in shown


def test_weak_sources_are_not_called_sources() -> None:
    shown = rendered(replace(ANSWER, outcome=Outcome.ABSTAINED))
    assert "Fuentes" not in shown
    assert "\n\n[1] Arranque" in shown


def test_only_where_one_can_type_is_the_other_way_offered() -> None:
    assert "/buscar" in rendered(ANSWER)
    assert "/buscar" not in rendered(ANSWER, hints=False)


@pytest.mark.parametrize(("route", "outcome"), [(Route.SMALL_TALK, Outcome.SMALL_TALK), (Route.ORACLE, Outcome.FAILED)])
def test_small_talk_and_failures_offer_no_other_way(route: Route, outcome: Outcome) -> None:
    assert rendered(Answer("¡Hola!", outcome, route)).strip() == "¡Hola!"


def test_passages_are_shown_as_they_stand_in_the_page(snapshot: SnapshotAssertion) -> None:
    assert to_plain(passages_lines(ANSWER.citations, TODAY, SPANISH)) == snapshot


@pytest.mark.parametrize(
    ("updated", "words"),
    [
        (date(2026, 3, 2), "hoy"),
        (date(2026, 3, 9), "hoy"),
        (date(2026, 3, 1), "hace 1 día"),
        (date(2026, 2, 1), "hace 29 días"),
        (date(2026, 1, 25), "hace 1 mes"),
        (date(2025, 3, 3), "hace 11 meses"),
        (date(2025, 3, 1), "hace 1 año"),
        (date(2020, 1, 1), "hace 6 años"),
    ],
)
def test_ages_are_told_in_the_largest_unit_that_fits(updated: date, words: str) -> None:
    assert age(updated, TODAY, SPANISH) == words


def test_the_explanation_names_lists_terms_and_the_floor(snapshot: SnapshotAssertion) -> None:
    why = Explanation(
        lists={"semantic": ["a.md", "b.md"], "exact": [f"{n}.md" for n in range(10)], "phrase": []},
        terms=(WeightedTerm("arranca", 3.21),),
        signals={"cosine": 0.87, "mass": 0.5},
        floor=0.4,
        failed_lists=("phrase",),
    )
    assert to_plain(why_lines(replace(ANSWER, relevance=0.73, explanation=why), SPANISH)) == snapshot


def test_the_explanation_tells_where_reranked_passages_stood() -> None:
    places = tuple((f"{n}.md", n) for n in (3, 1, 2, *range(4, 13)))
    plain = Explanation(lists={}, terms=(), signals={}, floor=0.4)
    answer = replace(ANSWER, explanation=replace(plain, reranking=Reranking("bge", places)))
    *_, line = to_plain(why_lines(answer, SPANISH)).splitlines()
    assert line.startswith("Reordenado por bge: 3.md (antes, 3), 1.md (antes, 1), 2.md (antes, 2), ")
    assert line.endswith("8.md (antes, 8) (+4)")


def test_the_explanation_tells_of_a_reranker_that_failed() -> None:
    plain = Explanation(lists={}, terms=(), signals={}, floor=0.4)
    answer = replace(ANSWER, explanation=replace(plain, reranking=Reranking("bge", failed=True)))
    *_, line = to_plain(why_lines(answer, SPANISH)).splitlines()
    assert line == "La reordenación de bge ha fallado; los pasajes siguen en el orden de la búsqueda."
