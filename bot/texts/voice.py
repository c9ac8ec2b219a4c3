"""The texts in one language, for code that speaks to one person."""

from __future__ import annotations

from dataclasses import dataclass

from bot.messages import Locale
from bot.ports import Texts


@dataclass(frozen=True, slots=True)
class Voice:
    """The texts bound to a locale."""

    texts: Texts
    locale: Locale

    def say(self, key: str, /, **values: str | float) -> str:
        """Give the text of `key` in this voice's language."""
        return self.texts.say(key, self.locale, **values)
