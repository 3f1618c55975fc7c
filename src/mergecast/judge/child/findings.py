"""What was found in a document, as it travels. Only the child may load this module."""

from mergecast.configuration.errors import DocumentFault
from mergecast.configuration.verdict import Deprecation, Verdict
from mergecast.errors import MOST_FAULTS
from mergecast.judge.documents import LONGEST_DOCUMENT, DeprecationFound, FaultFound


def too_long(text: str) -> tuple[FaultFound, ...]:
    """The one fault of a text that nobody begins to read."""
    if len(text) <= LONGEST_DOCUMENT:
        return ()
    message = f"a document may have {LONGEST_DOCUMENT} characters at most, and this one has {len(text)}"
    return (FaultFound(message, message, (), 1, 1),)


def first_faults(verdict: Verdict) -> tuple[FaultFound, ...]:
    return tuple(_fault(fault) for fault in verdict.faults[:MOST_FAULTS])


def more_faults(verdict: Verdict) -> int:
    return max(0, len(verdict.faults) - MOST_FAULTS)


def deprecations_found(verdict: Verdict) -> tuple[DeprecationFound, ...]:
    return tuple(_deprecation(one) for one in verdict.deprecations)


def _fault(fault: DocumentFault) -> FaultFound:
    return FaultFound(fault.message, fault.text, fault.path, fault.line, fault.column)


def _deprecation(one: Deprecation) -> DeprecationFound:
    return DeprecationFound(one.message, one.deadline, one.path_to_field)
