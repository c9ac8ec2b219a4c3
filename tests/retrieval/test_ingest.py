"""Ingest: only what changed is done, what is published is whole, and a killed one costs little."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from filelock import FileLock

from retrieval import open_index
from retrieval.errors import DamagedIndex, IngestRunning, NoIndex, SourceMissing
from retrieval.ingest.build import ingest
from retrieval.ingest.sources import Source
from retrieval.manifest import current_stamp
from retrieval.types import Embedder, Vectors
from tests.wikis import SeenProgress, Wiki, ask, doc_ids, literal

THREE = {
    "uno.md": "# Uno\n\nEl primer texto habla de manzanas.\n",
    "dos.md": "# Dos\n\nEl segundo texto habla de peras, como [[uno]].\n",
    "tres.md": "# Tres\n\nEl tercer texto habla de ciruelas.\n",
}


def no_model() -> Embedder:
    raise AssertionError("nothing had to be embedded")


def test_a_first_ingest_indexes_every_page_and_says_so(wiki: Wiki) -> None:
    wiki.write(THREE)
    report = wiki.ingest()
    assert (report.pages, report.upserted, report.unchanged, report.pruned) == (3, 3, 0, 0)
    assert report.embedded == report.chunks == 3


def test_nothing_changed_embeds_nothing_and_opens_no_model(wiki: Wiki) -> None:
    wiki.write(THREE)
    first = wiki.ingest()
    second = wiki.ingest(embedder=no_model)
    assert (second.embedded, second.upserted, second.unchanged) == (0, 0, 3)
    assert second.generation == first.generation


def test_one_page_edited_embeds_that_page_alone(wiki: Wiki) -> None:
    wiki.write(THREE)
    wiki.ingest()
    wiki.write({"tres.md": "# Tres\n\nEl tercer texto habla ahora de melocotones.\n"})
    report = wiki.ingest()
    assert (report.upserted, report.embedded, report.unchanged) == (1, 1, 2)
    index = wiki.open()
    assert doc_ids(literal(index, "melocotones")) == ["tres.md"]
    assert literal(index, "ciruelas").total == 0
    assert doc_ids(ask(index, "¿Dónde se habla de manzanas?"))[0] == "uno.md"
    index.close()


def test_a_deleted_page_is_gone_from_every_list(wiki: Wiki) -> None:
    wiki.write(THREE)
    wiki.ingest()
    wiki.delete("uno.md")
    report = wiki.ingest()
    assert (report.pages, report.pruned) == (2, 1)
    index = wiki.open()
    assert literal(index, "manzanas").total == 0
    assert "uno.md" not in doc_ids(ask(index, "¿Qué texto habla de manzanas?", limit=50))
    index.close()


def test_a_new_title_reaches_the_pages_that_link_to_it(wiki: Wiki) -> None:
    wiki.write(THREE)
    wiki.ingest()
    wiki.write({"uno.md": "# Fruta primera\n\nEl primer texto habla de manzanas.\n"})
    report = wiki.ingest()
    assert report.upserted == 2
    index = wiki.open()
    assert "Fruta primera" in index.page_text("dos.md")
    index.close()


def test_growing_by_edits_gives_what_building_at_once_gives(wiki: Wiki, tmp_path: Path) -> None:
    wiki.write(THREE)
    wiki.ingest()
    for number in range(4):
        wiki.write(
            {
                "dos.md": f"# Dos\n\nVersión {number}, que habla de peras y de [[tres]].\n",
                f"n{number}.md": f"# N{number}",
            }
        )
        wiki.ingest()
    wiki.delete("n0.md")
    grown = wiki.ingest()
    anew = Wiki(wiki.folder, tmp_path / "anew", wiki.embedder)
    built = anew.ingest()
    assert built.generation.partition(".")[0] == grown.generation.partition(".")[0]
    one, other = wiki.open(), anew.open()
    for question in ("¿Qué habla de peras?", "versión 3", "ciruelas"):
        assert doc_ids(ask(one, question)) == doc_ids(ask(other, question))
        assert doc_ids(literal(one, question)) == doc_ids(literal(other, question))
    one.close()
    other.close()


def test_the_same_text_under_two_pages_is_embedded_once(wiki: Wiki) -> None:
    wiki.write({"a.md": "# Igual\n\nEl mismo texto.\n", "b.md": "# Igual\n\nEl mismo texto.\n"})
    report = wiki.ingest()
    assert (report.chunks, report.embedded) == (2, 1)
    index = wiki.open()
    assert set(doc_ids(ask(index, "el mismo texto"))) == {"a.md", "b.md"}
    index.close()


def test_a_full_ingest_builds_anew_but_embeds_no_known_text(wiki: Wiki) -> None:
    wiki.write(THREE)
    first = wiki.ingest()
    full = wiki.ingest(full=True)
    assert full.embedded == 0
    assert full.generation != first.generation
    assert wiki.open().stamp == full.generation


def test_a_missing_source_touches_nothing(tmp_path: Path, embedder: Embedder) -> None:
    home = tmp_path / "home"
    with pytest.raises(SourceMissing, match="nowhere"):
        ingest(
            [Source(tmp_path / "nowhere")],
            home,
            lambda: embedder,
            embedder_name=embedder.name,
            progress=SeenProgress(),
        )
    assert not home.exists()


def test_a_second_ingest_at_once_says_so(wiki: Wiki) -> None:
    wiki.write(THREE)
    wiki.home.mkdir()
    with FileLock(wiki.home / "ingest.lock"), pytest.raises(IngestRunning, match="another ingest"):
        wiki.ingest()


def test_a_withheld_page_is_a_fault_and_never_indexed(wiki: Wiki) -> None:
    wiki.write({"secreta.md": "---\nvisibility: secretísima\n---\n# Secreta\n\nZanahoria.\n", "uno.md": "# Uno\n"})
    report = wiki.ingest()
    assert report.pages == 1
    assert any("secreta.md" in fault.path for fault in report.failures)
    index = wiki.open()
    assert literal(index, "zanahoria", keys=frozenset({"public", "user:ana"})).total == 0
    index.close()


def test_a_page_that_becomes_withheld_leaves_the_index(wiki: Wiki) -> None:
    wiki.write({"uno.md": "# Uno\n\nZanahoria.\n"})
    wiki.ingest()
    wiki.write({"uno.md": "---\nvisibility: ???\n---\n# Uno\n\nZanahoria.\n"})
    wiki.ingest()
    index = wiki.open()
    assert literal(index, "zanahoria").total == 0
    index.close()


class InterruptedEmbedder:
    """The real model, until it has read so many texts: then the terminal's Ctrl-C."""

    def __init__(self, real: Embedder, texts: int) -> None:
        self._real, self._left = real, texts
        self.name, self.dimensions = real.name, real.dimensions

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._real.queries(texts)

    def windows(self, text: str) -> Sequence[str]:
        return self._real.windows(text)

    def passages(self, texts: Sequence[str]) -> Vectors:
        self._left -= len(texts)
        if self._left < 0:
            raise KeyboardInterrupt
        return self._real.passages(texts)


