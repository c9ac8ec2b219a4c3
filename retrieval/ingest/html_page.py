"""An HTML page as markdown: what a person reads, its headings, and where its links lead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree

_UNREAD = frozenset({"script", "style", "template"})
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "img",
        "ins",
        "kbd",
        "label",
        "mark",
        "q",
        "rp",
        "rt",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
    ]
)
_SAID_BY_ATTRIBUTES = ("alt", "title", "aria-label", "placeholder", "summary", "label")
_TARGETS = ("href", "src")
_SPACE = re.compile(r"\s+")
_SPECIAL = re.compile(r"([\\`*_\[\]<>&])")
_LINE_START = re.compile(r"^([#+-]|\d+[.)]|=+$|~{3})")


@dataclass(slots=True)
class HtmlPage:
    """What an HTML page says: `meta` holds its named meta elements, `links` where its links lead."""

    body: str = ""
    title: str = ""
    language: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)
    links: tuple[str, ...] = ()


def read_html(html: str) -> HtmlPage:
    """Read an HTML page; scripts and styles are left out of the body, everything else a person reads is in it."""
    reader = _Reader()
    # A target instead of a tree: no depth limit, no recursion, and memory for the text alone.
    parser = etree.HTMLParser(encoding="utf-8", target=reader, huge_tree=True)
    if html.strip():
        parser.feed(html.encode("utf-8"))
        parser.close()
    return reader.page()


class _Reader:
    """Collects the blocks of a page as its parser meets them."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._run: list[str] = []
        self._prefix = ""
        self._unread = 0
        self._preformatted = 0
        self._title: list[str] | None = None
        self._titles: list[str] = []
        self._links: list[str] = []
        self._meta: dict[str, str] = {}
        self._language = ""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _UNREAD:
            self._unread += 1
            return
        if tag == "html":
            self._language = attributes.get("lang", "")
        elif tag == "title" and not self._titles:
            self._title = []
        elif tag == "meta" and attributes.get("name"):
            self._meta.setdefault(attributes["name"].casefold(), attributes.get("content", ""))
        self._open_block(tag)
        self._links.extend(attributes[name] for name in _TARGETS if attributes.get(name))
        said = " ".join(attributes[name] for name in _SAID_BY_ATTRIBUTES if attributes.get(name))
        if said:
            self._run.append(f" {_escaped(said)} ")

    def _open_block(self, tag: str) -> None:
        if tag == "pre":
            self._flush()
            self._preformatted += 1
        elif tag == "br":
            self._run.append("\n" if self._preformatted else "  \n")
        elif tag in ("td", "th"):
            self._run.append(" ")
        elif tag not in _INLINE:
            self._flush()
            self._prefix = _HEADINGS.get(tag, "- " if tag == "li" else self._prefix)

    def end(self, tag: str) -> None:
        if tag in _UNREAD:
            self._unread = max(0, self._unread - 1)
        elif tag == "title" and self._title is not None:
            self._titles.append("".join(self._title))
            self._title = None
        elif tag == "pre":
            self._flush()
            self._preformatted = max(0, self._preformatted - 1)
        elif tag in ("td", "th"):
            self._run.append(" | ")
        elif tag not in _INLINE and tag != "br":
            self._flush()
            self._prefix = ""

    def data(self, text: str) -> None:
        if self._unread:
            return
        if self._title is not None:
            self._title.append(text)
        else:
            self._run.append(text if self._preformatted else _escaped(text))

    def comment(self, text: str) -> None:
        """A comment is not read; the page's source text holds it."""

    def close(self) -> None:
        self._flush()

    def _flush(self) -> None:
        text = "".join(self._run)
        self._run.clear()
        if self._preformatted:
            if text.strip():
                fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
                self._blocks.append(f"{fence}\n{text.strip(chr(10))}\n{fence}")
            return
        lines = (_SPACE.sub(" ", line).strip().removesuffix(" |") for line in text.split("  \n"))
        shown = "\\\n".join(line for line in lines if line)
        if shown:
            self._blocks.append(self._prefix + (_LINE_START.sub(r"\\\1", shown)))
            self._prefix = ""

    def page(self) -> HtmlPage:
        title = _SPACE.sub(" ", self._titles[0]).strip() if self._titles else ""
        links = tuple(dict.fromkeys(self._links))
        return HtmlPage("\n\n".join(self._blocks), title, self._language, self._meta, links)


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
