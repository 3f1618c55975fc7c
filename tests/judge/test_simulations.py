"""The tasks of a child, run in this process."""

import json
from typing import Any

import msgspec
import pytest

from configuration.documents import SHARED
from mergecast.api.simulation.pull_requests import MOST_PULL_REQUESTS
from mergecast.judge.child.simulations import simulate_repository
from mergecast.judge.child.tasks import TASKS
from mergecast.judge.child.time_limits import LIMITS, TimeLimits
from mergecast.judge.limits import DOCUMENT_LIMITS
from mergecast.judge.messages import (
    AUDIT,
    BODY,
    CONFIGURATION,
    NEEDS,
    PULL_REQUEST,
    REPOSITORY,
    SCHEMA,
    SNAPSHOT,
    Form,
    NeedsAnswer,
    PullRequestQuestion,
    Record,
    RepositoryQuestion,
    Setting,
    SimulationAnswer,
)
from mergecast.queues.model.instant import parse_instant
from mergecast.queues.model.snapshot import Part
from scenario_files import NAMES, document_text, recorded_pull
from waiting import MOST_SECONDS

pytestmark = pytest.mark.thorough

_CORPUS = SHARED / "corpus" / "configs"
_NOW = parse_instant("2026-11-16T12:00:00Z")
# A fifth of the program's: some of these tests use up a limit.
_SHORT = TimeLimits(*(seconds / 5 for seconds in LIMITS))
# Pull requests of ten kinds.
_KINDS = (
    "already-merged", "already-queued", "branch-protection", "closed", "conflict",
    "dependency-bot-auto-merge", "draft", "fork", "part-not-recorded", "stacked-pull-requests",
)  # fmt: skip


def _setting(text: str, now: int = _NOW, form: Form = "markdown") -> Setting:
    return Setting(msgspec.Raw(msgspec.json.encode(text)), now, "acme", "checkout", form=form)


def _ask(task: str, question: msgspec.Struct, answer: Any) -> Any:
    """Run a task, with input and result encoded as between processes."""
    found = msgspec.json.encode(TASKS[task](msgspec.json.encode(question)))
    return msgspec.json.decode(found, type=answer)


def _simulated(setting: Setting, record: dict[str, Any]) -> SimulationAnswer:
    raw = msgspec.Raw(msgspec.json.encode(record))
    question = PullRequestQuestion(setting, record["pull"]["number"], raw)
    simulated: SimulationAnswer = _ask(PULL_REQUEST, question, SimulationAnswer)
    return simulated


def _needs(text: str) -> NeedsAnswer:
    found: NeedsAnswer = _ask(NEEDS, _setting(text), NeedsAnswer)
    return found


def test_every_question_has_its_task() -> None:
    """The server uses these names."""
    names = {BODY, CONFIGURATION, SCHEMA, AUDIT, NEEDS, SNAPSHOT, PULL_REQUEST, REPOSITORY}
    assert names == TASKS.keys()


@pytest.mark.parametrize("name", NAMES)
def test_parts_that_are_not_needed_do_not_matter(name: str) -> None:
    """Without the parts that its document does not need, every scenario gives the same report."""
    text, record = document_text(name), recorded_pull(name)
    now = parse_instant(record["recorded_at"])
    setting = msgspec.structs.replace(_setting(text, now), remotes=record.get("extends", {}))
    needs = _ask(NEEDS, setting, NeedsAnswer)
    unneeded = {part.key for part in Part} - needs.parts
    lean = {key: value for key, value in record.items() if key not in unneeded}

    whole, less = (_simulated(setting, one) for one in (record, lean))

    assert (whole.title, whole.summary) == (less.title, less.summary)


_PLAIN = {"files", "dependencies", "check_runs", "statuses"}
_RULE = "pull_request_rules: [{{name: a, conditions: [{}], actions: {{{}}}}}]"


