"""Front matter fails closed: no slip of the pen publishes a page that was meant to be hidden."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ingest.front_matter import read_front_matter


def body_of(text: str) -> str:
    return text[read_front_matter(text).body_start :]


@pytest.mark.parametrize(
    ("text", "fields", "body"),
    [
        ("---\ntitle: T\n---\ncuerpo", {"title": "T"}, "cuerpo"),
        ("---\ntitle: T\n---", {"title": "T"}, ""),
        ("---\ntitle: T\n...\ncuerpo\n\n---\n\nmás", {"title": "T"}, "cuerpo\n\n---\n\nmás"),
        ("-----  \ntitle: T\n---- \ncuerpo", {"title": "T"}, "cuerpo"),
        ("\n\n \n---\ntitle: T\n---\ncuerpo", {"title": "T"}, "cuerpo"),
        ("---\n---\ncuerpo", {}, "cuerpo"),
        ("---\n# un comentario\n---\ncuerpo", {}, "cuerpo"),
        ("---\n  title: T\n  tags: [a, b]\n---\ncuerpo", {"title": "T", "tags": ("a", "b")}, "cuerpo"),
        ('---\n{"Title": "T", "last update": 5}\n---\ncuerpo', {"title": "T", "last_update": "5"}, "cuerpo"),
        ("cuerpo\n\n---\ntitle: T\n---", {}, "cuerpo\n\n---\ntitle: T\n---"),
        ("---\n\nEmpieza con una raya y sigue.", {}, "---\n\nEmpieza con una raya y sigue."),
        ("", {}, ""),
        ("---", {}, "---"),
    ],
)
def test_front_matter_is_split_from_the_body(text: str, fields: dict[str, object], body: str) -> None:
    front = read_front_matter(text)
    assert front.fields == fields
    assert text[front.body_start :] == body
    assert not front.withheld
    assert front.faults == ()


@pytest.mark.parametrize(
    ("block", "error"),
    [
        (
            "title: Uno: dos",
            "front matter cannot be read, its fields are left out: mapping values are not allowed in this context",
        ),
        ("title: [a", "front matter cannot be read, its fields are left out: did not find expected ',' or ']'"),
        ("title: *nada", "front matter cannot be read, its fields are left out: found undefined alias"),
        ("a: &a {b: c}\n<<: *a", "front matter cannot be read, its fields are left out: `<<` is not read"),
        ("title: T\n" + "#" * 100_001, "front matter cannot be read, its fields are left out: it is longer than"),
        ("a: " + "[" * 50_000, "front matter cannot be read, its fields are left out: "),
        ("title: a\x07b", "front matter cannot be read, its fields are left out: "),
    ],
)
def test_broken_front_matter_costs_its_fields_and_not_the_page(block: str, error: str) -> None:
    text = f"---\n{block}\n---\ncuerpo"
    front = read_front_matter(text)
    assert front.fields == {}
    assert not front.withheld
    assert text[front.body_start :] == "cuerpo"
    [fault] = front.faults
    assert fault.startswith(error)
    assert "\n" not in fault


def test_broken_front_matter_is_told_with_its_line_and_its_mend() -> None:
    [fault] = read_front_matter("---\nstatus: draft\ntitle: Uno: dos\n---\n").faults
    assert fault.endswith("in line 3; mend the YAML (values that hold `: ` or `#` need quotes)")


@pytest.mark.parametrize("block", ["\nUn párrafo entre dos rayas.\n", "- una\n- lista", "\n**Nota:** algo: más\n"])
def test_text_between_two_rules_stays_text(block: str) -> None:
    text = f"---\n{block}\n---\ncuerpo"
    front = read_front_matter(text)
    assert not front.withheld
    assert text[front.body_start :] == text
    assert front.faults[0].startswith("front matter cannot be read and is indexed as text: ")


def test_front_matter_in_toml_is_named() -> None:
    text = '+++\ntitle = "T"\n+++\ncuerpo'
    front = read_front_matter(text)
    assert front.faults == (
        "front matter cannot be read, its fields are left out: it is TOML; write it as YAML between lines of ---",
    )
    assert text[front.body_start :] == "cuerpo"


MEANT_TO_BE_HIDDEN = {
    "broken": "---\ntitle: [a\nvisibility: private\n---\ncuerpo",
    "broken, indented": "---\ntitle: a\n  visibility: private\n---\ncuerpo",
    "broken, quoted": "---\ntitle: [a\n'visibility': private\n---\ncuerpo",
    "broken, upper case": "---\ntitle: [a\nVISIBILITY: private\n---\ncuerpo",
    "broken, commented out": "---\ntitle: [a\n# visibility: private\n---\ncuerpo",
    "broken, without a colon": "---\ntitle: [a\nvisibility private\n---\ncuerpo",
    "broken, on one line": "---\n{title: [a, visibility: private\n---\ncuerpo",
    "broken, after another line end": "---\ntitle: [a\u2028visibility: private\n---\ncuerpo",
    "broken, with a byte order mark inside": "---\ntitle: [a\n\ufeffvisibility: private\n---\ncuerpo",
    "broken, with a tab": "---\ntitle: a\n\tvisibility: private\n---\ncuerpo",
    "not a mapping": "---\n- visibility: private\n---\ncuerpo",
    "twice": "---\nvisibility: private\nvisibility: public\n---\ncuerpo",
    "twice, once quoted": "---\nvisibility: private\n'Visibility': public\n---\ncuerpo",
    "inside another field": "---\naccess:\n  visibility: private\n---\ncuerpo",
    "inside a list": "---\naccess:\n- visibility: private\n---\ncuerpo",
    "behind an alias": "---\na: &a\n  visibility: private\nb: *a\n---\ncuerpo",
    "behind a merge": "---\na: &a\n  visibility: private\n<<: *a\n---\ncuerpo",
    "misspelt": "---\nvisibilty: private\n---\ncuerpo",
    "in Spanish": "---\nvisibilidad: private\n---\ncuerpo",
    "with a letter that only looks the same": "---\nvis\u0456bility: private\n---\ncuerpo",
    "with a letter that cannot be seen": "---\nvisi\u200bbility: private\n---\ncuerpo",
    "never closed": "---\ntitle: T\nvisibility: private\n\n# Título\n\ncuerpo",
    "never closed, with a comment": "---\nvisibility: private # por ahora\n\ncuerpo",
    "closed wrongly": "---\nvisibility: private\n--\n\ncuerpo",
    "never opened": "visibility: private\n---\ncuerpo",
    "never opened, after a blank line": "title: T\n\nvisibility: private\n---\ncuerpo",
    "opened wrongly": "--\nvisibility: private\n---\ncuerpo",
    "opened with other dashes": "—-\nvisibility: private\n—-\ncuerpo",
    "after dots": "---\ntitle: T\n...\nvisibility: private\n---\ncuerpo",
    "in TOML": '+++\nvisibility = "private"\n+++\ncuerpo',
    "never closed in TOML": '+++\nvisibility = "private"\n\ncuerpo',
    "too long": f"---\nvisibility: private\n{'# relleno' * 20_000}\n---\ncuerpo",
    "too deep": f"---\nvisibility: private\na: {'[' * 50_000}\n---\ncuerpo",
}


@pytest.mark.parametrize("text", MEANT_TO_BE_HIDDEN.values(), ids=MEANT_TO_BE_HIDDEN)
def test_a_page_that_may_mean_to_be_hidden_is_withheld(text: str) -> None:
    front = read_front_matter(text)
    assert front.withheld
    [fault] = front.faults
    assert fault.startswith("withheld: ")


@pytest.mark.parametrize(
    "text",
    [
        "# Visibility: who sees what\n\nVisibility: read on.",
        "Visibility: a page has one of four values.\n\nMore.",
        "---\n\nVisibility matters.\n\nThe visibility: see below.",
        "---\ntitle: T\n---\n\nPon `visibility: private` así:\n\n```yaml\nvisibility: private\n```",
        "---\ntitle: La visibility\ndescription: |\n  visibility: no es un campo aquí\n---\ncuerpo",
        "---\nvisible: true\n---\ncuerpo",
        "Texto\n\n```yaml\n---\nvisibility: private\n---\n```",
    ],
)
def test_a_page_about_visibility_is_not_withheld(text: str) -> None:
    assert not read_front_matter(text).withheld


def test_aliases_that_would_grow_without_end_cost_nothing() -> None:
    levels = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40))
    front = read_front_matter(f"---\na0: &a0 x\n{levels}\ntitle: T\n---\ncuerpo")
    assert front.fields["title"] == "T"


LINES = st.sampled_from(
    ["title: T", "visibility: private", "tags: [a", "- x", "", "  b: c", "...", "texto", "a: b: c", "---"]
)


@given(
    st.lists(LINES, max_size=8),
    st.sampled_from(["---\n", "--\n", "\n---\n", ""]),
    st.sampled_from(["\n---\n", "\n", "\n...\n"]),
)
def test_a_visibility_at_the_start_of_a_page_is_read_or_withholds(lines: list[str], opening: str, closing: str) -> None:
    front = read_front_matter(opening + "\n".join(["visibility: private", *lines]) + closing + "cuerpo")
    assert front.withheld or front.fields.get("visibility") == "private"
