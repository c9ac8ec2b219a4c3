"""Some releases of usearch crash the process when they are imported before onnxruntime; the pinned one must not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

IMPORTS = {
    "usearch first": "import usearch.index, onnxruntime, fastembed",
    "onnxruntime first": "import onnxruntime, fastembed, usearch.index",
}

WORK = """
import sys
from pathlib import Path
import numpy as np
from retrieval.embedding import open_embedder
from usearch.index import Index

embedder = open_embedder("embedded", cache=Path(sys.argv[1]), threads=1)
index = Index(ndim=embedder.dimensions, metric="ip")
index.add(np.arange(2), embedder.passages(["gatos y perros", "trenes y aviones"]))
print(index.search(embedder.queries(["¿qué animales hay?"])[0], 1).keys[0])
"""


@pytest.mark.parametrize("imports", IMPORTS.values(), ids=IMPORTS.keys())
def test_the_native_libraries_live_together_in_either_order(imports: str, model_cache: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", imports + WORK, str(model_cache)], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout.strip()) == (0, "0"), ran.stderr
