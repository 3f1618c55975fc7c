"""The table of tasks that a child can run."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import TypeVar

import msgspec

from mergecast.judge.child.documents import judge_configuration
from mergecast.judge.child.records import check_body, check_record
from mergecast.judge.child.simulations import find_needs, simulate_pull_request, simulate_repository
from mergecast.judge.messages import (
    AUDIT,
    BODY,
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
from mergecast.language.audit.audit import audit
from mergecast.language.configuration.schema import configuration_schema
from mergecast.queues.answers.audit import AuditQuestion

Question = TypeVar("Question", bound=msgspec.Struct)

_TYPICAL_DOCUMENT = """
pull_request_rules:
  - name: typical
    conditions:
      - base = main
      - "#approved-reviews-by >= 0"
      - or: [files ~= ^docs/, -closed]
    actions:
      queue:
      comment:
        message: Thank you @{{ author }}
queue_rules:
  - name: default
    merge_conditions: [check-success = build]
merge_protections:
  - name: reviewed
    if: [base = main]
    success_conditions: ["#approved-reviews-by >= 1"]
"""
_TYPICAL_RECORD = {
    "pull": {
        "number": 1,
        "title": "Typical",
        "state": "open",
        "merged": False,
        "locked": False,
        "user": {"login": "ann"},
        "head": {"ref": "fix", "sha": "0", "repo": {"id": 1, "full_name": "acme/typical"}},
        "base": {
            "ref": "main",
            "repo": {"id": 1, "name": "typical", "default_branch": "main", "owner": {"login": "acme"}},
        },
        "labels": [],
        "assignees": [],
        "requested_reviewers": [],
        "requested_teams": [],
        "changed_files": 1,
        "additions": 1,
        "deletions": 1,
        "commits": 1,
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
    },
    "files": [{"filename": "docs/index.md", "status": "modified"}],
    "reviews": [{"user": {"login": "bob"}, "state": "APPROVED", "submitted_at": "2026-01-01T00:00:00Z"}],
    "permissions": {"bob": "write"},
    "check_runs": [],
    "statuses": [],
}


def _schema(_: SchemaQuestion) -> dict[str, object]:
    return configuration_schema()


def _task(question: type[Question], run: Callable[[Question], object]) -> Callable[[bytes], object]:
    return lambda given: run(msgspec.json.decode(given, type=question))


TASKS: Mapping[str, Callable[[bytes], object]] = {
    BODY: check_body,
    CONFIGURATION: _task(ConfigurationQuestion, judge_configuration),
    SCHEMA: _task(SchemaQuestion, _schema),
    AUDIT: _task(AuditQuestion, audit),
    NEEDS: _task(Setting, find_needs),
    SNAPSHOT: _task(SnapshotQuestion, check_record),
    PULL_REQUEST: _task(PullRequestQuestion, simulate_pull_request),
    REPOSITORY: _task(RepositoryQuestion, simulate_repository),
}


def warm_up() -> None:
    """Read and simulate a document once, so that the first request does not pay for initialization."""
    text = json_text(_TYPICAL_DOCUMENT)
    judge_configuration(ConfigurationQuestion(text, date.min, products=()))
    record = msgspec.Raw(msgspec.json.encode(_TYPICAL_RECORD))
    simulated = simulate_pull_request(PullRequestQuestion(Setting(text, 0, "acme", "typical"), 1, record))
    assert not simulated.errors and not simulated.record_errors, simulated  # noqa: PT018, S101
