"""Evaluation sets on the disk: queries.jsonl, qrels.tsv and, where the set brings its own corpus, corpus.jsonl."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import ConfigurationError
from retrieval.types import Said

_TURN = re.compile(r"^\|(user|agent|assistant)\|:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class EvaluationQuery:
    """A query with the turns before it; `battery` groups queries of one kind."""

    id: str
    text: str
    history: tuple[Said, ...] = ()
    battery: str = ""


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """Queries that have at least one relevant document, and the relevant doc_ids by query id."""

    queries: tuple[EvaluationQuery, ...]
    relevant: Mapping[str, frozenset[str]]
    corpus: Path | None
    unanswerable: tuple[EvaluationQuery, ...]


def read_set(folder: Path, *, queries: Path | None = None, field: str = "text") -> EvaluationSet:
    """Read a set. `queries` names another file of questions, `field` another text of theirs.

    Raises ConfigurationError, with the file and the line, where something is not of the format.
    """
    if not folder.is_dir():
        raise ConfigurationError(f"{folder}: no such folder; name one that holds queries.jsonl and qrels.tsv")
    relevant = _read_qrels(folder / "qrels.tsv")
    asked = tuple(query for query in read_queries(queries or folder / "queries.jsonl", field) if query.id in relevant)
    corpus, unanswerable = folder / "corpus.jsonl", folder / "unanswerable.jsonl"
    return EvaluationSet(
        queries=asked,
        relevant=relevant,
        corpus=corpus if corpus.is_file() else None,
        unanswerable=tuple(read_queries(unanswerable, "text")) if unanswerable.is_file() else (),
    )


def read_queries(path: Path, field: str = "text") -> Iterator[EvaluationQuery]:
    """Read queries, one JSON object a line with `_id` and a text; turns marked `|user|:` become history."""
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            identifier, text = str(record["_id"]), str(record[field])
        except (ValueError, KeyError, TypeError) as error:
            wanted = f'{{"_id": …, "{field}": …}}'
            raise ConfigurationError(
                f"{path}:{number}: not a query; each line must be an object like {wanted}"
            ) from error
        history, last = _turns(text)
        yield EvaluationQuery(identifier, last, history, str(record.get("battery", "")))


def _turns(text: str) -> tuple[tuple[Said, ...], str]:
    """Split a conversation into what was said before and the last question."""
    if not _TURN.search(text):
        return (), text
    marks = _TURN.split(text)[1:]
    said = [
        Said(speaker, "user" if speaker == "user" else "oracle", turn.strip())
        for speaker, turn in zip(marks[::2], marks[1::2], strict=True)
    ]
    return tuple(said[:-1]), said[-1].text


def _read_qrels(path: Path) -> dict[str, frozenset[str]]:
    relevant: dict[str, set[str]] = {}
    for number, line in enumerate(_lines(path), start=1):
        parts = line.split("\t")
        if not line.strip() or (number == 1 and parts[0] == "query-id"):
            continue
        try:
            query, document, score = parts
            positive = float(score) > 0
        except ValueError as error:
            raise ConfigurationError(
                f"{path}:{number}: not a label; each line is query-id, corpus-id, score"
            ) from error
        if positive:
            relevant.setdefault(query, set()).add(document)
    return {query: frozenset(documents) for query, documents in relevant.items()}


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror}); an evaluation set needs it") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: not UTF-8; save it as UTF-8") from error
