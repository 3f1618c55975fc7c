"""The table of what a child can do. Only the child may load this module."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import TypeVar

import msgspec

from mergecast.configuration.extends import no_platform
from mergecast.configuration.products import unused_sections
from mergecast.configuration.read import read_configuration
from mergecast.configuration.schema import configuration_schema
from mergecast.judge.child.findings import deprecations_found, first_errors, more_errors, too_long
from mergecast.judge.child.simulating import (
    find_needs,
    read_record,
    simulate_pull_request,
    simulate_repository,
)
from mergecast.judge.documents import (
    CONFIGURATION,
    SCHEMA,
    Document,
    HintFound,
    Judged,
    NoDetails,
    Place,
    UnusedSection,
)
from mergecast.judge.simulations import (
    NEEDS,
    PULL_REQUEST,
    REPOSITORY,
    SNAPSHOT,
    NeedsQuestion,
    PullRequestQuestion,
    RepositoryQuestion,
    SnapshotQuestion,
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
    if errors := too_long(document.text):
        return Judged(errors=errors)
    extended = document.extended
    load = no_platform if extended is None else lambda _: extended
    verdict = read_configuration(
        document.text, today=document.today, repository=document.repository, load=load
    )
    unused = None
    if document.products is not None:
        found = unused_sections(verdict.sections, frozenset(document.products))
        unused = tuple(UnusedSection(one.section, one.product, one.product_name) for one in found)
    return Judged(
        errors=first_errors(verdict),
        more_errors=more_errors(verdict),
        deprecations=deprecations_found(verdict),
        deprecation_places=tuple(Place(one.line, one.column) for one in verdict.deprecations),
        hints=tuple(HintFound(one.message, one.path, one.line, one.column) for one in verdict.hints),
        extends=verdict.configuration.extends if verdict.configuration else None,
        notes=verdict.notes,
        unused_sections=unused,
    )


def _schema(_: NoDetails) -> dict[str, object]:
    return configuration_schema()


def _task(given: type[Given], run: Callable[[Given], object]) -> Callable[[bytes], object]:
    return lambda details: run(msgspec.json.decode(details, type=given))


TASKS: Mapping[str, Callable[[bytes], object]] = {
    CONFIGURATION: _task(Document, _judge),
    SCHEMA: _task(NoDetails, _schema),
    NEEDS: _task(NeedsQuestion, find_needs),
    SNAPSHOT: _task(SnapshotQuestion, read_record),
    PULL_REQUEST: _task(PullRequestQuestion, simulate_pull_request),
    REPOSITORY: _task(RepositoryQuestion, simulate_repository),
}


def warm_up() -> None:
    """Judge a document once, so that nothing is built for the first time at somebody's expense."""
    _judge(Document(_USUAL_DOCUMENT, date.min, products=()))
