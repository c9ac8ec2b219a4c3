"""HTML inside markdown, read without its tags."""

from __future__ import annotations

import pytest

from retrieval.html_text import html_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Hola <b>mun</b>do</p>", "Hola mundo"),
        ("<p>uno</p><p>dos</p>", "uno\ndos"),
        ("<tr><td>a</td><td>b</td></tr><tr><td>c</td></tr>", "a\tb\nc"),
        ('<img src="x.png" alt="Una &quot;foto&quot;">', 'Una "foto"'),
        ("<a href='https://a.example' title=Ver>enlace</a>", "Ver enlace"),
        ("antes <!-- oculto --> después", "antes después"),
        ("<!-- a --><!-- b -->c<!-- sin cerrar", "c<!-- sin cerrar"),
        ("<script>let a = '<b>'</script>x<STYLE>y{}</STYLE >z", "x z".replace(" ", "")),
        ("<![CDATA[un <dato>]]>", "un <dato>"),
        ("<?php echo 1 ?>x", "x"),
        ("<!DOCTYPE html>x", "x"),
        ("List<String>, <T>, <nombre del fichero>", "List<String>, <T>, <nombre del fichero>"),
        ("si a <b and c> d", "si a <b and c> d"),
        ('<Tab label="Linux" icon="pinguino" value={x}>texto</Tab>', "Linux {x}\ntexto</Tab>"),
        ("<input disabled required>x", "x"),
        ('<img alt="a > b">', "a > b"),
        ("2 < 3 > 1", "2 < 3 > 1"),
        ("a&nbsp;&nbsp;b &lt;c&gt;", "a b <c>"),
        ('<a "sin cerrar', '<a "sin cerrar'),
    ],
)
def test_a_person_reads_the_text_and_not_the_tags(html: str, text: str) -> None:
    assert html_text(html) == text
