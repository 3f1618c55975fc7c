"""What was found in a document, as it travels. Only the child may load this module."""

from mergecast.configuration.errors import DocumentError
from mergecast.configuration.read_result import Deprecation, ReadResult
from mergecast.errors import MOST_ERRORS
from mergecast.judge.messages import LONGEST_DOCUMENT, DeprecationFound, ReportedError


def too_long(text: str) -> tuple[ReportedError, ...]:
    """The one error of a text that nobody begins to read."""
    if len(text) <= LONGEST_DOCUMENT:
        return ()
    message = f"a document may have {LONGEST_DOCUMENT} characters at most, and this one has {len(text)}"
    return (ReportedError(message, message, (), 1, 1),)


def first_errors(verdict: ReadResult) -> tuple[ReportedError, ...]:
    return tuple(_error(error) for error in verdict.errors[:MOST_ERRORS])


def more_errors(verdict: ReadResult) -> int:
    return max(0, len(verdict.errors) - MOST_ERRORS)


def deprecations_found(verdict: ReadResult) -> tuple[DeprecationFound, ...]:
    return tuple(_deprecation(one) for one in verdict.deprecations)


def _error(error: DocumentError) -> ReportedError:
    return ReportedError(error.message, error.text, error.path, error.line, error.column)


def _deprecation(one: Deprecation) -> DeprecationFound:
    return DeprecationFound(one.message, one.deadline, one.path_to_field)
