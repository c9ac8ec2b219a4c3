"""The models fastembed can run: those it lists, a few it does not, and folders of one's own."""

from __future__ import annotations

import difflib
import threading
from collections.abc import Mapping
from dataclasses import dataclass

_TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "config.json", "special_tokens_map.json")


@dataclass(frozen=True, slots=True)
class Description:
    """What fastembed has to know of a model: where its hub keeps it, and how it is run."""

    name: str
    repository: str
    dimensions: int
    graph: str = "onnx/model.onnx"
    additional_files: tuple[str, ...] = ()
    pooling: str = "MEAN"

    @property
    def threads(self) -> int | None:
        """One: texts are embedded side by side instead. A static model warns when it is given any."""
        return 1 if self.graph.endswith(".onnx") else None

    def download_command(self, cache: object) -> str:
        """What puts the model's files, and no others of its repository, where it is looked for."""
        files = " ".join((self.graph, *self.additional_files, *_TOKENIZER_FILES))
        return f"hf download {self.repository} {files} --cache-dir {cache}"


# Models that fastembed runs but does not list, from their authors' own exports.
_UNLISTED = (
    Description("intfloat/multilingual-e5-small", "intfloat/multilingual-e5-small", 384),
    Description("intfloat/multilingual-e5-base", "intfloat/multilingual-e5-base", 768),
    Description(
        "BAAI/bge-m3",
        "BAAI/bge-m3",
        1024,
        additional_files=("onnx/model.onnx_data", "onnx/Constant_7_attr__value"),
        pooling="CLS",
    ),
)

_registering = threading.Lock()


def catalogue() -> Mapping[str, Description]:
    """Every model that can be named, by its name in lower case."""
    from fastembed import TextEmbedding

    for description in _UNLISTED:
        register(description)
    listed = (
        Description(
            known["model"], known["sources"]["hf"], known["dim"], known["model_file"], known["additional_files"]
        )
        for known in TextEmbedding.list_supported_models()
    )
    return {description.name.lower(): description for description in listed}


def register(description: Description) -> None:
    """Make a model known to fastembed, whose list belongs to the process; twice is once."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    with _registering:
        if any(known["model"] == description.name for known in TextEmbedding.list_supported_models()):
            return
        TextEmbedding.add_custom_model(
            description.name,
            PoolingType(description.pooling),
            normalization=False,  # every vector is normalised once, by the embedder
            sources=ModelSource(hf=description.repository),
            dim=description.dimensions,
            model_file=description.graph,
            additional_files=list(description.additional_files),
        )


def near_names(model: str, known: Mapping[str, Description]) -> list[str]:
    """The names most like a wrong one, with or without the owner before the slash."""
    wanted = model.lower()
    short = {name.rpartition("/")[2]: name for name in known}
    near = [
        *difflib.get_close_matches(wanted, known, cutoff=0.6),
        *(short[name] for name in difflib.get_close_matches(wanted.rpartition("/")[2], short, cutoff=0.6)),
    ]
    return [known[name].name for name in dict.fromkeys(near)][:3]
