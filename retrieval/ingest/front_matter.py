"""Front matter: found, read, and failing closed where a page may have meant to be hidden.

The block is cut off here and not by a library because what a library forgives (a block that is never closed, a
duplicate key, a key that is nearly `visibility`) would publish a page its author wanted kept; PyYAML reads it.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import yaml

Value = str | tuple[str, ...] | None
"""A field's value: one text, several, or None for what has no text (null, a mapping)."""

LIMIT_CHARACTERS = 100_000

_OPENING = re.compile(r"[\s\ufeff\u200b]*(?P<fence>-{3,}|\+{3,})[^\S\n]*(?:\n|\Z)")
_YAML_CLOSING = re.compile(r"^(?:-{3,}|\.{3})[^\S\n]*$", re.MULTILINE)
_DASHES = re.compile(r"^-{3,}[^\S\n]*$", re.MULTILINE)
_TOML_CLOSING = re.compile(r"^\+{3,}[^\S\n]*$", re.MULTILINE)
_STARTS_WITH_VISIBILITY = re.compile(r"^[\W_]*visibility", re.MULTILINE | re.IGNORECASE)
_SETS_VISIBILITY = re.compile(r"^[\W_]*visibility[\W_]*?\s*[:=]", re.MULTILINE | re.IGNORECASE)
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_NEAR = 0.75
"""`visibilty` and `visibilidad` are this near to `visibility`; `visible` is not."""
_LONGEST_NEAR_KEY = 20

_NULL = "tag:yaml.org,2002:null"
_MERGE = "tag:yaml.org,2002:merge"


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A page's fields by normalised key, and where its body starts.

    `faults` say what was wrong and its mend; with `withheld` the page must not be indexed.
    """

    fields: Mapping[str, Value] = field(default_factory=dict)
    body_start: int = 0
    faults: tuple[str, ...] = ()
    withheld: bool = False


class _Unreadable(ValueError):
    """The front matter cannot be read; the text says why."""


def read_front_matter(text: str) -> FrontMatter:
    """Split and read the front matter of a decoded page."""
    opening = _OPENING.match(text)
    if opening is None:
        return _without(text)
    toml = opening["fence"].startswith("+")
    closing = (_TOML_CLOSING if toml else _YAML_CLOSING).search(text, opening.end())
    if closing is None:
        return _never_closed(text)
    block = text[opening.end() : closing.start()]
    body_start = min(closing.end() + 1, len(text))
    if closing.group().startswith(".") and _hides_after_dots(text, body_start):
        return _withheld(body_start, "front matter ends at `...` but a visibility follows; close it with ---")
    try:
        if toml:
            raise _Unreadable("it is TOML; write it as YAML between lines of ---")
        root = _composed(block)
    except _Unreadable as error:
        return _unreadable(block, body_start, str(error))
    if root is None:
        return FrontMatter(body_start=body_start)
    if not isinstance(root, yaml.MappingNode):
        # Text between two rules, not front matter: it stays in the body.
        if _STARTS_WITH_VISIBILITY.search(block):
            return _unreadable(block, body_start, "it is not made of `key: value` lines")
        return FrontMatter(faults=("front matter is not made of `key: value` lines; it is indexed as text",))
    return _read_mapping(root, block, body_start)


def fields_of(metadata: Mapping[str, object]) -> FrontMatter:
    """Read a record's other keys as front matter."""
    fields: dict[str, Value] = {}
    for key, value in metadata.items():
        if isinstance(value, (list, tuple)):
            fields[normalised_key(key)] = tuple(
                str(item).strip() for item in value if isinstance(item, (str, int, float))
            )
        elif isinstance(value, (str, int, float)):
            fields[normalised_key(key)] = str(value).strip()
        else:
            fields[normalised_key(key)] = None
    return _checked(fields, 0, [])


def normalised_key(key: str) -> str:
    """Fold a key: `Last-Update` and `last_update` are one."""
    folded = unicodedata.normalize("NFKC", key).casefold().strip().strip("\"'")
    return re.sub(r"[-\s]+", "_", folded)


def _without(text: str) -> FrontMatter:
    first_block = _BLANK_LINE.split(text.lstrip()[:LIMIT_CHARACTERS], maxsplit=1)[0]
    if _SETS_VISIBILITY.search(first_block):
        return _withheld(0, "its first lines set a visibility outside front matter; put them between lines of ---")
    return FrontMatter()