@pytest.mark.parametrize(
    ("conditions", "actions", "parts", "teams"),
    [
        ("base = main", "", set(), set()),
        ('"#approved-reviews-by >= 1"', "", {"reviews", "permissions"}, set()),
        ('"author = @core"', "", {"teams"}, {"acme/core"}),
        ('{not: "author = @other/core"}', "", {"teams"}, {"other/core"}),
        ("", 'comment: {message: "{{ approvers }}"}', {"reviews", "permissions"}, set()),
        ("", 'comment: {message: "{{ author }}"}', set(), set()),
        ("", "rebase: ", {"behind", "commits"}, set()),
        ("", "squash: ", {"commits"}, set()),
        ("", "update: ", {"behind"}, set()),
        (
            "",
            "request_reviews: {users_from_teams: [core]}",
            {"reviews", "permissions", "teams"},
            {"acme/core"},
        ),
        (
            "",
            'dismiss_reviews: {approved: ["@core"]}',
            {"reviews", "permissions", "teams"},
            {"acme/core"},
        ),
        (
            "",
            "dismiss_reviews: {approved: from_requested_reviewers}",
            {"reviews", "permissions", "teams"},
            None,
        ),
    ],
)
def test_needs(conditions: str, actions: str, parts: set[str], teams: set[str] | None) -> None:
    """Conditions, templates and actions need parts; teams are named with their organization."""
    found = _needs(_RULE.format(conditions, actions))

    assert (_PLAIN | parts, teams) == (set(found.parts), None if found.teams is None else set(found.teams))


@pytest.mark.parametrize(
    "text",
    [
        _RULE.format("", "queue: "),
        _RULE.format("", "merge: "),
        "queue_rules: [{name: default}]",
        "merge_protections_settings: {auto_merge_conditions: true}",
    ],
)
def test_merging_needs_nearly_everything(text: str) -> None:
    """The base may be protected in any way."""
    everything = {part.key for part in Part}

    assert everything - {"deployments", "teams", "extends", "sender"} == set(_needs(text).parts)


def test_what_else_is_found_with_needs() -> None:
    """The repository that a document extends, or the errors of an invalid document."""
    assert "shared" == _needs("extends: shared").extends
    invalid = _needs("queue_rules: 1")
    assert (1, frozenset()) == (len(invalid.errors), invalid.parts)
    assert "permissions" in _needs("commands_restrictions: {queue: {conditions: [base = main]}}").parts


@pytest.mark.thorough
@pytest.mark.skipif(not _CORPUS.exists(), reason=f"the documents are not beside the project: {_CORPUS}")
def test_documents_of_real_repositories() -> None:
    """Each on ten kinds of pull requests, reported for one and for all, in Markdown and as text."""
    records = {name: recorded_pull(name) for name in _KINDS}
    raws = tuple(
        Record(record["pull"]["number"], msgspec.Raw(msgspec.json.encode(record)))
        for record in records.values()
    )
    simulated = 0
    for file in sorted(_CORPUS.iterdir()):
        text = file.read_bytes().decode("utf-8")
        forms: tuple[Form, ...] = ("markdown", "text")
        for form in forms:
            found = _ask(REPOSITORY, RepositoryQuestion(_setting(text, form=form), raws), SimulationAnswer)
            if found.errors:
                break
            assert found.summary, file
            assert not found.record_errors, file
        else:
            simulated += 1
            for record in records.values():
                one = _simulated(_setting(text), record)
                assert one.summary
                assert one.title
    assert simulated > 50


def _titled(number: int, title: str | None) -> Record:
    record = recorded_pull("draft")
    record["pull"] |= {"number": number, "title": title}
    return Record(number, msgspec.Raw(msgspec.json.encode(record)))


def _repository(text: str, *records: Record, **more: Any) -> SimulationAnswer:
    found: SimulationAnswer = _ask(
        REPOSITORY, RepositoryQuestion(_setting(text), records, **more), SimulationAnswer
    )
    return found


@pytest.mark.parametrize(("pulls", "patterns"), [(100, 1), (100, 50)])
def test_slow_patterns(pulls: int, patterns: int) -> None:
    """They are errors at their conditions, and every pull request is simulated."""
    rules = [
        {"name": f"rule {one}", "conditions": [f"title ~= ^(a+)+{one}$"], "actions": {"rebase": None}}
        for one in range(patterns)
    ]
    records = tuple(_titled(number, "a" * 60 + "!") for number in range(1, pulls + 1))
    question = RepositoryQuestion(_setting(json.dumps({"pull_request_rules": rules})), records)
    # The limit of a pull request must not end a simulation here, however much CPU time a busy machine counts.
    limits = _SHORT._replace(pull_request=MOST_SECONDS, all_pull_requests=MOST_SECONDS)

    found = simulate_repository(question, limits)

    assert ("0 of 100 open pull requests would be affected", ()) == (found.title, found.errors)


