"""Spanish or English, by the function words of a text's beginning."""

from __future__ import annotations

import re

_SAMPLE_CHARACTERS = 5_000
_WORD = re.compile(r"[^\W\d_]+")
# Words of one language only: `a`, `me`, `no` and `he` stand in both.
_SPANISH_WORDS = """
    el la los las de del que en un una por para con se su sus es son está están como más pero este esta estos al
    lo y o si cuando donde qué cómo cuál también hay puede desde sobre entre muy ya sin
"""
_SPANISH = frozenset(_SPANISH_WORDS.split())
_ENGLISH_WORDS = """
    the of and to in is are was were that this these those for with on as at by from it its be an or if when
    where what how which can will not you your we our they has have into then there
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())


def guess_language(text: str) -> str:
    """Give `es` or `en`; Spanish when the words do not tell."""
    words = [word.casefold() for word in _WORD.findall(text[:_SAMPLE_CHARACTERS])]
    spanish = sum(word in _SPANISH for word in words)
    english = sum(word in _ENGLISH for word in words)
    return "en" if english > spanish else "es"
