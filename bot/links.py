"""What an answer may link to, and whom it may call: only what stands in the sources, and nobody."""

from __future__ import annotations

import re
from collections.abc import Iterable

from retrieval.types import Passage

ZERO_WIDTH_SPACE = "\u200b"  # stands inside a mention: it reads the same and pings nobody

_SCHEME = r"(?:[a-z][a-z0-9+.\-]{1,20}://|www\.|mailto:)"
_IN_ADDRESS = r"[^\s<>\"'`|\[\]{}()\ue000\ue001]"
_ADDRESS = re.compile(rf"{_SCHEME}+(?:(?!https?://)(?:{_IN_ADDRESS}|\({_IN_ADDRESS}*\)))*", re.IGNORECASE)
_BEFORE_PATH = re.compile(rf"^{_SCHEME}+", re.IGNORECASE)
_ANGLED = re.compile(r"<((?:[a-z][a-z0-9+.\-]{1,20}:)[^\s<>|]+)(?:\|([^<>\n]*))?>", re.IGNORECASE)
_LABEL = r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]"
_TARGET = r"\([ \t]*(<[^<>\n]*>|(?:[^\s()<>]|\([^\s()]*\))*)(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
_LINK = re.compile(_LABEL + _TARGET)
_IMAGE = re.compile(rf"!{_LABEL}(?:{_TARGET}|\[[^\[\]\n]*\])")
_LINK_OF_NO_FORM = re.compile(r"\](?=\(\s*<?((?:[^\s()<>]|\([^\s()]*\))*))")
_TAG = re.compile(r"</?(?:img|a|script|style|iframe|video|audio|object|embed|svg)\b[^<>]*>", re.IGNORECASE)
_DEFINITION = re.compile(r"(?<=\n)([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)\[([^\[\]\n]+)\]:(?=\s|$)")
_CALL = re.compile(  # but not the addresses of mail: ana@herediana.es
    r"(?<!\w)@(?=here|everyone|channel)|@(?=(?:here|everyone|channel)(?![\w\-]*\.\w))"
)
_PLATFORM_CALL = re.compile(r"<(?=@[&!]?\w|!(?:here|channel|everyone|subteam))")


def known_addresses(passages: Iterable[Passage]) -> frozenset[str]:
    """Collect every address that stands in the passages' text or is a page's own."""
    return frozenset(
        _same(address)
        for passage in passages
        for text in (passage.chunk.text, passage.page.href)
        for address in _ADDRESS.findall(text)
    )


def without_images(prose: str) -> str:
    """Leave an image's alternative text in its place; tags that load or link, and definitions of links, go too."""
    prose = _TAG.sub("", _IMAGE.sub(lambda image: image.group(1), prose))
    return _DEFINITION.sub(lambda found: f"{found[1]}{_undefined(found[2])}", prose)


def keep_known_links(prose: str, known: frozenset[str]) -> str:
    """Turn links to other addresses into plain text."""
    before = ""
    while prose != before:  # a link's text may hold a link
        before, prose = prose, _LINK.sub(lambda link: _link(link, known), prose)
    prose = _LINK_OF_NO_FORM.sub(lambda joint: "]" if _same(joint[1]) in known else "] ", prose)
    prose = _ANGLED.sub(lambda link: _angled(link, known), prose)
    return keep_known_addresses(prose, known)


def keep_known_addresses(text: str, known: frozenset[str]) -> str:
    """Take the scheme off addresses that stand in no source, so that nothing shows them as links; code too."""
    before = ""
    while text != before:  # what is left of one address may complete another
        before, text = (
            text,
            _ADDRESS.sub(lambda found: found[0] if _same(found[0]) in known else _plain(found[0]), text),
        )
    return text


def disarm_mentions(text: str) -> str:
    """Make mentions of people, groups and channels harmless on every platform."""
    text = _CALL.sub(f"@{ZERO_WIDTH_SPACE}", text)
    return _PLATFORM_CALL.sub(f"<{ZERO_WIDTH_SPACE}", text)


def _link(link: re.Match[str], known: frozenset[str]) -> str:
    label, target = link.group(1), link.group(2).strip("<>")
    return link.group() if _same(target) in known else label


def _angled(link: re.Match[str], known: frozenset[str]) -> str:
    address, label = link.group(1), link.group(2)
    if _same(address) in known:
        return f"[{label}]({address})" if label else link.group()
    return label or _plain(address)


def _undefined(label: str) -> str:
    # A definition would make links of every `[label]` in the answer.
    return f"[{label}]" if label.strip("^ ").isdigit() else f"{label}:"


def _plain(address: str) -> str:
    return _BEFORE_PATH.sub("", address)


def _same(address: str) -> str:
    """Give the form in which two ways to write an address are equal: no fragment, closing marks or host's capitals."""
    address = address.split("#", 1)[0].rstrip(".,;:!?*_~…")
    while address.endswith(")") and address.count(")") > address.count("("):
        address = address[:-1].rstrip(".,;:!?*_~…")
    before, slashes, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    return f"{before.lower()}{slashes}{host.lower()}{slash}{path}".rstrip("/")
