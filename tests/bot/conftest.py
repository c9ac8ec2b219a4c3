"""A small wiki, indexed once, and the `oraculo` command as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from retrieval.ingest.build import ingest
from retrieval.ingest.sources import Source
from retrieval.types import Embedder

PAGES = {
    "copias.md": (
        "---\ntitle: Copias de seguridad\nproduct: Faro\nupdated: 2026-01-31\n---\n\n"
        "La copia de seguridad se hace cada noche a las tres.\n\n"
        "## Restaurar una copia\n\nPara restaurar una copia se ejecuta `faro restaurar` con la fecha de la copia.\n"
    ),
    "despliegue.md": (
        "---\ntitle: Desplegar Faro\nproduct: Faro\n---\n\n"
        "Faro se despliega con la orden `faro desplegar`, después de pasar las pruebas.\n\n"
        "Si el despliegue falla, la versión anterior vuelve sola en menos de un minuto.\n"
    ),
    "vacaciones.md": (
        "---\ntitle: Pedir vacaciones\nproduct: Personas\nstatus: stale\n---\n\n"
        "Las vacaciones se piden en el portal con quince días de antelación.\n"
    ),
    "borrador.md": "---\ntitle: Copia sin acabar\nstatus: draft\n---\n\nOtra copia, en borrador.\n",
    "secreto.md": (
        "---\ntitle: Copia del círculo\nvisibility: circle\nproject: atlas\n---\n\nLa copia que solo lee el círculo.\n"
    ),
    "malicia.md": (
        "---\ntitle: Colores\n---\n\n"
        "La palabra turquesa \x1b[31mva en rojo\x1b[0m y \x1b]0;título\x07 [bold]nada[/bold].\n"
    ),
}


class NoProgress:
    """Nobody watches."""

    def stage(self, name: str, total: int) -> None: ...
    def advance(self, count: int = 1) -> None: ...


@pytest.fixture(scope="session")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of pages."""
    folder = tmp_path_factory.mktemp("wiki")
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def home(wiki: Path, embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose index holds the wiki. Read-only by agreement: what writes takes a home of its own."""
    folder = tmp_path_factory.mktemp("home")
    ingest([Source(path=wiki)], folder, lambda: embedder, embedder_name=embedder.name, progress=NoProgress())
    return folder


@pytest.fixture
def environment(model_cache: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of a process: Spanish, no settings of the machine's own, the model that is already built."""
    foreign = ("ORACULO_", "LC_", "LANG", "GEMINI_", "GOOGLE_", "NO_COLOR", "FORCE_COLOR", "COV_", "COVERAGE_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return {
        **kept,
        "LANG": "es_ES.UTF-8",
        "PYTHONUTF8": "1",
        "ORACULO_EMBEDDING__CACHE": str(model_cache),
        "ORACULO_RETRIEVAL__FLOOR": "0",  # six pages are too few for the relevance to mean something
        "ORACULO_STORAGE__URL": f"sqlite:///{tmp_path / 'oraculo.sqlite'}",
    }


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def oraculo(environment: dict[str, str], tmp_path: Path) -> Run:
    """Run the command as a user does, in an empty folder."""

    def run(
        *arguments: str | Path, stdin: str | bytes = "", env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            command_line(arguments),
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            env={**environment, **(env or {})},
            cwd=tmp_path,
            timeout=60,
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        )

    return run


def command_line(arguments: Sequence[str | Path]) -> list[str]:
    """The command as the tests run it."""
    return [sys.executable, "-m", "bot.cli", *map(str, arguments)]
