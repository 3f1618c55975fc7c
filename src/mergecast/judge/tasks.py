"""The table of what a child can do. Only the child may load this module."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import TypeVar

import msgspec

from mergecast.configuration.products import unused_sections
from mergecast.configuration.reading import read_configuration
from mergecast.configuration.schema import configuration_schema
from mergecast.configuration.verdict import DocumentFault
from mergecast.errors import MOST_FAULTS
from mergecast.judge.documents import (
    CONFIGURATION,
    LONGEST_DOCUMENT,
    SCHEMA,
    DeprecationFound,
    Document,
    FaultFound,
    HintFound,
    Judged,
    NoDetails,
    Place,
    UnusedSection,
)

Given = TypeVar("Given", bound=msgspec.Struct)

_USUAL_DOCUMENT = """
pull_request_rules:
  - name: usual
    conditions:
      - base = main
      - "#approved-reviews-by >= 1"
      - or: [files ~= ^docs/, label = ready]
    actions:
      queue:
      comment:
        message: Thank you @{{ author }}
queue_rules:
  - name: default
    merge_conditions: [check-success = build]
"""


def _judge(document: Document) -> Judged:
    length = len(document.text)
    if length > LONGEST_DOCUMENT:
        message = f"a document may have {LONGEST_DOCUMENT} characters at most, and this one has {length}"
        return Judged(faults=(FaultFound(message, message, (), 1, 1),))
    verdict = read_configuration(document.text, today=document.today, repository=document.repository)
    unused = None
    if document.products is not None:
        found = unused_sections(verdict.sections, frozenset(document.products))
        unused = tuple(UnusedSection(one.section, one.product, one.product_name) for one in found)
    return Judged(
        faults=tuple(_fault(fault) for fault in verdict.faults[:MOST_FAULTS]),
        more_faults=max(0, len(verdict.faults) - MOST_FAULTS),
        deprecations=tuple(
            DeprecationFound(one.message, one.deadline, one.path_to_field) for one in verdict.deprecations
        ),
        deprecation_places=tuple(Place(one.line, one.column) for one in verdict.deprecations),
        hints=tuple(HintFound(one.message, one.path, one.line, one.column) for one in verdict.hints),
        notes=verdict.notes,
        unused_sections=unused,
    )


def _fault(fault: DocumentFault) -> FaultFound:
    return FaultFound(fault.message, fault.text, fault.path, fault.line, fault.column)


def _schema(_: NoDetails) -> dict[str, object]:
    return configuration_schema()


def _task(given: type[Given], run: Callable[[Given], object]) -> Callable[[bytes], object]:
    return lambda details: run(msgspec.json.decode(details, type=given))


TASKS: Mapping[str, Callable[[bytes], object]] = {
    CONFIGURATION: _task(Document, _judge),
    SCHEMA: _task(NoDetails, _schema),
}


def warm_up() -> None:
    """Judge a document once, so that nothing is built for the first time at somebody's expense."""
    _judge(Document(_USUAL_DOCUMENT, date.min, products=()))
