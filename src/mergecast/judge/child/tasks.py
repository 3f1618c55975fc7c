"""The table of what a child can do. Only the child may load this module."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import TypeVar

import msgspec

from mergecast.configuration.extends import no_platform
from mergecast.configuration.models.configuration import unused_sections
from mergecast.configuration.read import read_configuration
from mergecast.configuration.schema import configuration_schema
from mergecast.judge.child.findings import deprecations_found, first_errors, more_errors, too_long
from mergecast.judge.child.simulating import (
    find_needs,
    read_record,
    simulate_pull_request,
    simulate_repository,
)
from mergecast.judge.messages import (
    CONFIGURATION,
    NEEDS,
    PULL_REQUEST,
    REPOSITORY,
    SCHEMA,
    SNAPSHOT,
    ConfigurationAnswer,
    ConfigurationQuestion,
    HintFound,
    NeedsQuestion,
    Position,
    PullRequestQuestion,
    RepositoryQuestion,
    SchemaQuestion,
    SnapshotQuestion,
    UnusedSection,
    json_text,
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


def _judge(question: ConfigurationQuestion) -> ConfigurationAnswer:
    text = msgspec.json.decode(question.text, type=str)
    if errors := too_long(text):
        return ConfigurationAnswer(errors=errors)
    extended = question.extended
    load = no_platform if extended is None else lambda _: extended
    verdict = read_configuration(text, today=question.today, repository=question.repository, load=load)
    unused = None
    if question.products is not None:
        found = unused_sections(verdict.sections, frozenset(question.products))
        unused = tuple(UnusedSection(one.section, one.product, one.product_name) for one in found)
    return ConfigurationAnswer(
        errors=first_errors(verdict),
        more_errors=more_errors(verdict),
        deprecations=deprecations_found(verdict),
        deprecation_positions=tuple(Position(one.line, one.column) for one in verdict.deprecations),
        hints=tuple(HintFound(one.message, one.path, one.line, one.column) for one in verdict.hints),
        extends=verdict.configuration.extends if verdict.configuration else None,
        notes=verdict.notes,
        unused_sections=unused,
    )


def _schema(_: SchemaQuestion) -> dict[str, object]:
    return configuration_schema()


def _task(given: type[Given], run: Callable[[Given], object]) -> Callable[[bytes], object]:
    return lambda details: run(msgspec.json.decode(details, type=given))


TASKS: Mapping[str, Callable[[bytes], object]] = {
    CONFIGURATION: _task(ConfigurationQuestion, _judge),
    SCHEMA: _task(SchemaQuestion, _schema),
    NEEDS: _task(NeedsQuestion, find_needs),
    SNAPSHOT: _task(SnapshotQuestion, read_record),
    PULL_REQUEST: _task(PullRequestQuestion, simulate_pull_request),
    REPOSITORY: _task(RepositoryQuestion, simulate_repository),
}


def warm_up() -> None:
    """Judge a document once, so that nothing is built for the first time at somebody's expense."""
    _judge(ConfigurationQuestion(json_text(_USUAL_DOCUMENT), date.min, products=()))
