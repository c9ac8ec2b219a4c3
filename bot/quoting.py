"""How a sentence of a page stands in an answer: between quotation marks, harmless, with its source's mark."""

from __future__ import annotations

import re
from collections.abc import Mapping
from textwrap import indent

from bot.code_spans import with_code, without_code
from bot.history import trim_at_sentence
from bot.links import disarm_mentions, keep_known_links, without_images
from bot.messages import Locale
from bot.quotable import Quotable

SENTENCE_LIMIT_CHARACTERS = 400

_QUOTATION_MARKS: Mapping[Locale, str] = {"es": "«{}»", "en": "“{}”"}
_BRACKETED_NUMBER = re.compile(r"\[\^?(\d{1,3})\]")
_LINK_TARGET = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_LEFT_OVER = re.compile(r"[`<&\[]")
_EMPHASIS = re.compile(r"\*\*|(?<!\w)__|__(?!\w)")


def quoted(quotable: Quotable, known: frozenset[str], mark: str, locale: Locale) -> str:
    """Write one sentence as an item of a list, with what it introduces below; its links are those of the sources."""
    item = f"- {_QUOTATION_MARKS[locale].format(_harmless(_shown(quotable), known))} {mark}"
    if not quotable.tail:
        return item
    return f"{item}\n\n{indent(_harmless(quotable.tail, known), '  ')}\n"


def _shown(quotable: Quotable) -> str:
    """Keep the author's markup when it is whole; a sentence that was cut out of some is shown as it reads."""
    written = quotable.written
    if len(quotable.reads) > SENTENCE_LIMIT_CHARACTERS:
        return trim_at_sentence(quotable.reads, SENTENCE_LIMIT_CHARACTERS)
    return written if _whole_markup(written) else quotable.reads


def _whole_markup(written: str) -> bool:
    prose, _ = without_code(written)
    bare = _BRACKETED_NUMBER.sub("", _LINK_TARGET.sub(r"\1", without_images(prose)))
    return not _LEFT_OVER.search(bare) and len(_EMPHASIS.findall(bare)) % 2 == 0


def _harmless(text: str, known: frozenset[str]) -> str:
    """Take out what would read as a citation of ours, links that lead nowhere, and calls."""
    prose, spans = without_code(text)
    prose = keep_known_links(without_images(_BRACKETED_NUMBER.sub(r"(\1)", prose)), known)
    return disarm_mentions(with_code(prose, spans))
