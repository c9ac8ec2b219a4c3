"""Chunks follow the page and leave nothing of it out."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ingest.chunk import ChunkDraft, chunk_page, embedded_text
from retrieval.ingest.pieces import TARGET_CHARACTERS, WHOLE_LIMIT_CHARACTERS
from retrieval.sentences import sentences

ABOUT = TARGET_CHARACTERS + 200


def chunks(text: str, *, title: str = "Página", kind: str = "markdown") -> tuple[ChunkDraft, ...]:
    """Cut, and check what holds for every page."""
    drafts = chunk_page(text, title=title, format=kind)
    reached = 0
    for before, draft in zip((None, *drafts), drafts, strict=False):
        assert draft.text == text[draft.start : draft.end]
        assert draft.text.strip()
        assert text[reached : draft.start].strip() == ""
        assert before is None or before.start < draft.start
        assert draft.end > reached
        reached = draft.end
    assert text[reached:].strip() == ""
    return drafts


def prose(sentence_count: int, word: str = "palabra") -> str:
    return " ".join(f"La frase {number} dice {word} varias veces, {word} y {word}." for number in range(sentence_count))


def test_a_short_page_is_one_chunk() -> None:
    text = "# Título\n\nUn párrafo.\n\n- uno\n- dos\n"
    [chunk] = chunks(text)
    assert (chunk.heading, chunk.text) == ("Título", text.strip())


def test_an_empty_page_has_no_chunk() -> None:
    assert chunks("") == ()
    assert chunks(" \n\n\t") == ()


def test_sections_are_cut_at_their_headings_and_know_their_path() -> None:
    text = "\n\n".join(
        ["Intro. " * 30, "# A", prose(4), "## B {#b}", prose(4), "### **C**", prose(4), "## D", prose(4)]
    )
    assert [(chunk.heading, chunk.text.split("\n")[0]) for chunk in chunks(text)] == [
        ("", ("Intro. " * 30).strip()),
        ("A", "# A"),
        ("A › B", "## B {#b}"),
        ("A › B › C", "### **C**"),
        ("A › D", "## D"),
    ]


def test_the_pages_own_title_is_not_repeated_in_the_path() -> None:
    text = f"# La Página\n\n{prose(4)}\n\n## Uso\n\n{prose(4)}"
    assert [chunk.heading for chunk in chunks(text, title="La página")] == ["", "Uso"]


def test_a_long_section_is_cut_between_paragraphs() -> None:
    paragraphs = [prose(20, word) for word in ("uno", "dos", "tres")]
    text = "## S\n\n" + "\n\n".join(paragraphs)
    first, second, third = chunks(text)
    assert first.text == f"## S\n\n{paragraphs[0]}"
    assert second.text.endswith(paragraphs[1])
    assert third.text.endswith(paragraphs[2])


def test_a_long_paragraph_is_cut_between_sentences_that_overlap_by_one() -> None:
    text = f"## S\n\n{prose(120)}"
    drafts = chunks(text)
    assert len(drafts) > 3
    ends = {end for _, end in sentences(text)}
    for one, other in pairwise(drafts):
        assert one.end in ends
        assert len(other.text) <= ABOUT
        first_start, first_end = sentences(other.text)[0]
        assert one.text.endswith(other.text[first_start:first_end])
        assert one.end - other.start == first_end


def test_neighbours_of_different_sections_do_not_overlap() -> None:
    text = "\n\n".join(f"## S{number}\n\n{prose(20)}" for number in range(3))
    one, other, _ = chunks(text)
    assert one.end < other.start


@pytest.mark.parametrize(
    "block",
    [
        "```python\n" + "x = 1  # una línea. Otra.\n\n" * 150 + "```",
        "~~~\n" + "# no es un título\n" * 200 + "~~~",
        "| a | b |\n|---|---|\n" + "\n".join(f"| fila {number} | dato. Otro. |" for number in range(200)),
        "<table>\n" + "<tr>\n\n<td>celda. Otra.</td>\n\n</tr>\n" * 150 + "</table>",
        "<table>" + "<tr><td><table><tr><td>x</td></tr></table></td></tr>\n\n" * 60 + "</table>",
    ],
    ids=["fence", "tildes", "table", "html table", "nested html table"],
)
def test_code_and_tables_stay_whole(block: str) -> None:
    assert len(block) > 2 * TARGET_CHARACTERS
    text = f"# S\n\nMire esto:\n\n{block}\n\n{prose(30)}"
    assert f"# S\n\nMire esto:\n\n{block}" in [chunk.text for chunk in chunks(text)]


def test_a_fence_that_is_never_closed_does_not_make_the_page_one_chunk() -> None:
    drafts = chunks("```\n" + "una línea de código\n" * 5_000)
    assert max(len(draft.text) for draft in drafts) <= WHOLE_LIMIT_CHARACTERS
    assert len(drafts) > 50


def test_a_table_that_is_never_closed_does_not_make_the_page_one_chunk() -> None:
    drafts = chunks(f"<table>\n\n{prose(200)}\n\n# Otra\n\n{prose(10)}")
    assert max(len(draft.text) for draft in drafts) <= ABOUT
    assert drafts[-1].heading == "Otra"


def test_a_heading_is_never_a_chunk_of_its_own() -> None:
    long_code = "```\n" + "x\n" * 3_000 + "```"
    text = f"# A\n\n## B\n\n### C\n\n{long_code}\n\n## D\n\n{prose(40)}\n\n# E\n\n# F"
    drafts = chunks(text)
    assert [draft.heading for draft in drafts][:2] == ["A › B › C", "A › D"]
    assert drafts[0].text == f"# A\n\n## B\n\n### C\n\n{long_code}"
    assert drafts[-1].text.endswith("# E\n\n# F")
    assert all(not line.startswith("#") or "\n" in draft.text for draft in drafts for line in [draft.text])


def test_a_page_of_headings_alone_is_one_chunk() -> None:
    [chunk] = chunks("# A\n\n## B\n\n# C\n")
    assert chunk.text == "# A\n\n## B\n\n# C"


def test_tiny_sections_are_joined_under_what_they_share() -> None:
    text = f"# A\n\n## B\n\nBreve.\n\n## C\n\nBreve.\n\n## D\n\n{'d' * 1_490}"
    first = chunks(text)[0]
    assert (first.heading, first.text) == ("A", "# A\n\n## B\n\nBreve.\n\n## C\n\nBreve.")


def test_a_question_with_its_answer_stays_on_its_own() -> None:
    text = "\n\n".join(f"## ¿Pregunta {number}?\n\n{prose(3)}" for number in range(3))
    assert [chunk.heading for chunk in chunks(text)] == ["¿Pregunta 0?", "¿Pregunta 1?", "¿Pregunta 2?"]


def test_scraps_stay_with_what_they_end() -> None:
    table = "| a |\n|---|\n" + "| una fila de la tabla |\n" * 200
    [chunk] = chunks(f"## S\n\n{table}\n\nNota.")
    assert chunk.text.endswith("Nota.")


def test_headings_inside_lists_and_quotes_open_no_section() -> None:
    assert {chunk.heading for chunk in chunks(f"# A\n\n> # B\n\n- # C\n\n{prose(40)}")} == {"A"}


@pytest.mark.parametrize("unit", ["x", "ñ", "漢", "https://a.example/b?c=", "a,b;"])
def test_text_without_spaces_is_cut_at_the_target(unit: str) -> None:
    drafts = chunks("# S\n\n" + unit * (20_000 // len(unit)))
    assert max(len(draft.text) for draft in drafts) <= ABOUT


def test_a_cut_keeps_marks_with_their_letter() -> None:
    drafts = chunks("e\u0301" * 2_000)
    assert len(drafts) > 2
    assert all(draft.text[0] == "e" for draft in drafts)
    assert all(draft.text[0] == "👩" for draft in chunks("👩\u200d💻" * 1_000))


def test_plain_text_is_cut_at_blank_lines_and_knows_no_markup() -> None:
    text = f"# no es un título\n{prose(15)}\n\n{prose(15)}\n \n```\n{prose(60)}"
    drafts = chunks(text, kind="text")
    assert {draft.heading for draft in drafts} == {""}
    assert max(len(draft.text) for draft in drafts) <= ABOUT
    assert drafts[0].text == f"# no es un título\n{prose(15)}"


@pytest.mark.parametrize(
    "text",
    [
        "> " * 400 + "hondo\n\n" + "fin " * 1_000,
        "\n".join(" " * number + "- nivel" for number in range(300)),
        "- a\n" * 5_000,
        "> a\n" * 5_000,
        "# A\n" * 3_000,
        "| a\n|-\n\n" * 3_000,
        "[a]: b\n" * 3_000,
        "." * 50_000,
        "\n" * 50_000 + "fin",
        "a\r\nb\rc\r\r\n# D\r\n" + "e " * 2_000,
    ],
)
def test_hostile_pages_are_cut_to_their_end(text: str) -> None:
    # Where the cost is the square of the length, this takes minutes.
    assert max(len(draft.text) for draft in chunks(text)) <= ABOUT


def test_a_page_of_megabytes_is_cut_whole() -> None:
    section = f"## Sección\n\n{prose(30)}\n\n- uno\n- dos\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    text = section * (2_000_000 // len(section))
    assert len(chunks(text)) > 1_000


def test_what_is_embedded_starts_with_the_title_and_the_path() -> None:
    _, draft = chunks(f"# A\n\n{prose(4)}\n\n## B\n\nUn **texto** con [enlace](https://a.example).\n\n{prose(4)}")
    assert embedded_text("Página", draft).startswith("Página\nA › B\nB\n\nUn texto con enlace.\n\nLa frase 0")
    [bare] = chunks("Solo texto.")
    assert embedded_text("", bare) == "Solo texto."


PARTS = [
    "# A\n",
    "\n## B\n",
    "\n### C\n\n",
    "a",
    "Una frase. ",
    "palabra " * 40,
    "x" * 1_600,
    "\n",
    "\n\n",
    "- ",
    "> ",
    "```\n",
]
PARTS += [
    "| a |\n|-|\n",
    "<table>\n",
    "</table>\n",
    "    ",
    "\r\n",
    "\r",
    "---\n",
    "===\n",
    "<!--",
    "-->",
    "1. ",
    "\t",
    "\u2028",
    "e\u0301",
]


@given(
    st.lists(st.sampled_from(PARTS), max_size=40).map("".join) | st.text(max_size=200),
    st.sampled_from(["markdown", "text"]),
)
def test_chunks_cover_any_page_in_order(text: str, kind: str) -> None:
    chunks(text, kind=kind)
