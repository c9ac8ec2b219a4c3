"""Settings: the only reader of the environment and of oraculo.toml.

Strongest first: the command line, `ORACULO_SECTION__NAME`, `GEMINI_API_KEY`, the file, the default.
Relative paths written in the file are relative to the file.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from bot.messages import Locale
from bot.settings_faults import explain, unknown_variables
from bot.settings_sections import (
    Access,
    Admins,
    Discord,
    Embedding,
    Model,
    Retrieval,
    Slack,
    SourceFolder,
    Storage,
)
from retrieval.errors import ConfigurationError

DEFAULT_FILE = Path("oraculo.toml")
PREFIX = "ORACULO_"


class Environment(EnvSettingsSource):
    """`ORACULO_SECTION__NAME`; lists and tables are JSON. What is not JSON is left as text for the check to name."""

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: Any) -> Any:
        try:
            return super().decode_complex_value(field_name, field, value)
        except ValueError:
            return value


class GeminiKey(PydanticBaseSettingsSource):
    """`GEMINI_API_KEY`, the name Google's own tools read."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        key = os.environ.get("GEMINI_API_KEY", "").strip()
        return {"model": {"api_key": key}} if key else {}


class Settings(BaseSettings):
    """Everything that can be set; frozen, and checked before anything is touched."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )

    home: Path = Field(default=Path(".oraculo"), description="a folder for the index, the database and the model")
    locale: Locale | None = Field(default=None, description='"es" or "en"')
    sources: tuple[SourceFolder, ...] = Field(default=(), description="[[sources]] tables, each with a path")
    embedding: Embedding = Embedding()
    retrieval: Retrieval = Retrieval()
    model: Model = Model()
    slack: Slack = Slack()
    discord: Discord = Discord()
    storage: Storage = Storage()
    access: Access = Access()
    admins: Admins = Admins()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The file's content comes in as init arguments, so it stands last here: the environment overrides it."""
        return Environment(settings_cls), GeminiKey(settings_cls), init_settings

    @property
    def models_folder(self) -> Path:
        return self.embedding.cache or self.home / "models"

    @property
    def database(self) -> str | Path:
        """The database's address (with its password, if it has one: never to be shown), or the file of the home."""
        return self.storage.url.get_secret_value() if self.storage.url else self.home / "oraculo.sqlite"


def load_settings(config: Path | None = None, home: Path | None = None) -> Settings:
    """Read the settings. Without `config`, ./oraculo.toml when it is there.

    Raises ConfigurationError with one line for each wrong setting; no secret stands in it.
    """
    file = config or (DEFAULT_FILE if DEFAULT_FILE.is_file() else None)
    content = _anchored(_read(file), file.parent) if file else {}
    if home is not None:
        content.pop("home", None)
    faults = unknown_variables(os.environ, PREFIX, Settings)
    try:
        settings = Settings(**content)
    except ValidationError as error:
        faults += explain(error, Settings, file, os.environ, PREFIX)
    if faults:
        raise ConfigurationError("\n".join(faults)) from None
    return settings if home is None else settings.model_copy(update={"home": home.expanduser()})


def settings_beside(settings: Settings, config: Path) -> Settings:
    """Read another settings file, to be compared with these; where it names no home, theirs is meant.

    Raises ConfigurationError as `load_settings` does.
    """
    other = load_settings(config)
    return other if "home" in other.model_fields_set else other.model_copy(update={"home": settings.home})


def terminal_locale(settings: Settings) -> Locale:
    """The language of the conversation: the setting, or the terminal's; Spanish when neither says English."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    language = next(filter(None, named), "").lower()
    return settings.locale or ("en" if language.startswith("en") else "es")


def color_refused() -> bool:
    """Tell whether NO_COLOR is set (no-color.org: to anything but the empty string), or the terminal is a dumb one."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise ConfigurationError(f"{file}: there is no such file; give --config the path of an oraculo.toml") from None
    except OSError as error:
        raise ConfigurationError(f"{file}: {error.strerror}; give --config a file that can be read") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{file}: is not UTF-8; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{file}: is not valid TOML: {error}; mend that line") from None


def _anchored(content: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The file's content with its relative paths made relative to its folder; wrong types are left for the check."""
    sources = content.get("sources")
    tables = [content, content.get("embedding"), *(sources if isinstance(sources, list) else ())]
    for table in tables:
        if not isinstance(table, dict):
            continue
        for name in ("home", "cache", "path"):
            if isinstance(table.get(name), str) and table[name]:
                table[name] = _tidy(folder / Path(table[name]).expanduser())
    return content


def _tidy(path: Path) -> Path:
    """The path without its "..", unless a symbolic link makes that another place: messages show it."""
    tidy = Path(os.path.normpath(path))
    return tidy if tidy.resolve() == path.resolve() else path
