"""A team's labelled questions, as spreadsheets save them."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.errors import ConfigurationError
from retrieval.evaluation.labelled import LabelledQuestion, read_labelled


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "preguntas.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("label", "answerable"),
    [
        *((label, True) for label in ("yes", "Sí", "SI", "1", "true")),
        *((label, False) for label in ("no", "No ", "0", "falso")),
    ],
)
def test_labels_are_read_in_both_languages(tmp_path: Path, label: str, answerable: bool) -> None:
    path = written(tmp_path, f"question,answerable\n¿Qué?,{label}\n")
    assert read_labelled(path) == (LabelledQuestion("¿Qué?", answerable, 2),)


def test_a_spreadsheets_semicolons_byte_order_mark_and_other_columns_are_read(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeffId;Answerable;Question\r\n7;sí;¿Cuánto, y cuándo?\r\n\r\n8;no;¿Quién?\r\n")
    assert read_labelled(path) == (
        LabelledQuestion("¿Cuánto, y cuándo?", True, 2),
        LabelledQuestion("¿Quién?", False, 4),
    )


def test_a_quoted_question_may_hold_commas_and_line_breaks(tmp_path: Path) -> None:
    path = written(tmp_path, 'question,answerable\n"uno,\ndos",yes\ntres,no\n')
    assert [(one.text, one.line) for one in read_labelled(path)] == [("uno, dos", 2), ("tres", 4)]


def test_a_question_that_stands_twice_counts_once(tmp_path: Path) -> None:
    path = written(tmp_path, "question,answerable\n¿Qué es?,yes\n¿qué  ES?,sí\n")
    assert len(read_labelled(path)) == 1


def test_every_bad_row_is_named_by_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, "question,answerable\na,quizá\nb,yes\n,no\nb,no\nc\n")
    with pytest.raises(ConfigurationError) as refusal:
        read_labelled(path)
    assert str(refusal.value).splitlines() == [
        f"{path}:2: answerable is 'quizá'; write yes or no",
        f"{path}:4: the question is empty; write one, or delete the row",
        f"{path}:5: line 3 says otherwise of the same question; keep one of the two",
        f"{path}:6: answerable is ''; write yes or no",
    ]


def test_a_flood_of_bad_rows_is_cut_short(tmp_path: Path) -> None:
    path = written(tmp_path, "question,answerable\n" + "a,?\n" * 500)
    with pytest.raises(ConfigurationError) as refusal:
        read_labelled(path)
    assert len(str(refusal.value).splitlines()) == 11
    assert str(refusal.value).endswith("490 more rows are wrong")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", r"preguntas\.csv:1: the header"),
        ("¿Qué?,sí\n", r"preguntas\.csv:1: the header"),
        ("question\n¿Qué?\n", r"preguntas\.csv:1: the header"),
        ('question,answerable\n"a"b,no\n', r"preguntas\.csv:2: not CSV"),
        ('"question,answerable\n', r"preguntas\.csv:1: not CSV"),
        ("question,answerable\n\u2028,no\n", r"preguntas\.csv:2: the question is empty"),
        ('question,answerable\n"a,no\n', r"preguntas\.csv:2: not CSV"),
        (b"question,answerable\n\xf1,no\n", r"preguntas\.csv: is not UTF-8"),
    ],
)
def test_what_is_no_such_file_is_one_line(tmp_path: Path, text: str | bytes, fault: str) -> None:
    with pytest.raises(ConfigurationError, match=fault) as refusal:
        read_labelled(written(tmp_path, text))
    assert "\n" not in str(refusal.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"ninguno\.csv: cannot be read"):
        read_labelled(tmp_path / "ninguno.csv")
