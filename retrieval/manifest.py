"""What a published generation says of itself, and the proof that its files are what was written."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from retrieval.errors import DamagedIndex

INDEX_FOLDER = "index"
MANIFEST_FILE = "manifest.json"
CURRENT_FILE = "CURRENT"
FORMAT_VERSION = 3  # another format is another generation: raise it when a file's meaning changes
CATALOGUE_FILE = "catalogue.sqlite"
LEXICAL_FOLDER = "lexical"
DENSE_FOLDER = "dense"
_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Manifest:
    """A generation's name, what it was built with, its size, and the sha256 of each of its files by relative path."""

    stamp: str
    format: int
    embedder: str
    dimensions: int
    chunker: int
    created: str
    pages: int
    chunks: int
    languages: tuple[str, ...]
    files: Mapping[str, str]


def write_manifest(folder: Path, manifest: Manifest) -> None:
    (folder / MANIFEST_FILE).write_text(json.dumps(asdict(manifest), indent=1, sort_keys=True), encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Read a manifest. Raises DamagedIndex when it is not there, not whole, or of another format."""
    try:
        written = json.loads((folder / MANIFEST_FILE).read_text(encoding="utf-8"))
        manifest = Manifest(**{**written, "languages": tuple(written["languages"])})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise DamagedIndex(f"index {folder.name}: its manifest cannot be read; run `oraculo ingest --full`") from error
    if manifest.format != FORMAT_VERSION:
        raise DamagedIndex(
            f"index {folder.name}: another version of Oráculo wrote it (format {manifest.format}); run `oraculo ingest`"
        )
    return manifest


def checksums(folder: Path) -> dict[str, str]:
    """Give the sha256 of every file of a generation but its manifest, by relative path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST_FILE)
    return {path.relative_to(folder).as_posix(): sha256_of(path) for path in files}


def verify(folder: Path, manifest: Manifest, parts: Iterable[str]) -> None:
    """Compare the files under `parts` with their checksums, before any native library opens one of them.

    Damaged bytes crash a native library or, worse, pass in silence. Raises DamagedIndex.
    """
    wanted = tuple(parts)
    for name, digest in manifest.files.items():
        if not name.startswith(wanted):
            continue
        path = folder / name
        if not path.is_file() or sha256_of(path) != digest:
            raise DamagedIndex(f"index {folder.name}: {name} is damaged; run `oraculo ingest --full` to build it anew")


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_READ_BYTES):
            digest.update(block)
    return digest.hexdigest()


def sync(folder: Path) -> None:
    """Put every file of a folder, and the folder itself, on the disk."""
    for path in [*folder.rglob("*"), folder]:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def point_current(index_folder: Path, stamp: str) -> None:
    """Publish: replace the pointer in one step, so that a reader sees the old generation or the new one."""
    written = index_folder / f".{CURRENT_FILE}.{os.getpid()}"
    with written.open("w", encoding="utf-8") as stream:
        stream.write(stamp)
        stream.flush()
        os.fsync(stream.fileno())
    written.replace(index_folder / CURRENT_FILE)
    descriptor = os.open(index_folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def generations(index_folder: Path) -> list[Path]:
    """Give the folders of the generations that are there, whole or not; those being built are hidden."""
    return [path for path in index_folder.iterdir() if path.is_dir() and not path.name.startswith(".")]


def current_stamp(index_folder: Path) -> str | None:
    """Name the published generation, or None when none was."""
    try:
        return (index_folder / CURRENT_FILE).read_text(encoding="utf-8").strip() or None
    except OSError:
        return None
