"""Dates written in pages: both ends with dots between them, one day alone, commas between periods."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ingest.text_dates import dates_in
from retrieval.periods import Period

WRITTEN = """
updated: 2024-03-05                              | 2024-03-05
last-update: 2026-04-01T18:03:50.000Z            | 2026-04-01
screen-shot-2018-09-06-at-11.38.27-am.png        | 2018-09-06
/blog/2024/03/05/adios                           | 2024-03-05
2024-03                                          | 2024-03-01..2024-03-31
El 3 de marzo de 2024 se decidió                 | 2024-03-03
el lunes 3 de marzo del año 2025                 | 2025-03-03
1º de mayo de 2023                               | 2023-05-01
29 de febrero de 2024                            | 2024-02-29
29 de febrero de 2023                            | 2023-02-01..2023-02-28
March 3, 2024                                    | 2024-03-03
the 3rd of March 2024                            | 2024-03-03
Sunday, March 3rd, 2024                          | 2024-03-03
3-mar-2024                                       | 2024-03-03
Sept. 2020                                       | 2020-09-01..2020-09-30
en septiembre de 2020                            | 2020-09-01..2020-09-30
Setiembre 2020                                   | 2020-09-01..2020-09-30
del 3 al 5 de mayo de 2023                       | 2023-05-03..2023-05-05
May 3-5, 2023                                    | 2023-05-03..2023-05-05
05/03/2024                                       | 2024-03-05
5-3-2024                                         | 2024-03-05
05.03.2024                                       | 2024-03-05
12/25/2023                                       | 2023-12-25
en 2008 se fundó                                 | 2008-01-01..2008-12-31
It began in 2008.                                | 2008-01-01..2008-12-31
La fundación (2008) fue                          | 2008-01-01..2008-12-31
(1857-1929)                                      | 1857-01-01..1929-12-31
entre 2010 y 2015                                | 2010-01-01..2015-12-31
en 2010 y 2012                                   | 2010-01-01..2010-12-31, 2012-01-01..2012-12-31
la sequía de 2005                                | 2005-01-01..2005-12-31
a finales de 2022                                | 2022-09-02..2022-12-31
primer trimestre de 2025                         | 2025-01-01..2025-03-31
Fourth Quarter 2025                              | 2025-10-01..2025-12-31
Q1 2025                                          | 2025-01-01..2025-03-31
verano de 1521                                   | 1521-06-01..1521-09-22
la década de 1980                                | 1980-01-01..1989-12-31
el 7 de enero\\nde 1943 murió                     | 1943-01-07
2024-03-05 y otra vez 2024-03-05                 | 2024-03-05
"""

PLAIN = """
v1.132.2
versión 2019.3
version 2024.1.5
error 404
puerto 8080
puerto 2020
1.5
10.0.0.1
#1976
issues/1936
pull/1838
SB_USER=pete:1234
source-wordcount: 1308
d095671a-1355-40aa-8b5f-06c33c680
55a9d9feae8cc1128e3427a8874414ba734dd
CVE-2024-1234
de 2000 caracteres
más de 2000 tareas
unos 1500 caracteres
in 2000 lines
1400px
2.000
2024,5
+34 612 34 56 78
3 de marzo
en julio
el verano pasado
99/99/2024
2024-13-45
2023-02-30
Ley 3/2018
RFC 2119
ISO 9001:2015
11.23.2024.1
"""


def written(period: Period) -> str:
    if period.first == period.last:
        return period.first.isoformat()
    return f"{period.first.isoformat()}..{period.last.isoformat()}"


def rows() -> list[tuple[str, str]]:
    parted = (row.rpartition("|") for row in WRITTEN.split("\n") if row)
    return [(text.strip().replace("\\n", "\n"), expected.strip()) for text, _, expected in parted]


@pytest.mark.parametrize(("text", "expected"), rows())
def test_a_written_date_is_found(text: str, expected: str) -> None:
    assert ", ".join(map(written, dates_in(text))) == expected


@pytest.mark.parametrize("text", [line for line in PLAIN.split("\n") if line])
def test_versions_numbers_and_dates_without_a_year_are_none(text: str) -> None:
    assert dates_in(text) == ()


def test_dates_come_in_their_order_up_to_the_limit() -> None:
    days = [date(2020, 1, 1) + timedelta(days=day) for day in range(80)]
    text = "\n\nUn párrafo de relleno que separa las fechas.\n\n".join(
        f"El {day.isoformat()} pasó algo." for day in days
    )
    assert dates_in(text, limit=200) == tuple(Period(day, day) for day in days)
    assert dates_in(text, limit=7) == tuple(Period(day, day) for day in days[:7])
    assert len(dates_in(text)) == 50


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_is_read_without_an_error(before: str, after: str) -> None:
    for text in (before, f"{before}2024{after}", f"{before}1999-12-31{after}"):
        assert all(period.first <= period.last for period in dates_in(text))


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.sampled_from(["", "Nota: ", "x" * 500 + " ", "a\n" * 300]))
def test_a_day_is_found_wherever_it_stands(day: date, before: str) -> None:
    assert dates_in(f"{before}({day.isoformat()}) {before}") == (Period(day, day),)
