"""The table of tasks that a child can run."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import TypeVar

import msgspec

from mergecast.configuration.schema import configuration_schema
from mergecast.judge.child.documents import judge_configuration
from mergecast.judge.child.records import check_record
from mergecast.judge.child.simulations import find_needs, simulate_pull_request, simulate_repository
from mergecast.judge.messages import (
    CONFIGURATION,
    NEEDS,
    PULL_REQUEST,
    REPOSITORY,
    SCHEMA,
    SNAPSHOT,
    ConfigurationQuestion,
    PullRequestQuestion,
    RepositoryQuestion,
    SchemaQuestion,
    Setting,
    SnapshotQuestion,
    json_text,
)

Question = TypeVar("Question", bound=msgspec.Struct)

_TYPICAL_DOCUMENT = """
pull_request_rules:
  - name: typical
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


def _schema(_: SchemaQuestion) -> dict[str, object]:
    return configuration_schema()


def _task(question: type[Question], run: Callable[[Question], object]) -> Callable[[bytes], object]:
    return lambda given: run(msgspec.json.decode(given, type=question))


TASKS: Mapping[str, Callable[[bytes], object]] = {
    CONFIGURATION: _task(ConfigurationQuestion, judge_configuration),
    SCHEMA: _task(SchemaQuestion, _schema),
    NEEDS: _task(Setting, find_needs),
    SNAPSHOT: _task(SnapshotQuestion, check_record),
    PULL_REQUEST: _task(PullRequestQuestion, simulate_pull_request),
    REPOSITORY: _task(RepositoryQuestion, simulate_repository),
}


def warm_up() -> None:
    """Read a document once, so that the first request does not pay for one-time initialization."""
    judge_configuration(ConfigurationQuestion(json_text(_TYPICAL_DOCUMENT), date.min, products=()))
