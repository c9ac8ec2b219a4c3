"""Find an embedding model by name, already on this machine, and open it with fastembed."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.embedded_model import EMBEDDED_MODEL_NAME, ensure_embedded_model
from retrieval.errors import EmbeddingUnavailable

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from tokenizers import Tokenizer

EMBEDDED = "embedded"


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model was trained to read before a question and before what is searched."""

    query: str = ""
    passage: str = ""


E5 = Prefixes("query: ", "passage: ")


@dataclass(frozen=True, slots=True)
class FoundModel:
    """An open model and what is known of it."""

    name: str
    dimensions: int
    prefixes: Prefixes
    model: TextEmbedding
    tokenizer: Tokenizer
    window_tokens: int


def find_model(model: str, cache: Path) -> FoundModel:
    if model == EMBEDDED:
        return _embedded(cache)
    raise EmbeddingUnavailable(f"unknown embedding model {model!r}")


def _embedded(cache: Path) -> FoundModel:
    folder = ensure_embedded_model(cache)
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    names = [m["model"] for m in TextEmbedding.list_supported_models()]
    if EMBEDDED_MODEL_NAME not in names:
        TextEmbedding.add_custom_model(
            model=EMBEDDED_MODEL_NAME,
            pooling=PoolingType.MEAN,
            normalization=False,
            sources=ModelSource(hf=EMBEDDED_MODEL_NAME),
            dim=384,
            model_file="model.onnx",
        )
    model = TextEmbedding(EMBEDDED_MODEL_NAME, cache_dir=str(cache), specific_model_path=str(folder), threads=1)
    return FoundModel(EMBEDDED_MODEL_NAME, 384, E5, model, model.model.tokenizer, 512)
