"""User-facing strings in Spanish and English, kept as Fluent files beside this module."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from bot.messages import Locale

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle

LOCALES: tuple[Locale, ...] = get_args(Locale)
FOLDER = Path(__file__).parent


class UnknownText(LookupError):
    """A key that no file holds, or a variable left out; the tests check every key the code uses."""


class FluentTexts:
    """The strings of the bot by key and locale; implements `bot.ports.Texts`."""

    def say(self, key: str, locale: Locale, /, **values: str | float) -> str:
        """Give the text of `key`, its variables filled in. Raises UnknownText for a wrong key or a missing variable."""
        bundle = _bundle(locale)
        pattern = bundle.get_message(key).value if bundle.has_message(key) else None
        if pattern is None:
            raise UnknownText(f"no text {key!r} for {locale!r}; add it to bot/texts/{locale}/*.ftl")
        text, errors = bundle.format_pattern(pattern, values)
        if errors:
            raise UnknownText(f"text {key!r} ({locale}): {errors[0]}")
        return str(text)


@cache
def _bundle(locale: Locale) -> FluentBundle:
    # Imported here: the commands that print no text (search, ingest) do not pay for it.
    from fluent.runtime import FluentBundle, FluentResource

    bundle = FluentBundle([locale], use_isolating=False)  # isolating marks are invisible junk in plain text
    for file in sorted((FOLDER / locale).glob("*.ftl")):
        bundle.add_resource(FluentResource(file.read_text(encoding="utf-8")))
    return bundle
