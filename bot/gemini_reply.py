"""One streamed reply of the Gemini API: its text, how it ended, and what it cost."""

from __future__ import annotations

from google.genai import types

from bot.errors import AnswerCut, ModelUnavailable
from bot.messages import Usage

_WHOLE = frozenset({types.FinishReason.STOP})
_TOO_LONG = frozenset({types.FinishReason.MAX_TOKENS, types.FinishReason.CONTINUATION})


class Reply:
    """Reads the responses of a stream one by one; `usage` is the last one told."""

    def __init__(self) -> None:
        self.usage = Usage()
        self._end: types.FinishReason | None = None

    def take(self, response: types.GenerateContentResponse) -> str:
        """Give the text of a response, without the model's thoughts. Raises ModelUnavailable when it was blocked."""
        if response.usage_metadata is not None:
            self.usage = _usage(response.usage_metadata)
        feedback = response.prompt_feedback
        if feedback is not None and feedback.block_reason is not None:
            raise ModelUnavailable(f"the model refused the question ({feedback.block_reason.value})")
        if not response.candidates:
            return ""
        candidate = response.candidates[0]
        self._end = candidate.finish_reason or self._end
        parts = candidate.content.parts if candidate.content and candidate.content.parts else []
        return "".join(part.text for part in parts if part.text and not part.thought)

    def check_end(self) -> None:
        """Raise AnswerCut for an answer that reached its limit, ModelUnavailable for one that did not end well."""
        if self._end in _WHOLE:
            return
        if self._end in _TOO_LONG:
            raise AnswerCut(f"the answer reached its length limit ({self._end.value})")
        reason = self._end.value if self._end else "the stream broke off"
        raise ModelUnavailable(f"the model did not finish its answer ({reason})")


def _usage(told: types.GenerateContentResponseUsageMetadata) -> Usage:
    return Usage(
        prompt_tokens=told.prompt_token_count or 0,
        answer_tokens=(told.candidates_token_count or 0) + (told.thoughts_token_count or 0),
    )
