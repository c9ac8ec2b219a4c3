"""A disk that is full, wherever an ingest comes to know of it: one line, the old index serves, nothing is lost."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.errors import IngestFailed
from retrieval.ingest.writing import explained
from retrieval.lexical import IndexedPage, write_pages
from retrieval.manifest import current_stamp
from tests.builders import make_page
from tests.wikis import Wiki, doc_ids, literal

LIMITED = """
import json, resource, sys
from pathlib import Path
from retrieval.embedding import open_embedder
from retrieval.errors import IngestFailed
from retrieval.ingest.build import ingest
from retrieval.ingest.sources import Source
from tests.wikis import SeenProgress

folder, home, models = map(Path, sys.argv[1:4])
embedder = open_embedder("embedded", cache=models, threads=1)
said = {}
for limit in json.loads(sys.argv[4]):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        ingest([Source(folder)], home, lambda: embedder, embedder_name=embedder.name, graph_from_rows=5,
               progress=SeenProgress())
    except IngestFailed as error:
        said[limit] = str(error)
print(json.dumps(said))
"""
LIMITS = [0, 100, 1_000, 20_000, 40_000, 60_000, 100_000, 180_000]  # bytes a file may have
PAGES = {f"p{number}.md": f"# P{number}\n\nPeras.\n" for number in range(150)}


def limited_ingests(wiki: Wiki, models: Path) -> dict[str, str]:
    """Ingest under each limit in turn, in a process of its own, and give what was said, by limit."""
    command = [sys.executable, "-c", LIMITED, str(wiki.folder), str(wiki.home), str(models), json.dumps(LIMITS)]
    done = subprocess.run(command, cwd=Path(__file__).parents[3], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said: dict[str, str] = json.loads(done.stdout)
    return said


def test_wherever_the_disk_is_full_one_line_tells_how_to_go_on(wiki: Wiki, model_cache: Path) -> None:
    wiki.graph_from_rows = 5
    wiki.write({"viejo.md": "# Viejo\n\nManzanas de ayer.\n", **PAGES})
    wiki.ingest()
    for name in PAGES:
        wiki.delete(name)
    old = wiki.ingest()
    wiki.write(PAGES)  # their vectors are known: what is left to do is to build
    said = limited_ingests(wiki, model_cache)
    assert list(said) == [str(limit) for limit in LIMITS]
    for line in said.values():
        assert "\n" not in line
        assert "cannot be written" in line
        assert "make room" in line
        assert "what was embedded is kept" in line
    assert len(set(said.values())) >= 3  # it came to know of it in several places
    assert current_stamp(wiki.home / "index") == old.generation
    assert not list((wiki.home / "index").glob(".building-*"))
    index = wiki.open()
    assert doc_ids(literal(index, "manzanas")) == ["viejo.md"]
    index.close()
    assert wiki.ingest().embedded == 0
    index = wiki.open()
    assert index.warnings == ()
    assert literal(index, "peras").total == 150
    index.close()


@pytest.mark.parametrize("limit_bytes", [0, 100, 3_000])
def test_a_full_disk_under_the_full_text_index_is_the_systems_error(tmp_path: Path, limit_bytes: int) -> None:
    pages = [IndexedPage(row, make_page(f"{row}.md"), f"texto {row} " * 200, f"texto {row}") for row in range(200)]
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, hard))
    try:
        with pytest.raises(IngestFailed, match=r"^[^\n]+File too large[^\n]+make room[^\n]+$"), explained(tmp_path):
            write_pages(tmp_path / "lexical", pages)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