def test_the_limits_of_pull_requests_end_a_task_before_its_deadline() -> None:
    """Also if all of them are too slow; half a second is left for the document and the report."""
    pull_requests = LIMITS.all_pull_requests + MOST_PULL_REQUESTS * LIMITS.least_pull_request

    assert pull_requests <= DOCUMENT_LIMITS.deadline_seconds - 0.5
    assert LIMITS.pull_request <= LIMITS.all_pull_requests


def test_the_limits_of_patterns_leave_time_for_pull_requests() -> None:
    """Also if 50 patterns are too slow: each is tried on two pull requests."""
    assert LIMITS.all_patterns + 2 * 50 * LIMITS.least_pattern <= LIMITS.pull_request


def _slow_rules() -> list[dict[str, Any]]:
    return [
        {
            "name": f"rule {one}",
            "conditions": [{"or": [f"title ~= ^(a+)+{one}.{other}$" for other in range(5)]}],
            "actions": {"rebase": None},
        }
        for one in range(199)
    ]


def test_one_pull_request_whose_text_takes_too_long() -> None:
    """It alone is marked, with the reason; the document is not blamed, and the others are simulated."""
    rules = _slow_rules()
    rules.append({"name": "good", "conditions": ["title = Good"], "actions": {"comment": {"message": "!"}}})
    records = [_titled(1, "Good"), _titled(2, "a" * 60 + "!"), _titled(3, "Good")]

    setting = _setting(json.dumps({"pull_request_rules": rules}))
    # The others need much less, but on a busy machine the same work takes several times the CPU time.
    limits = _SHORT._replace(pull_request=1.0, all_pull_requests=4.0)

    found = simulate_repository(RepositoryQuestion(setting, tuple(records)), limits)

    assert () == found.errors
    assert "2 of 3 open pull requests would be affected, 1 not simulated" == found.title
    rows = [line for line in found.summary.splitlines() if line.startswith("| #")]
    reason = "its simulation takes too long; its text may be too slow to search or to render"
    assert [
        "| #3 Good | `good` | — | — |",
        "| #1 Good | `good` | — | — |",
        f"| #2 {'a' * 60}! | — | — | ⚠️ not simulated: {reason} |",
    ] == rows


def test_a_single_pull_request_that_takes_too_long() -> None:
    """The pull request is blamed, not the document."""
    document = json.dumps({"pull_request_rules": _slow_rules()})
    record = recorded_pull("draft")
    record["pull"]["title"] = "a" * 60 + "!"

    found = _simulated(_setting(document), record)

    reason = "its simulation takes too long; its text may be too slow to search or to render"
    assert ((), "", reason) == (found.errors, found.title, found.not_simulated)


def test_records_that_cannot_be_read() -> None:
    """They are named and counted; the others are simulated."""
    found = _repository("", _titled(7, "Good"), _titled(8, None), not_looked_at=2)

    assert "0 of 1 open pull request would be affected, 3 not simulated" == found.title
    note = (
        "- Cannot read the record of a pull request; record it again: "
        "8 (/pull/title: must be a text, not null)"
    )
    assert note in found.summary.splitlines()


def test_many_records_that_cannot_be_read() -> None:
    """The first are named."""
    found = _repository("", *(_titled(number, None) for number in range(1, 8)))

    reason = "/pull/title: must be a text, not null"
    named = ", ".join(f"{number} ({reason})" for number in range(1, 6))
    note = f"- Cannot read the records of some pull requests; record them again: {named}, and 2 more"
    assert note in found.summary.splitlines()


def test_errors_of_the_document_come_before_errors_of_a_record() -> None:
    """The author of the document can fix only the document."""
    one = _titled(8, None)

    invalid, valid = (
        _ask(PULL_REQUEST, PullRequestQuestion(_setting(text), 8, one.record), SimulationAnswer)
        for text in ("queue_rules: 1", "")
    )

    assert (1, 0) == (len(invalid.errors), len(invalid.record_errors))
    assert (0, 1) == (len(valid.errors), len(valid.record_errors))


def test_notes_on_the_current_document() -> None:
    """The comparison may be incomplete, and the notes say why."""
    found = _repository("", _titled(7, "Good"), current="extends: shared\n", remarks=("Take care",))

    lines = found.summary.splitlines()
    assert "- Take care" in lines
    assert (
        "- In the current document: The configuration of shared could not be read (it was not recorded); "
        "this simulation does not include it"
    ) in lines
