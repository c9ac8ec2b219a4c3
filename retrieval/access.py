"""Who may see what: a page carries keys, a viewer carries keys, and they must share one."""

from __future__ import annotations

from retrieval.types import PUBLIC

VISIBILITIES = ("public", "circle", "intimate", "private")


def page_keys(
    visibility: str | None, project: str, author: str, chapter: str, default: str = PUBLIC
) -> frozenset[str] | None:
    """Give the keys that open a page, or None when the page must be withheld.

    `visibility` is None where the page names none: then the source's `default` counts. An unknown value withholds,
    and so does one that no key can be made for (a circle without a project, a private page without an author).
    """
    named = default if visibility is None else visibility
    project, author, chapter = project.strip(), author.strip(), chapter.strip()
    chapter_keys = {f"chapter:{chapter}"} if chapter else set()
    author_keys = {f"user:{author}"} if author else set()
    coauthor_keys = {f"coauthor:{project}"} if project else set()
    match named.strip().casefold():
        case "public":
            keys = {PUBLIC} | chapter_keys
        case "circle" if project:
            keys = {f"member:{project}"} | coauthor_keys | author_keys | chapter_keys
        case "intimate":
            keys = coauthor_keys | author_keys
        case "private":
            keys = author_keys
        case _:
            keys = set()
    return frozenset(keys) or None


def readable(page_keys: frozenset[str], viewer_keys: frozenset[str]) -> bool:
    """Tell whether a viewer may read a page: they share a key. A page without keys is read by nobody."""
    return not page_keys.isdisjoint(viewer_keys)
