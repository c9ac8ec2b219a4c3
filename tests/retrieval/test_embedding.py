"""What the rest of the program may count on from an embedder."""

from __future__ import annotations

import numpy as np

from retrieval.types import Embedder


def test_vectors_are_float32_unit_rows(embedder: Embedder) -> None:
    vectors = embedder.passages(["La rana canta.", "El bot responde en Slack."])
    assert vectors.shape == (2, embedder.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)
