"""The sections of oraculo.toml. A field's description says what it takes: it is the mend in an error line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, StringConstraints

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Keys = frozenset[Text]


def _address(*schemes: str) -> AfterValidator:
    def check(value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in schemes or not parts.hostname:
            raise ValueError(f"is not an address that starts with {' or '.join(f'{scheme}://' for scheme in schemes)}")
        return value.rstrip("/")

    return AfterValidator(check)


def _database(value: SecretStr) -> SecretStr:
    if not re.match(r"(sqlite|postgresql)(\+\w+)?://", value.get_secret_value()):
        raise ValueError("is not the address of a SQLite or PostgreSQL database")
    return value


def _link(value: str) -> str:
    unknown = value.replace("{slug}", "").replace("{path}", "")
    if "{" in unknown or "}" in unknown:
        raise ValueError("holds a placeholder other than {slug} and {path}")
    return value


WebAddress = Annotated[Text, _address("http", "https")]
WebSocketAddress = Annotated[Text, _address("ws", "wss")]


class Section(BaseModel):
    """A table of the file: frozen, and closed, so that a misspelt name never passes in silence."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class SourceFolder(Section):
    """One folder (or corpus.jsonl) that is indexed."""

    path: Path = Field(description="the folder that holds the pages")
    name: str = Field(default="", description="a short name, to tell apart pages of the same name")
    product: str = Field(default="", description="the product its pages belong to")
    kind: Literal["wiki", "worklog", "briefing", "fixed", "auto"] = Field(
        default="wiki", description="one of wiki, worklog, briefing, fixed, auto"
    )
    include: tuple[Text, ...] = Field(default=(), description='a list of patterns such as ["*.md"]')
    exclude: tuple[Text, ...] = Field(default=(), description='a list of patterns such as ["drafts/**"]')
    href: Annotated[str, AfterValidator(_link)] = Field(
        default="", description="the address of a page, such as https://wiki.example/{slug}"
    )
    order: int = Field(default=0, description="a whole number: the lower, the earlier in a listing")
    visibility: Literal["public", "circle", "intimate", "private"] = Field(
        default="public", description="one of public, circle, intimate, private"
    )


class Embedding(Section):
    """The model that turns text into vectors."""

    model: Text = Field(default="embedded", description='"embedded", or the name of a fastembed model')
    threads: int | None = Field(default=None, ge=1, le=256, description="a whole number from 1 to 256")
    cache: Path | None = Field(default=None, description="the folder where models are kept")


class Retrieval(Section):
    """How a question is searched."""

    top_k: int = Field(default=8, ge=1, le=30, description="a whole number from 1 to 30")
    floor: float = Field(default=0.4, ge=0, le=1, allow_inf_nan=False, description="a number from 0 to 1")
    hybrid: bool = Field(default=True, description="true or false")
    rerank: Text = Field(
        default="none", description='"none", "model" (the language model), or the name or folder of a cross-encoder'
    )


class Price(Section):
    """US dollars per million tokens."""

    prompt: float = Field(ge=0, allow_inf_nan=False, description="US dollars per million tokens read")
    answer: float = Field(ge=0, allow_inf_nan=False, description="US dollars per million tokens written")


class Model(Section):
    """The language model that writes the answers; without a key they are extractive."""

    name: Text = Field(default="gemma-4-26b-a4b-it", description="the name of a Gemini or Gemma model")
    api_key: SecretStr | None = Field(default=None, description="a key of the Gemini API")
    base_url: WebAddress | None = Field(default=None, description="an address such as https://gateway.example")
    api_version: Text = Field(default="v1beta", description='a version such as "v1beta"')
    timeout_seconds: float = Field(
        default=45, gt=0, le=600, allow_inf_nan=False, description="a number of seconds above 0, up to 600"
    )
    daily_budget: int | None = Field(default=None, ge=1, description="a number of tokens a day, 1 or more")
    prices: Mapping[str, Price] = Field(
        default_factory=dict, description="tables like {prompt = 0.10, answer = 0.40} under the models' names"
    )


class Slack(Section):
    """The Slack app."""

    bot_token: SecretStr | None = Field(default=None, description="the token that starts with xoxb-")
    app_token: SecretStr | None = Field(default=None, description="the token that starts with xapp-")
    signing_secret: SecretStr | None = Field(default=None, description="the signing secret of the Slack app")
    base_url: WebAddress | None = Field(default=None, description="an address such as https://slack.com/api")


class Discord(Section):
    """The Discord bot."""

    token: SecretStr | None = Field(default=None, description="the token of the Discord bot")
    api_url: WebAddress | None = Field(default=None, description="an address such as https://discord.com/api/v10")
    gateway_url: WebSocketAddress | None = Field(
        default=None, description="an address such as wss://gateway.discord.gg"
    )


class Storage(Section):
    """The database of telemetry."""

    url: Annotated[SecretStr, AfterValidator(_database)] | None = Field(
        default=None,
        description="sqlite:///FILE, or postgresql://USER:PASSWORD@HOST/NAME",
    )


class Access(Section):
    """What channels and groups may read, as keys."""

    channels: Mapping[str, Keys] = Field(
        default_factory=dict, description='lists of keys such as ["public", "member:atlas"] under channel ids'
    )
    groups: Mapping[str, Keys] = Field(
        default_factory=dict, description='lists of keys such as ["member:atlas"] under group ids'
    )


class Admins(Section):
    """Who may see the gaps."""

    users: frozenset[Text] = Field(default=frozenset(), description='a list of user ids such as ["U0123ABCD"]')
