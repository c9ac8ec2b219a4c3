"""The stretches of time that a question names, read against the asker's clock.

A question without a digit and without a word about time costs a look at its words; dateparser is loaded only for those
that name a day without its year, or a distance ("hace dos días").
"""

from __future__ import annotations

import re
from datetime import datetime

from retrieval.dates.names import COUNTED_UNITS, MONTH_NUMBERS, SEASONS, WEEKDAY_NUMBERS, without_accents
from retrieval.dates.stretches import Period

__all__ = ["Period", "periods"]

LONGEST_QUESTION_CHARACTERS = 4_000  # a question has 500; its thread comes with it at most
_OTHER_WORDS = """
    hoy today tonight ayer yesterday anoche night anteayer antier anteanoche trasanteayer manana tomorrow morning
    afternoon evening tarde noche siglo siglos century semestre finde fin weekend hora horas hour hours minuto minutos
    minute minutes twenties thirties forties fifties sixties seventies eighties nineties
"""
_UNIT_WORDS = {form for word in COUNTED_UNITS for form in (word, f"{word}s", f"{word}es")}
_DATE_WORDS = frozenset({*_OTHER_WORDS.split(), *_UNIT_WORDS, *MONTH_NUMBERS, *SEASONS, *WEEKDAY_NUMBERS})
_WORD = re.compile(r"[a-z]+")
_DATE_DIGITS = re.compile(r"(?:1[0-9]|20)[0-9]{2}|[0-9][-/][0-9]|[0-9](?:st|nd|rd|th|'?s)\b|\bq[1-4]\b|\blos [0-9]0\b")


def periods(text: str, asked_at: datetime) -> tuple[Period, ...]:
    """Give the periods a question names, in its order, each once; `asked_at` is in the asker's own zone.

    What has no year is the latest that has begun; a week begins on Monday; day comes before month; seasons are those of
    the northern hemisphere. An open beginning ("antes de 2020") is `date.min`; "desde enero" ends today.
    """
    plain = without_accents(text[:LONGEST_QUESTION_CHARACTERS])
    if not _may_name_one(plain.lower()):
        return ()
    from retrieval.dates.questions import read_question  # its many patterns take 0.04 s to compile, once

    return tuple(dict.fromkeys(read_question(plain, asked_at)))


def _may_name_one(lowered: str) -> bool:
    return not _DATE_WORDS.isdisjoint(_WORD.findall(lowered)) or _DATE_DIGITS.search(lowered) is not None
