"""The readable text of HTML that stands inside markdown."""

from __future__ import annotations

import re
from html import unescape

_NAME = r"[A-Za-z][A-Za-z0-9:.-]*"
# Counted repetition and possessive quantifiers keep a page of unclosed tags and quotes linear.
_ATTRIBUTES = r"""(?:[^<>"']++|"[^"]*+"|'[^']*+'){0,200}+"""
_MARKUP = re.compile(
    rf"<!--.*?-->|<(?P<close>/?)(?P<name>{_NAME})(?P<attributes>(?:[\s/]{_ATTRIBUTES})?)>"
    r"|<![A-Za-z][^>]*+>|<\?.*?\?>|<!\[CDATA\[(?P<cdata>.*?)\]\]>",
    re.DOTALL,
)
_UNREAD = re.compile(r"<(script|style)\b[^>]*+>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_SAID_BY_ATTRIBUTE = re.compile(
    r"""(?<![\w-])(?:alt|title|label|placeholder|summary|aria-label)\s*=\s*(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""",
    re.IGNORECASE,
)
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
_CELL = frozenset({"td", "th"})
_OTHER = frozenset(
    [
        "address",
        "applet",
        "area",
        "article",
        "aside",
        "audio",
        "base",
        "blockquote",
        "body",
        "br",
        "button",
        "canvas",
        "caption",
        "center",
        "col",
        "colgroup",
        "datalist",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "embed",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "frame",
        "frameset",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "header",
        "hgroup",
        "hr",
        "html",
        "iframe",
        "input",
        "legend",
        "li",
        "link",
        "main",
        "map",
        "menu",
        "meta",
        "meter",
        "nav",
        "noframes",
        "noscript",
        "object",
        "ol",
        "optgroup",
        "option",
        "output",
        "p",
        "param",
        "picture",
        "pre",
        "progress",
        "rb",
        "rtc",
        "script",
        "search",
        "section",
        "select",
        "slot",
        "source",
        "style",
        "svg",
        "path",
        "summary",
        "table",
        "tbody",
        "template",
        "textarea",
        "tfoot",
        "thead",
        "title",
        "tr",
        "track",
        "ul",
        "video",
    ]
)
_KNOWN = _INLINE | _CELL | _OTHER
_BLANKS = re.compile(r"[^\S\n\t]+")
_LINES = re.compile(r"\s*\n\s*")


def html_text(html: str) -> str:
    """Give what a person reads in a stretch of HTML: one line a block, cells parted by tabs.

    Comments, scripts and styles are not read; alternative text and titles are. A name between angle brackets that
    is no HTML element, as in `List<String>`, is text.
    """
    text = unescape(_MARKUP.sub(_read_markup, _UNREAD.sub(" ", html)))
    lines = (_BLANKS.sub(" ", line).strip() for line in _LINES.split(text))
    return "\n".join(line for line in lines if line)


def tag_text(tag: str) -> str:
    """Give what one inline tag or comment says: an image its alternative text, a line break a line end."""
    return unescape(_MARKUP.sub(_read_markup, tag))


def _read_markup(found: re.Match[str]) -> str:
    name = found["name"]
    if name is None:
        return found["cdata"] or ""
    lowered = name.lower()
    attributes = found["attributes"]
    if lowered not in _KNOWN and not attributes:
        return found.group()
    said = attribute_text(attributes) if "=" in attributes else ""
    if lowered in _INLINE:
        return f" {said} " if said else ""
    if lowered in _CELL:
        return f"{said}\t" if said or found["close"] else ""
    return f"\n{said}\n" if said else "\n"


def attribute_text(attributes: str) -> str:
    """Give the attributes a person gets to read: alternative text, titles, labels."""
    return " ".join(part for groups in _SAID_BY_ATTRIBUTE.findall(attributes) for part in groups if part.strip())
