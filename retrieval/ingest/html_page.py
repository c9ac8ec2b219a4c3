"""An HTML page as markdown: what a person reads, its headings, tables and lists, and where its links lead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lxml import etree

from retrieval.html_elements import CELLS, INLINE, SAID_BY_ATTRIBUTES
from retrieval.ingest.markdown_writer import MarkdownWriter, escaped

_UNREAD = frozenset({"script", "style", "template"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SAID = tuple(name for name in SAID_BY_ATTRIBUTES if name != "alt")

_LONGEST_TITLE_CHARACTERS = 300

Attributes = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """What an HTML page says; `meta` holds its named meta elements by lower-case name."""

    body: str
    title: str
    language: str
    meta: Mapping[str, str] = field(default_factory=dict)


def read_html(html: str) -> HtmlPage:
    """Read an HTML page; scripts, styles and comments are left out, everything else a person reads is in the body."""
    reader = _Reader()
    # A target instead of a tree: no limit of depth, no recursion, and memory for the text alone. Its stubs know no
    # target for text alone, hence the ignored type.
    parser = etree.HTMLParser(encoding="utf-8", target=reader, huge_tree=True)  # type: ignore[arg-type]
    if html.strip():
        parser.feed(html.encode())
        parser.close()
    return HtmlPage(reader.body(), reader.title, reader.language, reader.meta)


class _Reader:
    """Translates what the parser meets into what the writer is told."""

    def __init__(self) -> None:
        self.title = ""
        self.language = ""
        self.meta: dict[str, str] = {}
        self._unread = 0
        self._title: list[str] | None = None
        writer = self._writer = MarkdownWriter()
        self._openers: dict[str, Callable[[Attributes], None]] = {
            "html": self._open_page,
            "meta": self._open_meta,
            "a": lambda attributes: writer.open_link(attributes.get("href", "")),
            "img": lambda attributes: writer.image(attributes.get("alt", ""), attributes.get("src", "")),
            "br": lambda _: writer.line_break(),
            "pre": lambda _: writer.open_code(),
            "table": lambda _: writer.open_table(),
            "ol": lambda _: writer.open_list(ordered=True),
            "ul": lambda _: writer.open_list(ordered=False),
            "li": lambda _: writer.open_item(),
            **dict.fromkeys(CELLS, lambda _: writer.open_cell()),
            **dict.fromkeys(INLINE - {"a", "img"}, lambda _: None),
        }
        self._closers: dict[str, Callable[[], None]] = {
            "a": writer.close_link,
            "pre": writer.close_code,
            "table": writer.close_table,
            "tr": writer.close_row,
            "ol": writer.close_list,
            "ul": writer.close_list,
            **dict.fromkeys((INLINE | {"br"}) - {"a"}, lambda: None),
        }

    def start(self, tag: str, attributes: Attributes) -> None:
        if tag in _UNREAD:
            self._unread += 1
        elif tag == "title" and not self.title:
            self._title = []
        elif tag in _HEADINGS:
            self._writer.open_heading(_HEADINGS[tag])
        elif tag in self._openers:
            self._openers[tag](attributes)
        else:
            self._writer.end_block()
        said = " ".join(attributes[name] for name in _SAID if attributes.get(name))
        if said:
            self._writer.text(f" {escaped(said)} ")

    def end(self, tag: str) -> None:
        if tag in _UNREAD:
            self._unread = max(0, self._unread - 1)
        elif tag == "title" and self._title is not None:
            self._end_title("".join(self._title))
            self._title = None
        elif tag in self._closers:
            self._closers[tag]()
        else:
            self._writer.end_block()

    def data(self, data: str | bytes) -> None:
        text = data if isinstance(data, str) else data.decode()
        if self._unread:
            return
        if self._title is not None:
            self._title.append(text)
        else:
            self._writer.words(text)

    def comment(self, text: str | bytes) -> None:
        """A comment is not read; the page's source text holds it."""

    def close(self) -> None:
        """The writer ends what is left open."""

    def body(self) -> str:
        return self._writer.markdown()

    def _end_title(self, text: str) -> None:
        if len(text) <= _LONGEST_TITLE_CHARACTERS:
            self.title = " ".join(text.split())
        else:
            # A title that was never closed holds the page.
            self._writer.words(text)
            self._writer.end_block()

    def _open_page(self, attributes: Attributes) -> None:
        self.language = attributes.get("lang", "")

    def _open_meta(self, attributes: Attributes) -> None:
        name = attributes.get("name", "").casefold()
        if name:
            self.meta.setdefault(name, attributes.get("content", ""))
