"""Builds a generation beside the ones that serve, and publishes it in one step."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from retrieval.catalogue import Catalogue
from retrieval.dense import GRAPH_FILE, write_vectors
from retrieval.generation import Generation
from retrieval.ingest.catalogue_writer import CatalogueWriter
from retrieval.ingest.chunk import CHUNKER_VERSION
from retrieval.ingest.embed import Embedded
from retrieval.ingest.plan import Plan
from retrieval.lexical import IndexedPage, write_pages
from retrieval.manifest import (
    CATALOGUE_FILE,
    DENSE_FOLDER,
    FORMAT_VERSION,
    LEXICAL_FOLDER,
    Manifest,
    checksums,
    generations,
    point_current,
    sync,
    write_manifest,
)
from retrieval.private import close_to_others, private_folder
from retrieval.types import Vectors

BUILDING_PREFIX = ".building-"
GENERATIONS_KEPT = 2  # the one that serves, and the one before in case its files are damaged


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a generation is made of."""

    stamp: str
    plan: Plan
    embedded: Embedded
    previous: Generation | None
    verified: str | None
    """The stamp of a generation that is whole, to be kept beside the new one; the one before may be damaged."""
    embedder: str
    dimensions: int
    graph_from_rows: int


@dataclass(frozen=True, slots=True)
class Rows:
    """What was written: page rows of the changed pages, and the window rows now alive, of which some are new."""

    pages: Sequence[int]
    windows: Sequence[int]
    new_windows: Sequence[tuple[int, bytes]]


def stamp_of(corpus: str, embedder: str) -> str:
    """Name a generation by all it depends on: the corpus, the model, the chunker and the format of the files."""
    parts = json.dumps([corpus, embedder, CHUNKER_VERSION, FORMAT_VERSION])
    return hashlib.sha256(parts.encode()).hexdigest()[:16]


def same_content(stamp: str, other: str | None) -> bool:
    """Tell whether two generations hold the same; one that was built again carries a number behind its stamp."""
    return other is not None and other.partition(".")[0] == stamp


def build_generation(index_folder: Path, inputs: Inputs) -> Manifest:
    """Build a generation and publish it. Until the last step the old one serves, whatever happens."""
    folder = index_folder / f"{BUILDING_PREFIX}{os.getpid()}"
    private_folder(folder)
    previous = inputs.previous.folder if inputs.previous is not None else None
    with CatalogueWriter(folder / CATALOGUE_FILE, previous / CATALOGUE_FILE if previous else None) as catalogue:
        rows = _write_catalogue(catalogue, inputs)
        pages, chunks = catalogue.counts()
        languages = catalogue.languages()
    _write_lexical(folder / LEXICAL_FOLDER, previous, inputs, rows)
    _write_dense(folder / DENSE_FOLDER, inputs, rows)
    manifest = Manifest(
        stamp=_free_name(index_folder, inputs.stamp),
        format=FORMAT_VERSION,
        embedder=inputs.embedder,
        dimensions=inputs.dimensions,
        chunker=CHUNKER_VERSION,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        pages=pages,
        chunks=chunks,
        languages=languages,
        files=checksums(folder),
    )
    write_manifest(folder, manifest)
    close_to_others(folder)
    sync(folder)
    folder.rename(index_folder / manifest.stamp)
    publish(index_folder, manifest.stamp, inputs.verified)
    return manifest


def publish(index_folder: Path, stamp: str, verified: str | None) -> None:
    """Point readers to a generation and remove the ones nobody needs; who holds one open keeps its files.

    The `verified` one is kept before any other: what readers were pointed to until now may be damaged.
    """
    point_current(index_folder, stamp)
    others = [path for path in generations(index_folder) if path.name != stamp]
    best_first = sorted(others, key=lambda path: (path.name == verified, path.stat().st_mtime), reverse=True)
    for path in best_first[GENERATIONS_KEPT - 1 :]:
        shutil.rmtree(path, ignore_errors=True)


def needed_hashes(index_folder: Path) -> Iterator[bytes]:
    """Give the hash of every text whose vector a kept generation holds; a damaged one needs none."""
    for folder in generations(index_folder):
        with suppress(sqlite3.DatabaseError), closing(Catalogue(folder / CATALOGUE_FILE)) as catalogue:
            yield from catalogue.window_hashes()


def sweep(index_folder: Path) -> None:
    """Remove what a killed ingest left half built. Only the holder of the ingest lock may call it."""
    for path in index_folder.glob(f"{BUILDING_PREFIX}*"):
        shutil.rmtree(path, ignore_errors=True)


def _free_name(index_folder: Path, stamp: str) -> str:
    names = [stamp, *(f"{stamp}.{number}" for number in range(1, 1000))]
    return next(name for name in names if not (index_folder / name).exists())


def _write_catalogue(catalogue: CatalogueWriter, inputs: Inputs) -> Rows:
    known = inputs.previous.catalogue.known() if inputs.previous is not None else {}
    before = [known.get(page.prepared.page.doc_id) for page in inputs.embedded.pages]
    next_page, next_chunk, next_window = (catalogue.next_row(table) for table in ("pages", "chunks", "windows"))
    catalogue.remove_pages([page.row for page in [*inputs.plan.removed, *before] if page is not None])
    page_rows: list[int] = []
    new_windows: list[tuple[int, bytes]] = []
    for page, was in zip(inputs.embedded.pages, before, strict=True):
        row = was.row if was is not None else next_page
        next_page = max(next_page, row + 1)
        page_rows.append(row)
        catalogue.add_page(row, page.prepared)
        for ordinal, hashes in enumerate(page.windows):
            catalogue.add_chunk(next_chunk, row, ordinal, page.prepared)
            for text_hash in hashes:
                catalogue.add_window(next_window, next_chunk, text_hash)
                new_windows.append((next_window, text_hash))
                next_window += 1
            next_chunk += 1
    return Rows(page_rows, catalogue.window_rows(), new_windows)


def _write_lexical(folder: Path, previous: Path | None, inputs: Inputs, rows: Rows) -> None:
    if previous is not None:
        shutil.copytree(previous / LEXICAL_FOLDER, folder)
    pages = (
        IndexedPage(row, page.prepared.page, page.prepared.rendered, page.prepared.source_text)
        for row, page in zip(rows.pages, inputs.embedded.pages, strict=True)
    )
    write_pages(folder, pages, [*(page.row for page in inputs.plan.removed), *rows.pages] if previous else ())


def _write_dense(folder: Path, inputs: Inputs, rows: Rows) -> None:
    size = max((row for row in rows.windows), default=-1) + 1
    vectors: Vectors = np.zeros((size, inputs.dimensions), np.float32)
    graph = None
    if inputs.previous is not None:
        old = inputs.previous.dense.vectors[:size]
        vectors[: len(old)] = old
        graph = inputs.previous.folder / DENSE_FOLDER / GRAPH_FILE
    for row, text_hash in rows.new_windows:
        vectors[row] = inputs.embedded.vectors[text_hash]
    added = np.array([row for row, _ in rows.new_windows], np.intp)
    write_vectors(
        folder, vectors, np.array(rows.windows, np.intp), graph, added, graph_from_rows=inputs.graph_from_rows
    )
