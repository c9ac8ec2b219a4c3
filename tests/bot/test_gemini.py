"""The real google-genai client against a stand-in that speaks the wire protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace

import pytest
from pydantic import SecretStr

from bot.errors import AnswerCut, ModelUnavailable
from bot.gemini import ANSWER_LIMIT_TOKENS, Gemini, Retries
from bot.messages import Usage
from bot.ports import Delta, Prompt
from tests.gemini_stand_in import Act, Blocks, BreaksOff, FailsLate, GeminiStandIn, Hangs, Refuses, Says
from tests.loops import run_with_skips, skip

PROMPT = Prompt(system="Las reglas.", user="Los pasajes y la pregunta.")
QUICK = Retries(attempts=3, first_pause_seconds=0.001, longest_pause_seconds=0.01)
BUSY, BROKEN, OVERLOADED = (
    Refuses(429, "RESOURCE_EXHAUSTED"),
    Refuses(500, "INTERNAL"),
    Refuses(503, "UNAVAILABLE"),
)

Open = Callable[..., Awaitable[GeminiStandIn]]


@pytest.fixture
async def stand_in() -> AsyncIterator[Open]:
    """Opens stand-ins for Gemini, and closes them at the end."""
    async with AsyncExitStack() as stack:

        async def opened(script: Sequence[Act], *, takes_system_instruction: bool = True) -> GeminiStandIn:
            server = GeminiStandIn(script, takes_system_instruction=takes_system_instruction)
            return await stack.enter_async_context(server)

        yield opened


def model_of(server: GeminiStandIn, *, key: str | None = None, timeout_seconds: float = 20.0) -> Gemini:
    return Gemini(
        "gemma-4-26b-a4b-it",
        SecretStr(key or server.key),
        base_url=server.base_url,
        timeout_seconds=timeout_seconds,
        retries=QUICK,
    )


async def read(model: Gemini, deltas: list[Delta] | None = None, prompt: Prompt = PROMPT) -> tuple[str, Usage | None]:
    """Read a stream to its end, keeping in `deltas` what comes before it may raise."""
    kept = [] if deltas is None else deltas
    async with aclosing(model.stream(prompt)) as stream:
        async for delta in stream:
            kept.append(delta)  # a comprehension would lose them
    usage = [delta.usage for delta in kept if delta.usage]
    return "".join(delta.text for delta in kept), usage[-1] if usage else None


async def test_the_answer_comes_in_pieces_and_the_usage_at_the_end(stand_in: Open) -> None:
    server = await stand_in([Says(("Arranca ", "solo\u2028 [1]. ", "¿Y qué? 🙂"))])
    deltas: list[Delta] = []
    text, usage = await read(model_of(server), deltas)
    assert text == "Arranca solo\u2028 [1]. ¿Y qué? 🙂"
    assert [delta.text for delta in deltas][:2] == ["Arranca ", "solo\u2028 [1]. "]
    assert usage == Usage(prompt_tokens=900, answer_tokens=40)


async def test_the_call_is_what_the_service_expects(stand_in: Open) -> None:
    server = await stand_in([Says(("Hola.",))])
    await read(model_of(server))
    (call,) = server.calls
    assert (call.version, call.model, call.method) == ("v1beta", "gemma-4-26b-a4b-it", "streamGenerateContent")
    assert (call.system, call.user) == (PROMPT.system, PROMPT.user)


async def test_any_model_and_version_by_name(stand_in: Open) -> None:
    server = await stand_in([Says(("Hola.",))])
    await read(Gemini("gemini-9-flash", SecretStr(server.key), base_url=server.base_url + "/", api_version="v1"))
    assert (server.calls[0].version, server.calls[0].model) == ("v1", "gemini-9-flash")


async def test_thoughts_are_not_part_of_the_answer(stand_in: Open) -> None:
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": 7}
    server = await stand_in([Says(("Hola.",), thoughts="Debo saludar.", usage=usage)])
    assert await read(model_of(server)) == ("Hola.", Usage(10, 12))


async def test_a_model_that_takes_no_system_instruction_gets_it_in_the_question_from_then_on(stand_in: Open) -> None:
    server = await stand_in([Says(("Uno.",)), Says(("Dos.",))], takes_system_instruction=False)
    model = model_of(server)
    assert (await read(model))[0] == "Uno."
    assert (await read(model))[0] == "Dos."
    assert [call.system for call in server.calls] == [PROMPT.system, None, None]
    assert server.calls[1].user == f"{PROMPT.system}\n\n{PROMPT.user}" == server.calls[2].user


@pytest.mark.parametrize(
    "refusal", [BUSY, BROKEN, OVERLOADED, Refuses(502), Refuses(504), Refuses(429, retry_seconds=0)]
)
async def test_a_passing_failure_is_tried_again(stand_in: Open, refusal: Refuses) -> None:
    server = await stand_in([refusal, refusal, Says(("Hola.",))])
    assert (await read(model_of(server)))[0] == "Hola."
    assert len(server.calls) == 3


async def test_a_connection_torn_before_the_first_word_is_tried_again(stand_in: Open) -> None:
    server = await stand_in([BreaksOff(), Says(("Hola.",))])
    assert (await read(model_of(server)))[0] == "Hola."


async def test_after_the_last_try_the_model_is_unavailable(stand_in: Open) -> None:
    server = await stand_in([OVERLOADED] * 5)
    with pytest.raises(ModelUnavailable, match="503"):
        await read(model_of(server))
    assert len(server.calls) == QUICK.attempts


async def test_nobody_waits_as_long_as_a_spent_quota_asks(stand_in: Open) -> None:
    server = await stand_in([Refuses(429, "RESOURCE_EXHAUSTED", "quota", retry_seconds=3600), Says(("Tarde.",))])
    with pytest.raises(ModelUnavailable, match="quota"):
        await read(model_of(server))
    assert len(server.calls) == 1


@pytest.mark.parametrize("code", [400, 401, 403, 404])
async def test_a_wrong_call_is_not_tried_again(stand_in: Open, code: int) -> None:
    server = await stand_in([Refuses(code, "X", "no"), Says(("Nunca.",))])
    with pytest.raises(ModelUnavailable, match=r"; check model\."):
        await read(model_of(server))
    assert len(server.calls) == 1


@pytest.mark.parametrize("key", ["wrong-key-77b1", "clave-ñ-77b1", "two\nlines-77b1"])
async def test_a_wrong_key_is_told_in_one_line_and_never_shown(
    stand_in: Open, key: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    server = await stand_in([])
    with pytest.raises(ModelUnavailable) as caught:
        await read(model_of(server, key=key))
    chain = [caught.value, caught.value.__cause__]
    seen = f"{chain} {capfd.readouterr()} {caplog.text}"
    assert "77b1" not in seen
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert server.calls == []


async def test_a_key_that_the_service_repeats_is_not_repeated(stand_in: Open) -> None:
    server = await stand_in([Refuses(403, "PERMISSION_DENIED", "key stand-in-key-4f2a9c\nis suspended")])
    with pytest.raises(ModelUnavailable, match=r"403 key \*\*\* is suspended; check model.api_key"):
        await read(model_of(server))


async def test_a_service_that_is_not_there_is_told() -> None:
    model = Gemini("gemma", SecretStr("k"), base_url="http://127.0.0.1:1", retries=QUICK)
    with pytest.raises(ModelUnavailable, match=r"connection to gemma failed \(ConnectError\); check model.base_url"):
        await read(model)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (Blocks("PROHIBITED_CONTENT"), "refused the question .PROHIBITED_CONTENT"),
        (Says(("Ho",), finish="SAFETY"), "SAFETY"),
        (Says((), finish="RECITATION"), "RECITATION"),
        (Says(("Ho",), finish=""), "broke off"),
        (FailsLate(("Ho",)), "503"),
        (BreaksOff(("Ho",)), "connection"),
    ],
)
async def test_an_answer_that_does_not_end_well_says_so_and_is_not_asked_again(
    stand_in: Open, act: Act, reason: str
) -> None:
    server = await stand_in([act, Says(("Otra.",))])
    deltas: list[Delta] = []
    with pytest.raises(ModelUnavailable, match=reason) as caught:
        await read(model_of(server), deltas)
    assert not isinstance(caught.value, AnswerCut)
    assert "".join(delta.text for delta in deltas) in ("Ho", "")
    assert len(server.calls) == 1


async def test_an_answer_at_its_length_limit_is_cut_and_counted(stand_in: Open) -> None:
    server = await stand_in([Says(("Hola. Y lue",), finish="MAX_TOKENS")])
    deltas: list[Delta] = []
    with pytest.raises(AnswerCut):
        await read(model_of(server), deltas)
    assert deltas == [Delta("Hola. Y lue"), Delta("", Usage(900, 40))]


@pytest.mark.parametrize("pieces", [(), ("Hola. ",)])
def test_a_model_that_hangs_is_left_at_the_time_limit(pieces: tuple[str, ...]) -> None:
    async def hang() -> None:
        async with GeminiStandIn([Hangs(pieces)]) as server:
            reading = asyncio.create_task(read(model_of(server, timeout_seconds=3600.0)))
            await server.hanging()
            assert not reading.done()
            skip(3600.0)
            with pytest.raises(ModelUnavailable, match=r"within 3600 s \(model.timeout_seconds\)"):
                await reading
            await server.calls[0].abandoned.wait()

    run_with_skips(hang())


def test_what_earlier_calls_for_the_question_took_counts_for_the_time_limit() -> None:
    async def hang() -> None:
        async with GeminiStandIn([Hangs()]) as server:
            prompt = replace(PROMPT, spent_seconds=3000.0)
            reading = asyncio.create_task(read(model_of(server, timeout_seconds=3600.0), prompt=prompt))
            await server.hanging()
            skip(600.0)
            with pytest.raises(ModelUnavailable, match=r"within 3600 s \(model.timeout_seconds\)"):
                await reading

    run_with_skips(hang())


async def test_no_pause_is_begun_that_ends_after_the_time_limit(stand_in: Open) -> None:
    server = await stand_in([Refuses(503, "UNAVAILABLE", retry_seconds=3550), Says(("Tarde.",))])
    longest = Retries(longest_pause_seconds=7200.0)
    patient = Gemini(
        "gemma-4-26b-a4b-it", SecretStr(server.key), base_url=server.base_url, timeout_seconds=3600.0, retries=longest
    )
    with pytest.raises(ModelUnavailable, match="503"):
        await read(patient, prompt=replace(PROMPT, spent_seconds=100.0))
    assert len(server.calls) == 1


@pytest.mark.parametrize(("asked", "sent"), [(None, ANSWER_LIMIT_TOKENS), (64, 64)])
async def test_a_prompt_may_bound_what_is_written(stand_in: Open, asked: int | None, sent: int) -> None:
    server = await stand_in([Says(("Hola.",))])
    await read(model_of(server), prompt=replace(PROMPT, limit_tokens=asked))
    assert server.calls[0].body["generationConfig"]["maxOutputTokens"] == sent


@pytest.mark.parametrize("pieces", [(), ("Hola. ",)])
async def test_cancelling_closes_the_call(stand_in: Open, pieces: tuple[str, ...]) -> None:
    server = await stand_in([Hangs(pieces)])
    reading = asyncio.create_task(read(model_of(server)))
    await server.hanging()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await asyncio.wait_for(server.calls[0].abandoned.wait(), 10)


async def test_closing_the_stream_closes_the_call(stand_in: Open) -> None:
    server = await stand_in([Hangs(("Hola. ",))])
    async with aclosing(model_of(server).stream(PROMPT)) as stream:
        assert await anext(stream) == Delta("Hola. ")
    await asyncio.wait_for(server.calls[0].abandoned.wait(), 10)


def test_one_model_serves_several_event_loops() -> None:
    models: list[Gemini] = []

    async def ask(port: int) -> int:
        async with GeminiStandIn([Says(("Hola.",))], port=port) as server:
            models.append(models[0] if models else model_of(server))
            assert (await read(models[-1]))[0] == "Hola."
            return server.port

    asyncio.run(ask(asyncio.run(ask(0))))
    assert models[0] is models[1]
