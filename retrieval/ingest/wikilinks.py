"""[[wikilinks]]: found, and turned into the titles of their pages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

SECTION_MARK = " › "

# Code stands first, so that a link inside it is left as written. Bounded, so that stray backticks stay cheap.
_LINK_OR_CODE = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?s:.*?)(?:^[ \t>]*(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|(?<!`)(?P<ticks>`++)(?s:.{1,1000}?)(?<!`)(?P=ticks)(?!`)"
    r"|!?\[\[(?P<link>[^\[\]\n]{1,500})\]\]",
    re.MULTILINE,
)
_NOT_IN_SLUG = re.compile(r"[\s_-]+")


def wikilink_targets(body: str) -> tuple[str, ...]:
    """Give the targets as written, without alias and section, each once, in order."""
    targets = (_parts(found["link"])[0] for found in _links(body))
    return tuple(dict.fromkeys(target for target in targets if target))


def resolve_wikilinks(body: str, title_of: Callable[[str], str | None]) -> str:
    """Replace every wikilink outside code by what a person reads: its alias, or its page's title and section.

    `title_of` gives the title of a target, or None for one that is unknown: it stays readable as written.
    """
    if "[[" not in body:
        return body
    return _LINK_OR_CODE.sub(lambda found: _shown(found, title_of), body)


def _links(body: str) -> Iterator[re.Match[str]]:
    if "[[" in body:
        yield from (found for found in _LINK_OR_CODE.finditer(body) if found["link"])


def _parts(link: str) -> tuple[str, str, str]:
    """Split a link into target, section and alias."""
    target, _, alias = link.replace("\\|", "|").partition("|")
    page, _, section = target.partition("#")
    return page.strip().removeprefix("^"), section.strip(), alias.strip()


def _shown(found: re.Match[str], title_of: Callable[[str], str | None]) -> str:
    if not found["link"]:
        return found.group()
    target, section, alias = _parts(found["link"])
    if alias:
        return alias
    title = (title_of(target) or target) if target else ""
    return SECTION_MARK.join(part for part in (title, section.lstrip("#^ ")) if part) or found.group()


class TitleIndex:
    """Titles by everything a link may call a page: path, file name or title, whatever their case and accents.

    Where two pages answer to one name, a path goes before a title, a title before a file name, and the first given
    page before a later one.
    """

    def __init__(self, pages: Iterable[tuple[str, str]]) -> None:
        self._by_path: dict[str, str] = {}
        self._by_title: dict[str, str] = {}
        self._by_name: dict[str, str] = {}
        for doc_id, title in pages:
            path = PurePosixPath(_without_extension(doc_id))
            self._by_path.setdefault(_folded(str(path)), title)
            self._by_title.setdefault(_folded(title), title)
            self._by_name.setdefault(_folded(path.name), title)

    def title_of(self, target: str) -> str | None:
        """Give the title of the page a link's target means, or None."""
        path = _folded(_without_extension(target.strip().removeprefix("^").lstrip("./")))
        for names in (self._by_path, self._by_title, self._by_name):
            title = names.get(path)
            if title is not None:
                return title
        return self._by_name.get(path.rsplit("/", 1)[-1]) if "/" in path else None


def _without_extension(path: str) -> str:
    return re.sub(r"\.(?:mdx?|markdown|txt|html?)$", "", path, flags=re.IGNORECASE)


def _folded(name: str) -> str:
    bare = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return "/".join(_NOT_IN_SLUG.sub("-", part.casefold().strip()).strip("-") for part in bare.split("/"))
