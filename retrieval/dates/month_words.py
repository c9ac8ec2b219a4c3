"""Whether a month's name means the month: "may", "march" and "Julio" are other words too."""

from __future__ import annotations

import re

_NEAR = 40  # characters on either side
_MODAL = frozenset({"may", "march"})
_UNSURE_BEFORE_A_NUMBER = frozenset({*_MODAL, "mar", "dic"})
_NEVER_BESIDE_A_DAY = frozenset({"set", "ago"})
_FORENAMES = frozenset({"julio", "abril", "april", "june", "august", "may"})
_ENDS = re.compile(r" *(?:$|[,;:?!)]|\.(?!\w)| (?:to|and|at|in|on|y|a|al|en|de|del|o|or)\b)", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"\b(?:en|desde|hasta|entre|durante|mes de|in|since|until|till|during|between|before|after|early|mid|late|last|"
    r"next|month of|from|(?:principios|mediados|finales|inicios) de) (?:the )?$",
    re.IGNORECASE,
)
_WEAK_PREPOSITION = re.compile(r"(?:\b(?:de|del|of|to|and|through|by|for) |[-–/] ?)$", re.IGNORECASE)
_SENTENCE_START = re.compile(r"(?:^|[.?!:¿¡]) *$")
_SURNAME = re.compile(r" (?:de |del |de la )?[A-Z][a-z]")
_VERB_FOLLOWS = re.compile(r",? (?:I|i|we|you|he|she|it|they|be|not|have|also|need|on)\b")


def is_day_of_month(match: re.Match[str]) -> bool:
    """Tell "mar 3" the date from "may 2 users" and "set 5": `match` has the groups `day` and `month`."""
    name = match["month"].lower().rstrip(".")
    if name in _NEVER_BESIDE_A_DAY:
        return False
    sure = (
        name not in _UNSURE_BEFORE_A_NUMBER or match["month"][0].isupper() or match.end("day") <= match.start("month")
    )
    return sure or _ENDS.match(match.string, match.end()) is not None


def is_month(match: re.Match[str]) -> bool:
    """Tell a month alone from a verb or a person: `match` has the group `month`."""
    written, text = match["month"], match.string
    name, capital = written.lower(), written[0].isupper()
    start, end = match.span("month")
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    if _PREPOSITION.search(before):
        return capital or not (name in _MODAL and _VERB_FOLLOWS.match(after))
    weakly = _WEAK_PREPOSITION.search(before) is not None
    if capital and name in _FORENAMES and _SURNAME.match(after):
        return False
    if name in _MODAL:
        inside = capital and not _SENTENCE_START.search(before)
        return (inside or (weakly and capital)) and not _VERB_FOLLOWS.match(after)
    return not (capital and name == "julio" and not weakly)
