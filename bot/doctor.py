"""What `oraculo doctor` checks: each part on its own, so that one fault does not hide another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from bot import wiring
from bot.ports import LanguageModel, Prompt
from bot.settings import Settings
from retrieval.errors import OracleError

Verdict = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Check:
    """What was found of one part: one line, with the mend when something is wrong."""

    part: str
    verdict: Verdict
    finding: str


Findings = Iterator[tuple[Verdict, str]]


def diagnose(settings: Settings, *, online: bool = False) -> Iterator[Check]:
    """Check every part, the quick ones first. `online` also asks the language model for a word, which costs tokens."""
    parts: dict[str, Callable[[], Findings]] = {
        "configuration": lambda: _configuration(settings),
        "index": lambda: _index(settings),
        "database": lambda: _database(settings),
        "embedding model": lambda: _embedding(settings),
        "language model": lambda: _model(settings, online=online),
        "reranker": lambda: _reranker(settings),
    }
    for part, check in parts.items():
        try:
            for verdict, finding in check():
                yield Check(part, verdict, finding)
        except OracleError as error:
            yield Check(part, "fail", str(error))


def _configuration(settings: Settings) -> Findings:
    from retrieval.ingest.sources import check_sources

    if not settings.sources:
        yield "warn", "no sources; name them with [[sources]] in oraculo.toml, or ingest with --source DIR"
        return
    sources = wiring.sources(settings)
    check_sources(sources)
    names = ", ".join(source.shown_name for source in sources)
    yield "ok", f"home {settings.home}; sources: {names}"


def _index(settings: Settings) -> Findings:
    # Not the literal one: every file is verified, the vectors too; the model itself stays closed.
    with wiring.index_of(settings) as index:
        pages, chunks = index.catalogue.counts()
        yield "ok", f"generation {index.stamp}: {pages} pages, {chunks} chunks, every checksum right"
        for warning in index.warnings:
            yield "warn", warning
        wanted = wiring.embedder_name(settings)
        if index.manifest.embedder != wanted:
            yield (
                "fail",
                f"it was built with {index.manifest.embedder}, the settings name {wanted}; run `oraculo ingest`",
            )


def _database(settings: Settings) -> Findings:
    from storage.faults import place
    from storage.migrations import Schema, schema_of

    with wiring.database(settings) as engine:
        name, schema = place(engine.url).removeprefix("database "), schema_of(engine)
    match schema:
        case Schema.CURRENT:
            yield "ok", f"{name}: up to date"
        case Schema.EMPTY:
            yield "ok", f"{name}: empty; it is made at the first question"
        case Schema.BEHIND:
            yield "warn", f"{name}: of an older version; run `oraculo migrate`"


def _embedding(settings: Settings) -> Findings:
    embedder = wiring.embedder(settings)()
    dimensions = embedder.queries(["¿funciona?"]).shape[1]
    yield "ok", f"{embedder.name}: {dimensions} dimensions"


def _model(settings: Settings, *, online: bool) -> Findings:
    model = wiring.language_model(settings)
    if model is None:
        yield "ok", "none, so answers quote the pages; set GEMINI_API_KEY for written ones"
    elif online:
        asyncio.run(_greet(model))
        yield "ok", f"{model.name}: it answers"
    else:
        yield "ok", f"{model.name}: there is a key; --online asks it for a word"


def _reranker(settings: Settings) -> Findings:
    chosen, encoder = settings.retrieval.rerank, wiring.cross_encoder(settings)
    if encoder is not None:
        yield "ok", f"{encoder().name}: it reads the passages of each question"
    elif chosen == wiring.RERANK_NONE:
        yield "ok", "none, so passages keep the order of the search"
    elif settings.model.api_key is None:
        yield "warn", 'the language model, and there is none; set GEMINI_API_KEY, or retrieval.rerank to "none"'
    else:
        yield "ok", f"{settings.model.name}: it is asked for an order before each answer"


async def _greet(model: LanguageModel) -> None:
    """Ask for a word. Raises ModelUnavailable."""
    async for _ in model.stream(Prompt(system="Answer with one word.", user="Are you there?")):
        pass
