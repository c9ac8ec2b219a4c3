"""The readable text of markdown: all that a person reads, and none of the markup."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.markdown import first_heading, plain

FENCE_LANGUAGE = re.compile(r"(?:`{3,}|~{3,})[ \t]*\S+")
WORD = re.compile(r"[^\W_]+")


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("", ""),
        ("Un párrafo\nque sigue.", "Un párrafo que sigue."),
        ("# Título\n\nTexto", "Título\n\nTexto"),
        ("Título\n======\nTexto", "Título\n\nTexto"),
        ("# Uso {#uso .clase}", "Uso"),
        ("**neg**rita, _cur_ y snake_case_name", "negrita, cur y snake_case_name"),
        ("~~tach~~ado", "tachado"),
        ("**«a»**, **b***c*`d`", "«a», bcd"),
        ("`código <b>` y ``un ` acento``", "código <b> y un ` acento"),
        ("[enlace](https://a.example/b) y [otro][r]\n\n[r]: https://c.example", "enlace y otro"),
        ('[enlace](https://a.example "El título")', "El título enlace"),
        ("![texto alternativo](foto.png){width=80%}", "texto alternativo"),
        ("<https://a.example/b>", "https://a.example/b"),
        ("a &amp; b &lt;c&gt; &ntilde;", "a & b <c> ñ"),
        (r"\*literal\* y 2 \# 3", "*literal* y 2 # 3"),
        ("una línea  \ny otra", "una línea\ny otra"),
        ("> una cita\n> > y otra", "una cita\n\ny otra"),
        ("- uno\n- dos\n  - tres", "uno\n\ndos\n\ntres"),
        ("1. uno\n2. dos\n   - tres", "1. uno\n\n2. dos\n\ntres"),
        ("1. - dentro", "1. dentro"),
        ("- [x] hecho\n- [ ] pendiente", "[x] hecho\n\n[ ] pendiente"),
        ("| a | b |\n|---|:-:|\n| **1** | x \\| y |", "a\tb\n1\tx | y"),
        ("a | b\n--|--\n1 | 2 | sobra", "a\tb\n1\t2\tsobra"),
        ("```python\nx = List<String>  # *no*\n```", "x = List<String>  # *no*"),
        ('```python title="config.py"\nx = 1\n```', 'title="config.py"\nx = 1'),
        ("    sangrado\n    **otro**", "sangrado otro"),
        ("Texto\n\n    sangrado **así**", "Texto\n\nsangrado **así**"),
        ("uno\n\n---\n\ndos", "uno\n\ndos"),
        (
            "Dicho[^1] y más[^nota].\n\n[^1]: palabra\n\n[^nota]: La nota larga.",
            "Dicho y más.\n\npalabra\n\nLa nota larga.",
        ),
        (r"\[^1] y `[^2]` y [^3](https://a.example)", "[^1] y [^2] y ^3"),
        ("[[^Pagina/Otra]] y [^1]", "[[^Pagina/Otra]] y"),
        ('[r]: https://c.example "Solo un título"', "Solo un título"),
        ("antes <!-- oculto --> después", "antes después"),
        ("<!-- oculto --> después", "después"),
        ("<div>\nhola <b>mun</b>do\n</div>", "hola mundo"),
        ("línea<br>otra", "línea\notra"),
        ("Es List<String> y <nombre del fichero>", "Es List<String> y <nombre del fichero>"),
        ("a\r\nb\r\n\r\nc", "a b\n\nc"),
    ],
)
def test_the_text_stays_and_the_markup_goes(markdown: str, expected: str) -> None:
    assert plain(markdown) == expected


def test_a_stretch_cut_from_the_middle_of_a_list_is_read_as_text() -> None:
    assert plain("      * uno [enlace](https://a.example)\n      * dos") == "uno enlace\n\ndos"


@pytest.mark.parametrize("container", ["> ", "- ", "1. ", "> - "])
def test_what_is_nested_deeper_than_anyone_reads_is_kept(container: str) -> None:
    assert "hondo" in plain(container * 300 + "hondo **de verdad**")


def test_html_headings_and_headings_with_markup_make_titles() -> None:
    assert first_heading("Texto\n\n## Una **guía** de `uso` {#guia}\n\n# Otra") == "Una guía de uso"
    assert first_heading('<h1 align="center">El <b>pro</b>yecto</h1>\n\n## Otra') == "El proyecto"
    assert first_heading("```\n# no es un título\n```\n\nTexto") == ""
    assert first_heading("texto\n\n" * 5_000 + "# Al final") == "Al final"


# Fragments whose words are known: those that are read, and those that are not.
Fragment = Callable[[str, str], tuple[str, list[str], list[str]]]
INLINE: list[Fragment] = [
    lambda a, _: (a, [a], []),
    lambda a, b: (f"*{a}* **{b}**", [a, b], []),
    lambda a, b: (f"__{a}__ ~~{b}~~", [a, b], []),
    lambda a, b: (f"**{a}**{b}", [a + b], []),
    lambda a, b: (f"`{a} *{b}*`", [a, b], []),
    lambda a, b: (f"[{a}](https://{b}.example/x)", [a], [b]),
    lambda a, b: (f'![{a}](img.png "{b}")', [a, b], []),
    lambda a, b: (f"<https://{a}.example/{b}>", [a, b], []),
    lambda a, b: (f"<b class='{b}'>{a}</b>", [a], [b]),
    lambda a, b: (f"<!-- {b} -->{a}", [a], [b]),
    lambda a, b: (f"{a}<br>{b}", [a, b], []),
    lambda a, b: (f"{a}[^{b}]", [a], [b]),
    lambda a, b: (f"\\*{a}\\* &amp; {b}", [a, b], []),
    lambda a, b: (f"[[{a}|{b}]]", [a, b], []),
    lambda a, b: (f"<{a} {b}>", [a, b], []),
    lambda a, b: (f'<img alt="{a}" src="{b}.png">', [a], [b]),
]
BLOCKS: list[Fragment] = [
    lambda a, b: (f"# {a} {{#{b}}}", [a], [b]),
    lambda a, b: (f"{a}\n{b}\n---", [a, b], []),
    lambda a, b: (f"- {a}\n  1. {b}", [a, b], []),
    lambda a, b: (f"> {a}\n{b}", [a, b], []),
    lambda a, b: (f"```{b}\n{a}\n```", [a], [b]),
    lambda a, b: (f"~~~\n{a}\n\n{b}\n~~~", [a, b], []),
    lambda a, b: (f"| {a} |\n|---|\n| {b} | |", [a, b], []),
    lambda a, b: (f"[^{b}]: {a}", [a], [b]),
    lambda a, b: (f'[{b}]: https://x.example "{a}"', [a], [b]),
    lambda a, b: (f"<table><tr><td>{a}</td>\n\n<td>{b}</td></tr></table>", [a, b], []),
    lambda a, b: (f"<script>{b}</script>\n{a}", [a], [b]),
    lambda a, b: (f"<!--\n\n{b}\n\n-->\n{a}", [a], [b]),
    lambda a, b: (f"<details><summary>{a}</summary>{b}</details>", [a, b], []),
]


@given(st.lists(st.sampled_from(BLOCKS) | st.lists(st.sampled_from(INLINE), min_size=1, max_size=4), max_size=8))
def test_every_word_a_person_reads_is_read_in_order_and_no_other(page: list[Fragment | list[Fragment]]) -> None:
    blocks: list[str] = []
    read: list[str] = []
    unread: list[str] = []
    for block in page:
        parts = []
        for fragment in block if isinstance(block, list) else [block]:
            number = len(read) + len(unread)
            text, some, others = fragment(f"pa{number}x", f"pb{number}x")
            parts.append(text)
            read += some
            unread += others
        blocks.append(" y ".join(parts))
    shown = WORD.findall(plain("\n\n".join(blocks)))
    assert [word for word in shown if word.startswith(("pa", "pb"))] == read
    assert not set(unread) & set(shown)


# No link, tag or definition can be made of these, so every word is one that is read.
MARKUP = ["a", "b", "cc", "1", "23", "é", "*", "**", "_", "`", "``", "```\n", "~~~\n", "~~", "#", "## ", " ", "    "]
MARKUP += ["\n", "\n\n", "> ", "- ", "* ", "1. ", "2) ", "|", "|-|-|\n", "---", "===", "[", "]", "[[", "!", "\\", "."]
MARKUP += ["\t", "\r", "\r\n", "|a|b|\n|-|-|\n", "x | y\n", "- [ ] "]


@given(st.lists(st.sampled_from(MARKUP), max_size=40).map("".join))
def test_no_word_is_lost_however_the_markup_is_broken(markdown: str) -> None:
    shown = plain(markdown)
    written = FENCE_LANGUAGE.sub(" ", markdown)
    assert [word for word in WORD.findall(written) if word not in shown] == []


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    plain(text)
    first_heading(text)


HOSTILE = [
    "[",
    "![",
    "[](",
    "[a]: b\n",
    "`",
    "*",
    "**a",
    "*a**b",
    "<",
    "<a ",
    '<a "',
    "<!--",
    "<script>",
    "<![CDATA[",
    "<? ",
]
HOSTILE += [
    "> ",
    "> a\n",
    "- ",
    "- a\n",
    "1. ",
    "|",
    "a|b\n-|-\n",
    "\\",
    "&",
    "~~a",
    "#",
    "```\n",
    "[^1]: a\n\n",
    "{#a}",
    "\n",
    "x",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_markup_is_read_to_its_end(unit: str) -> None:
    # Where the cost is the square of the length, this takes minutes.
    assert "final" in plain(unit * (30_000 // len(unit)) + "\n\nfinal")
