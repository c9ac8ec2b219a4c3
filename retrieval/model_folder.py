"""A model in a folder of its own, as sentence-transformers and its exporters lay one out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from retrieval.errors import EmbeddingUnavailable
from retrieval.prefixes import Prefixes, prefixes_of

_GRAPHS = ("model.onnx", "onnx/model.onnx")
_NEEDED = ("tokenizer.json", "tokenizer_config.json")
_SAMPLE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """Where a model lies and how it is run. `pooling` is CLS, MEAN or LAST_TOKEN."""

    path: Path
    name: str
    graph: str
    pooling: str
    prefixes: Prefixes


def read_model_folder(path: Path) -> ModelFolder:
    """Look at a folder without opening the model. Raises EmbeddingUnavailable when it is not one."""
    missing = missing_files(path)
    if missing:
        raise EmbeddingUnavailable(
            f"the embedding model's folder {path} lacks {', '.join(missing)}; "
            'put an ONNX export of the model there, or set embedding.model to "embedded"'
        )
    return ModelFolder(path, folder_name(path), graph_file(path), _pooling(path), _prefixes(path))


def missing_files(path: Path) -> list[str]:
    """Name what a folder lacks of what any model needs."""
    graph = [] if any((path / graph).is_file() for graph in _GRAPHS) else [_GRAPHS[0]]
    return graph + [name for name in _NEEDED if not (path / name).is_file()]


def graph_file(path: Path) -> str:
    """Give where a folder that lacks nothing keeps its graph."""
    return next(graph for graph in _GRAPHS if (path / graph).is_file())


def folder_name(path: Path) -> str:
    """The folder's name and a fingerprint of its files: other files are another model, even in the same place."""
    fingerprint = hashlib.sha256()
    for file in _model_files(path):
        fingerprint.update(f"{file.relative_to(path)} {file.stat().st_size}\n".encode())
        fingerprint.update(_sample(file))
    return f"{path.resolve().name}@{fingerprint.hexdigest()[:16]}"


def _model_files(path: Path) -> Iterator[Path]:
    files = [file for folder in (path, path / "onnx", path / "1_Pooling") for file in sorted(folder.glob("*"))]
    return (file for file in files if file.is_file() and (file.suffix == ".json" or "onnx" in file.suffix))


def _sample(file: Path) -> bytes:
    """The first and the last megabyte: a model of several gigabytes is told from another at once."""
    with file.open("rb") as stream:
        head = stream.read(_SAMPLE_BYTES)
        stream.seek(max(len(head), file.stat().st_size - _SAMPLE_BYTES))
        return head + stream.read()


def _pooling(path: Path) -> str:
    settings = _read(path / "1_Pooling" / "config.json")
    if settings.get("pooling_mode_cls_token"):
        return "CLS"
    return "LAST_TOKEN" if settings.get("pooling_mode_lasttoken") else "MEAN"


def _prefixes(path: Path) -> Prefixes:
    """What the model's own settings say, or else its family's, told by the folder's name."""
    prompts = _read(path / "config_sentence_transformers.json").get("prompts") or {}
    query = prompts.get("query", "")
    passage = prompts.get("passage") or prompts.get("document", "")
    return Prefixes(query, passage) if query or passage else prefixes_of(path.resolve().name)


def _read(path: Path) -> dict[str, Any]:
    try:
        settings = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise EmbeddingUnavailable(f"{path} cannot be read ({error}); copy the model's folder anew") from error
    return settings if isinstance(settings, dict) else {}