def _never_closed(text: str) -> FrontMatter:
    if _SETS_VISIBILITY.search(text):
        return _withheld(0, "front matter is never closed and sets a visibility; close it with a line of ---")
    # A page may well begin with a rule.
    return FrontMatter()


def _hides_after_dots(text: str, body_start: int) -> bool:
    dashes = _DASHES.search(text, body_start)
    return dashes is not None and _SETS_VISIBILITY.search(text, body_start, dashes.start()) is not None


def _unreadable(block: str, body_start: int, why: str) -> FrontMatter:
    if _STARTS_WITH_VISIBILITY.search(block):
        return _withheld(body_start, f"front matter with a visibility cannot be read: {why}")
    return FrontMatter(
        body_start=body_start, faults=(f"front matter cannot be read, the page goes without its fields: {why}",)
    )


def _withheld(body_start: int, why: str) -> FrontMatter:
    return FrontMatter(body_start=body_start, faults=(f"withheld: {why}",), withheld=True)


def _composed(block: str) -> yaml.Node | None:
    if len(block) > LIMIT_CHARACTERS:
        raise _Unreadable(f"it is longer than {LIMIT_CHARACTERS:,} characters; shorten it")
    try:
        # Nodes and not values: aliases stay shared, so nothing grows, and a date or number keeps its own spelling.
        return yaml.compose(block, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = str(getattr(error, "problem", None) or "it is not YAML").splitlines()[0]
        where = f" in line {mark.line + 2}" if mark is not None else ""
        raise _Unreadable(f"{problem}{where}; mend the YAML (quote values that hold `: ` or `#`)") from error


def _read_mapping(root: yaml.MappingNode, block: str, body_start: int) -> FrontMatter:
    fields: dict[str, Value] = {}
    repeated: list[str] = []
    for key_node, value_node in root.value:
        if key_node.tag == _MERGE:
            return _unreadable(block, body_start, "`<<` is not read; write the fields out")
        if not isinstance(key_node, yaml.ScalarNode):
            continue
        key = normalised_key(key_node.value)
        if key in fields:
            repeated.append(key)
        fields[key] = _value(value_node)
    if "visibility" not in fields and _nested_visibility(root):
        return _withheld(body_start, "`visibility` stands inside another field; put it at the start of its own line")
    return _checked(fields, body_start, repeated)


def _checked(fields: dict[str, Value], body_start: int, repeated: list[str]) -> FrontMatter:
    if "visibility" in repeated:
        return _withheld(body_start, "`visibility` is given twice; keep one")
    if "visibility" not in fields:
        near = next((key for key in fields if _looks_like_visibility(key)), None)
        if near is not None:
            return _withheld(body_start, f"`{near}` looks like `visibility`; write it that way or rename it")
    faults = tuple(f"`{key}` is given twice, the last one counts; keep one" for key in dict.fromkeys(repeated))
    return FrontMatter(fields, body_start, faults)


def _looks_like_visibility(key: str) -> bool:
    return len(key) <= _LONGEST_NEAR_KEY and difflib.SequenceMatcher(None, key, "visibility").ratio() >= _NEAR


def _value(node: yaml.Node) -> Value:
    if isinstance(node, yaml.ScalarNode):
        return None if node.tag == _NULL else str(node.value).strip()
    if isinstance(node, yaml.SequenceNode):
        return tuple(
            str(item.value).strip() for item in node.value if isinstance(item, yaml.ScalarNode) and item.tag != _NULL
        )
    return None


def _nested_visibility(root: yaml.Node) -> bool:
    return any(
        isinstance(key, yaml.ScalarNode) and normalised_key(key.value) == "visibility"
        for node in _nodes(root)
        if isinstance(node, yaml.MappingNode)
        for key, _ in node.value
    )


def _nodes(root: yaml.Node) -> Iterator[yaml.Node]:
    """Give every node once, however often aliases name it."""
    seen: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        if isinstance(node, yaml.MappingNode):
            stack.extend(part for pair in node.value for part in pair)
        elif isinstance(node, yaml.SequenceNode):
            stack.extend(node.value)
