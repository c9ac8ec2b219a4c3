"""The command line: what goes where, the exit codes, and the JSON that scripts read."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import COMMANDS, cli
from tests.bot.conftest import Run, command_line


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    done = CliRunner().invoke(cli, [name, "--help"])
    assert done.exit_code == 0
    assert re.search(rf"Example:.*oraculo {name}", done.output, re.DOTALL)
    assert "--config" in done.output
    assert "--home" in done.output


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["serch", "x"], "oraculo: no such command 'serch'; did you mean 'search'?; see `oraculo --help`"),
        (["search"], "oraculo: Missing argument 'TEXT'; see `oraculo search --help`"),
        (["search", " "], "oraculo: Invalid value for TEXT: is empty; write some words; see `oraculo search --help`"),
        (["search", "x", "--page", "0"], "oraculo: Invalid value for '--page': 0 is not in the range x>=1"),
        (["search", "x", "--keys", ","], "oraculo: Invalid value for --keys: give one key or more"),
        (["search", "x", "--config", "no.toml"], "oraculo: no.toml: there is no such file"),
        (["ingest"], "oraculo: there is nothing to index; name a folder with --source DIR"),
        (["ingest", "--source", "no"], "oraculo: source no: there is no such folder or file"),
        (["ask", "x", "--mode", "poet"], "oraculo: Invalid value for '--mode': 'poet' is not one of"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_code_2(oraculo: Run, arguments: list[str], line: str) -> None:
    done = oraculo(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1


def test_a_wrong_setting_is_one_line_and_exit_code_2(oraculo: Run, tmp_path: Path) -> None:
    (tmp_path / "oraculo.toml").write_text("[retrieval]\nflor = 1\n", encoding="utf-8")
    done = oraculo("search", "x")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "oraculo: oraculo.toml: retrieval.flor: there is no such setting; did you mean floor?\n"


@pytest.mark.parametrize("command", ["search", "ask", "chat"])
def test_without_an_index_the_mend_is_one_line_and_exit_code_1(oraculo: Run, command: str) -> None:
    done = oraculo(command, *(["x"] if command != "chat" else []), stdin="x\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "oraculo: there is no index in .oraculo yet; run `oraculo ingest`\n"


@pytest.mark.parametrize("arguments", ["--home {home} search copia", "search copia --home {home}"])
def test_global_options_stand_before_or_after_the_command(oraculo: Run, home: Path, arguments: str) -> None:
    done = oraculo(*arguments.format(home=home).split())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("1 página con «copia»\n\nFaro (1)\n  Copias de seguridad\n")


def test_search_prints_its_json_and_nothing_else(oraculo: Run, home: Path) -> None:
    done = oraculo("search", "copia", "--home", home, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document.keys() == {"total", "counts", "page", "results", "suggestions"}
    assert (document["total"], document["counts"], document["page"]) == (1, {"Faro": 1}, 1)
    (result,) = document["results"]
    snippet = result.pop("snippet")
    assert "copia" in snippet
    assert result == {
        "doc_id": "copias.md",
        "title": "Copias de seguridad",
        "product": "Faro",
        "status": "active",
        "kind": "wiki",
        "href": "",
        "updated_at": "2026-01-31",
    }


def test_search_shows_drafts_and_what_keys_open_only_when_asked(oraculo: Run, home: Path) -> None:
    def found(*options: str) -> set[str]:
        document = json.loads(oraculo("search", "copia", "--home", home, "--json", *options).stdout)
        return {result["doc_id"] for result in document["results"]}

    assert found("--drafts") == {"copias.md", "borrador.md"}
    assert found("--keys", "public, member:atlas") == {"copias.md", "secreto.md"}
    assert found("--product", "Personas") == set()


def test_search_offers_near_spellings(oraculo: Run, home: Path) -> None:
    done = oraculo("search", "vacacoines", "--home", home)
    assert done.returncode == 0
    assert "¿Quizá «vacaciones»?" in done.stdout


def test_search_pages_through_the_results(oraculo: Run, home: Path) -> None:
    document = json.loads(
        oraculo("search", "la", "--home", home, "--limit", "1", "--page", "2", "--json").stdout,
    )
    assert document["page"] == 2
    assert document["total"] > 2
    assert len(document["results"]) == 1


def test_what_a_page_holds_never_drives_the_terminal(oraculo: Run, home: Path) -> None:
    shown = oraculo("search", "turquesa", "--home", home)
    assert "\x1b" not in shown.stdout
    assert "[bold]nada[/bold]" in shown.stdout
    as_json = oraculo("search", "turquesa", "--home", home, "--json")
    assert "\x1b" not in as_json.stdout


@pytest.mark.parametrize("locale", ["en_GB.UTF-8", "en_US"])
def test_the_terminal_s_language_is_spoken(oraculo: Run, home: Path, locale: str) -> None:
    assert oraculo("search", "copia", "--home", home, env={"LANG": locale}).stdout.startswith("1 page with “copia”")


def test_search_loads_no_model_no_database_and_no_rich(environment: dict[str, str], home: Path) -> None:
    code = (
        "import sys; from bot.cli import cli\n"
        f"cli.main(['search', 'copia', '--home', {str(home)!r}], standalone_mode=False)\n"
        "print(sorted({'fastembed', 'onnxruntime', 'onnx', 'sqlalchemy', 'rich', 'google.genai', 'bot.answering'}"
        " & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_leaves_early_is_no_error(environment: dict[str, str], home: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        done = subprocess.run(
            command_line(["search", "copia", "--home", home]),
            stdout=nobody,
            stderr=subprocess.PIPE,
            env=environment,
            timeout=60,
            check=False,
        )
    assert done.stderr == b""


def test_ingest_ends_with_its_summary_and_names_each_fault_once(oraculo: Run, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "uno.md").write_text("# Uno\n\nTexto.\n", encoding="utf-8")
    (pages / "dos.md").write_text("---\ntitle: Dos\nstatus: nuevo\n---\n\nTexto.\n", encoding="utf-8")
    done = oraculo("ingest", "--source", "pages", "--home", "h")
    assert done.returncode == 0
    assert re.fullmatch(r"\[OK\] ingest \d+\.\ds :: Docs: 2, Upserted: 2, Pruned: 0, Failures: 1\n", done.stdout)
    assert done.stderr.count("dos.md: status 'nuevo' is not known") == 1

    (pages / "uno.md").unlink()
    again = oraculo("ingest", "--source", "pages", "--home", "h", "--json")
    document = json.loads(again.stdout)
    assert document.pop("seconds") >= 0
    assert document.pop("generation")
    (failure,) = document.pop("failures")
    assert failure.keys() == {"path", "error"}
    assert document == {"pages": 1, "chunks": 1, "upserted": 0, "unchanged": 1, "pruned": 1, "embedded": 0}

    quiet = oraculo("ingest", "--source", "pages", "--home", "h", "--quiet")
    assert quiet.stdout == ""
    assert quiet.stderr.count("\n") == 1


def test_an_interrupted_ingest_says_one_line(environment: dict[str, str], tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(300):
        (pages / f"{number}.md").write_text(
            f"# Página {number}\n\n{'Texto distinto. ' * 40}{number}\n", encoding="utf-8"
        )
    with subprocess.Popen(
        command_line(["ingest", "--source", pages, "--home", tmp_path / "h"]),
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        for line in process.stderr:
            if line.startswith("Embedding"):
                process.send_signal(signal.SIGINT)
                break
        rest, said = process.stdout.read(), process.stderr.read()
    assert process.returncode == 130
    assert rest == ""
    assert "Traceback" not in said
    assert said.endswith("oraculo: interrupted; what was embedded is kept: run `oraculo ingest` again to go on\n")


def test_migrate_makes_the_database_and_telemetry_reads_it(oraculo: Run, home: Path) -> None:
    assert "no turns have been stored yet" in oraculo("telemetry", "--home", home).stdout
    assert oraculo("migrate", "--home", home).stdout.startswith("[OK] migrate :: database ")
    assert "was up to date" in oraculo("migrate", "--home", home).stdout
    assert json.loads(oraculo("telemetry", "--json", "--home", home).stdout) == []


def test_the_doctor_finds_everything_well(oraculo: Run, home: Path, wiki: Path, tmp_path: Path) -> None:
    (tmp_path / "oraculo.toml").write_text(f'[[sources]]\npath = "{wiki}"\n', encoding="utf-8")
    done = oraculo("doctor", "--home", home, "--json")
    checks = {check["part"]: check for check in json.loads(done.stdout)}
    assert done.returncode == 0
    assert {check["verdict"] for check in checks.values()} == {"ok"}
    assert checks.keys() == {"configuration", "index", "database", "embedding model", "language model", "reranker"}
    assert "6 pages" in checks["index"]["finding"]


def test_the_doctor_names_what_is_wrong_and_how_to_mend_it(oraculo: Run, tmp_path: Path) -> None:
    (tmp_path / "oraculo.toml").write_text('[[sources]]\npath = "no"\n', encoding="utf-8")
    done = oraculo("doctor", env={"ORACULO_EMBEDDING__MODEL": "no/such-model"})
    assert done.returncode == 1
    assert "fail configuration: source no: there is no such folder or file; correct its path" in done.stdout
    assert "fail index: there is no index in .oraculo yet; run `oraculo ingest`" in done.stdout
    assert "fail embedding model: " in done.stdout
