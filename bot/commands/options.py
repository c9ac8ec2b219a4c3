"""Options that several commands take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from bot.settings import Settings
    from retrieval.types import Viewer

F = TypeVar("F", bound=Callable[..., Any])

CONFIG = "bot.commands.config"
HOME = "bot.commands.home"


def global_options(function: F) -> F:
    """Take --config and --home; the command line has them before the command's name and after it."""
    config = click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        expose_value=False,
        callback=_kept_as(CONFIG),
        help="Settings file.  [default: oraculo.toml, when it is there]",
    )
    home = click.option(
        "--home",
        type=click.Path(path_type=Path, file_okay=False),
        expose_value=False,
        callback=_kept_as(HOME),
        help="Folder of the index, the database and the model.  [default: .oraculo]",
    )
    return config(home(function))


def viewer_options(function: F) -> F:
    """Take --keys, what the viewer may read."""
    return click.option(
        "--keys",
        default="public",
        show_default=True,
        metavar="KEY,…",
        help="Keys of whoever reads, such as public,member:atlas.",
    )(function)


def json_option(function: F) -> F:
    """Take --json."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")(function)


def current_settings() -> Settings:
    """Load the settings the command line names. Raises ConfigurationError."""
    from bot.settings import load_settings

    meta = click.get_current_context().meta
    return load_settings(meta.get(CONFIG), meta.get(HOME))


def config_name() -> str:
    """Name the settings file that the command line reads, for people who compare two."""
    from bot.settings import DEFAULT_FILE

    named = click.get_current_context().meta.get(CONFIG) or (DEFAULT_FILE if DEFAULT_FILE.is_file() else None)
    return str(named) if named else "no settings file"


def viewer_of(keys: str) -> Viewer:
    """Read --keys: names between commas. Raises click.BadParameter when there is none."""
    from retrieval.types import Viewer

    names = frozenset(filter(None, (key.strip() for key in keys.split(","))))
    if not names:
        raise click.BadParameter("give one key or more, such as public,member:atlas", param_hint="--keys")
    return Viewer(keys=names)


def text_of(words: tuple[str, ...]) -> str:
    """Join the words of TEXT; bytes of the command line that are no text become replacement marks."""
    text = " ".join(words).encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()
    if not text:
        raise click.BadParameter("is empty; write some words", param_hint="TEXT")
    return text


def _kept_as(name: str) -> Callable[[click.Context, click.Parameter, Path | None], None]:
    def keep(context: click.Context, parameter: click.Parameter, value: Path | None) -> None:  # noqa: ARG001
        if value is not None:
            context.meta[name] = value

    return keep
