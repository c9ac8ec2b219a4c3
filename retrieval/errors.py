"""Errors of the whole program, each saying who acts on it. One line: what is wrong, then the mend."""


class OracleError(Exception):
    """Anything Oráculo knows how to explain; its text is one line and safe to show."""


class ConfigurationError(OracleError):
    """A setting or a call is wrong; whoever runs the program mends it (exit code 2)."""


class SourceMissing(ConfigurationError):
    """A source folder is not there; nothing was touched."""


class NoIndex(OracleError):
    """There is no published index yet; run `oraculo ingest`."""


class DamagedIndex(OracleError):
    """A generation's files do not match their checksums; it is never opened."""


class IngestRunning(OracleError):
    """Another ingest holds the lock of this home."""


class IngestFailed(OracleError):
    """The index could not be written; the one before serves, and what was embedded is kept."""


class EmbeddingUnavailable(OracleError):
    """The embedding model cannot be had; the mend is in the text."""


class RerankingFailed(OracleError):
    """No better order of the passages could be had, and the text tells why; they keep the one they had."""


def one_line(error: BaseException) -> str:
    """Give the first line of what a library says went wrong, or the name of its error."""
    return next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")
