"""Gemini and Gemma models through google-genai, behind LanguageModel."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property

import httpx2
import tenacity
from google import genai
from google.genai import errors, types
from pydantic import SecretStr

from bot.errors import ModelUnavailable
from bot.gemini_faults import explain, is_passing, refuses_system_instruction, suggested_wait_seconds
from bot.gemini_reply import Reply
from bot.messages import Usage
from bot.ports import Delta, Prompt

DEFAULT_BASE_URL = "https://generativelanguage.googleapis.com"
ANSWER_LIMIT_TOKENS = 4_096  # 250 words are about 500; the rest is for models that think first
TEMPERATURE = 0.3  # the passages are to be told, not embroidered

Responses = AsyncIterator[types.GenerateContentResponse]


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a call that failed for a passing reason is tried, and the pauses between: they double, with jitter."""

    attempts: int = 4
    first_pause_seconds: float = 0.5
    longest_pause_seconds: float = 8.0


class Gemini:
    """A model of the Gemini API by its name. One instance serves any number of calls, from any event loop.

    The calls for a question have `timeout_seconds` from their start to their last word, retries and pauses included;
    only calls that have not said a word yet are tried again.
    """

    def __init__(
        self,
        name: str,
        api_key: SecretStr,
        *,
        base_url: str | None = None,
        api_version: str = "v1beta",
        timeout_seconds: float = 45.0,
        retries: Retries = Retries(),
    ) -> None:
        self.name = name
        self._key = api_key
        self._base_url = base_url or DEFAULT_BASE_URL
        self._api_version = api_version
        self._timeout_seconds = timeout_seconds
        self._retries = retries
        self._takes_system_instruction = True  # until the model says otherwise

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        """Give the answer as it comes, and the usage at the end, also of an answer that breaks off.

        Raises ModelUnavailable, with the reason in one line, and AnswerCut at the length limit. The call's connection
        is closed when the stream ends, is closed or is cancelled.
        """
        reply = Reply()
        deadline = asyncio.get_running_loop().time() + self._timeout_seconds - prompt.spent_seconds
        failure: ModelUnavailable | None = None
        async with self._client() as client:
            try:
                responses, response = await self._opened(client, prompt, deadline)
                while response is not None:
                    text = reply.take(response)
                    if text:
                        yield Delta(text)
                    response = await _next(responses, deadline)
                reply.check_end()
            except ModelUnavailable as error:
                failure = error
            except Exception as error:  # noqa: BLE001  # the library raises many kinds; its frames and texts hold the key
                failure = ModelUnavailable(explain(error, self.name, self._timeout_seconds, self._key))
        if reply.usage != Usage():
            yield Delta("", reply.usage)
        if failure is not None:
            raise failure

    async def _opened(
        self, client: genai.Client, prompt: Prompt, deadline: float
    ) -> tuple[Responses, types.GenerateContentResponse | None]:
        """Call until a first response comes: a call is only tried again as long as nothing was said."""
        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(is_passing), wait=self._pause, stop=self._gives_up, reraise=True
        )
        return await retrying(self._call, client, prompt, deadline)

    def _pause(self, state: tenacity.RetryCallState) -> float:
        """Wait as long as the service asks, and no less than the backoff."""
        backoff = tenacity.wait_exponential_jitter(
            initial=self._retries.first_pause_seconds,
            max=self._retries.longest_pause_seconds,
            jitter=self._retries.first_pause_seconds,
        )(state)
        error = state.outcome.exception() if state.outcome else None
        return max(backoff, suggested_wait_seconds(error))

    def _gives_up(self, state: tenacity.RetryCallState) -> bool:
        # A pause longer than our longest is the service's wish: nobody waits for it when the pages can answer at once.
        *_, deadline = state.args
        return (
            state.attempt_number >= self._retries.attempts
            or state.upcoming_sleep > self._retries.longest_pause_seconds
            or asyncio.get_running_loop().time() + state.upcoming_sleep >= deadline
        )

    async def _call(
        self, client: genai.Client, prompt: Prompt, deadline: float
    ) -> tuple[Responses, types.GenerateContentResponse | None]:
        try:
            responses = await self._responses(client, prompt)
            return responses, await _next(responses, deadline)
        except errors.ClientError as error:
            if not (self._takes_system_instruction and refuses_system_instruction(error)):
                raise
            self._takes_system_instruction = False
        responses = await self._responses(client, prompt)
        return responses, await _next(responses, deadline)

    async def _responses(self, client: genai.Client, prompt: Prompt) -> Responses:
        system = prompt.system if self._takes_system_instruction else None
        user = prompt.user if self._takes_system_instruction else f"{prompt.system}\n\n{prompt.user}"
        return await client.aio.models.generate_content_stream(
            model=self.name,
            contents=types.Content(role="user", parts=[types.Part(text=user)]),
            config=types.GenerateContentConfig(
                system_instruction=system,
                max_output_tokens=prompt.limit_tokens or ANSWER_LIMIT_TOKENS,
                temperature=TEMPERATURE,
                automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
                automatic_continuation=False,
            ),
        )

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[genai.Client]:
        """Open a client for one call. Its own connections end with it: an abandoned stream never stays open.

        The library would choose aiohttp when that is installed, with retries and pauses of its own.
        """
        async with httpx2.AsyncClient(verify=self._tls) as http:
            yield genai.Client(
                api_key=self._key.get_secret_value(),
                vertexai=False,  # whatever the environment says
                http_options=types.HttpOptions(
                    base_url=self._base_url,
                    api_version=self._api_version,
                    httpx_async_client=http,
                    httpx_client=self._unused,
                ),
            )

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return httpx2.create_ssl_context()  # takes 25 ms: made once

    @cached_property
    def _unused(self) -> httpx2.Client:
        # The library wants a client for calls that block, and makes its own, slowly, when it gets none.
        return httpx2.Client(verify=self._tls)


async def _next(responses: Responses, deadline: float) -> types.GenerateContentResponse | None:
    async with asyncio.timeout_at(deadline):
        return await anext(responses, None)
