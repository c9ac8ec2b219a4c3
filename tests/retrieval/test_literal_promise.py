"""The promise of literal search: what stands anywhere in a page finds that page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval import Generation
from retrieval.types import Embedder
from tests.wikis import Wiki, doc_ids, literal

ODD_PAGE = """---
title: Página rara
tags: [despliegue, «urgente»]
exl-id: 0d3b1c7e-6a1f-4b5e-9c58-2f1d0e4a7b90
---
# Página rara

Versión v1.132.2 de migrate_d1, en functions/_lib/x.ts (véase #176 y [[slug—con—rayas]]).
Lenguajes: C++, C#, F#. Archivos: .env y Makefile. Llamada: setDurationUnit(3) y HTMLParser.
Correo: ayuda@example.org; enlace: [manual](https://docs.example.org/v2/guía?id=42#sección-3).
Huella: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.
Palabras: congés, cañón, **neg**rita, oﬁcina, ＡＢＣ, mo\u00addificar, naïve, l’eau, 50 %, 3½, m².
中文搜索测试 and 日本語テキスト。 ¡Ñandú! 🚀 → ✅ العربية हिन्दी ไทย 한국어
<!-- comentario-oculto --> ![texto alternativo](diagrama_red.png)

| columna_a | columna_b |
|---|---|
| celda-uno | celda|dos |

```python
def calcula_total(x): return x ** 2  # nota_al_pie
```

Texto con nota[^1].

[^1]: La nota-final dice zascandil.
"""


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Generation]:
    wiki = Wiki(tmp_path_factory.mktemp("wiki"), tmp_path_factory.mktemp("home"), embedder)
    wiki.write({"rara.md": ODD_PAGE, "otra.md": "# Otra\n\nNada que ver con lo demás.\n"})
    wiki.ingest()
    index = wiki.open()
    yield index
    index.close()


@pytest.mark.parametrize(
    "query",
    [
        *["v1.132.2", "migrate_d1", "functions/_lib/x.ts", "#176", "C++", "C#", ".env", "[[slug—con—rayas]]"],
        *["ayuda@example.org", "example.org", "https://docs.example.org/v2/guía?id=42#sección-3", "seccion-3", "id=42"],
        *["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "0d3b1c7e-6a1f-4b5e-9c58-2f1d0e4a7b90"],
        *[
            "CONGES",
            "canon",
            "cañón",
            "negrita",
            "**neg**rita",
            "oficina",
            "oﬁcina",
            "abc",
            "modificar",
            "mo\u00addificar",
        ],
        *["naive", "l'eau", "50 %", "3½", "m²", "m2", "nandu", "🚀", "→", "✅"],
        *["durationUnit", "durationunit", "setDuration", "Unit", "parser", "html", "calcula", "total"],
        *["中文", "搜索测试", "文搜", "日本", "本語テ", "語", "العربية", "हिन्दी", "ไทย", "한국어", "국어"],
        *["comentario-oculto", "alternativo", "diagrama_red.png", "columna_a", "celda-uno", "dos", "nota_al_pie"],
        *["zascandil", "despliegue", "«urgente»", "exl-id", "página rara", '"Archivos: .env y Makefile"'],
        *["véase", "(véase", "Makefile.", "x ** 2"],
    ],
)
def test_a_term_of_any_shape_finds_its_page(odd: Generation, query: str) -> None:
    assert doc_ids(literal(odd, query)) == ["rara.md"]


def test_every_written_token_of_a_page_finds_it(odd: Generation) -> None:
    missed = [token for token in ODD_PAGE.split() if "rara.md" not in doc_ids(literal(odd, token))]
    assert missed == []


def test_a_word_longer_than_tantivy_keeps_is_found(index_of: Callable[[Mapping[str, str]], Generation]) -> None:
    word = "a1" * 40_000
    index = index_of({"larga.md": f"# Larga\n\n{word} fin\n", "corta.md": "# Corta\n\na1a1 fin\n"})
    assert doc_ids(literal(index, word[:500])) == ["larga.md"]


def test_symbols_tell_c_plus_plus_from_c(index_of: Callable[[Mapping[str, str]], Generation]) -> None:
    index = index_of({"c.md": "# Lenguaje C\n", "cpp.md": "# Lenguaje C++\n", "cs.md": "# Lenguaje C#\n"})
    assert doc_ids(literal(index, "C++")) == ["cpp.md"]
    assert doc_ids(literal(index, "C#")) == ["cs.md"]
    assert set(doc_ids(literal(index, "C"))) == {"c.md", "cpp.md", "cs.md"}


ALPHABET = st.sampled_from("aàbcñß12_-./#+@ﬁ中文日本かがไ한🚀'’«»*[]()|:éÉxXİ\u00ad\u0301\u200d½²")
TOKENS = st.text(ALPHABET, min_size=1, max_size=12).filter(lambda text: not text.isspace())


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pages=st.lists(st.lists(TOKENS, min_size=1, max_size=8), min_size=1, max_size=4))
def test_any_token_of_any_page_finds_it(wiki: Wiki, pages: list[list[str]]) -> None:
    for old in wiki.folder.iterdir():
        old.unlink()
    wiki.write({f"p{number}.txt": " ".join(tokens) for number, tokens in enumerate(pages)})
    wiki.ingest()
    index = wiki.open()
    try:
        for number, tokens in enumerate(pages):
            for token in tokens:
                visible = token.strip("\u00ad\u0301\u200d")
                if visible:
                    assert f"p{number}.txt" in doc_ids(literal(index, token, limit=100)), token
    finally:
        index.close()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=600) | st.text(alphabet='"-:+^~*?()[]{}\\/ANDORT produto', max_size=60))
def test_no_query_is_an_error(odd: Generation, query: str) -> None:
    listing = literal(odd, query)
    assert listing.total >= len(listing.hits)
