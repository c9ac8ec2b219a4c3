"""A cross-encoder is found by name or folder on this machine, and run by the real fastembed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from retrieval.cross_encoder import open_cross_encoder
from retrieval.embedded_model import ensure_embedded_model
from retrieval.errors import RerankingFailed
from retrieval.reranking import order_by_scores
from tests.cross_encoders import write_cross_encoder
from tests.retrieval.test_embedding import ODD_TEXTS
from tests.retrieval.test_embedding_models import NO_NETWORK

WORDS = ["la", "copia", "se", "hace", "cada", "noche", "faro", "restaurar", "vacaciones", "portal"]
QUESTION = "¿cuándo se hace la copia de faro?"
TEXTS = ["las vacaciones en el portal", "la copia se hace cada noche", "faro restaurar la copia"]

OPEN = """
from pathlib import Path
from retrieval.cross_encoder import open_cross_encoder
from retrieval.errors import RerankingFailed
try:
    open_cross_encoder(sys.argv[1], cache=Path(sys.argv[2]))
except RerankingFailed as error:
    print(error)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_cross_encoder(tmp_path / "shared-words", WORDS)


@pytest.mark.parametrize("threads", [1, 2])
def test_scores_come_in_the_order_of_the_texts(folder: Path, tmp_path: Path, threads: int) -> None:
    encoder = open_cross_encoder(str(folder), cache=tmp_path, threads=threads)
    assert list(encoder.scores(QUESTION, TEXTS)) == [0, 4, 3]
    assert list(encoder.scores(QUESTION, [])) == []
    assert order_by_scores(encoder.scores(QUESTION, TEXTS)) == (1, 2, 0)


def test_a_score_does_not_depend_on_the_other_texts(folder: Path, tmp_path: Path) -> None:
    encoder = open_cross_encoder(str(folder), cache=tmp_path, threads=1)
    together = encoder.scores(QUESTION, [*TEXTS, "palabra " * 60])
    assert together == [encoder.scores(QUESTION, [text])[0] for text in (*TEXTS, "palabra " * 60)]


def test_what_lies_beyond_the_window_is_not_read(folder: Path, tmp_path: Path) -> None:
    encoder = open_cross_encoder(str(folder), cache=tmp_path)
    assert list(encoder.scores("copia", ["noche " * 40 + "copia", "noche " * 100 + "copia"])) == [1, 0]


@pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS)
def test_odd_texts_get_a_score(folder: Path, tmp_path: Path, text: str) -> None:
    encoder = open_cross_encoder(str(folder), cache=tmp_path)
    assert list(encoder.scores(text, [text, "copia"])) == [0, 0]


def test_several_threads_may_score_at_once(folder: Path, tmp_path: Path) -> None:
    encoder = open_cross_encoder(str(folder), cache=tmp_path, threads=2)
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: tuple(encoder.scores(QUESTION, TEXTS)), range(20))) == {(0, 4, 3)}


def test_the_graph_may_lie_where_exporters_put_it(tmp_path: Path) -> None:
    folder = write_cross_encoder(tmp_path / "exported", WORDS, graph="onnx/model.onnx")
    assert open_cross_encoder(str(folder), cache=tmp_path).name.startswith("exported@")


def test_a_model_in_the_cache_is_opened_by_its_name(tmp_path: Path) -> None:
    hub = tmp_path / "models--Xenova--ms-marco-MiniLM-L-6-v2"
    write_cross_encoder(hub / "snapshots" / "0123", WORDS, graph="onnx/model.onnx")
    (hub / "refs").mkdir()
    (hub / "refs" / "main").write_text("0123")
    encoder = open_cross_encoder("xenova/MS-marco-MiniLM-L-6-v2", cache=tmp_path)
    assert encoder.name == "Xenova/ms-marco-MiniLM-L-6-v2"
    assert list(encoder.scores(QUESTION, TEXTS)) == [0, 4, 3]


def test_a_model_that_is_not_there_fails_without_touching_the_network(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", NO_NETWORK + OPEN, "BAAI/bge-reranker-v2-m3", str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = ran.stdout.splitlines()
    assert line.startswith(f"the reranker BAAI/bge-reranker-v2-m3 is not in {tmp_path}")
    assert "hf download onnx-community/bge-reranker-v2-m3-ONNX onnx/model.onnx onnx/model.onnx_data" in line
    assert line.endswith(f"--cache-dir {tmp_path}")
    assert ran.stderr == ""


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("BAAI/bge-reranker-bas", "BAAI/bge-reranker-base"),
        ("bge-reranker-base", "BAAI/bge-reranker-base"),
        ("whatever", "Xenova/ms-marco-MiniLM-L-6-v2"),
    ],
)
def test_an_unknown_name_is_answered_with_near_ones(tmp_path: Path, wrong: str, near: str) -> None:
    with pytest.raises(RerankingFailed, match=f"there is no reranker '{wrong}'; .*{near}") as caught:
        open_cross_encoder(wrong, cache=tmp_path)
    assert "\n" not in str(caught.value)


def test_a_folder_without_a_model_is_an_error_that_names_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(RerankingFailed, match=r"lacks model\.onnx, tokenizer_config\.json; .* \"none\""):
        open_cross_encoder(str(tmp_path), cache=tmp_path)


@pytest.mark.parametrize("damaged", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
def test_a_damaged_folder_is_an_error_of_one_line(folder: Path, tmp_path: Path, damaged: str) -> None:
    (folder / damaged).write_bytes(b"\x08\xff{ \n not it")
    with pytest.raises(RerankingFailed, match=re.escape(f"the reranker in {folder} cannot be opened (")) as caught:
        open_cross_encoder(str(folder), cache=tmp_path)
    assert "\n" not in str(caught.value)


def test_a_model_of_another_kind_is_told_when_it_is_opened(model_cache: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ensure_embedded_model(model_cache), tmp_path / "embedder"))
    with pytest.raises(RerankingFailed, match="is it a cross-encoder"):
        open_cross_encoder(str(folder), cache=tmp_path)


def test_a_model_that_gives_no_numbers_is_refused(folder: Path, tmp_path: Path) -> None:
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])
    logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 1])
    broken = numpy_helper.from_array(np.full((1, 1), np.nan, np.float32), "broken")
    graph = helper.make_graph([helper.make_node("Identity", ["broken"], ["logits"])], "nan", [ids], [logits], [broken])
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), folder / "model.onnx"
    )
    with pytest.raises(RerankingFailed, match="scored a passage nan"):
        open_cross_encoder(str(folder), cache=tmp_path)
