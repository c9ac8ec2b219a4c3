"""Greetings, thanks and calls for help: what needs no retrieval, and only when the message says nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from bot.messages import Locale
from retrieval.tokens import fold


class Talk(StrEnum):
    """What a message of small talk wants, the most wanting first."""

    HELP = "help"
    IDENTITY = "identity"
    THANKS = "thanks"
    FAREWELL = "farewell"
    GREETING = "greeting"


@dataclass(frozen=True, slots=True)
class SmallTalk:
    """What was said, and in which language (None: the words are of both)."""

    talk: Talk
    locale: Locale | None


_PHRASES: Mapping[Talk, Mapping[Locale, str]] = {
    Talk.HELP: {
        "es": """ayuda | ayudame | necesito ayuda | me ayudas | puedes ayudarme | me puedes ayudar | que puedes hacer
            | que sabes hacer | que haces | para que sirves | como funcionas | como te uso | como se usa esto""",
        "en": """help | help me | i need help | can you help | can you help me | what can you do | what do you do
            | how do you work | how do i use you""",
    },
    Talk.IDENTITY: {
        "es": """quien eres | quien eres tu | y tu quien eres | que eres | quien sos | como te llamas
            | cual es tu nombre | eres un bot""",
        "en": """who are you | what are you | what is your name | what's your name | whats your name
            | are you a bot""",
    },
    Talk.THANKS: {
        "es": """gracias | muchas gracias | muchisimas gracias | mil gracias | gracias por todo
            | gracias por la ayuda | gracias por tu ayuda | te lo agradezco | muy amable""",
        "en": """thanks | thank you | thank you very much | thank you so much | thanks a lot | thanks so much
            | many thanks | thx | ty | thanks for the help | thanks for your help | cheers""",
    },
    Talk.FAREWELL: {
        "es": "adios | chao | chau | hasta luego | hasta pronto | hasta manana | nos vemos",
        "en": "bye | bye bye | goodbye | see you | see you later | see ya | have a nice day",
    },
    Talk.GREETING: {
        "es": """hola | holi | buenas | muy buenas | buenos dias | buen dia | buenas tardes | buenas noches
            | saludos | que tal | que tal estas | como estas | como va | como va todo | que hay""",
        "en": """hi | hello | hey | good morning | good afternoon | good evening | greetings | how are you
            | how are you doing | how is it going | how's it going | what's up | whats up""",
    },
}
# Said along with small talk, and never small talk alone: "oráculo" by itself is a word to search for.
_COMPANIONS = """oraculo | oracle | bot | amigo | equipo | a todos | a todas | y | por favor | porfa | vale | ok | okay
    | perfecto | genial | muy bien | estupendo | de acuerdo | entendido | there | team | everyone | all | and
    | please | great | perfect | got it | cool | again"""
_LONGEST_PHRASE_WORDS = 5
_MOST_WORDS = 12  # a longer message has something to say

_WORD = re.compile(r"\w+(?:'\w+)?")
_DRAWN = re.compile(r":[a-z0-9_+\-]+:|<3|[:;]-?[()dp](?!\w)")  # :wave: and :-) say nothing
_DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")  # "holaaa", "hiii"
_CONTENT_SYMBOL = re.compile(r"[/\\@#$%={}\[\]~|^+&_]|--|\(\)")  # "--help" and "help()" are terms to search for


def small_talk(text: str) -> SmallTalk | None:
    """Tell what small talk a message is, when it is nothing else; "hola, ¿cómo instalo X?" is a question (None)."""
    folded = _DRAWN.sub(" ", fold(text))
    words = _WORD.findall(_DRAWN_OUT.sub(r"\1", folded))
    if not words or len(words) > _MOST_WORDS or _CONTENT_SYMBOL.search(folded):
        return None
    said: list[tuple[Talk, Locale]] = []
    while words:
        found = _longest(words)
        if found is None:
            return None
        length, meaning = found
        said += meaning
        words = words[length:]
    return _main(said)


_Meaning = tuple[tuple[Talk, Locale], ...]


def _longest(words: list[str]) -> tuple[int, _Meaning] | None:
    for length in range(min(_LONGEST_PHRASE_WORDS, len(words)), 0, -1):
        meaning = _known().get(tuple(words[:length]))
        if meaning is not None:
            return length, meaning
    return None


def _main(said: list[tuple[Talk, Locale]]) -> SmallTalk | None:
    if not said:
        return None
    order = list(Talk)
    talk = min((talk for talk, _ in said), key=order.index)
    locales = {locale for spoken, locale in said if spoken is talk}
    return SmallTalk(talk, locales.pop() if len(locales) == 1 else None)


@cache
def _known() -> Mapping[tuple[str, ...], _Meaning]:
    """Every phrase by its words; companions mean nothing by themselves."""
    known: dict[tuple[str, ...], _Meaning] = {tuple(phrase.split()): () for phrase in _COMPANIONS.split("|")}
    for talk, by_locale in _PHRASES.items():
        for locale, phrases in by_locale.items():
            known |= {tuple(phrase.split()): ((talk, locale),) for phrase in phrases.split("|")}
    return known
