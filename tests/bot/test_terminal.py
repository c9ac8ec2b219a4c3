"""`oraculo chat` as people and pipes meet it: on a real terminal, and as a process."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bot.conftest import Run, command_line
from tests.bot.terminal import CONTROL_C, CONTROL_D, Terminal

QUESTION = "¿Cuándo se hace la copia de seguridad?"
PROMPT = "› "
COLORS = re.compile(r"\x1b\[[0-9;]*(?:3[0-7]|4[0-7]|9[0-7]|38;|48;)[0-9;]*m")

Open = Callable[..., Terminal]


@pytest.fixture
def terminal(environment: dict[str, str], home: Path, tmp_path: Path) -> Open:
    def start(*arguments: str, env: dict[str, str] | None = None) -> Terminal:
        return Terminal(command_line([*arguments, "--home", home]), {**environment, **(env or {})}, tmp_path)

    return start


def test_a_conversation_on_a_terminal(terminal: Open) -> None:
    with terminal("chat") as screen:
        welcome = screen.wait_for(PROMPT)
        assert "/ayuda cuenta más; /salir termina." in " ".join(welcome.split())
        screen.type(f"{QUESTION}\n")
        shown = screen.wait_for("Escribe /buscar")
        assert "La copia de seguridad se hace cada noche a las tres." in shown.replace("\n", " ")
        assert "[1] Copias de seguridad — Faro" in shown
        screen.type("/salir\n")
        screen.wait_for("¡Hasta luego!")
        assert screen.wait_for_end() == 0
        assert COLORS.search(screen.raw)


@pytest.mark.parametrize("key", [CONTROL_C, CONTROL_D])
def test_control_c_and_control_d_at_the_prompt_leave_with_0(terminal: Open, key: str) -> None:
    with terminal("chat") as screen:
        screen.wait_for(PROMPT)
        screen.type(key)
        assert screen.wait_for_end() == 0
        assert "Traceback" not in screen.text


def test_control_c_stops_the_question_that_runs_and_gives_the_prompt_back(terminal: Open) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        env = {
            "GEMINI_API_KEY": "a-key",
            "ORACULO_MODEL__BASE_URL": f"http://127.0.0.1:{deaf.getsockname()[1]}",
        }
        with terminal("chat", env=env) as screen:
            screen.wait_for(PROMPT)
            screen.type(f"{QUESTION}\n")
            screen.wait_for("Escribiendo la respuesta…")
            screen.type(CONTROL_C)
            screen.wait_for("Pregunta detenida.")
            screen.wait_for(PROMPT)
            screen.type("/buscar copia\n")
            screen.wait_for("1 página con «copia»")
            screen.wait_for(PROMPT)
            screen.type(CONTROL_D)
            assert screen.wait_for_end() == 0
            assert "Traceback" not in screen.text


def test_no_color_is_respected(terminal: Open) -> None:
    with terminal("chat", env={"NO_COLOR": "1"}) as screen:
        screen.wait_for(PROMPT)
        screen.type(f"{QUESTION}\n")
        screen.wait_for("Escribe /buscar")
        screen.wait_for(PROMPT)
        screen.type(CONTROL_D)
        assert screen.wait_for_end() == 0
        assert not COLORS.search(screen.raw)


def test_the_arrow_up_brings_back_the_last_line(terminal: Open) -> None:
    with terminal("chat") as screen:
        screen.wait_for(PROMPT)
        screen.type("/buscar copia\n")
        screen.wait_for("1 página con «copia»")
        screen.wait_for(PROMPT)
        screen.type("\x1b[A\n")
        screen.wait_for("1 página con «copia»")


def test_search_colors_its_matches_on_a_terminal_alone(terminal: Open) -> None:
    with terminal("search", "copia") as screen:
        assert screen.wait_for_end() == 0
        assert "\x1b[1;33mcopia\x1b[0m" in screen.raw
    with terminal("search", "copia", env={"NO_COLOR": "1"}) as screen:
        assert screen.wait_for_end() == 0
        assert "\x1b" not in screen.raw
        assert "copia" in screen.raw


def test_a_page_never_drives_the_terminal(terminal: Open) -> None:
    with terminal("ask", "¿Qué palabra va en rojo con turquesa?") as screen:
        assert screen.wait_for_end() == 0
        assert "\x1b]0;" not in screen.raw
        assert "\x1b[31m" not in screen.raw


def test_ingest_shows_a_bar_with_its_rate_on_a_terminal(terminal: Open, wiki: Path) -> None:
    with terminal("ingest", "--source", str(wiki)) as screen:
        assert screen.wait_for_end() == 0
        assert "Reading" in screen.text
        assert "[OK] ingest " in screen.text


def test_a_pipe_is_answered_line_by_line_and_ends_with_0(oraculo: Run, home: Path) -> None:
    done = oraculo("chat", "--home", home, stdin=f"copia\n{QUESTION}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    listing, answer = done.stdout.split(f"› {QUESTION}\n")
    assert listing.startswith("› copia\n1 página con «copia»\n")
    assert "[1] Copias de seguridad — Faro" in answer


@pytest.mark.parametrize("stdin", ["", "\n\n", "copia", b"\xff\xfe\x00copia\xc3\n", "x" * 100_000])
def test_whatever_comes_through_a_pipe_ends_with_0(oraculo: Run, home: Path, stdin: str | bytes) -> None:
    done = oraculo("chat", "--home", home, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")


def test_english_is_spoken_to_an_english_terminal(oraculo: Run, home: Path) -> None:
    done = oraculo("chat", "--home", home, stdin="copia\n", env={"LANG": "en_US.UTF-8"})
    assert "1 page with “copia”" in done.stdout


def test_a_reader_that_leaves_a_conversation_is_no_error(environment: dict[str, str], home: Path) -> None:
    with subprocess.Popen(
        command_line(["chat", "--home", home]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"copia\n")
        process.stdin.flush()
        assert process.stdout.readline() == "› copia\n".encode()
        process.stdout.close()
        process.stdin.write(b"vacaciones\n" * 50)
        process.stdin.close()
        assert process.stderr.read() == b""
