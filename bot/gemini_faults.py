"""What goes wrong with the Gemini API: whether to try again, when, and how to tell it in one line without the key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus

import httpx2
from google.genai import errors
from pydantic import SecretStr

MESSAGE_LIMIT_CHARACTERS = 200

_PASSING_CODES = frozenset({408, 429, 500, 502, 503, 504})
_RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo"
_SECONDS = re.compile(r"^(\d+(?:\.\d+)?)s$")
_SYSTEM_INSTRUCTION = re.compile(r"(?:system|developer)[ _]?instruction", re.IGNORECASE)
_MENDS: Mapping[int, str] = {
    400: "check model.api_key and model.name",
    401: "check model.api_key",
    403: "check model.api_key and what it may use",
    404: "check model.name and model.api_version",
    429: "the key's quota is used up for now",
}


def is_passing(error: BaseException) -> bool:
    """Tell failures that may be gone at the next try: too many calls, the service's own faults, lost connections."""
    if isinstance(error, errors.APIError):
        return error.code in _PASSING_CODES
    return isinstance(error, httpx2.TransportError) and not isinstance(
        error, httpx2.LocalProtocolError | httpx2.UnsupportedProtocol
    )


def suggested_wait_seconds(error: BaseException | None) -> float:
    """Give the pause the service asks for (google.rpc.RetryInfo), 0 when it asks for none."""
    if not isinstance(error, errors.APIError) or not isinstance(error.details, dict):
        return 0.0
    fault = error.details.get("error", error.details)
    details = fault.get("details") if isinstance(fault, dict) else None
    for detail in details if isinstance(details, list) else []:
        if isinstance(detail, dict) and detail.get("@type") == _RETRY_INFO:
            found = _SECONDS.match(str(detail.get("retryDelay", "")))
            return float(found.group(1)) if found else 0.0
    return 0.0


def refuses_system_instruction(error: errors.APIError) -> bool:
    """Tell the refusal of models (some Gemmas) that take no system instruction."""
    return error.code == HTTPStatus.BAD_REQUEST and _SYSTEM_INSTRUCTION.search(str(error.message)) is not None


def explain(error: Exception, name: str, timeout_seconds: float, key: SecretStr) -> str:
    """Say in one line what failed and what mends it; the key is never in it."""
    if isinstance(error, TimeoutError):
        return f"{name} did not finish within {timeout_seconds:g} s (model.timeout_seconds)"
    if isinstance(error, errors.APIError):
        mend = f"; {_MENDS[error.code]}" if error.code in _MENDS else ""
        return f"{name} answered {error.code} {_line(error.message, key)}{mend}"
    if is_passing(error):
        return f"the connection to {name} failed ({type(error).__name__}); check model.base_url and the network"
    # The texts of other errors may quote the request, and the key with it.
    return f"the call of {name} failed ({type(error).__name__})"


def _line(message: object, key: SecretStr) -> str:
    text = " ".join(str(message or "").split())
    secret = key.get_secret_value().strip()
    return (text.replace(secret, "***") if secret else text)[:MESSAGE_LIMIT_CHARACTERS]
