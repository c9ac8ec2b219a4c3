"""Spanish or English, by the function words and the letters of a short text."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?")
_SPANISH_LETTER = re.compile(r"[ñ¿¡áéíóúü]")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SPANISH = _words(
    """el la los las un una unos unas de del al y o que qué como cómo donde dónde cuando cuándo cual cuál quien quién
    por para con sin en se es son está están hay puedo puede debo tengo tiene hace hago mi tu su lo le les te nos si sí
    más muy ya esta este esto eso ese esa sobre entre desde hasta pero porque también ser hacer dame ejemplo cuánto"""
)
_ENGLISH = _words(
    """the an of to and or what how where why which who when is are was were do does did can could should would will
    i you we they it my your our their this that these those in on at for with without from by about into not have
    has had there be been if than then give example please don't doesn't can't what's how's i'm isn't much many"""
)


def written_in(text: str) -> str | None:
    """Give `es` or `en`, or None when the words do not tell, as a few keywords seldom do."""
    words = [word.lower() for word in _WORD.findall(text)]
    spanish = sum(word in _SPANISH for word in words) + len(_SPANISH_LETTER.findall(text.lower()))
    english = sum(word in _ENGLISH for word in words)
    if spanish == english:
        return None
    return "es" if spanish > english else "en"
