"""A cross-encoder of a few lines, in the files a real one comes in: it counts the words a question and a text share."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WINDOW_TOKENS = 64


def write_cross_encoder(folder: Path, words: Iterable[str], *, graph: str = "model.onnx") -> Path:
    """Write a model that knows these words; it gives one point for each pair of equal words, and reads 64 tokens."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / graph
    path.parent.mkdir(exist_ok=True)
    onnx.save(_graph(), path)
    _tokenizer(words).save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"model_max_length": WINDOW_TOKENS, "pad_token": "[PAD]"}), encoding="utf-8"
    )
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0}), encoding="utf-8")
    return folder


def _tokenizer(words: Iterable[str]) -> Tokenizer:
    known = (*SPECIAL, *dict.fromkeys(word.lower() for word in words))
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(known)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", SPECIAL.index("[CLS]")), ("[SEP]", SPECIAL.index("[SEP]"))],
    )
    return tokenizer


def _graph() -> onnx.ModelProto:
    """Count equal ids, one of the question and one of the text; special tokens and unknown words count for nothing."""
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "token_type_ids", "attention_mask")
    ]
    nodes = [
        helper.make_node("Greater", ["input_ids", "last_special"], ["is_word"]),
        helper.make_node("Equal", ["token_type_ids", "one"], ["is_second"]),
        helper.make_node("Not", ["is_second"], ["is_first"]),
        helper.make_node("And", ["is_word", "is_first"], ["asked"]),
        helper.make_node("And", ["is_word", "is_second"], ["read"]),
        helper.make_node("Unsqueeze", ["asked", "last_axis"], ["asked_rows"]),
        helper.make_node("Unsqueeze", ["read", "middle_axis"], ["read_columns"]),
        helper.make_node("And", ["asked_rows", "read_columns"], ["pairs"]),
        helper.make_node("Unsqueeze", ["input_ids", "last_axis"], ["id_rows"]),
        helper.make_node("Unsqueeze", ["input_ids", "middle_axis"], ["id_columns"]),
        helper.make_node("Equal", ["id_rows", "id_columns"], ["equal"]),
        helper.make_node("And", ["pairs", "equal"], ["shared"]),
        helper.make_node("Cast", ["shared"], ["points"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["points", "both_axes"], ["sums"], keepdims=0),
        helper.make_node("Unsqueeze", ["sums", "middle_axis"], ["logits"]),
    ]
    constants = {
        "last_special": [len(SPECIAL) - 1],
        "one": [1],
        "middle_axis": [1],
        "last_axis": [2],
        "both_axes": [1, 2],
    }
    tensors = [numpy_helper.from_array(np.array(values, np.int64), name) for name, values in constants.items()]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])
    graph = helper.make_graph(nodes, "shared-words", inputs, [output], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