def test_an_interrupted_ingest_keeps_what_it_embedded_and_the_old_index(wiki: Wiki) -> None:
    wiki.write(THREE)
    old = wiki.ingest()
    wiki.write({f"n{number}.md": f"# Nueva {number}\n\nTexto número {number}.\n" for number in range(150)})
    interrupted = InterruptedEmbedder(wiki.embedder, texts=130)
    with pytest.raises(KeyboardInterrupt):
        wiki.ingest(embedder=lambda: interrupted)
    assert current_stamp(wiki.home / "index") == old.generation
    assert wiki.open().stamp == old.generation
    report = wiki.ingest()
    assert report.embedded == 150 - 128  # two batches of 64 were kept
    assert report.pages == 153


KILLED = """
import os, signal, sys
from pathlib import Path
from retrieval.embedding import open_embedder
from retrieval.ingest import publish
from retrieval.ingest.build import ingest
from retrieval.ingest.sources import Source
from tests.wikis import SeenProgress

folder, home, models, step = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]

def die(*args, **options):
    os.kill(os.getpid(), signal.SIGKILL)

setattr(publish, step, die)
embedder = open_embedder("embedded", cache=models, threads=1)
ingest([Source(folder)], home, lambda: embedder, embedder_name=embedder.name, progress=SeenProgress())
"""


