"""What questions name, asked on Wednesday the 11th of March 2026 in Madrid unless said otherwise."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from retrieval.periods import Period, periods

MADRID = ZoneInfo("Europe/Madrid")
WEDNESDAY = datetime(2026, 3, 11, 15, 30, tzinfo=MADRID)

# Two days with dots between them are both ends of a period; one is a day; "…" is an open end; commas part periods.
MONTHS = (
    "enero January|febrero February|marzo March|abril April|mayo May|junio June|julio July|agosto August|"
    "septiembre September|octubre October|noviembre November|diciembre December"
)
SPANISH_MONTHS = tuple(names.split()[0] for names in MONTHS.split("|"))
ENGLISH_MONTHS = tuple(names.split()[1] for names in MONTHS.split("|"))

SPANISH = """
en julio de 2008                        | 2008-07-01..2008-07-31
¿Qué pasó en 2008?                      | 2008-01-01..2008-12-31
¿qué se decidió en julio?               | 2025-07-01..2025-07-31
¿qué se decidió en marzo?               | 2026-03-01..2026-03-31
el verano pasado                        | 2025-06-01..2025-09-22
verano de 2023                          | 2023-06-01..2023-09-22
el invierno pasado                      | 2024-12-01..2025-03-20
este invierno                           | 2025-12-01..2026-03-20
este verano                             | 2026-06-01..2026-09-22
el próximo otoño                        | 2026-09-01..2026-12-20
la primavera que viene                  | 2027-03-01..2027-06-20
el otoño del año pasado                 | 2025-09-01..2025-12-20
la semana pasada                        | 2026-03-02..2026-03-08
¿Qué hicimos la pasada semana?          | 2026-03-02..2026-03-08
esta semana                             | 2026-03-09..2026-03-15
la semana que viene                     | 2026-03-16..2026-03-22
la próxima semana                       | 2026-03-16..2026-03-22
la semana antepasada                    | 2026-02-23..2026-03-01
el fin de semana pasado                 | 2026-03-07..2026-03-08
este fin de semana                      | 2026-03-14..2026-03-15
hace dos días                           | 2026-03-09
hace 2 dias                             | 2026-03-09
hace un día                             | 2026-03-10
hace treinta y cinco días               | 2026-02-04
hace veintiún días                      | 2026-02-18
hace tres semanas                       | 2026-02-16..2026-02-22
hace una semana                         | 2026-03-02..2026-03-08
hace un par de semanas                  | 2026-02-23..2026-03-01
hace dos meses                          | 2026-01-01..2026-01-31
hace un año                             | 2025-01-01..2025-12-31
hace un año y dos meses                 | 2025-01-01..2025-01-31
hace medio año                          | 2025-09-01..2025-09-30
hace año y medio                        | 2024-09-01..2024-09-30
hace casi 3 años                        | 2023-01-01..2023-12-31
dos días atrás                          | 2026-03-09
hace unos días                          | 2026-03-05..2026-03-11
hace unas semanas                       | 2026-01-28..2026-03-11
hace 3 horas                            | 2026-03-11
hace 20 horas                           | 2026-03-10
dentro de dos semanas                   | 2026-03-23..2026-03-29
ayer                                    | 2026-03-10
¿Qué dijo Ana ayer por la mañana?       | 2026-03-10
anteayer                                | 2026-03-09
antes de ayer                           | 2026-03-09
anoche                                  | 2026-03-10
¿Qué hay hoy?                           | 2026-03-11
esta mañana                             | 2026-03-11
¿Qué reuniones hay mañana?              | 2026-03-12
pasado mañana                           | 2026-03-13
¿Qué se acordó el lunes?                | 2026-03-09
el lunes pasado                         | 2026-03-09
el pasado viernes                       | 2026-03-06
el miércoles                            | 2026-03-04
este viernes                            | 2026-03-13
el próximo lunes                        | 2026-03-16
el jueves que viene                     | 2026-03-12
el lunes de la semana pasada            | 2026-03-02
la reunión del sábado                   | 2026-03-07
el 3 de marzo                           | 2026-03-03
el 12 de marzo                          | 2025-03-12
el 11 de marzo                          | 2026-03-11
el 1 de enero                           | 2026-01-01
1º de mayo                              | 2025-05-01
el primero de mayo                      | 2025-05-01
29 de febrero                           | 2024-02-29
31 de diciembre                         | 2025-12-31
el lunes 3 de marzo de 2025             | 2025-03-03
el 3 de marzo del año pasado            | 2025-03-03
el 3 de marzo de 2024                   | 2024-03-03
3 marzo 2024                            | 2024-03-03
3 mar 24                                | 2024-03-03
3-mar-2024                              | 2024-03-03
29 de febrero de 2024                   | 2024-02-29
el 30 de septiembre del 2019            | 2019-09-30
setiembre de 2019                       | 2019-09-01..2019-09-30
febrero de 2024                         | 2024-02-01..2024-02-29
febrero de 2023                         | 2023-02-01..2023-02-28
mar 2024                                | 2024-03-01..2024-03-31
¿Qué cambió el 2024-03-05?              | 2024-03-05
el informe de 2024-03                   | 2024-03-01..2024-03-31
05/03/2024                              | 2024-03-05
5-3-24                                  | 2024-03-05
en 03/2024                              | 2024-03-01..2024-03-31
05.03.2024                              | 2024-03-05
31/12/1999                              | 1999-12-31
1/7/98                                  | 1998-07-01
25/12/2023 y 2024/01/06                 | 2023-12-25, 2024-01-06
el 31/12                                | 2025-12-31
el día 5                                | 2026-03-05
el día 31                               | 2026-01-31
entre marzo y mayo de 2024              | 2024-03-01..2024-05-31
entre noviembre y febrero de 2024       | 2023-11-01..2024-02-29
de noviembre de 2023 a febrero de 2024  | 2023-11-01..2024-02-29
de octubre a diciembre                  | 2025-10-01..2025-12-31
entre diciembre y enero                 | 2025-12-01..2026-01-31
del 3 al 5 de mayo                      | 2025-05-03..2025-05-05
del 3 al 5 de mayo de 2023              | 2023-05-03..2023-05-05
del 28 de abril al 3 de mayo de 2024    | 2024-04-28..2024-05-03
entre el 5 y el 9 de enero              | 2026-01-05..2026-01-09
entre 2010 y 2015                       | 2010-01-01..2015-12-31
de 2000 a 2005                          | 2000-01-01..2005-12-31
en junio y julio de 2024                | 2024-06-01..2024-06-30, 2024-07-01..2024-07-31
en 2010, 2011 y 2012                    | 2010-01-01..2010-12-31, 2011-01-01..2011-12-31, 2012-01-01..2012-12-31
el curso 2023/24                        | 2023-01-01..2024-12-31
desde enero                             | 2026-01-01..2026-03-11
desde 2020                              | 2020-01-01..2026-03-11
desde el lunes                          | 2026-03-09..2026-03-11
desde hace 3 meses                      | 2025-12-01..2026-03-11
a partir de 2024                        | 2024-01-01..2026-03-11
de 2019 en adelante                     | 2019-01-01..2026-03-11
desde marzo hasta mayo de 2024          | 2024-03-01..2024-05-31
hasta 2010                              | …..2010-12-31
antes de 2020                           | …..2019-12-31
antes del verano de 2020                | …..2020-05-31
después de marzo de 2024                | 2024-04-01..2026-03-11
principios de 2020                      | 2020-01-01..2020-05-01
a mediados de marzo de 2024             | 2024-03-11..2024-03-21
a finales de 2023                       | 2023-09-02..2023-12-31
a finales del año pasado                | 2025-09-02..2025-12-31
a principios de mes                     | 2026-03-01..2026-03-10
la primera semana de mayo de 2024       | 2024-05-01..2024-05-07
la última semana de febrero de 2024     | 2024-02-23..2024-02-29
la segunda quincena de agosto de 2024   | 2024-08-16..2024-08-31
los años 90                             | 1990-01-01..1999-12-31
en los años noventa                     | 1990-01-01..1999-12-31
la década de los 80                     | 1980-01-01..1989-12-31
la década de 1540                       | 1540-01-01..1549-12-31
los años 20                             | 2020-01-01..2029-12-31
en los 90                               | 1990-01-01..1999-12-31
a principios de los 90                  | 1990-01-01..1993-05-01
en el siglo XIX                         | 1801-01-01..1900-12-31
a finales del siglo XX                  | 1967-09-02..2000-12-31
primer trimestre de 2025                | 2025-01-01..2025-03-31
el 2º trimestre de 2025                 | 2025-04-01..2025-06-30
último trimestre de 2024                | 2024-10-01..2024-12-31
segundo semestre de 2024                | 2024-07-01..2024-12-31
T3 2024                                 | 2024-07-01..2024-09-30
el tercer trimestre                     | 2025-07-01..2025-09-30
el primer trimestre del año pasado      | 2025-01-01..2025-03-31
este trimestre                          | 2026-01-01..2026-03-31
el trimestre pasado                     | 2025-10-01..2025-12-31
este mes                                | 2026-03-01..2026-03-31
el mes pasado                           | 2026-02-01..2026-02-28
el mes que viene                        | 2026-04-01..2026-04-30
este año                                | 2026-01-01..2026-12-31
el año pasado                           | 2025-01-01..2025-12-31
el ano pasado                           | 2025-01-01..2025-12-31
el próximo año                          | 2027-01-01..2027-12-31
en lo que va de año                     | 2026-01-01..2026-03-11
la década pasada                        | 2010-01-01..2019-12-31
el pasado mes de febrero                | 2026-02-01..2026-02-28
julio pasado                            | 2025-07-01..2025-07-31
marzo pasado                            | 2025-03-01..2025-03-31
el próximo mes de mayo                  | 2026-05-01..2026-05-31
en julio del año pasado                 | 2025-07-01..2025-07-31
en los últimos tres meses               | 2025-12-11..2026-03-11
los últimos 30 días                     | 2026-02-09..2026-03-11
las últimas 24 horas                    | 2026-03-10..2026-03-11
en los últimos dos años                 | 2024-03-11..2026-03-11
el último mes                           | 2026-02-11..2026-03-11
la última semana                        | 2026-03-04..2026-03-11
los próximos 7 días                     | 2026-03-11..2026-03-18
las facturas de Julio                   | 2025-07-01..2025-07-31
el finde                                | 2026-03-07..2026-03-08
entre el lunes y el miércoles           | 2026-03-02..2026-03-04
el martes 3                             | 2026-03-03
el 5 de este mes                        | 2026-03-05
el 5 del mes pasado                     | 2026-02-05
la semana del 3 de marzo                | 2026-03-02..2026-03-08
la semana 10 de 2024                    | 2024-03-04..2024-03-10
ene-mar 2024                            | 2024-01-01..2024-03-31
Q1 y Q2 de 2025                         | 2025-01-01..2025-06-30
2T 2025                                 | 2025-04-01..2025-06-30
a mitad de 2024                         | 2024-05-02..2024-08-31
los años setenta y ochenta              | 1970-01-01..1979-12-31, 1980-01-01..1989-12-31
los siglos XVI y XVII                   | 1501-01-01..1700-12-31
el siglo pasado                         | 1901-01-01..2000-12-31
elecciones 2007                         | 2007-01-01..2007-12-31
en el 2000                              | 2000-01-01..2000-12-31
¿Cuántos activos en 2000 eran suyos?    | 2000-01-01..2000-12-31
el total en 2011                        | 2011-01-01..2011-12-31
la crisis de 2008-09                    | 2008-01-01..2009-12-31
¿Qué se vio ayer y en 2019?             | 2026-03-10, 2019-01-01..2019-12-31
"""

ENGLISH = """
in July 2008                            | 2008-07-01..2008-07-31
What happened in 2008?                  | 2008-01-01..2008-12-31
in July                                 | 2025-07-01..2025-07-31
in may                                  | 2025-05-01..2025-05-31
What changed in March?                  | 2026-03-01..2026-03-31
last summer                             | 2025-06-01..2025-09-22
summer of 2023                          | 2023-06-01..2023-09-22
Winter 2023                             | 2023-12-01..2024-03-20
this spring                             | 2026-03-01..2026-06-20
next fall                               | 2026-09-01..2026-12-20
since summer                            | 2025-06-01..2026-03-11
last week                               | 2026-03-02..2026-03-08
What did we ship last week?             | 2026-03-02..2026-03-08
this week                               | 2026-03-09..2026-03-15
next week                               | 2026-03-16..2026-03-22
the week before last                    | 2026-02-23..2026-03-01
last weekend                            | 2026-03-07..2026-03-08
two days ago                            | 2026-03-09
a day ago                               | 2026-03-10
twenty-five days ago                    | 2026-02-14
three weeks ago                         | 2026-02-16..2026-02-22
a week ago                              | 2026-03-02..2026-03-08
a couple of weeks ago                   | 2026-02-23..2026-03-01
two months ago                          | 2026-01-01..2026-01-31
a year ago                              | 2025-01-01..2025-12-31
1 year and 2 months ago                 | 2025-01-01..2025-01-31
half a year ago                         | 2025-09-01..2025-09-30
a few days ago                          | 2026-03-05..2026-03-11
20 hours ago                            | 2026-03-10
two weeks from now                      | 2026-03-23..2026-03-29
yesterday                               | 2026-03-10
the day before yesterday                | 2026-03-09
last night                              | 2026-03-10
today                                   | 2026-03-11
tomorrow                                | 2026-03-12
the day after tomorrow                  | 2026-03-13
on Monday                               | 2026-03-09
last Monday                             | 2026-03-09
on Wednesday                            | 2026-03-04
this Friday                             | 2026-03-13
next Monday                             | 2026-03-16
Friday's meeting                        | 2026-03-06
Monday last week                        | 2026-03-02
March 3rd                               | 2026-03-03
the 3rd of March                        | 2026-03-03
March 12                                | 2025-03-12
May 3                                   | 2025-05-03
what happened may 3?                    | 2025-05-03
Feb 29                                  | 2024-02-29
3 March 2024                            | 2024-03-03
March 3, 2024                           | 2024-03-03
Mar 3rd 2024                            | 2024-03-03
Sunday, March 3, 2024                   | 2024-03-03
February 29, 2024                       | 2024-02-29
Sept 2020                               | 2020-09-01..2020-09-30
on the 5th                              | 2026-03-05
12/25/2023                              | 2023-12-25
2024-W10                                | 2024-03-04..2024-03-10
2024-03-05T10:00                        | 2024-03-05
from May to July 2023                   | 2023-05-01..2023-07-31
between March and May 2024              | 2024-03-01..2024-05-31
from November 2023 to February 2024     | 2023-11-01..2024-02-29
from March 2024 to May                  | 2024-03-01..2024-05-31
between November and February           | 2025-11-01..2026-02-28
May 3-5                                 | 2025-05-03..2025-05-05
May 3 to 5, 2023                        | 2023-05-03..2023-05-05
3-5 May 2023                            | 2023-05-03..2023-05-05
March 2024 - May 2024                   | 2024-03-01..2024-05-31
from 2010 to 2015                       | 2010-01-01..2015-12-31
between Q1 and Q3 2024                  | 2024-01-01..2024-09-30
between early March and late May 2024   | 2024-03-01..2024-05-31
since January                           | 2026-01-01..2026-03-11
since 2020                              | 2020-01-01..2026-03-11
since last week                         | 2026-03-02..2026-03-11
since yesterday                         | 2026-03-10..2026-03-11
from 2019 onwards                       | 2019-01-01..2026-03-11
until 2010                              | …..2010-12-31
before 2020                             | …..2019-12-31
before last summer                      | …..2025-05-31
after March 2024                        | 2024-04-01..2026-03-11
early 2020                              | 2020-01-01..2020-05-01
mid-2023                                | 2023-05-02..2023-09-01
late March 2024                         | 2024-03-22..2024-03-31
end of last year                        | 2025-09-02..2025-12-31
the first week of May 2024              | 2024-05-01..2024-05-07
last week of February 2024              | 2024-02-23..2024-02-29
in the nineties                         | 1990-01-01..1999-12-31
the 1990s                               | 1990-01-01..1999-12-31
in the 90s                              | 1990-01-01..1999-12-31
the early nineties                      | 1990-01-01..1993-05-01
the 2010s                               | 2010-01-01..2019-12-31
in the 19th century                     | 1801-01-01..1900-12-31
Q1 2025                                 | 2025-01-01..2025-03-31
2025 Q4                                 | 2025-10-01..2025-12-31
in Q1                                   | 2026-01-01..2026-03-31
H2 2024                                 | 2024-07-01..2024-12-31
first quarter of 2025                   | 2025-01-01..2025-03-31
second half of 2024                     | 2024-07-01..2024-12-31
Q2 of last year                         | 2025-04-01..2025-06-30
last quarter                            | 2025-10-01..2025-12-31
this year                               | 2026-01-01..2026-12-31
last year                               | 2025-01-01..2025-12-31
next year                               | 2027-01-01..2027-12-31
last month                              | 2026-02-01..2026-02-28
year to date                            | 2026-01-01..2026-03-11
last July                               | 2025-07-01..2025-07-31
last March                              | 2025-03-01..2025-03-31
next May                                | 2026-05-01..2026-05-31
July last year                          | 2025-07-01..2025-07-31
in the last 6 months                    | 2025-09-11..2026-03-11
over the past two weeks                 | 2026-02-25..2026-03-11
the last 48 hours                       | 2026-03-09..2026-03-11
in the last year                        | 2025-03-11..2026-03-11
the last few weeks                      | 2026-01-28..2026-03-11
over the weekend                        | 2026-03-07..2026-03-08
the 5th of last month                   | 2026-02-05
Tuesday 3                               | 2026-03-03
the week of March 3                     | 2026-03-02..2026-03-08
week 10 of 2024                         | 2024-03-04..2024-03-10
Nov-Feb 2024                            | 2023-11-01..2024-02-29
Q4'24                                   | 2024-10-01..2024-12-31
FY2024                                  | 2024-01-01..2024-12-31
so far this year                        | 2026-01-01..2026-03-11
In May we decided                       | 2025-05-01..2025-05-31
this century                            | 2001-01-01..2100-12-31
the 2015 season                         | 2015-01-01..2015-12-31
"""

PLAIN = """
¿Cómo marcho?
v1.132.2
¿Qué trae la versión 2024.1.5?
segundo
mar
may I
May I see the log?
How may I help?
it may be March on
you may use 3 tokens
may 2 users share a page?
set 5 as the limit
set 2 ago
sol
dom
error 404
puerto 8080
puerto 2020
el error 2013
2 pasos
D1
A4
1.5
10.0.0.1
192.168.1.1
#176
issue #2024
llama al 91 555 12 12
+34 612 34 56 78
555-12-34
CVE-2024-1234
ISO 9001
RFC 2119
un máximo de 2000 caracteres
un límite de 2000
más de 2000 usuarios
in 2000 lines
en 1500 caracteres
en 1024 bytes
es 3/4 del total
la Ley 3/2018
niveles del mar de 1990 casos
el nodo 2012
windows 2000
una campaña de 2000 usuarios
soporte 24/7
30 de cada 100
el segundo paso
los fines de semana
20240305
la segunda mitad del documento
the second half of the page
Santo Domingo
Plácido Domingo
el Viernes Santo
¿abrís de lunes a viernes?
Monday to Friday
los lunes
monday.com
¿Qué dijo Julio?
¿Quién es Julio Pérez?
el correo de Julio Pérez
hoy en día
por la mañana
cada mañana
Spring Boot 3
a 30s timeout
un plazo de 3 días
tarda 2 semanas
menores de 18 años
cada dos semanas
hace 66 millones de años
hace falta un permiso
hace clic
hace 3 pasos
los últimos 3 commits
en los últimos 34 millones de años
el último paso
this may help
once
ten cuidado
DOS
function f2(a1)
functions/_lib/x.ts
99/99/2024
32/01/2024
2024-13-45
0000-00-00
1.2.2024
sha 2024a3f
durationUnit
C++
¿?
"""


def written(period: Period) -> str:
    first = "…" if period.first == date.min else period.first.isoformat()
    last = "…" if period.last == date.max else period.last.isoformat()
    return first if first == last else f"{first}..{last}"


def table(rows: str) -> list[tuple[str, str]]:
    return [
        (text.strip(), expected.strip())
        for text, _, expected in (row.rpartition("|") for row in rows.split("\n") if row)
    ]


def found(text: str, asked_at: datetime = WEDNESDAY) -> str:
    return ", ".join(map(written, periods(text, asked_at)))


@pytest.mark.parametrize(("text", "expected"), table(SPANISH))
def test_spanish_names_a_period(text: str, expected: str) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(("text", "expected"), table(ENGLISH))
def test_english_names_a_period(text: str, expected: str) -> None:
    assert found(text) == expected


@pytest.mark.parametrize("text", [line for line in PLAIN.split("\n") if line])
def test_plain_words_versions_and_numbers_name_no_period(text: str) -> None:
    assert found(text) == ""


CLOCKS = """
2024-02-29T12:00 | ayer                       | 2024-02-28
2024-02-29T12:00 | hace un año                | 2023-01-01..2023-12-31
2024-02-29T12:00 | el 29 de febrero           | 2024-02-29
2024-02-28T12:00 | el 29 de febrero           | 2020-02-29
2024-02-28T12:00 | mañana                     | 2024-02-29
2023-02-28T12:00 | tomorrow                   | 2023-03-01
2024-03-01T12:00 | yesterday                  | 2024-02-29
2023-03-01T12:00 | yesterday                  | 2023-02-28
1904-02-20T12:00 | 29 de febrero              | 1896-02-29
2026-03-31T12:00 | hace un mes                | 2026-02-01..2026-02-28
2026-03-31T12:00 | en el último mes           | 2026-02-28..2026-03-31
2026-05-31T12:00 | in the last 3 months       | 2026-02-28..2026-05-31
2026-05-31T12:00 | next month                 | 2026-06-01..2026-06-30
2026-01-01T00:00 | ayer                       | 2025-12-31
2026-01-01T00:00 | el mes pasado              | 2025-12-01..2025-12-31
2026-01-01T00:00 | last week                  | 2025-12-22..2025-12-28
2026-01-01T00:00 | this week                  | 2025-12-29..2026-01-04
2026-01-01T00:00 | last quarter               | 2025-10-01..2025-12-31
2026-01-01T00:00 | desde enero                | 2026-01-01
2025-12-31T23:59 | tomorrow                   | 2026-01-01
2025-12-31T23:59 | la semana que viene        | 2026-01-05..2026-01-11
2025-12-31T23:59 | en enero                   | 2025-01-01..2025-01-31
2025-12-31T23:59 | este invierno              | 2025-12-01..2026-03-20
2026-01-15T12:00 | el invierno pasado         | 2024-12-01..2025-03-20
2026-01-15T12:00 | entre noviembre y enero    | 2025-11-01..2026-01-31
2026-07-15T12:00 | el verano pasado           | 2025-06-01..2025-09-22
2026-07-15T12:00 | este verano                | 2026-06-01..2026-09-22
2026-10-15T12:00 | el verano pasado           | 2026-06-01..2026-09-22
2026-10-15T12:00 | este verano                | 2026-06-01..2026-09-22
2026-03-09T12:00 | la semana pasada           | 2026-03-02..2026-03-08
2026-03-08T12:00 | la semana pasada           | 2026-02-23..2026-03-01
2026-03-09T12:00 | el lunes                   | 2026-03-02
2026-03-10T12:00 | last Monday                | 2026-03-09
2026-03-09T12:00 | el domingo                 | 2026-03-08
2026-03-08T12:00 | este lunes                 | 2026-03-02
2026-03-09T12:00 | next Monday                | 2026-03-16
2026-03-14T12:00 | last weekend               | 2026-03-07..2026-03-08
2026-03-16T12:00 | last weekend               | 2026-03-14..2026-03-15
2020-12-31T12:00 | los años 20                | 2020-01-01..2029-12-31
2020-12-31T12:00 | la década pasada           | 2010-01-01..2019-12-31
"""


@pytest.mark.parametrize(
    ("asked_at", "text", "expected"), [tuple(map(str.strip, row.split("|"))) for row in CLOCKS.split("\n") if row]
)
def test_the_clock_decides_at_leap_days_month_ends_and_new_year(asked_at: str, text: str, expected: str) -> None:
    assert found(text, datetime.fromisoformat(asked_at).replace(tzinfo=MADRID)) == expected


def test_today_is_the_day_in_the_askers_zone() -> None:
    instant = datetime(2026, 3, 11, 23, 30, tzinfo=UTC)
    assert found("hoy", instant) == "2026-03-11"
    assert found("hoy", instant.astimezone(MADRID)) == "2026-03-12"
    assert found("hace dos días", instant.astimezone(ZoneInfo("America/Bogota"))) == "2026-03-09"


def test_the_machines_zone_moves_no_day() -> None:
    script = (
        "from datetime import datetime, UTC; from retrieval.periods import periods;"
        "print(*periods('el lunes, hace dos días, el 3 de marzo', datetime(2026, 3, 11, 0, 5, tzinfo=UTC)))"
    )
    told = {
        subprocess.run([sys.executable, "-c", script], env={"TZ": zone}, capture_output=True, check=True).stdout
        for zone in ("UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago")
    }
    assert len(told) == 1


@pytest.mark.parametrize(
    ("asked_at", "text", "expected"),
    [
        (datetime(2026, 3, 29, 4, 30, tzinfo=MADRID), "hace 4 horas", "2026-03-28"),  # 2:00 to 3:00 is missing
        (datetime(2026, 3, 30, 0, 30, tzinfo=MADRID), "ayer", "2026-03-29"),
        (datetime(2026, 10, 26, 0, 30, tzinfo=MADRID), "hace 24 horas", "2026-10-25"),  # a day of 25 hours
        (datetime(2026, 10, 25, 2, 30, tzinfo=MADRID, fold=1), "hace 3 horas", "2026-10-25"),
        (datetime(2026, 10, 26, 12, 0, tzinfo=MADRID), "hace un día", "2026-10-25"),
        (datetime(2026, 3, 29, 12, 0), "hace 13 horas", "2026-03-28"),  # noqa: DTZ001 - a clock without a zone
    ],
)
def test_hours_are_counted_through_clock_changes(asked_at: datetime, text: str, expected: str) -> None:
    assert found(text, asked_at) == expected


def test_a_question_without_a_word_about_time_loads_neither_dateparser_nor_the_patterns() -> None:
    script = (
        "import sys; from datetime import datetime, UTC; from retrieval.periods import periods;"
        "asked = datetime(2026, 3, 11, tzinfo=UTC);"
        "assert not periods('¿Cómo conecto el bot a Slack si da error 404 en el puerto 8080?', asked);"
        "assert not {'dateparser', 'retrieval.dates.questions'} & set(sys.modules);"
        "assert periods('¿Qué pasó en julio de 2008?', asked);"
        "assert 'dateparser' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_period_never_ends_before_it_begins() -> None:
    with pytest.raises(ValueError, match="before it begins"):
        Period(date(2026, 1, 2), date(2026, 1, 1))


WORDS = sorted({word for rows in (SPANISH, ENGLISH) for text, _ in table(rows) for word in text.split()})
date_soup = st.lists(st.sampled_from([*WORDS, "0", "31", "99", "9999", "2100", "-", "/", ".", ","]), max_size=14)
clocks = st.datetimes(timezones=st.sampled_from([UTC, MADRID, ZoneInfo("America/Caracas"), ZoneInfo("Asia/Kolkata")]))


@given(st.one_of(st.text(max_size=200), date_soup.map(" ".join), date_soup.map("".join)), clocks)
@example("hace 9999 años, 29 de febrero, el lunes, last week", datetime.min.replace(tzinfo=UTC))
@example("next year, in 9999 years, tomorrow, la semana que viene", datetime.max.replace(tzinfo=UTC))
@example("İstanbul ﷺ 3 ½ ② marzo", WEDNESDAY)
@example("\x00 2010, \x00 2011", WEDNESDAY)
def test_any_text_at_any_time_is_read_without_an_error(text: str, asked_at: datetime) -> None:
    read = periods(text, asked_at)
    assert all(period.first <= period.last for period in read)
    assert len(set(read)) == len(read)


BY_DAYS = "ayer|hoy|mañana|anteayer|hace 5 días|three days ago|los últimos 10 días|the last 48 hours|hace unos días"
BY_WEEKS = (
    "la semana pasada|this week|next week|hace 3 semanas|a week ago|el lunes|last Friday|this Sunday|last weekend"
)
noons = st.dates(date(1990, 1, 1), date(2090, 1, 1)).map(lambda day: datetime.combine(day, time(12), tzinfo=UTC))


@given(st.sampled_from(BY_DAYS.split("|")), noons, st.integers(-400, 400))
def test_moving_the_clock_moves_relative_days_as_far(text: str, asked_at: datetime, days: int) -> None:
    assert periods(text, asked_at + timedelta(days=days)) == moved(periods(text, asked_at), days)


@given(st.sampled_from(BY_WEEKS.split("|")), noons, st.integers(-60, 60))
def test_moving_the_clock_by_weeks_moves_weeks_and_weekdays_as_far(text: str, asked_at: datetime, weeks: int) -> None:
    assert periods(text, asked_at + timedelta(weeks=weeks)) == moved(periods(text, asked_at), 7 * weeks)


@given(noons)
def test_weeks_run_from_monday_to_sunday_and_follow_each_other(asked_at: datetime) -> None:
    last, this, following = (periods(text, asked_at)[0] for text in ("last week", "this week", "next week"))
    assert (this.first.weekday(), this.last.weekday()) == (0, 6)
    assert this.first <= asked_at.date() <= this.last
    assert (last.last + timedelta(days=1), following.first) == (this.first, this.last + timedelta(days=1))


@given(noons, st.integers(1, 28), st.sampled_from(SPANISH_MONTHS))
def test_a_day_without_its_year_is_the_latest_that_has_come(asked_at: datetime, day: int, month: str) -> None:
    (period,) = periods(f"el {day} de {month}", asked_at)
    assert period.first <= asked_at.date() < period.first.replace(year=period.first.year + 1)


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_every_way_to_write_a_day_means_that_day(day: date) -> None:
    for text in (
        day.isoformat(),
        f"{day.day}/{day.month}/{day.year}",
        f"{day.day:02}-{day.month:02}-{day.year}",
        f"el {day.day} de {SPANISH_MONTHS[day.month - 1]} de {day.year}",
        f"{ENGLISH_MONTHS[day.month - 1]} {day.day}, {day.year}",
        f"{day.day} {ENGLISH_MONTHS[day.month - 1][:3]} {day.year}",
    ):
        assert periods(text, WEDNESDAY) == (Period(day, day),), text


def moved(read: tuple[Period, ...], days: int) -> tuple[Period, ...]:
    by = timedelta(days=days)
    return tuple(Period(period.first + by, period.last + by) for period in read)
