"""`oraculo calibrate`: a team's questions, what a refit would do, and what is kept of it."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from retrieval.home_calibration import CALIBRATION_FILE
from tests.bot.conftest import Run, command_line
from tests.bot.terminal import Terminal

ANSWERED = (
    "¿Cuándo se hace la copia de seguridad?",
    "¿A qué hora se hace la copia cada noche?",
    "¿Cómo se restaura una copia?",
    "¿Qué orden restaura una copia de seguridad?",
    "restaurar una copia con la fecha",
    "copia de seguridad a las tres",
    "¿Para qué sirve faro restaurar?",
    "¿Cómo se despliega Faro?",
    "¿Con qué orden se despliega Faro?",
    "¿Qué hay que pasar antes de desplegar Faro?",
    "¿Qué pasa si el despliegue falla?",
    "¿Cuánto tarda en volver la versión anterior?",
    "faro desplegar después de las pruebas",
    "¿Vuelve sola la versión anterior de Faro?",
    "¿Dónde se piden las vacaciones?",
    "¿Con cuánta antelación se piden las vacaciones?",
    "pedir vacaciones en el portal",
    "¿Bastan quince días para pedir vacaciones?",
    "¿Qué portal se usa para las vacaciones?",
    "¿Qué palabra va en rojo con turquesa?",
    "la palabra turquesa en rojo",
    "¿Se hace una copia cada noche?",
)
FOREIGN = (
    "¿Quién inventó la imprenta?",
    "¿Cuál es la capital de Australia?",
    "¿Cuánto pesa un elefante africano?",
    "¿Qué come el oso hormiguero?",
    "¿Quién pintó Las meninas?",
    "¿Cuántos planetas tiene el sistema solar?",
    "receta de gazpacho andaluz",
    "¿Cómo se afina una guitarra?",
    "¿En qué año llegó el hombre a la Luna?",
    "¿Qué es la fotosíntesis?",
    "mejores playas de Galicia",
    "¿Cuánto mide el monte Everest?",
    "¿Quién escribió Don Quijote?",
    "¿Cómo se cuida un bonsái?",
    "¿Qué idioma se habla en Brasil?",
    "¿Por qué flota un barco?",
    "síntomas de la gripe",
    "¿Quién ganó el mundial de 1982?",
    "¿Cuál es el río más largo de Asia?",
    "¿Cómo se juega al ajedrez?",
    "¿Qué es un agujero negro?",
    "historia de la seda en China",
)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return written(tmp_path / "preguntas.csv", ANSWERED, FOREIGN)


@pytest.fixture
def own_home(home: Path, tmp_path: Path) -> Path:
    """A copy of the home, to be calibrated."""
    return Path(shutil.copytree(home, tmp_path / "own"))


def written(path: Path, answered: Sequence[str], foreign: Sequence[str]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["question", "answerable"])
        rows.writerows([text, "sí"] for text in answered)
        rows.writerows([text, "no"] for text in foreign)
    return path


def calibrated(oraculo: Run, *arguments: str | Path, floor: float = 0.4) -> dict[str, Any]:
    done = oraculo("calibrate", *arguments, "--json", env={"ORACULO_RETRIEVAL__FLOOR": str(floor)})
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_it_shows_what_a_refit_would_do_draws_it_and_keeps_nothing(
    oraculo: Run, own_home: Path, questions: Path, tmp_path: Path
) -> None:
    shown = calibrated(oraculo, questions, "--home", own_home, "--png", "curva.png")
    assert shown["questions"] == {"answerable": 22, "unanswerable": 22, "found_nothing": 0}
    assert shown["answered"].keys() == {"before", "after", "unseen"}
    assert shown["answered"]["after"]["answerable"] >= 0.9
    assert shown["answered"]["after"]["unanswerable"] <= 0.2
    assert [point["floor"] for point in shown["curve"]] == pytest.approx([step / 20 for step in range(21)])
    assert shown["curve"][0]["after"] == {"answerable": 1.0, "unanswerable": 1.0}
    moved = sum(sum(side.values()) for side in shown["changed"].values())
    assert len(shown["examples"]) == min(5, moved)
    assert (shown["saved"], shown["png"]) == (None, "curva.png")
    assert (tmp_path / "curva.png").read_bytes().startswith(b"\x89PNG")
    assert not (own_home / CALIBRATION_FILE).exists()


def test_what_is_saved_serves_from_then_on(oraculo: Run, own_home: Path, questions: Path) -> None:
    saved = calibrated(oraculo, questions, "--home", own_home, "--save")
    assert saved["saved"] == str(own_home / CALIBRATION_FILE)
    kept = json.loads((own_home / CALIBRATION_FILE).read_text(encoding="utf-8"))[saved["model"]]
    assert kept["questions"] == saved["questions"]
    assert kept["bias"] == saved["calibration"]["bias"]
    again = calibrated(oraculo, questions, "--home", own_home)
    assert again["answered"]["before"] == saved["answered"]["after"]
    assert again["calibration"] == saved["calibration"]  # from the shipped fit each time: refits do not pile up


def test_a_damaged_calibration_is_one_warning(oraculo: Run, own_home: Path) -> None:
    (own_home / CALIBRATION_FILE).write_text("{", encoding="utf-8")
    done = oraculo("ask", ANSWERED[0], "--home", own_home, "--json")
    assert done.returncode == 0
    assert CALIBRATION_FILE in done.stderr
    assert done.stderr.count("\n") == 1
    assert json.loads(done.stdout)["sources"]


def test_people_read_a_table_the_changes_and_two_curves(
    environment: dict[str, str], home: Path, questions: Path, tmp_path: Path
) -> None:
    arguments = ["calibrate", str(questions), "--home", str(home)]
    with Terminal(command_line(arguments), environment, tmp_path) as screen:
        assert screen.wait_for_end() == 0
        shown = screen.text
        assert "\x1b[35m○" in screen.raw
    assert "44 questions: 22 the wiki answers, 22 it does not" in shown
    assert "of those the wiki answers" in shown
    assert "would be refused" in shown
    assert shown.count("(floor)") == 2
    table, _, end = shown.partition("Nothing was saved; add --save to keep it in")
    assert end.strip().endswith(CALIBRATION_FILE)
    assert max(map(len, table.splitlines())) <= 120


@pytest.mark.parametrize(("answered", "foreign"), [(ANSWERED[:19], FOREIGN), (ANSWERED, FOREIGN[:5])])
def test_too_few_questions_are_one_line(
    oraculo: Run, home: Path, tmp_path: Path, answered: Sequence[str], foreign: Sequence[str]
) -> None:
    done = oraculo("calibrate", written(tmp_path / "few.csv", answered, foreign), "--home", home, "--save")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "bring 20 of each" in done.stderr
    assert not (home / CALIBRATION_FILE).exists()


def test_labels_the_wrong_way_round_are_never_saved(oraculo: Run, own_home: Path, tmp_path: Path) -> None:
    done = oraculo("calibrate", written(tmp_path / "turned.csv", FOREIGN, ANSWERED), "--home", own_home, "--save")
    assert (done.returncode, done.stdout) == (1, "")
    assert "check the labels" in done.stderr
    assert not (own_home / CALIBRATION_FILE).exists()


def test_bad_rows_are_named_and_are_a_wrong_call(oraculo: Run, home: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("question,answerable\n¿Qué?,quizá\n,no\n", encoding="utf-8")
    done = oraculo("calibrate", "bad.csv", "--home", home)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "oraculo: bad.csv:2: answerable is 'quizá'; write yes or no",
        "oraculo: bad.csv:3: the question is empty; write one, or delete the row",
    ]


def test_a_folder_the_png_cannot_go_to_is_told_before_anything_is_asked(
    oraculo: Run, home: Path, questions: Path
) -> None:
    done = oraculo("calibrate", questions, "--home", home, "--png", "no/folder/curve.png")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("oraculo: Invalid value for --png: there is no folder no/folder")


def test_the_drawing_libraries_are_loaded_by_drawing_alone(
    oraculo: Run, environment: dict[str, str], home: Path
) -> None:
    done = oraculo("ask", "¿Cómo se despliega Faro?", "--home", home, env={"PYTHONPROFILEIMPORTTIME": "1"})
    assert done.returncode == 0
    assert "import time:" in done.stderr
    assert "matplotlib" not in done.stderr
    assert "plotille" not in done.stderr
    every_command = (
        "import sys; from importlib import import_module; from bot.cli import COMMANDS;"
        "[import_module(f'bot.commands.{name}') for name in COMMANDS];"
        "sys.exit(bool({'matplotlib', 'plotille'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", every_command], env=environment, check=False).returncode == 0


def test_without_the_drawing_libraries_the_numbers_are_told_and_a_png_is_refused(
    environment: dict[str, str], home: Path, questions: Path, tmp_path: Path
) -> None:
    """`None` among the modules is how Python itself marks one that cannot be imported."""
    bare = "import sys; sys.modules.update(matplotlib=None, plotille=None); from bot.cli import main; main()"
    run = [sys.executable, "-c", bare, "calibrate", str(questions), "--home", str(home)]
    told = subprocess.run(run, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert "The curve needs plotille, which is not installed; run pip install 'oraculo[plots]'" in told.stdout
    assert "answered at the floor" in told.stdout

    picture = tmp_path / "curve.png"
    refused = subprocess.run(
        [*run, "--png", str(picture)], env=environment, capture_output=True, text=True, check=False
    )
    assert (refused.returncode, refused.stdout) == (2, "")
    assert (
        refused.stderr == "oraculo: --png needs matplotlib, which is not installed; run pip install 'oraculo[plots]'\n"
    )
    assert not picture.exists()
