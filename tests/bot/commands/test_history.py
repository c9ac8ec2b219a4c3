"""`--history`: both forms are read, and a wrong entry is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.commands.history import read_history
from retrieval.errors import ConfigurationError
from retrieval.types import Said

TURNS = [
    {"speaker": "Ana", "role": "user", "text": "¿Qué es Faro?"},
    {"speaker": "Oráculo", "role": "oracle", "text": "Un servicio [1]."},
]
SAID = (Said("Ana", "user", "¿Qué es Faro?"), Said("Oráculo", "oracle", "Un servicio [1]."))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(TURNS),
        "\n  " + json.dumps(TURNS, indent=2),
        "\n".join(map(json.dumps, TURNS)),
        "\ufeff" + "\r\n\r\n".join(map(json.dumps, TURNS)) + "\r\n",
    ],
)
def test_a_list_and_json_lines_say_the_same(tmp_path: Path, text: str) -> None:
    file = tmp_path / "thread.json"
    file.write_bytes(text.encode())
    assert read_history(file) == SAID


def test_an_empty_file_is_no_history(tmp_path: Path) -> None:
    file = tmp_path / "thread.json"
    file.write_text("", encoding="utf-8")
    assert read_history(file) == ()


def test_the_last_twelve_turns_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "thread.jsonl"
    turns = [{"speaker": "Ana", "role": "user", "text": str(number)} for number in range(20)]
    file.write_text("\n".join(map(json.dumps, turns)), encoding="utf-8")
    assert [said.text for said in read_history(file)] == [str(number) for number in range(8, 20)]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"[1", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"role": "user", "text": "a"}\n{', "line 2: is not JSON"),
        (b"[3]", "entry 1: is not a turn"),
        (b'{"role": "admin", "text": "a"}', 'line 1: its role is not "user" or "oracle"'),
        (b'{"role": ["user"], "text": "a"}', 'line 1: its role is not "user" or "oracle"'),
        (b'{"role": "user"}', "line 1: its text or its speaker is not text"),
        (b'{"role": "user", "text": "a", "speaker": 3}', "line 1: its text or its speaker is not text"),
        (b"\xff\xfe", "is not UTF-8"),
    ],
)
def test_a_wrong_file_is_one_line_that_names_the_entry(tmp_path: Path, content: bytes, fault: str) -> None:
    file = tmp_path / "thread.json"
    file.write_bytes(content)
    with pytest.raises(ConfigurationError) as caught:
        read_history(file)
    assert str(caught.value).startswith(f"{file}: {fault}")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="No such file"):
        read_history(tmp_path / "none.json")
