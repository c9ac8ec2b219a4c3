"""A model is found by name or by folder on this machine; what is not there is an error with the mend, at once."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from fastembed import TextEmbedding

from retrieval.embedded_model import ensure_embedded_model
from retrieval.embedding import embedder_name, open_embedder
from retrieval.errors import EmbeddingUnavailable
from retrieval.prefixes import Prefixes, prefixes_of
from retrieval.types import Embedder

# Any address that is looked up or connected to ends the process.
NO_NETWORK = """
import os, sys
def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        os._exit(99)
sys.addaudithook(refuse)
"""

OPEN = """
from pathlib import Path
from retrieval.embedding import open_embedder
from retrieval.errors import EmbeddingUnavailable
try:
    open_embedder(sys.argv[1], cache=Path(sys.argv[2]))
except EmbeddingUnavailable as error:
    print(error)
"""


@pytest.fixture(scope="module")
def model_folder(model_cache: Path) -> Path:
    return ensure_embedded_model(model_cache)


@pytest.fixture
def own_folder(model_folder: Path, tmp_path: Path) -> Path:
    """A model someone exported, named so that its family shows."""
    return Path(shutil.copytree(model_folder, tmp_path / "our-e5-tuned"))


def test_a_model_that_is_not_there_fails_without_touching_the_network(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", NO_NETWORK + OPEN, "BAAI/bge-m3", str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = ran.stdout.splitlines()
    assert line.startswith(f"the embedding model BAAI/bge-m3 is not in {tmp_path}")
    assert "hf download BAAI/bge-m3 onnx/model.onnx onnx/model.onnx_data" in line
    assert line.endswith(f"--cache-dir {tmp_path}")
    assert ran.stderr == ""


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("BAAI/bge-m4", "BAAI/bge-m3"),
        ("bge-m3", "BAAI/bge-m3"),
        ("multilingual-e5-large", "intfloat/multilingual-e5-large"),
        ("embeded", "embedded"),
    ],
)
def test_an_unknown_name_is_answered_with_near_ones(tmp_path: Path, wrong: str, near: str) -> None:
    with pytest.raises(EmbeddingUnavailable, match=f"no embedding model '{wrong}'; near names: .*{near}") as caught:
        open_embedder(wrong, cache=tmp_path)
    assert "\n" not in str(caught.value)


def test_a_model_in_the_cache_is_opened_by_its_name(embedder: Embedder, model_folder: Path, tmp_path: Path) -> None:
    hub = tmp_path / "models--intfloat--multilingual-e5-small"
    snapshot = hub / "snapshots" / "0123"
    shutil.copytree(model_folder, snapshot / "onnx")
    for file in ("tokenizer.json", "tokenizer_config.json", "config.json"):
        shutil.copy(model_folder / file, snapshot / file)
    (hub / "refs").mkdir()
    (hub / "refs" / "main").write_text("0123")

    opened = open_embedder("intfloat/Multilingual-E5-small", cache=tmp_path, threads=1)
    assert opened.name == embedder_name("intfloat/multilingual-e5-small")
    texts = ["hola, mundo", "hello, world"]
    np.testing.assert_array_equal(opened.passages(texts), embedder.passages(texts))
    np.testing.assert_array_equal(opened.queries(texts), embedder.queries(texts))


def test_a_model_is_opened_from_a_folder(embedder: Embedder, own_folder: Path, tmp_path: Path) -> None:
    opened = open_embedder(str(own_folder), cache=tmp_path, threads=1)
    assert opened.name == embedder_name(str(own_folder))
    texts = ["hola, mundo", "hello, world"]
    np.testing.assert_array_equal(opened.passages(texts), embedder.passages(texts))
    np.testing.assert_array_equal(opened.queries(texts), embedder.queries(texts))


def test_a_folders_own_prompts_come_before_its_familys(embedder: Embedder, own_folder: Path, tmp_path: Path) -> None:
    prompts = {"prompts": {"query": "passage: ", "document": "query: "}}
    (own_folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    swapped = open_embedder(str(own_folder), cache=tmp_path, threads=1)
    np.testing.assert_array_equal(swapped.queries(["hola"]), embedder.passages(["hola"]))


def test_other_files_in_the_same_folder_are_another_model(own_folder: Path) -> None:
    before = embedder_name(str(own_folder))
    graph = own_folder / "model.onnx"
    graph.write_bytes(graph.read_bytes() + b"\0")
    assert embedder_name(str(own_folder)) != before


def test_a_folder_without_a_model_is_an_error_that_names_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    for attempt in (lambda: open_embedder(str(tmp_path), cache=tmp_path), lambda: embedder_name(str(tmp_path))):
        with pytest.raises(EmbeddingUnavailable, match=r"lacks model\.onnx, tokenizer_config\.json; "):
            attempt()


@pytest.mark.parametrize("damaged", ["model.onnx", "tokenizer.json", "tokenizer_config.json", "config.json"])
def test_a_damaged_folder_is_an_error_of_one_line(own_folder: Path, tmp_path: Path, damaged: str) -> None:
    (own_folder / damaged).write_bytes(b"\x08\xff{ \n not it")
    pattern = re.escape(f"the embedding model in {own_folder} cannot be opened (")
    with pytest.raises(EmbeddingUnavailable, match=pattern) as caught:
        open_embedder(str(own_folder), cache=tmp_path)
    assert "\n" not in str(caught.value)


def test_every_listed_model_whose_card_asks_for_prefixes_gets_them() -> None:
    listed = {known["model"]: known["description"] for known in TextEmbedding.list_supported_models()}
    asking = [name for name, card in listed.items() if "Prefixes" in card and "not" not in card]
    assert len(asking) > 10
    assert [name for name in asking if prefixes_of(name) == Prefixes()] == []
