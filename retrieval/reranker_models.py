"""Find a cross-encoder on this machine and open it with fastembed. Like an embedding model, it is never fetched."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.embedding_models import is_path
from retrieval.errors import RerankingFailed
from retrieval.model_catalogue import Description, near_names
from retrieval.model_folder import folder_name, graph_file, missing_files

if TYPE_CHECKING:
    from fastembed.rerank.cross_encoder import TextCrossEncoder

_registering = threading.Lock()


def open_reranker_model(model: str, cache: Path) -> tuple[str, TextCrossEncoder]:
    """Open a fastembed cross-encoder by name, or from the path of a folder (it starts with `/`, `.` or `~`).

    Gives its name too. Raises RerankingFailed, within 2 s, when the model is unknown, absent or damaged.
    """
    return _open_folder(Path(model).expanduser(), cache) if is_path(model) else _open_cached(model, cache)


def _open_folder(path: Path, cache: Path) -> tuple[str, TextCrossEncoder]:
    missing = missing_files(path)
    if missing:
        raise RerankingFailed(
            f"the reranker's folder {path} lacks {', '.join(missing)}; "
            'put an ONNX export of a cross-encoder there, or set retrieval.rerank to "none"'
        )
    name = folder_name(path)
    _register(name, graph_file(path))
    return name, _opened(
        lambda fastembed: fastembed(name, str(cache), 1, specific_model_path=str(path)),
        lambda reason: f"the reranker in {path} cannot be opened ({reason}); copy the folder anew",
    )


def _open_cached(model: str, cache: Path) -> tuple[str, TextCrossEncoder]:
    known = _catalogue()
    found = known.get(model.lower())
    if found is None:
        near = ", ".join(near_names(model, known)) or ", ".join(description.name for description in known.values())
        raise RerankingFailed(
            f'there is no reranker {model!r}; it is "none", "model", a folder (its path starts with / or ./), '
            f"or one of fastembed's: {near}"
        )
    return found.name, _opened(
        lambda fastembed: fastembed(found.name, str(cache), 1, local_files_only=True),
        lambda reason: (
            f"the reranker {found.name} is not in {cache} ({reason}); bring it with: {found.download_command(cache)}"
        ),
    )


def _catalogue() -> Mapping[str, Description]:
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    listed = (
        Description(
            known["model"],
            known["sources"]["hf"],
            dimensions=1,
            graph=known["model_file"],
            additional_files=tuple(known["additional_files"]),
        )
        for known in TextCrossEncoder.list_supported_models()
    )
    return {description.name.lower(): description for description in listed}


def _register(name: str, graph: str) -> None:
    """Make a folder's model known to fastembed, whose list belongs to the process; twice is once."""
    from fastembed.common.model_description import ModelSource
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    with _registering:
        if any(known["model"] == name for known in TextCrossEncoder.list_supported_models()):
            return
        # fastembed wants a place in its hub even for a folder, and never looks there.
        TextCrossEncoder.add_custom_model(name, ModelSource(hf=name), graph)


def _opened(
    open_with: Callable[[type[TextCrossEncoder]], TextCrossEncoder], fault: Callable[[str], str]
) -> TextCrossEncoder:
    from fastembed.rerank.cross_encoder import TextCrossEncoder
    from loguru import logger

    logger.disable("fastembed")  # it writes to standard error what its exceptions say anyway
    try:
        return open_with(TextCrossEncoder)
    except Exception as error:  # the errors of onnxruntime and tokenizers share no narrower base
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise RerankingFailed(fault(reason.rstrip("."))) from error
