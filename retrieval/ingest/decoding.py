"""Bytes to text: UTF-8 where it can be, the likeliest encoding where not, and never a character lost in silence."""

from __future__ import annotations

import codecs
import re

from charset_normalizer import from_bytes

from retrieval.ingest.wellformed import well_formed

_SAMPLE_BYTES = 50_000
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
_UTF16 = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Give the text with line feeds alone and no NUL, and what was wrong with the bytes, each with its mend."""
    text, fault = _decoded(data)
    faults = [fault] if fault else []
    text = well_formed(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    if "\0" in text:
        text = text.replace("\0", "")
        faults.append("it holds NUL bytes, which are left out; save it as plain text")
    return text, tuple(faults)


def _decoded(data: bytes) -> tuple[str, str]:
    for mark, encoding in _UTF16:
        if data.startswith(mark):
            return data.decode(encoding, "replace"), ""
    try:
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        pass
    damaged = data.decode("utf-8-sig", "replace")
    wrong = damaged.count("\ufffd")
    right = sum(character > "\x7f" for character in damaged) - wrong
    if right > wrong:
        return damaged, f"{wrong} bytes are not UTF-8 and are shown as \ufffd; save it as UTF-8"
    encoding = _likely_encoding(data)
    return data.decode(encoding, "replace"), f"it is not UTF-8 and is read as {encoding}; save it as UTF-8"


def _likely_encoding(data: bytes) -> str:
    found = _HIGH_BYTE.search(data)
    start = max(0, found.start() - _SAMPLE_BYTES // 2) if found else 0
    matches = from_bytes(data[start : start + _SAMPLE_BYTES])
    best = matches.best()
    # Western European text fits several tables; the one Windows writes is meant.
    if best is None or any("cp1252" in (match.encoding, *match.could_be_from_charset) for match in matches):
        return "cp1252"
    return best.encoding
