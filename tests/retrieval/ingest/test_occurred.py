"""`occurred`: when what a page tells of happened."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from retrieval.dates.stretches import Period, day, month, year
from retrieval.ingest.documents import RawDocument, Source
from retrieval.ingest.parse import ParsedPage, parse


def page_with(occurred: str) -> ParsedPage:
    text = f"---\noccurred: {occurred}\n---\n# Página\n\nTexto\n"
    return parse(RawDocument("a.md", Source(Path("wiki")), "wiki/a.md", text.encode(), "markdown"))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2008-07-12", (day(date(2008, 7, 12)),)),
        ("2008-07", (month(2008, 7),)),
        ("2008", (year(2008),)),
        ("julio de 2008", (month(2008, 7),)),
        ("1998-2003", (Period(date(1998, 1, 1), date(2003, 12, 31)),)),
        ("[2008-07-12, 2010, 2008-07-12]", (day(date(2008, 7, 12)), year(2010))),
        ("", ()),
        ("[]", ()),
    ],
)
def test_days_months_and_years_are_read_one_or_several(written: str, expected: tuple[Period, ...]) -> None:
    page = page_with(written)
    assert page.occurred == expected
    assert page.faults == ()


@pytest.mark.parametrize("written", ["hace mucho", "2008-13-40", "[2008, nunca]"])
def test_what_is_no_date_is_a_fault_and_the_page_stays(written: str) -> None:
    page = page_with(written)
    assert page.readable
    [fault] = page.faults
    assert fault.error.startswith("occurred '")
    assert fault.error.endswith("is no date; write it as 2025-01-31, 2025-01 or 2025")
