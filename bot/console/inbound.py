"""What a typed line means: plain text, or a command by its Spanish or English name."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

from bot.console.spans import one_line
from bot.messages import Locale


class Command(StrEnum):
    """What a line asks the terminal to do."""

    SAY = "say"
    SEARCH = "search"
    ASK = "ask"
    MORE = "more"
    SOURCES = "sources"
    NEW = "new"
    HELP = "help"
    QUIT = "quit"
    UNKNOWN = "unknown"


NAMES: dict[Locale, dict[str, Command]] = {
    "es": {
        "/buscar": Command.SEARCH,
        "/preguntar": Command.ASK,
        "/más": Command.MORE,
        "/fuentes": Command.SOURCES,
        "/nuevo": Command.NEW,
        "/ayuda": Command.HELP,
        "/salir": Command.QUIT,
    },
    "en": {
        "/search": Command.SEARCH,
        "/ask": Command.ASK,
        "/more": Command.MORE,
        "/sources": Command.SOURCES,
        "/new": Command.NEW,
        "/help": Command.HELP,
        "/quit": Command.QUIT,
    },
}


@dataclass(frozen=True, slots=True)
class Order:
    """A line as understood: the command, its name as written (empty for plain text), and the text that goes with it."""

    command: Command
    text: str
    written: str = ""


def read_order(line: str) -> Order:
    """Understand a line; names of both languages are taken, with or without accents and capitals."""
    text = one_line(line)
    if not text.startswith("/"):
        return Order(Command.SAY, text)
    written, _, rest = text.partition(" ")
    command = _BY_FOLDED_NAME.get(_folded(written), Command.UNKNOWN)
    return Order(command, rest.strip(), written)


def name_of(command: Command, locale: Locale) -> str:
    """Give the command's name in a language, slash included."""
    return next(name for name, named in NAMES[locale].items() if named is command)


def near_name(written: str) -> str:
    """Give the command whose name is most like what was written, or an empty text."""
    near = get_close_matches(_folded(written), _BY_FOLDED_NAME, n=1, cutoff=0.7)
    return near[0] if near else ""


def _folded(name: str) -> str:
    decomposed = unicodedata.normalize("NFD", name.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


_BY_FOLDED_NAME = {_folded(name): command for names in NAMES.values() for name, command in names.items()}
