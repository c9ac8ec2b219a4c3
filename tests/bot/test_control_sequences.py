"""Nothing that a file is named, a page says or a library tells drives the terminal, whichever way it gets out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.commands.output import json_text
from tests.bot.conftest import Run, command_line
from tests.bot.terminal import Terminal

TITLE = "\x1b]0;pwned\x07"
NAME = f"uno{TITLE}\x9b31m.md"
PAGE = '---\ntitle: "Uno \\e]0;pwned\\a"\nstatus: "\\e]0;pwned\\a\\e[31mnuevo\\u009b2J"\n---\n\nFaro arranca solo.\n'


@pytest.fixture
def wicked(tmp_path: Path) -> Path:
    """A folder in which a file's name and its front matter set a terminal's title."""
    folder = tmp_path / "wicked"
    folder.mkdir()
    (folder / NAME).write_text(PAGE, encoding="utf-8")
    return folder


def driven(written: str) -> list[str]:
    """What of a terminal's input is neither text nor a look, as a command itself would write it."""
    return re.findall(r"\x1b\]0|\x07|[\x80-\x9f]|\x1b\[2J|\x1b\[31m", written)


def test_a_fault_of_an_ingest_is_plain(oraculo: Run, wicked: Path) -> None:
    done = oraculo("ingest", "--source", wicked, "--home", "h")
    assert done.returncode == 0
    assert (driven(done.stdout), driven(done.stderr)) == ([], [])
    (fault,) = (line for line in done.stderr.splitlines() if "is not known" in line)
    assert fault.startswith("wicked/uno.md: status ")


def test_a_fault_of_an_ingest_is_plain_on_a_terminal(environment: dict[str, str], wicked: Path, tmp_path: Path) -> None:
    with Terminal(command_line(["ingest", "--source", wicked, "--home", "h"]), environment, tmp_path) as terminal:
        assert terminal.wait_for_end() == 0
    assert driven(terminal.raw) == []
    assert "is not known" in terminal.text


@pytest.mark.parametrize(
    "arguments",
    [
        ("ingest", "--source", f"no{TITLE}"),
        ("search", "x", "--config", f"no{TITLE}.toml"),
        ("search", "x", "--home", f"no{TITLE}"),
        ("retrieve", f"no{TITLE}"),
        ("evaluate", f"no{TITLE}"),
        (f"no{TITLE}",),
        ("search", "x", f"--no{TITLE}"),
    ],
)
def test_an_error_that_names_what_it_was_given_is_plain(oraculo: Run, arguments: tuple[str, ...]) -> None:
    done = oraculo(*arguments)
    assert done.returncode in (1, 2)
    assert done.stderr.startswith("oraculo: ")
    assert (driven(done.stdout), driven(done.stderr)) == ([], [])


def test_a_database_is_named_plainly(oraculo: Run, tmp_path: Path) -> None:
    file = f"sqlite:///{tmp_path}/m{TITLE}.db"
    done = oraculo("migrate", env={"ORACULO_STORAGE__URL": file})
    assert "[OK] migrate" in done.stdout
    assert (driven(done.stdout), driven(done.stderr)) == ([], [])


LOGGED = """
import structlog
from bot.logs import log_to_standard_error
log_to_standard_error()
wicked = "\\x1b]0;pwned\\x07\\x9b2J"
log = structlog.get_logger("a")
log.warning("an event " + wicked, reason="one\\n" + wicked, kept=[wicked])
try:
    raise ValueError(wicked)
except ValueError:
    log.exception("a failure")
"""


def test_a_log_line_is_plain_and_its_values_stay_on_it() -> None:
    done = subprocess.run([sys.executable, "-c", LOGGED], capture_output=True, check=True)
    written = done.stderr.decode()
    assert driven(written) == []
    assert re.search(r"an event .*reason=.?one", written.splitlines()[0])
    assert "ValueError" in written


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "ascii", "latin-1", None])
@pytest.mark.parametrize("indent", [2, None])
def test_json_escapes_what_drives_a_terminal_and_reads_back(encoding: str | None, indent: int | None) -> None:
    document = {f"clave {TITLE}": [f"año {TITLE}\x7f\x9b2J \u202e\u2066 \ud800"]}
    written = json_text(document, encoding, indent=indent)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", written)
    assert json.loads(written) == document
    written.encode(encoding or "ascii")


def test_retrieve_prints_its_json_lines_as_every_command_does(
    environment: dict[str, str], home: Path, tmp_path: Path
) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps({"_id": "q\x9b2J\u202e", "text": "copia"}) + "\n", encoding="utf-8")
    arguments = command_line(["retrieve", "q.jsonl", "--literal", "--home", home])
    done = subprocess.run(arguments, capture_output=True, env=environment, cwd=tmp_path, check=True)
    (line,) = done.stdout.decode().splitlines()
    assert driven(line) == []
    assert "\u202e" not in line
    assert json.loads(line)["_id"] == "q\x9b2J\u202e"
