"""Write the weights as an ONNX graph that fastembed can run.

The word table stays in 4-bit blocks; the matrix products run on 8-bit integers, because that is what CPUs do fast.
Attention, normalisations and sums stay in floats.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from retrieval.embedded_model.weights import BLOCK, Floats, Weights

ONNX_OPSET = 17
ONNX_IR_VERSION = 10
CONTRIBUTED = "com.microsoft"
"""onnxruntime's own operators, in every build of it."""

_INT8_LARGEST = 127


def build_graph(weights: Weights) -> ModelProto:
    """Give the model: `input_ids` and `attention_mask` (batch, tokens) to `last_hidden_state` (batch, tokens, hidden)."""
    graph = _Graph(weights)
    states = graph.embeddings()
    mask = graph.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
    for layer in range(weights.shape.layers):
        states = graph.layer(f"l{layer}.", states, mask)
    graph.node("Identity", [states], "last_hidden_state")
    return graph.model()


class _Graph:
    """Nodes and tensors as they are added; every method gives the name of its result."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._nodes: list[NodeProto] = []
        self._tensors: list[TensorProto] = []

    def tensor(self, name: str, values: NDArray[np.generic]) -> str:
        self._tensors.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def floats(self, name: str) -> str:
        return self.tensor(name, self._weights.floats(name))

    def node(self, operator: str, inputs: Sequence[str], output: str, domain: str = "", **attributes: object) -> str:
        self._nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def embeddings(self) -> str:
        """Word vectors plus position and type vectors, normalised."""
        words = self._words()
        positions = self._positions()
        total = self.node("Add", [words, positions], "embedded")
        return self.normalised(total, "emb.ln", "embeddings")

    def _words(self) -> str:
        table = self._weights.quantized("emb.word", self._weights.shape.hidden)
        inputs = [self.tensor("words.codes", table.packed()), "input_ids", self.tensor("words.scales", table.scales)]
        return self.node(
            "GatherBlockQuantized",
            inputs,
            "words",
            CONTRIBUTED,
            bits=4,
            block_size=BLOCK,
            gather_axis=0,
            quantize_axis=1,
        )

    def _positions(self) -> str:
        shape = self._weights.shape
        # Every token is of type 0, so its vector joins the positions' once and for all.
        table = self._weights.floats("emb.pos").reshape(-1, shape.hidden)[: shape.positions]
        table = table + self._weights.floats("emb.type").reshape(-1, shape.hidden)[0]
        zero, one, two = (self.tensor(f"{value}", np.array([value], np.int64)) for value in range(3))
        size = self.node("Shape", ["input_ids"], "input.shape")
        tokens = self.node("Slice", [size, one, two], "input.tokens")
        return self.node("Slice", [self.tensor("positions.table", table), zero, tokens, zero], "positions")

    def layer(self, name: str, states: str, mask: str) -> str:
        """One transformer layer: attention, then the feed-forward pair, each added to its input and normalised."""
        shape = self._weights.shape
        inputs = [*(self.linear(states, name + part, shape.hidden) for part in "qkv"), "", mask]
        context = self.node("MultiHeadAttention", inputs, name + "context", CONTRIBUTED, num_heads=shape.heads)
        attended = self.node("Add", [states, self.linear(context, name + "ao", shape.hidden)], name + "attended")
        states = self.normalised(attended, name + "aln", name + "attention")
        inner = self.node("Gelu", [self.linear(states, name + "fi", shape.hidden)], name + "inner", CONTRIBUTED)
        outer = self.node("Add", [states, self.linear(inner, name + "fo", shape.inner)], name + "outer")
        return self.normalised(outer, name + "oln", name + "states")

    def linear(self, states: str, name: str, columns: int) -> str:
        """`states @ matrix + bias`, the matrix in 8 bits with a scale a column, the states quantised as they come."""
        values, scales = _int8_columns(self._weights.quantized(name + ".w", columns).floats().T)
        matrix = [self.tensor(name + ".values", values), self.tensor(name + ".scales", scales)]
        inputs = [states, *matrix, "", self.floats(name + ".b")]
        return self.node("DynamicQuantizeMatMul", inputs, name + ".out", CONTRIBUTED)

    def normalised(self, states: str, name: str, output: str) -> str:
        inputs = [states, self.floats(name + ".w"), self.floats(name + ".b")]
        return self.node("LayerNormalization", inputs, output, axis=-1, epsilon=self._weights.shape.epsilon)

    def model(self) -> ModelProto:
        ids, mask = (
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in ("input_ids", "attention_mask")
        )
        states = helper.make_tensor_value_info(
            "last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", self._weights.shape.hidden]
        )
        graph = helper.make_graph(self._nodes, "multilingual-e5-small", [ids, mask], [states], self._tensors)
        opsets = [helper.make_opsetid("", ONNX_OPSET), helper.make_opsetid(CONTRIBUTED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=ONNX_IR_VERSION)


def _int8_columns(matrix: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Quantise every column to -127..127 around 0."""
    scales = np.abs(matrix).max(axis=0) / np.float32(_INT8_LARGEST)
    scales[scales == 0] = 1
    return np.rint(matrix / scales).astype(np.int8), scales
