"""entities.yaml: kinds of things, their names, and the other names they go by."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from retrieval.entities import Entity, is_telling
from retrieval.errors import ConfigurationError

_LARGEST_BYTES = 5_000_000
_SHAPE = 'write `people:` (or places, tags…) and below it names with their aliases, as `"Ana Ruiz": [Anita, papá]`'


def read_entities(path: Path) -> tuple[Entity, ...]:
    """Read the entities of a file; none when there is no file.

    Raises ConfigurationError, one line that names the file, the line, the fault and the mend.
    """
    try:
        if not path.exists():
            return ()
        if path.stat().st_size > _LARGEST_BYTES:
            raise ConfigurationError(f"{path}: it is larger than {_LARGEST_BYTES:,} bytes; leave names out")
        root = yaml.compose(path.read_text(encoding="utf-8-sig"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as error:
        raise ConfigurationError(
            f"{path}: it cannot be read ({error.strerror}); check the file and its rights"
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: it is not UTF-8; save it as UTF-8") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path}: {_fault(error)}; {_SHAPE}") from error
    return tuple(_Reader(path).entities(root)) if root is not None else ()


def _fault(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = str(getattr(error, "problem", None) or "it is not YAML").splitlines()[0]
    return f"line {mark.line + 1}: {problem}" if mark is not None else problem


class _Reader:
    """Walks the file's nodes, not its values, so that `No` and `2024` stay the names they are, and lines are known."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def entities(self, root: yaml.Node) -> Iterator[Entity]:
        for kind, named in self._pairs(root, "the file"):
            if isinstance(named, yaml.SequenceNode):
                yield from (Entity(self._name(item), kind) for item in named.value)
            elif not self._is_empty(named):
                for name, aliases in self._pairs(named, f"`{kind}`"):
                    yield Entity(name, kind, tuple(self._aliases(aliases)))

    def _pairs(self, node: yaml.Node, what: str) -> Iterator[tuple[str, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            raise self._wrong(node, f"{what} is no mapping", _SHAPE)
        for key, value in node.value:
            yield self._name(key), value

    def _aliases(self, node: yaml.Node) -> Iterator[str]:
        if self._is_empty(node):
            return
        for item in node.value if isinstance(node, yaml.SequenceNode) else [node]:
            yield self._name(item)

    def _name(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise self._wrong(node, "a name is no text", _SHAPE)
        name = " ".join(str(node.value).split())
        if not is_telling(name):
            mend = "write a longer one, or its capitals"
            raise self._wrong(node, f"the name {name!r} is too short or too common to be looked for", mend)
        return name

    @staticmethod
    def _is_empty(node: yaml.Node) -> bool:
        return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"

    def _wrong(self, node: yaml.Node, fault: str, mend: str) -> ConfigurationError:
        return ConfigurationError(f"{self._path}: line {node.start_mark.line + 1}: {fault}; {mend}")