@pytest.mark.parametrize(
    "step", ["write_pages", "write_vectors", "checksums", "write_manifest", "sync", "point_current"]
)
def test_a_kill_at_any_step_of_the_build_leaves_the_old_index_serving(wiki: Wiki, model_cache: Path, step: str) -> None:
    wiki.write(THREE)
    old = wiki.ingest()
    wiki.write({"cuatro.md": "# Cuatro\n\nEl cuarto texto habla de membrillos.\n"})
    command = [sys.executable, "-c", KILLED, str(wiki.folder), str(wiki.home), str(model_cache), step]
    killed = subprocess.run(command, cwd=Path(__file__).parents[2], check=False, capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    index = wiki.open()
    assert index.stamp == old.generation
    assert index.warnings == ()
    index.close()
    report = wiki.ingest()
    assert report.embedded == 0  # the vector was kept before the build began
    assert not list((wiki.home / "index").glob(".building-*"))
    index = wiki.open()
    assert doc_ids(literal(index, "membrillos")) == ["cuatro.md"]
    index.close()


def test_old_generations_are_pruned_but_for_the_one_before(wiki: Wiki) -> None:
    wiki.write(THREE)
    stamps = []
    for number in range(4):
        wiki.write({"uno.md": f"# Uno\n\nVersión {number}.\n"})
        stamps.append(wiki.ingest().generation)
    left = {path.name for path in (wiki.home / "index").iterdir() if path.is_dir()}
    assert left == set(stamps[-2:])


def test_a_reader_keeps_its_generation_while_others_are_published_and_pruned(wiki: Wiki) -> None:
    wiki.write(THREE)
    wiki.ingest()
    index = wiki.open()
    for number in range(3):
        wiki.write({"uno.md": f"# Uno\n\nVersión {number}.\n"})
        wiki.ingest()
    assert doc_ids(literal(index, "manzanas")) == ["uno.md"]
    assert doc_ids(ask(index, "manzanas"))[0] == "uno.md"
    index.close()


@pytest.mark.parametrize(
    "damaged", ["catalogue.sqlite", "dense/vectors.npy", "lexical/meta.json", "manifest.json", "lexical/*.term"]
)
def test_a_damaged_generation_is_refused_with_one_line_and_the_one_before_serves(wiki: Wiki, damaged: str) -> None:
    wiki.write(THREE)
    old = wiki.ingest()
    wiki.write({"uno.md": "# Uno\n\nOtra versión.\n"})
    new = wiki.ingest()
    path = next((wiki.home / "index" / new.generation).glob(damaged))
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    index = wiki.open()
    assert index.stamp == old.generation
    assert len(index.warnings) == 1
    assert "\n" not in index.warnings[0]
    assert "oraculo ingest" in index.warnings[0]
    index.close()
    assert wiki.ingest().generation.startswith(new.generation)
    index = wiki.open()
    assert index.warnings == ()
    assert doc_ids(literal(index, "versión")) == ["uno.md"]
    index.close()


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("changed", [False, True])
def test_what_is_kept_beside_the_new_generation_is_the_whole_one_and_not_the_damaged_one(
    wiki: Wiki, full: bool, changed: bool
) -> None:
    wiki.write(THREE)
    whole = wiki.ingest().generation
    wiki.write({"uno.md": "# Uno\n\nOtra versión.\n"})
    damaged = wiki.ingest().generation
    (wiki.home / "index" / damaged / "dense/vectors.npy").write_bytes(b"damaged")
    if changed:
        wiki.write({"dos.md": "# Dos\n\nY otra más.\n"})
    new = wiki.ingest(full=full).generation
    left = {path.name for path in (wiki.home / "index").iterdir() if path.is_dir()}
    assert left == {whole, new}
    (wiki.home / "index" / new / "dense/vectors.npy").write_bytes(b"damaged")
    index = wiki.open()
    assert index.stamp == whole
    index.close()


def cached_vectors(wiki: Wiki) -> int:
    with closing(sqlite3.connect(wiki.home / "vectors.sqlite")) as connection:
        [[count]] = connection.execute("SELECT count(*) FROM vectors")
    return int(count)


def test_vectors_of_texts_long_gone_leave_the_cache_and_those_of_both_generations_stay(wiki: Wiki) -> None:
    for number in range(8):
        wiki.write({name: f"# {name}\n\nVersión {number}.\n" for name in THREE})
        wiki.ingest()
        assert cached_vectors(wiki) <= 2 * 2 * len(THREE)
    wiki.write({name: f"# {name}\n\nVersión 6.\n" for name in THREE})
    assert wiki.ingest(full=True).embedded == 0


def test_the_needs_of_a_damaged_generation_stop_no_ingest(wiki: Wiki) -> None:
    wiki.write(THREE)
    (wiki.home / "index" / wiki.ingest().generation / "catalogue.sqlite").write_bytes(b"no database" * 100)
    assert wiki.ingest().pages == 3
    index = wiki.open()
    assert index.warnings == ()
    index.close()


def test_when_no_generation_is_whole_the_error_says_how_to_mend_it(wiki: Wiki) -> None:
    wiki.write(THREE)
    stamp = wiki.ingest().generation
    shutil.rmtree(wiki.home / "index" / stamp / "lexical")
    with pytest.raises(DamagedIndex, match="oraculo ingest --full"):
        wiki.open()
    wiki.ingest()
    assert doc_ids(literal(wiki.open(), "manzanas")) == ["uno.md"]


def test_without_an_index_the_error_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(NoIndex, match="oraculo ingest"):
        open_index(tmp_path)


def test_a_vector_cache_that_is_no_database_is_begun_anew(wiki: Wiki) -> None:
    wiki.write(THREE)
    wiki.home.mkdir()
    (wiki.home / "vectors.sqlite").write_bytes(b"this is not a database" * 100)
    assert wiki.ingest().embedded == 3


def test_progress_counts_what_it_announced(wiki: Wiki, embedder: Embedder) -> None:
    wiki.write(THREE)
    progress = SeenProgress()
    ingest([Source(wiki.folder)], wiki.home, lambda: embedder, embedder_name=embedder.name, progress=progress)
    assert progress.stages == {"read": 0, "parse": 3, "embed": 3, "build": 1}
    assert progress.done == {"read": 3, "parse": 3, "embed": 3, "build": 1}
