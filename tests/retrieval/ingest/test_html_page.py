"""HTML pages as markdown: all that a person reads, and where links lead."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ingest.html_page import read_html
from retrieval.markdown import plain

WORD = re.compile(r"[^\W_]+")


@pytest.mark.parametrize(
    ("html", "body"),
    [
        ("<p>Hola <b>neg</b>rita</p>", "Hola negrita"),
        ("<h1>Uno</h1><p>a<h3>Tres</h3>", "# Uno\n\na\n\n### Tres"),
        ("<ul><li>uno<ol><li>a<li>b</ol><li><p>dos</p></ul>", "- uno\n\n1. a\n\n2. b\n\n- dos"),
        ("<a href='https://a.example/x'>un <i>enlace</i></a>", "[un enlace](https://a.example/x)"),
        ("<a href='a (1).html'>x</a>", "[x](<a%20(1).html>)"),
        ("<a name=ancla>x</a>", "x"),
        ("<a href=x><p>dos</p><p>bloques</p></a>", "dos\n\nbloques"),
        ("<img alt='Una  foto' src=f.png><img src=sin.png>", "![Una foto](f.png)"),
        ("<img alt=Dato src='data:image/png;base64,AAAA'>", "![Dato]()"),
        ("uno<br>dos", "uno\\\ndos"),
        ("<p>a<!-- fuera -->b</p>", "ab"),
        ("<script>var x</script>a<style>b{}</style>", "a"),
        ("<pre>  x = 1\n\n  `y`</pre>", "```\n  x = 1\n\n  `y`\n```"),
        ("<ol><li><pre>a\nb</pre></ol><h2><pre>c</pre></h2>", "1. ```\n   a\n   b\n   ```\n\n```\nc\n```"),
        ("<pre>a\n```\nb</pre>", "````\na\n```\nb\n````"),
        ("<table><tr><th>A<th>B|C<tr><td>1<td><p>x</p><p>y</p></table>", "| A | B\\|C |\n| --- | --- |\n| 1 | x y |"),
        ("<table><caption>De</caption><tr><td>1<td>2<tr><td>3</table>", "De\n\n| 1 | 2 |\n| --- | --- |\n| 3 |  |"),
        ("<table><tr><td><ol><li>a<li>b</ol></table>", "| 1. a 2. b |\n| --- |"),
        ("<table><tr><td><h2>Diseño</h2><p>a</p></table>", "## Diseño\n\na"),
        ("<table><tr><td>a<table><tr><td>b</table>c</table>", "a\n\nb\n\nc"),
        ("<button title='Guarda todo'>Guardar</button>", "Guarda todo Guardar"),
        ("2 * 3 * 4 &lt;b&gt; a_b_c [x] &amp;amp;", "2 \\* 3 \\* 4 \\<b\\> a\\_b\\_c \\[x\\] \\&amp;"),
        ("<p># a</p><p>- b</p><p>1. c</p><p>d<br>+ e</p>", "\\# a\n\n\\- b\n\n1\\. c\n\nd\\\n\\+ e"),
        ("a < b", "a \\< b"),
        ("", ""),
        ("<!-- nada -->", ""),
        ("solo texto", "solo texto"),
    ],
)
def test_a_page_becomes_markdown(html: str, body: str) -> None:
    assert read_html(html).body == body


def test_a_title_that_is_never_closed_does_not_swallow_the_page() -> None:
    page = read_html("<title>Hola " + "palabra " * 100 + "final")
    assert "final" in page.body
    assert page.title == ""


def test_a_picture_may_have_a_title_of_its_own() -> None:
    page = read_html("<head><title>La página</title></head><svg><title>El dibujo</title></svg>")
    assert (page.title, page.body) == ("La página", "El dibujo")


def test_a_table_of_very_uneven_rows_does_not_grow() -> None:
    html = "<table><tr>" + "<td>x" * 2_000 + "<tr><td>y" * 2_000 + "</table>"
    assert len(read_html(html).body) < len(html)


@pytest.mark.parametrize("tag", ["div", "ul", "table", "blockquote", "span", "b"])
def test_no_depth_loses_text(tag: str) -> None:
    page = read_html(f"<{tag}>" * 5_000 + "hondo" + f"</{tag}>" * 5_000 + "<p>después</p>")
    assert "hondo" in page.body
    assert "después" in page.body


# Without a brace or quote in it, so that no tag swallows what follows.
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)
TAGS = st.sampled_from(
    ["p", "div", "b", "li", "ul", "ol", "td", "tr", "table", "h2", "pre", "a", "a href=x", "br", "blockquote", "code"]
)


@given(st.lists(st.tuples(TAGS, TEXT, st.booleans()), max_size=12))
def test_every_word_of_a_page_is_read_through_its_markdown(parts: list[tuple[str, str, bool]]) -> None:
    escaped = [(tag, text.replace("&", "&amp;").replace("<", "&lt;"), closed) for tag, text, closed in parts]
    html = "".join(f"<{tag}>{text}" + (f"</{tag.split()[0]}>" if closed else "") for tag, text, closed in escaped)
    shown = plain(read_html(html).body)
    assert [word for _, text, _ in parts for word in WORD.findall(text) if word not in shown] == []


@given(st.text(max_size=200))
def test_any_text_can_be_read_as_html(text: str) -> None:
    read_html(text.encode("utf-8", "replace").decode())
