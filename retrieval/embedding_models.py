"""Find an embedding model on this machine and open it with fastembed. Nothing is ever fetched.

Left alone, fastembed retries a download for 39 s where there is no network. Here a model is built from an
installed package, or lies in the cache, or in a folder of its own; otherwise the error tells how to bring it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval.embedded_model import EMBEDDED_MODEL_NAME, ensure_embedded_model
from retrieval.errors import EmbeddingUnavailable
from retrieval.model_catalogue import Description, catalogue, near_names, register
from retrieval.model_folder import ModelFolder, read_model_folder
from retrieval.prefixes import E5, Prefixes, prefixes_of

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from tokenizers import Tokenizer

EMBEDDED = "embedded"

_FED_AS = 1
"""Raise it when the prefixes or the pooling of a named model change: its vectors do too."""


@dataclass(frozen=True, slots=True)
class OpenModel:
    """A model that is ready. The same `name` means the same vectors."""

    name: str
    model: TextEmbedding
    tokenizer: Tokenizer
    window_tokens: int
    prefixes: Prefixes


def model_name(model: str) -> str:
    """Name a model's vectors without opening it. Raises EmbeddingUnavailable when its folder is not there."""
    if model == EMBEDDED:
        return EMBEDDED_MODEL_NAME
    return _folder(model).name if is_path(model) else f"{model.lower()}@{_FED_AS}"


def open_model(model: str, cache: Path) -> OpenModel:
    """Open "embedded", the path of a folder (it starts with `/`, `.` or `~`), or a fastembed model by name.

    Raises EmbeddingUnavailable, within 2 s, when the model is unknown, absent or damaged.
    """
    if model == EMBEDDED:
        folder = ensure_embedded_model(cache)
        return _open_folder(ModelFolder(folder, EMBEDDED_MODEL_NAME, "model.onnx", "MEAN", E5), cache)
    return _open_folder(_folder(model), cache) if is_path(model) else _open_cached(model, cache)


def is_path(model: str) -> bool:
    return model.startswith(("/", ".", "~"))


def _folder(model: str) -> ModelFolder:
    return read_model_folder(Path(model).expanduser())


def _open_folder(folder: ModelFolder, cache: Path) -> OpenModel:
    # fastembed wants a place in its hub and a dimension even for a folder; it uses neither.
    register(Description(folder.name, folder.name, 0, folder.graph, pooling=folder.pooling))
    opened = _opened(
        lambda fastembed: fastembed(folder.name, str(cache), 1, specific_model_path=str(folder.path)),
        lambda reason: f"the embedding model in {folder.path} cannot be opened ({reason}); copy the folder anew",
    )
    return _described(folder.name, opened, folder.prefixes)


def _open_cached(model: str, cache: Path) -> OpenModel:
    known = catalogue()
    found = known.get(model.lower())
    if found is None:
        near = ", ".join(near_names(model, known)) or '"embedded"'
        raise EmbeddingUnavailable(
            f"there is no embedding model {model!r}; near names: {near}; a folder's path starts with / or ./"
        )
    opened = _opened(
        lambda fastembed: fastembed(found.name, str(cache), found.threads, local_files_only=True),
        lambda reason: (
            f"the embedding model {found.name} is not in {cache} ({reason}); "
            f"bring it with: {found.download_command(cache)}"
        ),
    )
    return _described(model_name(model), opened, prefixes_of(found.name))


def _opened(open_with: Callable[[type[TextEmbedding]], TextEmbedding], fault: Callable[[str], str]) -> TextEmbedding:
    from fastembed import TextEmbedding
    from loguru import logger

    logger.disable("fastembed")  # it writes to standard error what its exceptions say anyway
    try:
        return open_with(TextEmbedding)
    except Exception as error:  # the errors of onnxruntime and tokenizers share no narrower base
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise EmbeddingUnavailable(fault(reason.rstrip("."))) from error


def _described(name: str, opened: TextEmbedding, prefixes: Prefixes) -> OpenModel:
    tokenizer: Tokenizer = opened.model.tokenizer  # type: ignore[attr-defined]  # every text model has one
    limits: dict[str, Any] = tokenizer.truncation or {}  # always there: fastembed sets them
    return OpenModel(name, opened, tokenizer, int(limits["max_length"]), prefixes)
