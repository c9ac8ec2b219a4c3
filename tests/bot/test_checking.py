"""Only whole, checked sentences leave; and the answer is the same however its stream was cut."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.checking import SentenceStream, make_check
from bot.citations import Numbering
from bot.links import ZERO_WIDTH_SPACE
from tests.builders import make_page, make_passage

PASSAGES = (
    make_passage("La guía está en https://docs.empresa.es/guia y en [el repo](https://git.empresa.es/x_(y)).", row=0),
    make_passage("Escribe a <mailto:soporte@empresa.es>.", row=1, page=make_page(href="https://wiki.empresa.es/Alta")),
    make_passage("Nada que enlazar.", row=2),
)


def checked(text: str) -> str:
    return streamed([text])


def streamed(pieces: list[str], *, complete: bool = True) -> str:
    stream = SentenceStream(make_check(PASSAGES, Numbering(len(PASSAGES))))
    said = [given for piece in pieces for given in stream.feed(piece)]
    return "".join(said + stream.finish(complete=complete))


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("Arranca solo [1].", "Arranca solo [1]."),
        ("Arranca solo [2]. Y para [1].", "Arranca solo [1]. Y para [2]."),
        ("Así [3][1].", "Así [1][2]."),
        ("Así [1, 3].", "Así [1][2]."),
        ("Así [1-3].", "Así [1][2][3]."),
        ("Así [1 y 2].", "Así [1][2]."),
        ("Así [pasaje 2].", "Así [1]."),
        ("Así [^2], [[2]] y 【2】.", "Así [1], [1] y [1]."),
        ("Así [2](https://malo.example/).", "Así [1]."),
        ("Inventado [4].", "Inventado."),
        ("Inventado [0] [99], pero esto no [3].", "Inventado, pero esto no [1]."),
        ("Mitad [1, 7].", "Mitad [1]."),
        ("En 2024 [2024] y [x] y [ ].", "En 2024 [2024] y [x] y [ ]."),
        ("Usa `lista[9]` y:\n\n```\nlista[9] = [7]\n```", "Usa `lista[9]` y:\n\n```\nlista[9] = [7]\n```"),
    ],
)
def test_citations_point_at_passages_that_were_given(written: str, sent: str) -> None:
    assert checked(written) == sent


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("Lee [la guía](https://docs.empresa.es/guia).", "Lee [la guía](https://docs.empresa.es/guia)."),
        ("Lee https://docs.empresa.es/guia#uso.", "Lee https://docs.empresa.es/guia#uso."),
        ("Lee [a](https://DOCS.empresa.es/guia/ 'Guía').", "Lee [a](https://DOCS.empresa.es/guia/ 'Guía')."),
        ("Mira [x](https://git.empresa.es/x_(y)).", "Mira [x](https://git.empresa.es/x_(y))."),
        ("Mira <https://wiki.empresa.es/Alta>.", "Mira <https://wiki.empresa.es/Alta>."),
        ("Mira <https://wiki.empresa.es/Alta|Alta>.", "Mira [Alta](https://wiki.empresa.es/Alta)."),
        ("Escribe [aquí](mailto:soporte@empresa.es).", "Escribe [aquí](mailto:soporte@empresa.es)."),
        ("Lee [la guía](https://malo.example/guia).", "Lee la guía."),
        ("Lee [la `guía`](https://malo.example/guia).", "Lee la `guía`."),
        ("Lee [la [gran] guía](<https://malo.example/a b>).", "Lee la [gran] guía."),
        ("Lee [la guía](../guia.md) o [esto](javascript:alert(1)).", "Lee la guía o esto."),
        ("Lee https://malo.example/guia.", "Lee malo.example/guia."),
        ("Lee HTTPS://www.malo.example/ ya.", "Lee malo.example/ ya."),
        ("Lee <https://malo.example> o <https://malo.example|aquí>.", "Lee malo.example o aquí."),
        ("Lee https://docs.empresa.es/ ya.", "Lee docs.empresa.es/ ya."),
        ("Lee [https://docs.empresa.es/guia](https://malo.example).", "Lee https://docs.empresa.es/guia."),
        ('Lee <a href="https://malo.example">aquí</a>.', "Lee aquí."),
        ("Lee [la guía][g].\n\n[g]: https://malo.example", "Lee [la guía][g].\n\ng: malo.example"),
        ("Ejecuta `curl https://malo.example/x`.", "Ejecuta `curl malo.example/x`."),
        ("Mira [a [b [c]]](https://malo.example).", "Mira [a [b [c]]] (malo.example)."),
        ("Mira [[a](https://malo.example)](https://malo.example/b).", "Mira a."),
        ("Mira https:[9]//malo.example y https://https://malo.example.", "Mira malo.example y malo.example."),
        ("Mira ![captura](https://malo.example/p.png) bien.", "Mira captura bien."),
        ("Mira ![](https://docs.empresa.es/guia)bien.", "Mira bien."),
        ("[![logo](l.png)](https://malo.example) Hola.", "logo Hola."),
        ('Mira <img src="x" alt="Hola. Y adiós."> bien.', "Mira  bien."),
    ],
)
def test_links_stand_in_the_sources_and_images_go(written: str, sent: str) -> None:
    assert checked(written) == sent


@pytest.mark.parametrize(
    "call",
    ["@here", "@everyone", "@channel", "<!here>", "<!channel>", "<!everyone|todos>", "<!subteam^S1|@ops>", "<@U12AB>",
     "<@123456>", "<@!123456>", "<@&987654>"],
)  # fmt: skip
@pytest.mark.parametrize("around", ["Avisa a {} ya.", "`{}`", "```\n{}\n```", "**{}**"])
def test_nobody_is_called(call: str, around: str) -> None:
    sent = checked(around.format(call))
    assert call not in sent
    assert sent.replace(ZERO_WIDTH_SPACE, "") == around.format(call)


def test_an_address_with_an_at_sign_is_left_alone() -> None:
    assert checked("Escribe a ana@herediana.es.") == "Escribe a ana@herediana.es."


def test_sentences_leave_as_soon_as_the_next_one_begins() -> None:
    stream = SentenceStream(make_check(PASSAGES, Numbering(3)))
    assert stream.feed("Arranca so") == []
    assert stream.feed("lo [1]. ") == []
    assert stream.feed("Y pa") == ["Arranca solo [1]."]
    assert stream.feed("ra [2].\n\n- Uno\n- D") == [" Y para [2].", "\n\n- Uno"]
    assert stream.finish(complete=True) == ["\n- D"]


def test_code_and_links_are_never_cut() -> None:
    stream = SentenceStream(make_check(PASSAGES, Numbering(3)))
    assert stream.feed("Haz esto:\n\n```sh\necho Hola. Adiós.\n\necho fin") == ["Haz esto:"]
    assert stream.feed(" ya. Fin\n```\n\nListo") == ["\n\n```sh\necho Hola. Adiós.\n\necho fin ya. Fin\n```"]
    assert stream.feed(". Lee [la guía. Toda. Entera") == ["\n\nListo."]
    assert stream.feed("](https://malo.example). Y ya") == [" Lee la guía. Toda. Entera."]


def test_a_fence_left_open_is_closed_at_the_end() -> None:
    assert checked("Haz:\n\n~~~\nmake demo") == "Haz:\n\n~~~\nmake demo\n~~~"


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("Arranca solo [1]. Y lueg", "Arranca solo [1]."),
        ("Arranca solo [1]. Y luego para.", "Arranca solo [1]. Y luego para."),
        ("Arranca solo. Ejecuta:\n\n```\nrm -rf /", "Arranca solo. Ejecuta:"),
        ("Arranca sol", ""),
        ("", ""),
    ],
)
def test_of_a_broken_stream_only_whole_sentences_are_kept(written: str, sent: str) -> None:
    assert streamed([written], complete=False) == sent


FRAGMENTS = st.sampled_from(
    [
        *(
            "Hola",
            "Sr",
            "e.g",
            "3.5",
            "1",
            "a",
            "Y ",
            "¿",
            ".",
            ". ",
            "? ",
            "…",
            "*",
            "_",
            " ",
            "  ",
            "\t",
            "\n",
            "\n\n",
        ),
        *("- ", "1. ", "| a | b |", "[", "]", "(", ")", "](", "<", ">", "!", "![", "]:", "@", "://", "https"),
        *("[1]", "[2, 3]", "[9]", "[9](x)", "[g]: ", "【1】", "[guía](https://docs.empresa.es/guia)"),
        *("[x](https://malo.example/y)", "https://malo.example", "malo.example", "![i](https://malo.example/i.png)"),
        *("<img alt='a. b'>", "<https://x.es|a. b>", "@here", "<@U1>", "<!channel>"),
        *("`", "``", "```", "\n```sh\n", "\n```\n", "~~~\n", "\ue0000\ue001"),
    ]
)


@given(st.lists(FRAGMENTS, max_size=30).map("".join), st.data())
def test_any_cut_of_the_stream_gives_the_same_text(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    whole = checked(text)
    assert streamed(pieces) == whole
    assert streamed(list(text)) == whole


@given(st.lists(FRAGMENTS, max_size=30).map("".join))
def test_no_text_gets_past_the_check(text: str) -> None:
    sent = checked(text)
    assert "https://malo" not in sent
    assert not re.search(r"(?<!\w)@here|<@U1>|<!channel>", sent)
    assert sent == sent.strip()


@given(st.text(max_size=300))
def test_any_text_is_checked_without_an_error(text: str) -> None:
    checked(text)
