"""The conversation, on a real index: what each line does, and what is remembered."""

from __future__ import annotations

import asyncio
import io
import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.answering import Services
from bot.console.chat import Chat, Manner
from bot.console.inbound import read_order
from bot.console.loop import answer_lines, converse
from bot.console.screen import PlainScreen
from bot.messages import Outcome, Route
from bot.texts import FluentTexts
from bot.texts.voice import Voice
from retrieval import CurrentIndex, Generation
from retrieval.ingest.build import ingest
from retrieval.ingest.sources import Source
from retrieval.types import Embedder, Viewer
from tests.bot.conftest import NoProgress
from tests.builders import ASKED_AT
from tests.fakes import FakeModel, ListTurnLog

WRITTEN = "La copia se hace cada noche a las tres, sin que nadie tenga que hacer nada [1]."


class Conversation:
    """A chat one can look into."""

    def __init__(self, services: Services, turn_log: ListTurnLog, viewer: Viewer) -> None:
        self.output = io.StringIO()
        self.screen = PlainScreen(self.output)
        self.turns = turn_log.turns
        ids = (str(number) for number in itertools.count())
        self.chat = Chat(services, Voice(FluentTexts(), "es"), self.screen, Manner(viewer, lambda: next(ids)))

    async def say(self, line: str) -> str:
        """Give what appeared."""
        before = len(self.output.getvalue())
        await self.chat.obey(read_order(line))
        return self.output.getvalue()[before:]


Talk = Callable[..., Conversation]


@pytest.fixture
def talk(home: Path, embedder: Embedder) -> Talk:
    def start(model: FakeModel | None = None, viewer: Viewer | None = None) -> Conversation:
        turn_log = ListTurnLog()
        services = Services(
            index=CurrentIndex(home, lambda: embedder),
            model=model,
            turn_log=turn_log,
            texts=FluentTexts(),
            clock=lambda: ASKED_AT,
            floor=0.0,  # what is measured on wikis of a real size says little about six pages
        )
        return Conversation(services, turn_log, viewer or Viewer())

    return start


async def test_a_question_gets_an_answer_with_its_sources(talk: Talk) -> None:
    conversation = talk()
    shown = await conversation.say("¿Cuándo se hace la copia de seguridad?")
    assert "La copia de seguridad se hace cada noche a las tres." in shown
    assert "Fuentes\n[1] Copias de seguridad — Faro · hace 30 días · " in shown
    assert "¿Preferías las páginas que lo nombran? Escribe /buscar" in shown
    (turn,) = conversation.turns
    assert (turn.platform, turn.channel_kind, turn.outcome) == ("console", "terminal", "answered")


async def test_keywords_get_a_listing_and_the_other_way_answers_them(talk: Talk) -> None:
    conversation = talk()
    assert "1 página con «copia»" in await conversation.say("copia")
    shown = await conversation.say("/preguntar")
    assert "[1]" in shown
    assert [turn.question for turn in conversation.turns] == ["copia", "copia"]
    assert [turn.route for turn in conversation.turns] == [Route.LITERAL, Route.ORACLE]


async def test_the_other_way_of_an_answer_is_the_listing(talk: Talk) -> None:
    conversation = talk()
    await conversation.say("¿cada noche se hace la copia?")
    assert "1 página con «¿cada noche se hace la copia?»" in await conversation.say("/buscar")


async def test_after_an_answer_words_are_a_follow_up_until_a_new_conversation(talk: Talk) -> None:
    conversation = talk()
    await conversation.say("¿Cuándo se hace la copia de seguridad?")
    await conversation.say("restaurar")
    await conversation.say("/nuevo")
    await conversation.say("restaurar")
    assert [turn.route for turn in conversation.turns] == [Route.ORACLE, Route.ORACLE, Route.LITERAL]
    assert conversation.turns[0].thread == conversation.turns[1].thread != conversation.turns[2].thread


async def test_a_listing_is_no_thread_to_follow_up(talk: Talk) -> None:
    conversation = talk()
    await conversation.say("copia")
    await conversation.say("restaurar")
    assert {turn.route for turn in conversation.turns} == {Route.LITERAL}


async def test_the_model_sees_what_was_said_before_with_its_speakers(talk: Talk) -> None:
    model = FakeModel([WRITTEN, WRITTEN])
    conversation = talk(model)
    await conversation.say("¿Cuándo se hace la copia de seguridad?")
    await conversation.say("¿y cómo se restaura?")
    assert "Usuario" in model.prompts[1].user
    assert "¿Cuándo se hace la copia de seguridad?" in model.prompts[1].user
    assert WRITTEN.removesuffix(" [1].") in model.prompts[1].user


async def test_history_holds_twelve_turns_at_most(talk: Talk) -> None:
    conversation = talk()
    for number in range(9):
        await conversation.say(f"/preguntar ¿Cuándo se hace la copia número {number}?")
    assert len(conversation.chat._history) == 12
    assert conversation.chat._history[0].text.endswith("número 3?")


async def test_sources_show_the_passages_of_the_last_answer(talk: Talk) -> None:
    conversation = talk()
    assert "Aún no hay fuentes" in await conversation.say("/fuentes")
    await conversation.say("¿Cuándo se hace la copia de seguridad?")
    await conversation.say("copia")
    shown = await conversation.say("/fuentes 1")
    assert shown.startswith("[1] Copias de seguridad — Faro")
    assert "    │ La copia de seguridad se hace cada noche a las tres." in shown
    assert "La última respuesta" in await conversation.say("/fuentes 99")


