"""Write the weights as an ONNX graph that fastembed can run.

The word table stays in 4-bit blocks; the matrix products run on 8-bit integers, because that is what CPUs do fast.
Attention, normalisations and sums stay in floats.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from retrieval.embedded_model.outliers import DIVISORS
from retrieval.embedded_model.weights import BLOCK, Floats, Weights

ONNX_OPSET = 17
ONNX_IR_VERSION = 10
CONTRIBUTED = "com.microsoft"
"""onnxruntime's own operators, in every build of it."""

_INT8_LARGEST = 127


def build_graph(weights: Weights) -> ModelProto:
    """Give the model: from `input_ids` and `attention_mask`, (batch, tokens), to `last_hidden_state`."""
    graph = _Graph(weights)
    states = graph.embeddings()
    mask, unpadded = graph.mask()
    for layer in range(weights.shape.layers):
        states = graph.layer(f"l{layer}.", states, mask, unpadded)
    graph.node("Identity", [states], "last_hidden_state")
    return graph.model()


class _Graph:
    """Nodes and tensors as they are added; every method gives the name of its result."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._shape = weights.shape
        self._nodes: list[NodeProto] = []
        self._tensors: list[TensorProto] = []

    def tensor(self, name: str, values: NDArray[np.generic]) -> str:
        self._tensors.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def floats(self, name: str) -> str:
        return self.tensor(name, self._weights.floats(name))

    def node(self, operator: str, inputs: Sequence[str], output: str, **attributes: object) -> str:
        self._nodes.append(_node(operator, inputs, output, **attributes))
        return output

    def embeddings(self) -> str:
        """Word vectors plus position and type vectors, normalised."""
        total = self.node("Add", [self._words(), self._positions()], "embedded")
        return self.normalised(total, "emb.ln", "embeddings")

    def _words(self) -> str:
        table = self._weights.quantized("emb.word", self._shape.hidden)
        inputs = [self.tensor("words.codes", table.packed()), "input_ids", self.tensor("words.scales", table.scales)]
        layout = {"bits": 4, "block_size": BLOCK, "gather_axis": 0, "quantize_axis": 1}
        return self.node("GatherBlockQuantized", inputs, "words", domain=CONTRIBUTED, **layout)

    def _positions(self) -> str:
        # Every token is of type 0, so its vector joins the positions' once and for all.
        table = self._weights.floats("emb.pos").reshape(-1, self._shape.hidden)[: self._shape.positions]
        table = table + self._weights.floats("emb.type").reshape(-1, self._shape.hidden)[0]
        zero, one, two = (self.tensor(f"{value}", np.array([value], np.int64)) for value in range(3))
        size = self.node("Shape", ["input_ids"], "input.shape")
        tokens = self.node("Slice", [size, one, two], "input.tokens")
        return self.node("Slice", [self.tensor("positions.table", table), zero, tokens, zero], "positions")

    def mask(self) -> tuple[str, str]:
        """Which tokens are real, and whether all are."""
        mask = self.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
        least = self.node("ReduceMin", [mask], "mask.least", keepdims=0)
        return mask, self.node("Cast", [least], "unpadded", to=TensorProto.BOOL)

    def layer(self, name: str, states: str, mask: str, unpadded: str) -> str:
        """One transformer layer: attention, then the feed-forward pair, each added to its input and normalised."""
        hidden, inner = self._shape.hidden, self._shape.inner
        projections = [self.linear(states, name + part, hidden) for part in "qkv"]
        context = self.attention(projections, mask, unpadded, name + "context")
        attended = self.node("Add", [states, self.linear(context, name + "ao", hidden)], name + "attended")
        states = self.normalised(attended, name + "aln", name + "attention")
        widened = self.node("Gelu", [self.linear(states, name + "fi", hidden)], name + "inner", domain=CONTRIBUTED)
        outer = self.node("Add", [states, self.linear(widened, name + "fo", inner)], name + "outer")
        return self.normalised(outer, name + "oln", name + "states")

    def attention(self, projections: list[str], mask: str, unpadded: str, output: str) -> str:
        """Attend to real tokens. A text on its own has no others, and without a mask onnxruntime is a tenth faster."""
        bare = self._branch(projections, output + ".bare")
        masked = self._branch([*projections, "", mask], output + ".masked")
        return self.node("If", [unpadded], output, then_branch=bare, else_branch=masked)

    def _branch(self, inputs: list[str], output: str) -> GraphProto:
        heads = _node("MultiHeadAttention", inputs, output, domain=CONTRIBUTED, num_heads=self._shape.heads)
        return helper.make_graph([heads], output, [], [self._states_info(output)])

    def linear(self, states: str, name: str, columns: int) -> str:
        """`states @ matrix + bias`, the matrix in 8 bits with a scale a column, the states quantised as they come."""
        matrix = self._weights.quantized(name + ".w", columns).floats().T
        if name in DIVISORS:
            divisors = np.ones(columns, np.float32)
            divisors[list(DIVISORS[name])] = list(DIVISORS[name].values())
            matrix = matrix * divisors[:, None]
            states = self.node("Mul", [states, self.tensor(name + ".factors", 1 / divisors)], name + ".levelled")
        values, scales = _int8_columns(matrix)
        inputs = [states, self.tensor(name + ".values", values), self.tensor(name + ".scales", scales), ""]
        return self.node("DynamicQuantizeMatMul", [*inputs, self.floats(name + ".b")], name, domain=CONTRIBUTED)

    def normalised(self, states: str, name: str, output: str) -> str:
        inputs = [states, self.floats(name + ".w"), self.floats(name + ".b")]
        return self.node("LayerNormalization", inputs, output, axis=-1, epsilon=self._shape.epsilon)

    def model(self) -> ModelProto:
        ids, mask = (
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in ("input_ids", "attention_mask")
        )
        states = self._states_info("last_hidden_state")
        graph = helper.make_graph(self._nodes, "multilingual-e5-small", [ids, mask], [states], self._tensors)
        opsets = [helper.make_opsetid("", ONNX_OPSET), helper.make_opsetid(CONTRIBUTED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=ONNX_IR_VERSION)

    def _states_info(self, name: str) -> ValueInfoProto:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", "tokens", self._shape.hidden])


def _node(operator: str, inputs: Sequence[str], output: str, **attributes: object) -> NodeProto:
    return helper.make_node(operator, inputs, [output], **attributes)  # type: ignore[arg-type]  # typed too narrowly


def _int8_columns(matrix: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Quantise every column to -127..127 around 0."""
    scales = np.abs(matrix).max(axis=0) / np.float32(_INT8_LARGEST)
    scales[scales == 0] = 1
    return np.rint(matrix / scales).astype(np.int8), scales
