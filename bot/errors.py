"""Errors of the bot's own parts, each saying who acts."""

from retrieval.errors import OracleError


class ModelUnavailable(OracleError):
    """The language model failed for good; the answer is extractive."""


class BudgetSpent(ModelUnavailable):
    """The day's token budget is used up; answers are extractive until midnight UTC."""


class AnswerCut(ModelUnavailable):
    """The model stopped at its length limit; what it said stands, and ends at its last whole sentence."""


class StorageUnavailable(OracleError):
    """The database cannot be used; answers go on without it."""
