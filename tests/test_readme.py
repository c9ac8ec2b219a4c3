"""The session in README.md is what the demo says: each line of it ends the way the README shows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "deploy" / "demo.toml"

SESSION = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
PIPED = re.compile(r"^\$ (?P<lines>(?:echo|printf '%s\\n') .*) \| make demo 2>/dev/null\n", re.MULTILINE)
SAID = re.compile(r"^› (?P<line>.*)\n(?P<answer>.*)$", re.MULTILINE)
PAGE = re.compile(r"\bwiki/(\S+\.md)\b")
OUTCOMES = {
    "answered": re.compile(r"Esto es lo que dicen las páginas:"),
    "abstained": re.compile(r"No tengo info clara sobre eso"),
    "listed": re.compile(r"\d+ páginas? con «"),
    "forgotten": re.compile(r"Conversación nueva"),
}

Outcomes = list[tuple[str, str]]


def shown() -> Iterator[tuple[list[str], str]]:
    """Every call of the README's session: the lines it pipes, and the text shown below it."""
    blocks = SESSION.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    for block in blocks:
        _, *parts = PIPED.split(block)
        for call, output in zip(parts[::2], parts[1::2], strict=True):
            command, *words = shlex.split(call)
            yield (words if command == "echo" else words[1:]), output


def outcomes(output: str) -> Outcomes:
    """How each line ended, by the first words below it."""
    return [(said["line"], outcome(said["answer"])) for said in SAID.finditer(output)]


def outcome(answer: str) -> str:
    return next((name for name, begins in OUTCOMES.items() if begins.match(answer)), answer)


@pytest.fixture(scope="module")
def environment(model_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Spanish, no key, no settings of the machine's own, an index of its own."""
    foreign = ("ORACULO_", "LC_", "LANG", "GEMINI_", "GOOGLE_", "COV_", "COVERAGE_")
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(foreign)},
        "LANG": "es_ES.UTF-8",
        "PYTHONUTF8": "1",
        "ORACULO_HOME": str(tmp_path_factory.mktemp("home")),
        "ORACULO_EMBEDDING__CACHE": str(model_cache),
    }


@pytest.fixture(scope="module")
def demo(environment: dict[str, str]) -> dict[str, str]:
    """The environment of a demo whose wiki is indexed."""
    oraculo(["ingest", "--quiet"], environment)
    return environment


def oraculo(arguments: Sequence[str], environment: dict[str, str], lines: Sequence[str] = ()) -> str:
    home = environment["ORACULO_HOME"]
    done = subprocess.run(
        [sys.executable, "-m", "bot.cli", "--config", str(DEMO), "--home", home, *arguments],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_each_line_of_the_session_ends_as_the_readme_shows(demo: dict[str, str]) -> None:
    sessions = list(shown())
    assert sessions
    for lines, output in sessions:
        told = outcomes(output)
        assert [line for line, _ in told] == lines, "the README shows other lines than it pipes"
        assert outcomes(oraculo(["chat"], demo, lines)) == told


def test_the_session_shows_a_listing_an_answer_and_a_refusal() -> None:
    ends = {end for _, output in shown() for _, end in outcomes(output)}
    assert {"listed", "answered", "abstained"} <= ends <= OUTCOMES.keys()


def test_every_page_that_the_session_names_is_there() -> None:
    named = {page for _, output in shown() for page in PAGE.findall(output)}
    assert named
    assert {page for page in named if not (ROOT / "deploy" / "wiki" / page).is_file()} == set()
