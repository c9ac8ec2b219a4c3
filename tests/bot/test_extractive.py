"""The answer that quotes: near by meaning and by words, from different passages, readable."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.citations import Numbering, leaning_spans
from bot.extractive import LIMIT_CHARACTERS, extract
from bot.links import ZERO_WIDTH_SPACE
from bot.messages import Locale
from retrieval.types import Embedder, Passage, Query, Said, WeightedTerm
from tests.builders import make_page, make_passage

TERMS = (WeightedTerm("copia", 3.0), WeightedTerm("seguridad", 3.0))
QUESTION = "¿Cada cuánto se hace la copia de seguridad?"


def quote(
    *texts: str | Passage,
    asked: str = QUESTION,
    before: Sequence[str] = (),
    terms: Sequence[WeightedTerm] = TERMS,
    embedder: Embedder | None = None,
    locale: Locale = "es",
) -> str:
    passages = [text if isinstance(text, Passage) else make_passage(text, row=row) for row, text in enumerate(texts)]
    numbering = Numbering(len(passages))
    query = Query(asked, history=tuple(Said("Ana", "user", text) for text in before))
    return extract(query, passages, terms, embedder=embedder, numbering=numbering, locale=locale)


def test_the_sentence_that_answers_is_quoted_with_its_source() -> None:
    text = "El sistema es grande. La copia de seguridad se hace cada noche a las tres. Hay café en la cocina."
    assert quote(text) == "- «La copia de seguridad se hace cada noche a las tres.» [1]"


def test_sentences_come_from_different_passages_in_reading_order() -> None:
    page = make_page("copias.md")
    later = make_passage("Cada copia de seguridad se guarda treinta días.", page=page, row=0, start=900)
    earlier = make_passage("La copia de seguridad se hace cada noche.", page=page, row=1, start=10)
    other = make_passage("Sin copia de seguridad no hay seguro que valga.", row=2)
    assert quote(later, earlier, other) == (
        "- «La copia de seguridad se hace cada noche.» [1]\n"
        "- «Cada copia de seguridad se guarda treinta días.» [2]\n"
        "- «Sin copia de seguridad no hay seguro que valga.» [3]"
    )


def test_meaning_finds_what_shares_no_word(embedder: Embedder) -> None:
    texts = (
        "El menú de la cafetería cambia los martes. El aparcamiento cierra a las diez. Las visitas firman al entrar.",
        "Cada noche a las tres se vuelca la base entera a un segundo disco. La oficina tiene plantas.",
    )
    quotes = quote(*texts, asked="¿Cuándo se respaldan los datos?", terms=(), embedder=embedder)
    assert "Cada noche a las tres se vuelca la base entera a un segundo disco." in quotes
    assert "plantas" not in quotes


CHANNELS = (
    "Para conectar el bot a Slack se instala una aplicación. Slack pide además un token de aplicación para conectarlo.",
    "Conectar el bot a Slack lleva diez minutos. El menú de la cafetería cambia los martes.",
    "Para Discord basta el token que da su portal. Las visitas firman al entrar.",
)
CHANNEL_TERMS = tuple(WeightedTerm(text, idf) for text, idf in (("conecto", 3.0), ("bot", 1.5), ("slack", 2.5)))


@pytest.mark.parametrize("asked", ["¿y a Discord?", "¿Y cómo va eso con Discord?", "Discord"])
@pytest.mark.parametrize("with_meaning", [True, False])
def test_a_follow_up_wants_its_own_words_before_those_of_the_question_before(
    embedder: Embedder, asked: str, with_meaning: bool
) -> None:
    def quotes(passages: Sequence[str]) -> str:
        return quote(
            *passages,
            asked=asked,
            before=["¿Cómo conecto el bot a Slack?"],
            terms=(*CHANNEL_TERMS, WeightedTerm("discord", 2.5)),
            embedder=embedder if with_meaning else None,
        )

    assert "Para Discord basta el token que da su portal." in quotes(CHANNELS)
    if not with_meaning:
        assert quotes(CHANNELS[::-1]) == "- «Para Discord basta el token que da su portal.» [1]"


@pytest.mark.parametrize("asked", ["¿y cómo?", "¿Y por qué?", "and how?"])
def test_a_follow_up_without_words_of_its_own_asks_what_was_asked_before(embedder: Embedder, asked: str) -> None:
    quotes = quote(
        *CHANNELS, asked=asked, before=["¿Cómo conecto el bot a Slack?"], terms=CHANNEL_TERMS, embedder=embedder
    )
    assert "Para conectar el bot a Slack se instala una aplicación." in quotes
    assert "Discord" not in quotes


def test_the_same_sentence_is_quoted_once() -> None:
    sentence = "La copia de seguridad se hace cada noche a las tres."
    assert quote(sentence, f"{sentence} Nada más.").count("cada noche") == 1


def test_headings_rows_and_code_are_not_quoted_as_sentences() -> None:
    text = (
        "# Copia de seguridad\n\n| copia | seguridad |\n|---|---|\n| copia | seguridad |\n\n"
        "```\ncopia de seguridad total\n```\n\nLa copia de seguridad se hace cada noche."
    )
    assert quote(text) == "- «La copia de seguridad se hace cada noche.» [1]"


def test_a_row_is_quoted_when_there_is_nothing_better() -> None:
    assert quote("| Tarea | Hora |\n|---|---|\n| Copia de seguridad | 03:00 |") == "- «Copia de seguridad — 03:00» [1]"


def test_a_question_in_the_text_is_not_its_own_answer() -> None:
    text = "¿Cada cuánto se hace la copia de seguridad? Cada noche, a las tres en punto."
    assert quote(text) == "- «Cada noche, a las tres en punto.» [1]"


def test_what_a_sentence_introduces_comes_with_it() -> None:
    text = "Para hacer la copia de seguridad ejecuta esto:\n\n```sh\nmake copia\n```\n\nLuego espera un poco."
    assert quote(text) == ("- «Para hacer la copia de seguridad ejecuta esto:» [1]\n\n  ```\n  make copia\n  ```")


def test_a_list_that_a_sentence_introduces_keeps_its_numbers() -> None:
    text = "La copia de seguridad tiene dos pasos:\n\n1. Para el servicio.\n2. Copia los datos."
    assert quote(text) == (
        "- «La copia de seguridad tiene dos pasos:» [1]\n\n  1. Para el servicio.\n  2. Copia los datos."
    )


def test_a_sentence_that_leans_on_the_one_before_brings_it() -> None:
    text = "El servicio se llama Noche. Este hace la copia de seguridad de todo."
    assert quote(text) == "- «El servicio se llama Noche. Este hace la copia de seguridad de todo.» [1]"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("La **copia de seguridad** usa `tar -c`.", "La **copia de seguridad** usa `tar -c`."),
        ("La **copia de seguridad es total. Y diaria** siempre.", "La copia de seguridad es total."),
        (
            'La copia de seguridad usa `faro "¿Qué? Todo." -x` y [la A. Y la B.](https://b.es/x) juntas.',
            'La copia de seguridad usa `faro "¿Qué? Todo." -x` y [la A. Y la B.](https://b.es/x) juntas.',
        ),
        ("La copia de seguridad está en [el disco](../disco.md).", "La copia de seguridad está en el disco."),
        ("La copia de seguridad está [aquí](https://b.es/x).", "La copia de seguridad está [aquí](https://b.es/x)."),
        ("La copia de seguridad consta así [3] en el acta.", "La copia de seguridad consta así (3) en el acta."),
        ("La copia de seguridad usa `disco[1]` siempre.", "La copia de seguridad usa `disco[1]` siempre."),
        ("La copia de seguridad avisa a <@U1> y @here hoy.", "La copia de seguridad avisa a <@U1> y @here hoy."),
        ("La copia de seguridad ![foto](f.png) se hace sola.", "La copia de seguridad foto se hace sola."),
        ("La <b>copia</b> de seguridad &amp; todo lo demás.", "La copia de seguridad & todo lo demás."),
    ],
)
def test_a_quote_is_readable_and_harmless(written: str, shown: str) -> None:
    quoted = quote(written)
    assert f"«{shown}» [1]" in quoted.replace(ZERO_WIDTH_SPACE, "")
    assert "<@U1>" not in quoted
    assert "@here" not in quoted
    assert list(leaning_spans(quoted)) == [1]


def test_quotation_marks_are_those_of_the_language() -> None:
    assert quote("La copia de seguridad es diaria.", locale="en") == "- “La copia de seguridad es diaria.” [1]"


def test_without_text_there_is_nothing_to_quote() -> None:
    assert quote("![](x.png)") == ""
    assert quote() == ""


sentences = st.lists(
    st.sampled_from(["copia", "seguridad", "noche", "disco", "y", "el", "servicio", "`tar`", "[1]", "¿qué?"]),
    min_size=3,
    max_size=60,
).map(lambda words: " ".join(words).capitalize() + ".")


@given(st.lists(st.lists(sentences, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=10))
def test_quotes_have_a_bearable_length_and_each_a_source(texts: list[str]) -> None:
    quotes = quote(*texts)
    lines = [line for line in quotes.splitlines() if line]
    assert 1 <= len(lines) <= 5
    assert all(line.startswith("- «") and line.rstrip().endswith("]") for line in lines)
    assert len(quotes) <= LIMIT_CHARACTERS + 5 * len("- «…» [10]\n") + 60
