"""The composition root: the one module that knows the class behind each port. Everything is opened when used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bot.once import once
from bot.settings import Settings, terminal_locale
from retrieval.errors import ConfigurationError

if TYPE_CHECKING:
    from bot.answering import Services
    from bot.ports import LanguageModel, Reranker, Texts
    from bot.texts.voice import Voice
    from retrieval import Generation
    from retrieval.ingest.sources import Source
    from retrieval.types import CrossEncoder, Embedder
    from storage.engine import Database
    from storage.turn_log import BoundedTurnLog

RERANK_NONE, RERANK_MODEL = "none", "model"


def sources(settings: Settings, folders: Sequence[Path] = ()) -> tuple[Source, ...]:
    """Give what is to be indexed: these folders, or the settings' sources. Raises ConfigurationError without any."""
    from retrieval.ingest.sources import Source

    if folders:
        return tuple(Source(path=folder) for folder in folders)
    if not settings.sources:
        raise ConfigurationError(
            "there is nothing to index; name a folder with --source DIR, or with [[sources]] in oraculo.toml"
        )
    return tuple(Source(**dict(source)) for source in settings.sources)


def embedder(settings: Settings) -> Callable[[], Embedder]:
    """Give what opens the embedding model; it is opened at the first call, and once."""

    @once
    def opened() -> Embedder:
        from retrieval.embedding import open_embedder

        return open_embedder(settings.embedding.model, cache=settings.models_folder, threads=settings.embedding.threads)

    return opened


def embedder_name(settings: Settings) -> str:
    """Name the vectors that the settings' model gives, without opening it."""
    from retrieval.embedding import embedder_name as name_of

    return name_of(settings.embedding.model)


def cross_encoder(settings: Settings) -> Callable[[], CrossEncoder] | None:
    """Give what opens the cross-encoder that reranks, at the first call and once; None when the settings name none."""
    chosen = settings.retrieval.rerank
    if chosen in (RERANK_NONE, RERANK_MODEL):
        return None

    @once
    def opened() -> CrossEncoder:
        from retrieval.cross_encoder import open_cross_encoder

        return open_cross_encoder(chosen, cache=settings.models_folder, threads=settings.embedding.threads)

    return opened


def measured_cross_encoder(settings: Settings) -> CrossEncoder | None:
    """Give the cross-encoder that reranks what is measured, open; None when the settings name none.

    The language model is not asked: a set of questions would cost as many calls. Raises RerankingFailed.
    """
    if settings.retrieval.rerank == RERANK_MODEL:
        _warn("reranker", "the language model reranks nothing here; what is measured is the order of the search")
    opened = cross_encoder(settings)
    return opened() if opened else None


def reranker(settings: Settings, model: LanguageModel | None) -> Reranker | None:
    """Give what orders the passages of an answer, or None; the language model orders them only where there is one."""
    chosen, opened = settings.retrieval.rerank, cross_encoder(settings)
    if opened is not None:
        from bot.reranking import CrossEncoderReranker

        return CrossEncoderReranker(Path(chosen).name or chosen, opened)
    if chosen == RERANK_NONE:
        return None
    if model is None:
        _warn("reranker", 'retrieval.rerank is "model", and there is none; passages keep the order of the search')
        return None
    from bot.listwise import TIME_SHARE, ListwiseReranker
    from bot.services import unguessable_word

    return ListwiseReranker(model, unguessable_word, settings.model.timeout_seconds * TIME_SHARE)


@contextmanager
def index_of(settings: Settings, home: Path | None = None, *, literal: bool = False) -> Iterator[Generation]:
    """Open the index of a home (the settings' own when none is named), and close it at the end.

    Relevance is calibrated as the settings' own home says. `literal` leaves the vectors closed: it loads no model, and
    nothing that models need. Whoever opens it tells its `warnings`. Raises NoIndex and DamagedIndex.
    """
    from retrieval import open_index

    model = None if literal else embedder(settings)
    with closing(open_index(home or settings.home, model, calibrated_in=settings.home)) as index:
        yield index


@contextmanager
def opened_index(settings: Settings, home: Path | None = None, *, literal: bool = False) -> Iterator[Generation]:
    """Open an index as `index_of` does, its warnings logged."""
    with index_of(settings, home, literal=literal) as index:
        for warning in index.warnings:
            _warn("index", warning)
        yield index


def texts() -> Texts:
    """Give the user-facing strings."""
    from bot.texts import FluentTexts

    return FluentTexts()


def voice(settings: Settings) -> Voice:
    """Give the texts in the language that the terminal is spoken to."""
    from bot.texts.voice import Voice

    return Voice(texts(), terminal_locale(settings))


@contextmanager
def database(settings: Settings) -> Iterator[Database]:
    """Give the settings' database, and let go of it at the end. Raises ConfigurationError when its URL is wrong."""
    from storage.engine import open_database

    engine = open_database(settings.database)
    try:
        yield engine
    finally:
        engine.dispose()


def turn_log(settings: Settings) -> BoundedTurnLog:
    """Give the log of turns; its database is opened off the answer's path, at the first turn."""
    from storage.turn_log import BoundedTurnLog

    return BoundedTurnLog(settings.database, settings.home / "telemetry.key")


def language_model(settings: Settings) -> LanguageModel | None:
    """Give the model that writes the answers, within its daily budget; None without a key."""
    chosen = settings.model
    if chosen.api_key is None:
        return None
    from bot.gemini import Gemini

    gemini = Gemini(
        chosen.name,
        chosen.api_key,
        base_url=chosen.base_url,
        api_version=chosen.api_version,
        timeout_seconds=chosen.timeout_seconds,
    )
    if chosen.daily_budget is None:
        return gemini
    from bot.budget import BudgetedModel, DailyBudget
    from storage.spending import StoredSpending

    spending = StoredSpending(settings.database)
    spending.begin(clock().replace(hour=0, minute=0, second=0, microsecond=0))
    return BudgetedModel(gemini, DailyBudget(chosen.daily_budget, clock, spending))


@contextmanager
def services(settings: Settings) -> Iterator[Services]:
    """Give all that answering needs, and store what is left of the telemetry at the end.

    Raises NoIndex and DamagedIndex at once, so that nobody asks in vain.
    """
    from bot.answering import Services
    from bot.logs import log_to_standard_error
    from retrieval.generation import CurrentIndex

    log_to_standard_error()
    with closing(CurrentIndex(settings.home, embedder(settings))) as index, turn_log(settings) as log:
        for warning in index().warnings:
            _warn("index", warning)
        model = language_model(settings)
        yield Services(
            index=index,
            model=model,
            turn_log=log,
            texts=texts(),
            clock=clock,
            reranker=reranker(settings, model),
            floor=settings.retrieval.floor,
            top_k=settings.retrieval.top_k,
        )


def _warn(logger: str, warning: str) -> None:
    import structlog

    structlog.get_logger(logger).warning(warning)


def clock() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