async def test_commands_answer_in_both_languages_and_unknown_ones_kindly(talk: Talk) -> None:
    conversation = talk()
    assert "/buscar PALABRAS" in await conversation.say("/help")
    assert "/buscar PALABRAS" in await conversation.say("/ayuda")
    assert "¿Querías decir /buscar?" in await conversation.say("/bucsar copia")
    assert "Escribe /ayuda" in await conversation.say("/zzz")
    assert "por ejemplo: /buscar copia de seguridad" in await conversation.say("/buscar")
    assert "No hay más páginas" in await conversation.say("/más")
    assert conversation.turns == []


async def test_the_index_is_never_asked_for_on_the_event_loop(embedder: Embedder, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(40):
        (pages / f"{number}.md").write_text(f"# Reunión {number}\n\nActa.\n", encoding="utf-8")
    ingest([Source(path=pages)], tmp_path, lambda: embedder, embedder_name=embedder.name, progress=NoProgress())
    current = CurrentIndex(tmp_path, lambda: embedder)

    def index() -> Generation:
        with pytest.raises(RuntimeError, match="no running event loop"):  # opening a generation takes a while
            asyncio.get_running_loop()
        return current()

    services = Services(index=index, model=None, turn_log=ListTurnLog(), texts=FluentTexts(), clock=lambda: ASKED_AT)
    conversation = Conversation(services, ListTurnLog(), Viewer())
    assert "página 1 de 2" in await conversation.say("reunión")
    assert "página 2 de 2" in await conversation.say("/más")


async def test_more_shows_the_next_page_of_a_listing(embedder: Embedder, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(35):
        (pages / f"{number:02}.md").write_text(f"# Acta {number}\n\nReunión.\n", encoding="utf-8")
    ingest([Source(pages)], tmp_path, lambda: embedder, embedder_name=embedder.name, progress=NoProgress())
    turn_log = ListTurnLog()
    services = Services(
        index=CurrentIndex(tmp_path), model=None, turn_log=turn_log, texts=FluentTexts(), clock=lambda: ASKED_AT
    )
    conversation = Conversation(services, turn_log, Viewer())
    assert "Escribe /más para ver la página siguiente." in await conversation.say("reunión")
    shown = await conversation.say("/más")
    assert shown.startswith("35 páginas con «reunión» · página 2 de 2")
    assert shown.count("pages/") == 5
    assert "/más" not in shown
    assert await conversation.say("/más") == "No hay más páginas que mostrar.\n"


async def test_an_empty_line_asks_nothing(talk: Talk) -> None:
    conversation = talk()
    assert await conversation.say("   ") == ""
    assert conversation.turns == []


async def test_a_viewer_s_keys_open_pages(talk: Talk) -> None:
    assert "del círculo" not in await talk().say("/buscar círculo")
    member = Viewer("ana", frozenset({"public", "member:atlas"}))
    assert "Copia del círculo" in await talk(viewer=member).say("/buscar círculo")


async def test_what_the_model_writes_never_drives_the_terminal(talk: Talk) -> None:
    model = FakeModel(["\x1b[31mLa copia\x9b2J se hace cada noche a las tres\x1b]0;x\x07 en punto siempre [1]."])
    shown = await talk(model).say("¿Cuándo se hace la copia de seguridad?")
    assert "La copia se hace cada noche a las tres en punto siempre [1]." in shown
    assert "\x1b" not in shown


async def test_a_question_that_fails_is_told_and_the_conversation_goes_on(tmp_path: Path) -> None:
    turn_log = ListTurnLog()
    services = Services(
        index=CurrentIndex(tmp_path / "none"),
        model=None,
        turn_log=turn_log,
        texts=FluentTexts(),
        clock=lambda: ASKED_AT,
    )
    conversation = Conversation(services, turn_log, Viewer())
    assert "falta ejecutar `oraculo ingest`" in await conversation.say("¿Cuándo se hace la copia de seguridad?")
    assert conversation.turns[0].outcome == Outcome.FAILED.value
    assert "/buscar PALABRAS" in await conversation.say("/ayuda")


class Typed:
    """Lines as a person types them, and then Ctrl-D."""

    def __init__(self, *lines: str) -> None:
        self._left = list(lines)

    def __call__(self) -> str:
        if not self._left:
            raise EOFError
        return self._left.pop(0)


@pytest.mark.parametrize("lines", [["copia"], ["copia", "/salir", "vacaciones"]])
def test_a_conversation_ends_with_the_input_or_with_the_command(talk: Talk, lines: list[str]) -> None:
    conversation = talk()
    converse(conversation.chat, Typed(*lines))
    assert [turn.question for turn in conversation.turns] == ["copia"]


def test_the_lines_of_a_pipe_are_answered_under_themselves(talk: Talk) -> None:
    conversation = talk()
    assert answer_lines(conversation.chat, ["copia\n", "\n", "/salir\n", "despliegue\n"], conversation.screen) == 0
    shown = conversation.output.getvalue()
    assert shown.startswith("› copia\n1 página con «copia»\n")
    assert "despliegue" not in shown
