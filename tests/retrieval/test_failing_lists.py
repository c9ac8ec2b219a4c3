"""A library that fails inside one list: the others answer, and what is said is one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import tantivy
from onnxruntime.capi.onnxruntime_pybind11_state import RuntimeException

from retrieval import open_index
from retrieval.embedding import FastembedEmbedder
from retrieval.embedding_models import open_model
from retrieval.errors import DamagedIndex, EmbeddingUnavailable
from retrieval.lexical import LexicalFailure, PageIndex, register_tokenizers
from retrieval.readable import Readable, Scope
from retrieval.types import Filters
from tests.wikis import Wiki, ask, doc_ids

FAULTS = [RuntimeException("out of memory\nat node 3"), RuntimeError("pthread_create failed"), MemoryError()]


class FailingModel:
    """The real model until `fault` is set; then it fails as onnxruntime does, once its result is read."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self.fault: Exception | None = None

    def query_embed(self, texts: Sequence[str], **options: Any) -> Iterator[Any]:
        if self.fault is not None:
            raise self.fault
        yield from cast("Iterable[Any]", self._real.query_embed(texts, **options))

    passage_embed = query_embed


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
def test_when_the_model_fails_at_a_question_the_exact_lists_answer(
    wiki: Wiki, model_cache: Path, fault: Exception
) -> None:
    wiki.write({"uno.md": "# Uno\n\nManzanas.\n", "dos.md": "# Dos\n\nPeras.\n"})
    wiki.ingest()
    opened = open_model("embedded", model_cache)
    model = FailingModel(opened.model)
    embedder = FastembedEmbedder(replace(opened, model=cast("Any", model)), 1)
    model.fault = fault
    index = open_index(wiki.home, lambda: embedder)
    found = ask(index, "¿Dónde hay manzanas?")
    assert doc_ids(found) == ["uno.md"]
    assert found.explanation.failed_lists == ("semantic",)
    with pytest.raises(EmbeddingUnavailable, match=r"^[^\n]+ cannot embed a text \([^\n]+\); free memory[^\n]+$"):
        embedder.passages(["peras"])
    index.close()


def test_a_full_text_index_whose_rows_cannot_be_read_is_a_failure_of_that_list(tmp_path: Path) -> None:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("row", indexed=True)  # not fast, as a damaged one is not
    builder.add_text_field("text", tokenizer_name="tokens")
    schema = builder.build()
    index = tantivy.Index(schema, path=str(tmp_path))
    register_tokenizers(index)
    writer = index.writer(num_threads=1)
    writer.add_document(tantivy.Document.from_dict({"row": 0, "text": "peras"}, schema))
    writer.commit()
    writer.wait_merging_threads()
    pages = PageIndex(tmp_path)
    one = np.ones(1, np.bool_)
    readable = Readable(Scope(frozenset({"public"}), Filters()), one, one, np.arange(1), 1, True, {})
    with pytest.raises(LexicalFailure, match=r"^the full-text index failed: [^\n]+$"):
        pages.rank(pages.side_by_side("text", ["peras"]), readable, 5)


def test_a_full_text_index_that_cannot_be_opened_says_how_to_mend_it(tmp_path: Path) -> None:
    with pytest.raises(DamagedIndex, match=r"^[^\n]+oraculo ingest --full`$"):
        PageIndex(tmp_path / "nowhere")
