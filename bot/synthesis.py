"""The model's answer: streamed, checked, and told sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

import structlog

from bot.checking import SentenceStream, make_check
from bot.citations import Numbering
from bot.errors import ModelUnavailable
from bot.messages import Usage
from bot.ports import LanguageModel, Prompt
from bot.telling import Telling
from retrieval.types import Passage

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote besides the text that was told. `failure` says why it ended early, if it did."""

    numbering: Numbering
    usage: Usage
    failure: ModelUnavailable | None


async def write(model: LanguageModel, prompt: Prompt, passages: Sequence[Passage], telling: Telling) -> Written:
    """Let the model answer and tell each sentence once it is whole and checked.

    Never raises for a model that fails: what was told stays told, and `failure` says that it is not all. Cancelling
    ends the model's call.
    """
    numbering = Numbering(len(passages))
    sentences = SentenceStream(make_check(passages, numbering))
    usage, failure = Usage(), None
    try:
        async with aclosing(model.stream(prompt)) as deltas:
            async for delta in deltas:
                usage = delta.usage or usage
                for piece in sentences.feed(delta.text):
                    await telling.say(piece)
    except ModelUnavailable as error:
        failure = error
    except Exception as error:  # noqa: BLE001  # a model's library may raise anything; the pages can still be quoted
        failure = ModelUnavailable(f"the model raised {type(error).__name__}")
    for piece in sentences.finish(complete=failure is None):
        await telling.say(piece)
    if failure is None and not telling.said:
        failure = ModelUnavailable("the model gave no text")
    if failure is not None:
        # Without the traceback: its frames hold the request, and with it the key.
        log.warning("model failed", model=model.name, reason=str(failure), told=len(telling.said))
    return Written(numbering, usage, failure)
