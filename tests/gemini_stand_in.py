"""A stand-in for the Gemini API on 127.0.0.1: it speaks the wire protocol, and refuses what the service refuses.

    async with GeminiStandIn([Says(("Hola. ", "Y adiós."))]) as gemini:
        model = Gemini("gemma-4-26b-a4b-it", SecretStr(gemini.key), base_url=gemini.base_url)

Each call takes the next turn of the script; a call beyond it is answered 500. Calls are kept in `calls`.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiohttp import web

Json = dict[str, Any]

_PATH = re.compile(r"^/(?P<version>v1|v1beta)/models/(?P<model>[\w.\-]+):(?P<method>\w+)$")
_ROLES = {"user", "model"}
_GENERATION_CONFIG = {"temperature", "topP", "topK", "maxOutputTokens", "candidateCount", "stopSequences"}
_BODY = {"contents", "systemInstruction", "generationConfig", "safetySettings"}


USAGE = {"promptTokenCount": 900, "candidatesTokenCount": 40, "totalTokenCount": 940}


@dataclass(frozen=True)
class Says:
    """An answer in pieces, one event each. `thoughts` come first; `finish` and the usage stand in the last event."""

    pieces: tuple[str, ...]
    finish: str = "STOP"
    thoughts: str = ""
    usage: Json = field(default_factory=USAGE.copy)


@dataclass(frozen=True)
class Refuses:
    """An error of the service; `retry_seconds` adds the pause it asks for."""

    code: int
    status: str = ""
    message: str = "the stand-in refuses"
    retry_seconds: float | None = None


@dataclass(frozen=True)
class Blocks:
    """The prompt is blocked: a response without candidates."""

    reason: str = "SAFETY"


@dataclass(frozen=True)
class BreaksOff:
    """Some pieces, then the connection is torn."""

    pieces: tuple[str, ...] = ()


@dataclass(frozen=True)
class FailsLate:
    """Some pieces, then an error event in the stream."""

    pieces: tuple[str, ...]
    code: int = 503


@dataclass(frozen=True)
class Hangs:
    """Some pieces, then nothing more, until the client goes or the stand-in is released."""

    pieces: tuple[str, ...] = ()


Act = Says | Refuses | Blocks | BreaksOff | FailsLate | Hangs


@dataclass
class Call:
    """One request that came, and whether its client left before the answer was over."""

    version: str
    model: str
    method: str
    body: Json
    abandoned: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def system(self) -> str | None:
        instruction = self.body.get("systemInstruction")
        return None if instruction is None else _text(instruction)

    @property
    def user(self) -> str:
        return "".join(_text(content) for content in self.body["contents"])


class GeminiStandIn:
    """The server. `takes_system_instruction=False` refuses one, as some Gemma models do; `port` 0 takes a free one."""

    def __init__(self, script: Sequence[Act] = (), *, takes_system_instruction: bool = True, port: int = 0) -> None:
        self.key = "stand-in-key-4f2a9c"
        self.calls: list[Call] = []
        self.port = port
        self.base_url = ""
        self._script = list(script)
        self._takes_system_instruction = takes_system_instruction
        self._hanging = asyncio.Event()
        self._released = asyncio.Event()

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self.base_url = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._released.set()
        await self._runner.cleanup()

    async def hanging(self) -> None:
        """Wait until a call hangs."""
        await self._hanging.wait()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        refusal = self._refusal_of_request(request)
        if refusal is not None:
            return _error(refusal)
        body = await request.json()
        path = _PATH.match(request.path)
        assert path is not None
        call = Call(path["version"], path["model"], path["method"], body)
        self.calls.append(call)
        refusal = self._refusal_of_body(body)
        if refusal is not None:
            return _error(refusal)
        act = self._script.pop(0) if self._script else Refuses(500, "INTERNAL", "the script is over")
        if isinstance(act, Refuses):
            return _error(act)
        try:
            return await self._play(request, call, act)
        except (asyncio.CancelledError, ConnectionResetError):
            call.abandoned.set()
            raise

    def _refusal_of_request(self, request: web.Request) -> Refuses | None:
        if request.headers.get("x-goog-api-key") != self.key:
            return Refuses(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")
        if "key" in request.query:
            return Refuses(400, "INVALID_ARGUMENT", "the key belongs in the header")
        path = _PATH.match(request.path)
        if (
            request.method != "POST"
            or path is None
            or path["method"] not in ("generateContent", "streamGenerateContent")
        ):
            return Refuses(404, "NOT_FOUND", f"{request.path} is not found")
        if path["method"] == "streamGenerateContent" and request.query.get("alt") != "sse":
            return Refuses(400, "INVALID_ARGUMENT", "this stand-in streams server-sent events only")
        return None

    def _refusal_of_body(self, body: Json) -> Refuses | None:
        unknown = set(body) - _BODY | set(body.get("generationConfig", {})) - _GENERATION_CONFIG
        if unknown:
            return Refuses(400, "INVALID_ARGUMENT", f"Unknown name {min(unknown)!r}: cannot find field.")
        if "systemInstruction" in body and not self._takes_system_instruction:
            return Refuses(400, "INVALID_ARGUMENT", "Developer instruction is not enabled for models/gemma-3-27b-it")
        contents = body.get("contents")
        if not contents or not all(content.get("role", "user") in _ROLES for content in contents):
            return Refuses(400, "INVALID_ARGUMENT", "contents are not specified, or of an unknown role")
        if not all(part.get("text") for content in contents for part in content.get("parts") or [{}]):
            return Refuses(400, "INVALID_ARGUMENT", "contents.parts must not be empty")
        return None

    async def _play(self, request: web.Request, call: Call, act: Act) -> web.StreamResponse:
        if call.method == "generateContent":
            assert isinstance(act, Says)
            return web.json_response(_response("".join(act.pieces), finish=act.finish, usage=act.usage))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for event in _events(act):
            await response.write(f"data: {json.dumps(event, ensure_ascii=False)}\r\n\r\n".encode())
        if isinstance(act, Hangs):
            self._hanging.set()
            await self._released.wait()
        if isinstance(act, BreaksOff):
            assert request.transport is not None
            request.transport.abort()
            return response
        await response.write_eof()
        return response


def _events(act: Act) -> list[Json]:
    match act:
        case Says(pieces=pieces, finish=finish, thoughts=thoughts, usage=usage):
            events = [_response(thoughts, thought=True)] if thoughts else []
            events += [_response(piece) for piece in pieces[:-1]]
            return [*events, _response(pieces[-1] if pieces else "", finish=finish, usage=usage)]
        case Blocks(reason=reason):
            return [{"promptFeedback": {"blockReason": reason}, "usageMetadata": {"promptTokenCount": 900}}]
        case FailsLate(pieces=pieces, code=code):
            return [*map(_response, pieces), _fault(Refuses(code, "UNAVAILABLE", "the model is overloaded"))]
        case BreaksOff(pieces=pieces) | Hangs(pieces=pieces):
            return [_response(piece) for piece in pieces]
        case _:
            raise AssertionError(act)


def _response(text: str, *, finish: str = "", usage: Json | None = None, thought: bool = False) -> Json:
    part: Json = {"text": text, "thought": True} if thought else {"text": text}
    candidate: Json = {"content": {"role": "model", "parts": [part]}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    told = {"usageMetadata": usage} if usage else {}
    return {"candidates": [candidate], "modelVersion": "stand-in", "responseId": "r1", **told}


def _fault(refusal: Refuses) -> Json:
    details = []
    if refusal.retry_seconds is not None:
        details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{refusal.retry_seconds}s"})
    return {"error": {"code": refusal.code, "message": refusal.message, "status": refusal.status, "details": details}}


def _error(refusal: Refuses) -> web.Response:
    return web.json_response(_fault(refusal), status=refusal.code)


def _text(content: Json) -> str:
    return "".join(part.get("text", "") for part in content.get("parts", []))
