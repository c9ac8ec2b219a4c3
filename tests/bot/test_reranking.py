"""The port and what every reranker has in common; answers whose passages were reranked, on a real index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from bot.answering import Services, answer_question
from bot.errors import ModelUnavailable
from bot.listwise import ListwiseReranker
from bot.messages import Answer, Outcome, Usage
from bot.ports import Ordering, Reranker
from bot.reranking import CrossEncoderReranker, reranked
from bot.texts import FluentTexts
from retrieval import Generation, open_index
from retrieval.cross_encoder import open_cross_encoder
from retrieval.errors import RerankingFailed
from retrieval.reranking import RERANKED
from retrieval.types import CrossEncoder, Embedder, Passage, Query, Reranking, Said
from tests.builders import ASKED_AT, make_page, make_passage, make_question, make_result
from tests.cross_encoders import write_cross_encoder
from tests.fakes import FakeModel, ListTurnLog, RecordingProgress
from tests.wikis import Wiki

BACKUP = "¿Cuándo se hace la copia de seguridad de Faro?"
FENCE = "f0e1d2c3b4a59687"
WORDS = ["copia", "seguridad", "noche", "restaurar", "vacaciones", "portal", "antelación", "pasaje"]
KEPT = "reranking failed; the passages keep their order"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> CrossEncoder:
    """A real cross-encoder, run by fastembed: it counts shared words."""
    folder = tmp_path_factory.mktemp("reranker")
    return open_cross_encoder(str(write_cross_encoder(folder, WORDS)), cache=folder, threads=1)


@pytest.fixture(scope="module")
def index(home: Path, embedder: Embedder) -> Iterator[Generation]:
    opened = open_index(home, lambda: embedder)
    yield opened
    opened.close()


@pytest.fixture
def services(index: Generation) -> Services:
    """Without a model and without a floor; each test says what it needs instead."""
    return Services(
        index=lambda: index,
        model=None,
        turn_log=ListTurnLog(),
        texts=FluentTexts(),
        clock=lambda: ASKED_AT,
        floor=0.0,
        fence=lambda: FENCE,
    )


async def ask(services: Services, text: str = BACKUP, history: tuple[Said, ...] = ()) -> Answer:
    return await answer_question(make_question(text, history=history), services, RecordingProgress())


def listwise(*replies: str | Exception) -> ListwiseReranker:
    return ListwiseReranker(FakeModel(list(replies)), lambda: FENCE, 20.0)


def absent() -> CrossEncoder:
    raise RerankingFailed("the reranker x/y is not in models; bring it with: hf download x/y")


def reranking_of(answer: Answer) -> Reranking:
    assert answer.explanation is not None
    assert answer.explanation.reranking is not None
    return answer.explanation.reranking


@dataclass
class Says:
    """A reranker that gives one ordering, whatever it is given."""

    ordering: Ordering
    name: str = "says"
    depth: int = RERANKED

    async def order(self, query: Query, passages: Sequence[Passage]) -> Ordering:  # noqa: ARG002 - the port's names
        return self.ordering


# What every reranker has in common


@pytest.mark.parametrize("count", [2, 5, RERANKED])
@pytest.mark.parametrize("kind", ["cross-encoder", "listwise"])
async def test_every_reranker_names_each_passage_it_was_given_once(
    encoder: CrossEncoder, kind: str, count: int
) -> None:
    backwards = ", ".join(str(number) for number in range(count, 0, -1))
    rerankers: dict[str, Reranker] = {
        "cross-encoder": CrossEncoderReranker("words", lambda: encoder),
        "listwise": listwise(backwards),
    }
    passages = [make_passage("pasaje " * row, row=row) for row in range(count)]
    ordering = await rerankers[kind].order(Query("¿Qué pasaje?"), passages)
    assert ordering.failure == ""
    assert list(ordering.order) == (list(reversed(range(count))))


@pytest.mark.parametrize(
    "broken", [CrossEncoderReranker("words", absent), listwise("nonsense"), listwise(ModelUnavailable("it is down"))]
)
async def test_a_reranker_that_fails_says_so_and_the_order_stays(broken: Reranker) -> None:
    found = make_result(*(make_passage(row=row) for row in range(4)))
    with structlog.testing.capture_logs() as logs:
        result, ordering = await reranked(broken, Query("¿?"), found)
    assert result.passages == found.passages
    assert ordering.failure
    assert "\n" not in ordering.failure
    assert result.explanation.reranking == Reranking(broken.name, failed=True)
    assert [(line["event"], line["reason"]) for line in logs] == [(KEPT, ordering.failure)]


@given(st.integers(0, 8), st.integers(0, 8), st.lists(st.integers(-2, 9), max_size=10), st.booleans())
async def test_no_reranker_can_add_repeat_or_lose_a_passage(
    count: int,
    depth: int,
    order: list[int],
    right: bool,
) -> None:
    found = make_result(*(make_passage(row=row, page=make_page(f"{row}.md")) for row in range(count)))
    named = sorted(range(min(count, depth)), key=lambda place: order[place % len(order)] if order else 0)
    says = Says(Ordering(named if right else order), depth=depth)
    result, _ = await reranked(says, Query("¿?"), found)
    assert sorted(map(id, result.passages)) == sorted(map(id, found.passages))
    assert result.passages[depth:] == found.passages[depth:]
    if right:
        assert [passage.chunk.row for passage in result.passages[:depth]] == named
    assert (result.relevance, result.timings_ms) == (found.relevance, found.timings_ms)


async def test_what_a_reranker_took_is_told_also_when_its_order_is_wrong() -> None:
    says = Says(Ordering((0, 0), usage=Usage(7, 3), spent_seconds=1.5))
    _, ordering = await reranked(says, Query("¿?"), make_result(make_passage(row=0), make_passage(row=1)))
    assert (ordering.usage, ordering.spent_seconds) == (Usage(7, 3), 1.5)
    assert ordering.failure == "says did not name each of the 2 passages once"


# Answers


async def test_without_a_reranker_nothing_is_reranked_nor_timed(services: Services) -> None:
    answer = await ask(services)
    assert answer.explanation is not None
    assert answer.explanation.reranking is None
    assert "rerank" not in answer.timings_ms


async def test_a_cross_encoder_orders_what_the_answer_is_given(services: Services, encoder: CrossEncoder) -> None:
    text = "¿Con cuánta antelación se piden las vacaciones en el portal, y cómo va la copia?"
    plain = await ask(services, text)
    services = replace(services, reranker=CrossEncoderReranker("words", lambda: encoder), top_k=2)
    answer = await ask(services, text)
    told = reranking_of(answer)
    assert told.reranker == "words"
    assert told.places[0][0] == "vacaciones.md"
    assert answer.citations[0].passage.page.doc_id == "vacaciones.md"
    assert len(told.places) > services.top_k
    assert answer.chunks_used == 2
    assert answer.relevance == pytest.approx(plain.relevance, abs=0.2)
    (turn,) = services.turn_log.turns[1:]  # type: ignore[attr-defined]  # a ListTurnLog
    assert turn.stages_ms["rerank"] == answer.timings_ms["rerank"] > 0


async def test_the_relevance_is_the_searchs_whoever_orders_the_passages(services: Services) -> None:
    plain = await ask(replace(services, top_k=2))
    backwards = Says(Ordering((2, 1, 0)), depth=3)
    answer = await ask(replace(services, top_k=2, reranker=backwards))
    assert not reranking_of(answer).failed
    assert answer.relevance == plain.relevance


async def test_the_model_orders_the_passages_and_then_writes(services: Services) -> None:
    model = FakeModel(["4, 3, 2, 1", "Se hace de noche [1]."])
    reranker = ListwiseReranker(model, lambda: FENCE, 20.0)
    answer = await ask(replace(services, model=model, reranker=reranker))
    told = reranking_of(answer)
    assert [place for _, place in told.places] == [4, 3, 2, 1]
    assert answer.citations[0].passage.page.doc_id == told.places[0][0]
    assert answer.usage == Usage(200, 40)
    assert services.turn_log.turns[-1].prompt_tokens == 200  # type: ignore[attr-defined]  # a ListTurnLog
    ordering, writing = model.prompts
    assert ordering.limit_tokens is not None
    assert (writing.limit_tokens, writing.spent_seconds > 0) == (None, True)


async def test_a_follow_up_is_ordered_with_its_thread(services: Services) -> None:
    model = FakeModel(["1, 2, 3, 4", "Así [1]."])
    history = (Said("Ana", "user", BACKUP),)
    await ask(
        replace(services, model=model, reranker=ListwiseReranker(model, lambda: FENCE, 20.0)), "¿y cómo?", history
    )
    assert f"Ana: {BACKUP}" in model.prompts[0].user


@pytest.mark.parametrize("reply", ["1, 1, 1", ModelUnavailable("it answered 503"), "Passage 2 says to put it first"])
async def test_when_the_order_cannot_be_had_the_answer_is_as_without(
    services: Services, reply: str | Exception
) -> None:
    plain = await ask(replace(services, model=FakeModel(["Se hace de noche [1]."])))
    model = FakeModel([reply, "Se hace de noche [1]."])
    with structlog.testing.capture_logs() as logs:
        answer = await ask(replace(services, model=model, reranker=ListwiseReranker(model, lambda: FENCE, 20.0)))
    assert (answer.text, answer.citations, answer.outcome) == (plain.text, plain.citations, Outcome.ANSWERED)
    assert reranking_of(answer).failed
    assert [line["event"] for line in logs] == [KEPT]


async def test_below_the_floor_no_model_is_asked_for_an_order(services: Services) -> None:
    model = FakeModel([])
    reranker = ListwiseReranker(model, lambda: FENCE, 20.0)
    plain = await ask(replace(services, floor=1.1, top_k=2))
    answer = await ask(replace(services, floor=1.1, top_k=2, model=model, reranker=reranker))
    assert (answer.outcome, model.prompts) == (Outcome.ABSTAINED, [])
    assert answer.citations == plain.citations


async def test_a_single_passage_needs_no_order(services: Services, embedder: Embedder, tmp_path: Path) -> None:
    one_page = Wiki(tmp_path / "wiki", tmp_path / "home", embedder)
    one_page.write({"copias.md": "# Copias\n\nLa copia se hace cada noche.\n"})
    one_page.ingest()
    with closing(one_page.open()) as index:
        answer = await ask(replace(services, index=lambda: index, reranker=listwise()))
    assert answer.outcome is Outcome.ANSWERED
    assert "rerank" not in answer.timings_ms


async def test_what_may_not_be_read_is_never_put_before_the_model(services: Services) -> None:
    model = FakeModel(["1, 2, 3, 4", "Así [1]."])
    await ask(replace(services, model=model, reranker=ListwiseReranker(model, lambda: FENCE, 20.0)))
    assert "PASSAGE 4 BEGIN" in model.prompts[0].user
    assert "círculo" not in model.prompts[0].user
    assert "borrador" not in model.prompts[0].user
