"""YAML to flat fields: nodes are read and not values, so nothing runs, grows, or loses its spelling."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

Value = str | tuple[str, ...] | None
"""A field's value: one text, several, or None for what has no text (null, a mapping)."""

LIMIT_CHARACTERS = 100_000

_NULL = "tag:yaml.org,2002:null"
_MERGE = "tag:yaml.org,2002:merge"
_BETWEEN_WORDS = re.compile(r"[-\s]+")


class UnreadableYaml(ValueError):
    """The text is no YAML that is read here; says why, with the mend."""


class NotAMapping(UnreadableYaml):
    """The text is YAML, but not `key: value` lines."""


@dataclass(frozen=True, slots=True)
class YamlFields:
    """Top-level fields by normalised key, the keys that were given twice, and every key that stands deeper."""

    fields: dict[str, Value]
    repeated: tuple[str, ...] = ()
    deeper: frozenset[str] = frozenset()


def read_yaml(text: str) -> YamlFields:
    """Read a block of `key: value` lines; an empty one has no fields. Raises UnreadableYaml."""
    root = _composed(text)
    if root is None:
        return YamlFields({})
    if not isinstance(root, yaml.MappingNode):
        raise NotAMapping("it is not made of `key: value` lines")
    fields: dict[str, Value] = {}
    repeated: list[str] = []
    for key_node, value_node in root.value:
        if key_node.tag == _MERGE:
            raise UnreadableYaml("`<<` is not read; write its fields out")
        if not isinstance(key_node, yaml.ScalarNode):
            continue
        key = normalised_key(key_node.value)
        if key in fields:
            repeated.append(key)
        fields[key] = _value(value_node)
    deeper = frozenset(key for _, value in root.value for key in _keys(value))
    return YamlFields(fields, tuple(repeated), deeper)


def normalised_key(key: str) -> str:
    """Fold a key: `Last-Update` and `last_update` are one."""
    return _BETWEEN_WORDS.sub("_", unicodedata.normalize("NFKC", key).casefold().strip().strip("\"'"))


def _composed(text: str) -> yaml.Node | None:
    if len(text) > LIMIT_CHARACTERS:
        raise UnreadableYaml(f"it is longer than {LIMIT_CHARACTERS:,} characters; shorten it")
    try:
        return yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = str(getattr(error, "problem", None) or "it is not YAML").splitlines()[0]
        where = f" in line {mark.line + 2}" if mark is not None else ""
        raise UnreadableYaml(f"{problem}{where}; mend the YAML (values that hold `: ` or `#` need quotes)") from error


def _value(node: yaml.Node) -> Value:
    if isinstance(node, yaml.ScalarNode):
        return None if node.tag == _NULL else str(node.value).strip()
    if isinstance(node, yaml.SequenceNode):
        scalars = (item for item in node.value if isinstance(item, yaml.ScalarNode) and item.tag != _NULL)
        return tuple(str(item.value).strip() for item in scalars)
    return None


def _keys(root: yaml.Node) -> Iterator[str]:
    """Give the keys below a node, each node once, however often aliases name it."""
    seen: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            yield from (normalised_key(key.value) for key, _ in node.value if isinstance(key, yaml.ScalarNode))
            stack.extend(part for pair in node.value for part in pair)
        elif isinstance(node, yaml.SequenceNode):
            stack.extend(node.value)
