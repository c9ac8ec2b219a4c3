"""The readable text of HTML that stands inside markdown."""

from __future__ import annotations

import re
from html import unescape

from retrieval.html_elements import BOOLEAN_ATTRIBUTES, CELLS, INLINE, KNOWN, SAID_BY_ATTRIBUTES

# Possessive and counted, so that a page of unclosed tags and quotes costs no more than its length.
_TAG = re.compile(
    r"""<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9:.-]*+)"""
    r"""(?P<attributes>(?:[\s/](?:[^<>"']++|"[^"]*+"|'[^']*+'){0,200}+)?)>|<![A-Za-z][^<>]*+>"""
)
_ATTRIBUTE = re.compile(r"""(?<![\w:@.-])([\w:@.-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""")
_HIDING = re.compile(r"<!--|<\?|<!\[CDATA\[|<(?:script|style)(?=[\s/>])", re.IGNORECASE)
_ENDS = {
    "<!--": re.compile("-->"),
    "<?": re.compile(r"\?>"),
    "<![cdata[": re.compile(r"\]\]>"),
    "<script": re.compile(r"</script\s*>", re.IGNORECASE),
    "<style": re.compile(r"</style\s*>", re.IGNORECASE),
}
_SAID = frozenset(SAID_BY_ATTRIBUTES)
_UNSAID_NAMES = """
    class classname style id key ref type name icon href src to width height size color target rel lang slug
"""
_UNSAID_BY_COMPONENTS = frozenset(_UNSAID_NAMES.split())
_BLANKS = re.compile(r"[^\S\n\t]+")
_LINE_ENDS = re.compile(r"\s*\n\s*")


def html_text(html: str) -> str:
    """Give what a person reads in a stretch of HTML: one line a block, cells parted by tabs.

    Comments, scripts and styles are not read, unless they are never closed; alternative text and titles are. A name
    between angle brackets that is no HTML element, as in `List<String>`, is text.
    """
    text = tag_text(html)
    lines = (_BLANKS.sub(" ", line).strip() for line in _LINE_ENDS.split(text))
    return "\n".join(line for line in lines if line)


def tag_text(html: str) -> str:
    """Give what tags say, with the text around them: an image its alternative text, a line break a line end."""
    return unescape(_TAG.sub(_read_tag, without_hidden(html)))


def without_hidden(html: str) -> str:
    """Leave out comments, instructions, scripts and styles, where they are closed."""
    parts: list[str] = []
    unclosed: set[str] = set()
    start = reached = 0
    while opening := _HIDING.search(html, reached):
        kind = opening.group().lower()
        end = None if kind in unclosed else _ENDS[kind].search(html, opening.end())
        if end is None:
            # Looked for once: another search would cost the rest of the page again.
            unclosed.add(kind)
            reached = opening.end()
            continue
        parts.append(html[start : opening.start()])
        if kind == "<![cdata[":
            parts.append(html[opening.end() : end.start()])
        start = reached = end.end()
    return "".join([*parts, html[start:]]) if parts else html


def _read_tag(found: re.Match[str]) -> str:
    name = (found["name"] or "").lower()
    if not name:
        return "\n"
    attributes = found["attributes"]
    known = name in KNOWN
    if "=" not in attributes and not (known and _are_switches(attributes)):
        return found.group()
    said = _attribute_text(attributes, known) if "=" in attributes else ""
    if name in INLINE:
        return f" {said} " if said else ""
    if name in CELLS:
        return f"{said}\t" if said or found["close"] else ""
    return f"\n{said}\n" if said else "\n"


def _are_switches(attributes: str) -> bool:
    """Tell whether words in a tag are attributes: `<b and c>` is a comparison."""
    return all(word.lower() in BOOLEAN_ATTRIBUTES for word in attributes.replace("/", " ").split())


def _attribute_text(attributes: str, known: bool) -> str:
    """Give the attributes a person gets to read; of a component's (MDX) any but those of its looks."""
    values = ((name.lower(), double or single or bare) for name, double, single, bare in _ATTRIBUTE.findall(attributes))
    return " ".join(
        value for name, value in values if value and (name in _SAID if known else name not in _UNSAID_BY_COMPONENTS)
    )
