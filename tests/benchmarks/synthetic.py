"""A wiki of any size, for speed alone: text of the shipped wiki's own words, and seeded vectors."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from retrieval.types import Vectors
from tests.benchmarks.places import CHECKOUT

CHUNKS_A_PAGE = 8
WORDS_A_CHUNK = 110
RARE_WORDS = 0.03  # the share of words nobody else uses: a real wiki's vocabulary grows with it
SHARES = {"tiny": 0.005, "small": 0.05, "half": 0.5, "rest": 1.0}
"""Pages are readable to the members of one project; the shares add up: half is all of tiny, small and half."""


def write_corpus(path: Path, chunks: int) -> None:
    """Write records that are cut into about so many chunks; the same at each call."""
    chance = random.Random(chunks)  # noqa: S311 - a seeded corpus is the point
    vocabulary, weights = zip(*_words_of_the_wiki().items(), strict=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as lines:
        for number in range(max(1, chunks // CHUNKS_A_PAGE)):
            sections = [
                f"## {_sentence(chance, vocabulary, weights, 4)}\n\n{_paragraph(chance, vocabulary, weights)}"
                for _ in range(CHUNKS_A_PAGE)
            ]
            record = {
                "_id": f"page-{number}",
                "title": _sentence(chance, vocabulary, weights, 4),
                "text": "\n\n".join(sections),
                "visibility": "circle",
                "project": _project(chance.random()),
            }
            lines.write(json.dumps(record, ensure_ascii=False) + "\n")


def keys_for(share: str) -> frozenset[str]:
    """Give the keys of a viewer who reads so much of the synthetic wiki."""
    names = list(SHARES)
    return frozenset(f"member:{name}" for name in names[: names.index(share) + 1])


def questions(count: int) -> Iterator[str]:
    """Give distinct questions of the wiki's words."""
    chance = random.Random(0)  # noqa: S311
    vocabulary, weights = zip(*_words_of_the_wiki().items(), strict=True)
    for _ in range(count):
        yield f"¿{_sentence(chance, vocabulary, weights, 7)}?"


def _project(drawn: float) -> str:
    return next(name for name, share in SHARES.items() if drawn < share)


def _words_of_the_wiki() -> Counter[str]:
    text = " ".join(page.read_text(encoding="utf-8") for page in sorted((CHECKOUT / "deploy" / "wiki").rglob("*.md")))
    return Counter(re.findall(r"[^\W\d_]+", text))


def _paragraph(chance: random.Random, vocabulary: Sequence[str], weights: Sequence[int]) -> str:
    return " ".join(f"{_sentence(chance, vocabulary, weights, 11)}." for _ in range(WORDS_A_CHUNK // 11))


def _sentence(chance: random.Random, vocabulary: Sequence[str], weights: Sequence[int], words: int) -> str:
    drawn = chance.choices(vocabulary, weights, k=words)
    return " ".join(
        f"{word}{chance.randrange(1_000_000)}" if chance.random() < RARE_WORDS else word for word in drawn
    ).capitalize()


class SeededEmbedder:
    """Gives each text a unit vector of its own at once, always the same one."""

    name = "seeded@1"
    dimensions = 384

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._vectors("query", texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._vectors("passage", texts)

    def windows(self, text: str) -> Sequence[str]:
        return (text,)

    def _vectors(self, role: str, texts: Sequence[str]) -> Vectors:
        drawn = np.empty((len(texts), self.dimensions), np.float32)
        for number, text in enumerate(texts):
            seed = int.from_bytes(hashlib.sha256(f"{role}:{text}".encode()).digest()[:8], "big")
            drawn[number] = np.random.default_rng(seed).standard_normal(self.dimensions, np.float32)
        lengths: Vectors = np.linalg.norm(drawn, axis=1, keepdims=True)
        return drawn / lengths
