"""A question's whole way, on a real index."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import structlog
from pydantic import SecretStr

from bot.answering import Services, answer_question
from bot.errors import AnswerCut, BudgetSpent, ModelUnavailable
from bot.gemini import Gemini
from bot.messages import Answer, Conversation, Locale, Mode, Outcome, Question, Route, Stage, TurnRecord, Usage
from bot.texts import FluentTexts
from retrieval import Generation, open_index
from retrieval.errors import DamagedIndex, EmbeddingUnavailable, NoIndex
from retrieval.types import Embedder, Said, Viewer
from tests.builders import ASKED_AT, make_question
from tests.fakes import FakeModel, ListTurnLog, RecordingProgress
from tests.gemini_stand_in import GeminiStandIn, Hangs, Says

BACKUP = "¿Cuándo se hace la copia de seguridad de Faro?"
HISTORY = (Said("Ana", "user", "¿Cómo se despliega Faro?"), Said("Oráculo", "oracle", "Con `faro desplegar` [1]."))
ABOVE_ALL = 1.1  # a floor that no relevance reaches
TEXTS = FluentTexts()


@pytest.fixture(scope="module")
def index(home: Path, embedder: Embedder) -> Generation:
    return open_index(home, lambda: embedder)


@pytest.fixture
def services(index: Generation) -> Services:
    """Without a model and without a floor; each test says what it needs instead."""
    return Services(
        index=lambda: index, model=None, turn_log=ListTurnLog(), texts=TEXTS, clock=lambda: ASKED_AT, floor=0.0
    )


def turns(services: Services) -> list[TurnRecord]:
    assert isinstance(services.turn_log, ListTurnLog)
    return services.turn_log.turns


def no_index() -> Generation:
    raise AssertionError("nothing is to be searched")


async def ask(services: Services, question: str | Question) -> Answer:
    """Ask, and check what holds for every answer: what was said is the text, and one record is left."""
    progress = RecordingProgress()
    asked = make_question(question) if isinstance(question, str) else question
    answer = await answer_question(asked, services, progress)
    assert progress.text in ("", answer.text)
    assert answer.text.strip()
    assert [turn.outcome for turn in turns(services)][-1] == answer.outcome.value
    assert turns(services)[-1].question == asked.text[:500]
    return answer


# Without a model


async def test_without_a_model_the_pages_answer(services: Services) -> None:
    answer = await ask(services, BACKUP)
    assert (answer.outcome, answer.route) == (Outcome.ANSWERED, Route.ORACLE)
    assert (answer.notice, answer.model) == ("extractive", "")
    assert "- «La copia de seguridad se hace cada noche a las tres.» [1]" in answer.text
    assert answer.citations[0].passage.page.doc_id == "copias.md"
    assert answer.chunks_used > 0
    assert answer.generation == services.index().stamp


async def test_the_frame_of_an_answer_is_in_the_language_of_the_question(services: Services) -> None:
    answer = await ask(services, "When is the backup of Faro made? copia seguridad")
    assert answer.text.startswith(TEXTS.say("answer-quotes", "en"))


async def test_a_waiting_user_sees_the_stages(services: Services) -> None:
    progress = RecordingProgress()
    await answer_question(make_question(BACKUP), services, progress)
    assert progress.stages == [Stage.SEARCHING, Stage.WRITING]
    assert progress.said == []


async def test_without_the_embedding_model_words_alone_answer(services: Services, home: Path) -> None:
    def absent() -> Embedder:
        raise EmbeddingUnavailable("there is no model; run `oraculo doctor`")

    crippled = open_index(home, absent)
    answer = await ask(replace(services, index=lambda: crippled), BACKUP)
    assert answer.outcome is Outcome.ANSWERED
    assert "cada noche a las tres" in answer.text


# With a model


async def test_the_model_answers_with_its_sources_sentence_by_sentence(services: Services) -> None:
    model = FakeModel([["Se hace cada no", "che a las tres [1]. ", "Lo dice la wiki [1", "]."]])
    progress = RecordingProgress()
    answer = await answer_question(make_question(BACKUP), replace(services, model=model), progress)
    assert answer.text == "Se hace cada noche a las tres [1]. Lo dice la wiki [1]."
    assert progress.said == ["Se hace cada noche a las tres [1].", " Lo dice la wiki [1]."]
    assert (answer.outcome, answer.notice, answer.model) == (Outcome.ANSWERED, None, "fake-model")
    assert answer.usage == Usage(100, 20)
    (citation,) = answer.citations
    assert citation.passage.page.doc_id == "copias.md"
    assert [answer.text[start:end] for start, end in citation.spans] == [
        "Se hace cada noche a las tres [1].",
        "Lo dice la wiki [1].",
    ]


async def test_the_model_sees_only_what_the_viewer_may_see(services: Services) -> None:
    question = make_question("¿Qué copia lee solo el círculo de Atlas?")
    model = FakeModel(["Nada [1].", "Eso [1]."])
    await ask(replace(services, model=model), question)
    await ask(replace(services, model=model), replace(question, viewer=Viewer(keys=frozenset({"member:atlas"}))))
    assert "solo lee el círculo" not in model.prompts[0].user
    assert "solo lee el círculo" in model.prompts[1].user


async def test_the_thread_goes_to_the_model(services: Services) -> None:
    model = FakeModel(["Vuelve sola [1]."])
    await ask(replace(services, model=model), make_question("¿Y si falla?", history=HISTORY))
    assert "Ana: ¿Cómo se despliega Faro?\n\nOráculo (you): Con `faro desplegar`." in model.prompts[0].user


async def test_the_mode_goes_to_the_model_and_into_the_record(services: Services) -> None:
    model = FakeModel(["1. Eso [1]."])
    await ask(replace(services, model=model), make_question(BACKUP, mode=Mode.HELP))
    assert "numbered list" in model.prompts[0].system
    assert turns(services)[-1].mode == "help"


@pytest.mark.parametrize(
    ("reply", "notice"),
    [
        (ModelUnavailable("503"), "model-failed"),
        (BudgetSpent("spent"), "over-budget"),
        (KeyError("a library's own fault"), "model-failed"),
        ("", "model-failed"),
        ("  \n ", "model-failed"),
        (["Media fra", ModelUnavailable("torn")], "model-failed"),
        (["Media fra", AnswerCut("limit")], "model-failed"),
    ],
)
async def test_a_model_that_says_nothing_whole_leaves_the_pages_to_answer(
    services: Services, reply: str | Exception | list[str | Exception], notice: str
) -> None:
    answer = await ask(replace(services, model=FakeModel([reply])), BACKUP)
    assert (answer.outcome, answer.model, answer.notice) == (Outcome.ANSWERED, "", notice)
    assert "«La copia de seguridad se hace cada noche a las tres.» [1]" in answer.text


async def test_an_answer_that_breaks_off_is_completed_with_quotes(services: Services) -> None:
    model = FakeModel([["Faro se despliega con una orden [2]. Y lue", ModelUnavailable("torn")]])
    progress = RecordingProgress()
    answer = await answer_question(make_question(BACKUP), replace(services, model=model), progress)
    assert answer.text.startswith("Faro se despliega con una orden [1].\n\n" + TEXTS.say("answer-completed", "es"))
    assert "«La copia de seguridad se hace cada noche a las tres.» [2]" in answer.text
    assert progress.text == answer.text
    assert answer.notice == "model-failed"
    assert [citation.number for citation in answer.citations] == list(range(1, len(answer.citations) + 1))


async def test_an_answer_at_its_length_limit_ends_at_a_whole_sentence(services: Services) -> None:
    answer = await ask(replace(services, model=FakeModel([["Así es [1]. Y lue", AnswerCut("limit")]])), BACKUP)
    assert (answer.text, answer.notice, answer.outcome) == ("Así es [1].", "unfinished", Outcome.ANSWERED)


async def test_an_answer_without_a_source_gets_none_made_up(services: Services) -> None:
    answer = await ask(replace(services, model=FakeModel(["La wiki no habla de eso [77]."])), BACKUP)
    assert (answer.text, answer.outcome, answer.notice) == ("La wiki no habla de eso.", Outcome.ABSTAINED, "uncited")
    assert 1 <= len(answer.citations) <= 5
    assert all(citation.spans == () for citation in answer.citations)


# The floor


async def test_below_the_floor_a_first_turn_is_refused_without_the_model(services: Services) -> None:
    model = FakeModel([])
    answer = await ask(replace(services, model=model, floor=ABOVE_ALL), BACKUP)
    assert (answer.outcome, answer.text) == (Outcome.ABSTAINED, TEXTS.say("answer-abstained", "es"))
    pages = [citation.passage.page.doc_id for citation in answer.citations]
    assert 1 <= len(pages) <= 5
    assert len(set(pages)) == len(pages)
    assert model.prompts == []
    assert answer.explanation is not None
    assert answer.explanation.floor == ABOVE_ALL


async def test_in_a_thread_the_floor_does_not_apply(services: Services) -> None:
    answer = await ask(replace(services, floor=ABOVE_ALL), make_question("¿Y si falla?", history=HISTORY))
    assert answer.outcome is Outcome.ANSWERED


async def test_a_relevance_at_the_floor_is_enough(services: Services) -> None:
    relevance = (await ask(services, BACKUP)).relevance
    assert relevance is not None
    assert (await ask(replace(services, floor=relevance), BACKUP)).outcome is Outcome.ANSWERED


@pytest.mark.parametrize("history", [(), HISTORY])
async def test_without_passages_no_model_is_called(services: Services, history: tuple[Said, ...]) -> None:
    model = FakeModel([])
    question = make_question(BACKUP, viewer=Viewer(keys=frozenset({"nothing"})), history=history)
    answer = await ask(replace(services, model=model), question)
    assert (answer.outcome, answer.text) == (Outcome.NO_MATCHES, TEXTS.say("answer-no-matches", "es"))
    assert (answer.citations, answer.relevance) == ((), None)


# The other routes


async def test_keywords_list_pages(services: Services) -> None:
    answer = await ask(services, "faro desplegar")
    assert (answer.outcome, answer.route) == (Outcome.LISTED, Route.LITERAL)
    assert answer.listing is not None
    assert [hit.page.doc_id for hit in answer.listing.hits] == ["despliegue.md"]
    assert answer.generation == services.index().stamp


async def test_keywords_that_stand_nowhere_find_nothing(services: Services) -> None:
    answer = await ask(services, "xilófono")
    assert (answer.outcome, answer.text) == (Outcome.NO_MATCHES, TEXTS.say("answer-nothing-listed", "es"))
    assert answer.listing is not None


@pytest.mark.parametrize(
    ("text", "key", "locale"),
    [
        ("¡Hola!", "answer-small-talk-greeting", "es"),
        ("gracias 🙏", "answer-small-talk-thanks", "es"),
        ("who are you?", "answer-small-talk-identity", "en"),
        ("help", "answer-small-talk-help", "en"),
        ("  ", "answer-empty", "es"),
    ],
)
@pytest.mark.parametrize("history", [(), HISTORY])
async def test_small_talk_searches_nothing(
    services: Services, text: str, key: str, locale: Locale, history: tuple[Said, ...]
) -> None:
    answer = await ask(replace(services, index=no_index), make_question(text, history=history))
    assert answer.outcome is Outcome.SMALL_TALK
    assert answer.text == TEXTS.say(key, locale)


@pytest.mark.parametrize("route", [None, Route.LITERAL, Route.ORACLE])
async def test_a_question_that_is_too_long_is_told_so(services: Services, route: Route | None) -> None:
    answer = await ask(replace(services, index=no_index), make_question("¿Cómo? " * 72, route=route))
    assert (answer.outcome, answer.notice) == (Outcome.FAILED, "too-long")
    assert "503" in answer.text
    assert "500" in answer.text


async def test_500_characters_are_not_too_long(services: Services) -> None:
    assert (await ask(services, ("¿Cómo se hace la copia? " * 30)[:500])).outcome is Outcome.ANSWERED


# What breaks


def raising(error: Exception) -> Callable[[], Generation]:
    def index() -> Generation:
        raise error

    return index


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (NoIndex("there is no index"), "answer-no-index"),
        (DamagedIndex("it is damaged"), "answer-damaged-index"),
        (EmbeddingUnavailable("no model"), "answer-no-embedding"),
        (RuntimeError("anything"), "answer-failed"),
    ],
)
@pytest.mark.parametrize("text", [BACKUP, "faro desplegar"])
async def test_what_breaks_is_answered_and_logged(services: Services, text: str, error: Exception, key: str) -> None:
    with structlog.testing.capture_logs() as logs:
        answer = await ask(replace(services, index=raising(error)), text)
    assert (answer.outcome, answer.text) == (Outcome.FAILED, TEXTS.say(key, "es"))
    assert [line["event"] for line in logs] == ["question failed"]


async def test_a_broken_screen_does_not_cost_the_answer(services: Services) -> None:
    class Broken(RecordingProgress):
        async def say(self, sentence: str) -> None:
            raise ConnectionError(f"the stream is gone: {sentence}")

    model = FakeModel(["Así es [1]. Y así también [1]."])
    answer = await answer_question(make_question(BACKUP), replace(services, model=model), Broken())
    assert answer.text == "Así es [1]. Y así también [1]."


async def test_a_broken_turn_log_does_not_cost_the_answer(services: Services) -> None:
    class Broken:
        def record(self, turn: TurnRecord) -> None:
            raise OSError(f"the disk is full: {turn}")

    answer = await answer_question(make_question(BACKUP), replace(services, turn_log=Broken()), RecordingProgress())
    assert answer.outcome is Outcome.ANSWERED


# The record


async def test_a_turn_leaves_a_record_without_the_answer(services: Services) -> None:
    place = Conversation("slack", "T1", "C1", "private", "17.1")
    question = make_question(BACKUP, conversation=place)
    answer = await ask(replace(services, model=FakeModel(["Cada noche [1]."])), question)
    (turn,) = turns(services)
    where = (turn.platform, turn.workspace, turn.channel, turn.channel_kind, turn.thread)
    assert where == ("slack", "T1", "C1", "private", "17.1")
    assert (turn.created_at, turn.user, turn.mode, turn.route) == (ASKED_AT, "U1", "oracle", "oracle")
    assert (turn.model, turn.prompt_tokens, turn.answer_tokens) == ("fake-model", 100, 20)
    assert (turn.sources_count, turn.top_relevance, turn.generation) == (1, answer.relevance, answer.generation)
    assert [source[:2] for source in turn.sources] == [("copias.md", 1)]
    assert {"search", "write"} <= set(turn.stages_ms)
    assert turn.duration_ms == answer.timings_ms["total"]
    assert "Cada noche" not in str(turn)


# Cancelling, with the real client


async def test_the_real_client_answers(services: Services) -> None:
    async with GeminiStandIn([Says(("Cada noche [1]. ", "A las tres <@U1> [1]."))]) as server:
        model = Gemini("gemma-4-26b-a4b-it", SecretStr(server.key), base_url=server.base_url)
        answer = await ask(replace(services, model=model), BACKUP)
    assert answer.text == "Cada noche [1]. A las tres <\u200b@U1> [1]."
    assert (answer.model, answer.usage) == ("gemma-4-26b-a4b-it", Usage(900, 40))


async def test_cancelling_a_question_ends_the_models_call_and_leaves_a_record(services: Services) -> None:
    async with GeminiStandIn([Hangs(("Cada noche [1]. Y ",))]) as server:
        model = Gemini("gemma", SecretStr(server.key), base_url=server.base_url)
        asking = asyncio.create_task(
            answer_question(make_question(BACKUP), replace(services, model=model), RecordingProgress())
        )
        await server.hanging()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await asyncio.wait_for(server.calls[0].abandoned.wait(), 10)
    assert [turn.outcome for turn in turns(services)] == ["failed"]


def test_answering_does_not_load_the_models_library() -> None:
    code = "import sys, bot.answering; sys.exit('google.genai' in sys.modules or 'fastembed' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
