"""What a document means for all open pull requests of a repository."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mergecast.language.report.markdown import summary
from mergecast.language.report.outline import Report
from mergecast.language.report.repository import repository_report
from mergecast.language.report.terminal import plain_text
from mergecast.language.rules.overview import overview
from mergecast.language.rules.repository import PullRequestRow, RepositoryResult, repository_result, row_of
from mergecast.language.rules.sentence import sentence
from mergecast.language.rules.simulation import Entrance
from mergecast.queues.model.snapshot import Snapshot
from report.rendering import spans, tokens
from report.scenarios import assert_golden, scenario, simulated, verdict

GOLDEN = Path(__file__).parent / "golden"

CANDIDATE = """
pull_request_rules:
  - name: queue what is approved
    conditions:
      - "#approved-reviews-by >= 1"
    actions:
      queue:
  - name: label payments
    conditions:
      - files ~= ^src/payments/
    actions:
      label:
        add: [payments]
  - name: approved by the platform team
    conditions:
      - approved-reviews-by = @acme/platform
      - label = platform
    actions:
      comment:
        message: Thank you
queue_rules:
  - name: hotfix
    queue_conditions:
      - label = hotfix
  - name: default
    batch_size: 4
    queue_conditions:
      - check-success = build
      - -label = backport
merge_protections:
  - name: two approvals
    if:
      - base = main
      - -author = dependabot[bot]
    success_conditions:
      - "#approved-reviews-by >= 2"
  - name: green
    if: []
    success_conditions:
      - check-success = unit tests
"""
CURRENT = """
pull_request_rules:
  - name: queue what is approved
    conditions:
      - "#approved-reviews-by >= 1"
    actions:
      queue:
  - name: label sources
    conditions:
      - files ~= ^src/
    actions:
      label:
        add: [sources]
queue_rules:
  - name: default
    queue_conditions:
      - check-success = build
merge_protections:
  - name: green
    if: []
    success_conditions:
      - check-success = unit tests
"""
PULLS = [
    "dependency-bot-auto-merge",
    "backport-by-label",
    "two-queues-by-files",
    "hotfix-priority",
    "checks-partly-red",
    "draft",
    "conflict",
    "legacy-template-message",
    "already-queued",
    "hostile-text",
]


def _snapshots() -> Iterator[Snapshot]:
    for number, name in enumerate(PULLS, start=31):
        found = scenario(name).snapshot
        yield replace(found, pull=replace(found.pull, number=number))


def _result(
    document: str = CANDIDATE, current: str | None = CURRENT, not_looked_at: int = 0
) -> RepositoryResult:
    rows = []
    for one in _snapshots():
        before = None if current is None else simulated(current, one)[0]
        rows.append(row_of(simulated(document, one)[0], before))
    configuration = verdict(document, next(_snapshots())).configuration
    assert configuration is not None
    return repository_result(overview(configuration), rows, not_looked_at=not_looked_at)


def _report(result: RepositoryResult, document: str = CANDIDATE) -> Report:
    return repository_report(result, verdict(document, next(_snapshots())))


def _row(number: int, *, is_affected: bool = False, title: str = "x") -> PullRequestRow:
    return PullRequestRow(number, title, (), (), Entrance.SHUT, None, (), is_affected, None)


def test_compared_with_the_current_document() -> None:
    """Overview, table and differences."""
    report = _report(_result(not_looked_at=3))

    assert_golden(GOLDEN / "repository.md", f"{report.title}\n\n{summary(report)}\n")
    assert_golden(GOLDEN / "repository.txt", plain_text(report))


def test_the_same_document_makes_no_difference() -> None:
    """The report says that nothing changes."""
    report = _report(_result(current=CANDIDATE))

    assert report.title == "9 of 10 open pull requests would be affected — none treated differently than now"
    assert "### Differences\n\nThe current document treats every pull request the same way\n\n" in summary(
        report
    )


def test_a_renamed_rule_makes_no_difference() -> None:
    """Only what happens counts, not the name of the rule."""
    renamed = CURRENT.replace("label sources", "sources")

    assert _result(renamed, CURRENT).changed == ()


def test_without_a_document_to_compare_with() -> None:
    """Nothing is said about differences."""
    report = _report(_result(current=None))

    assert report.title == "9 of 10 open pull requests would be affected"
    assert "Differences" not in summary(report)


def test_an_empty_document() -> None:
    """The table is still there."""
    report = _report(_result("", None), "")

    assert report.title == "0 of 10 open pull requests would be affected"
    assert "The document configures nothing." in summary(report)


@pytest.mark.parametrize(
    ("rows", "not_looked_at", "expected"),
    [
        (0, 0, "no open pull requests"),
        (1, 0, "1 of 1 open pull request would be affected"),
        (2, 0, "1 of 2 open pull requests would be affected"),
        (2, 7, "1 of 2 open pull requests would be affected, 7 not simulated"),
        (0, 7, "0 of 0 open pull requests would be affected, 7 not simulated"),
    ],
)
def test_titles(rows: int, not_looked_at: int, expected: str) -> None:
    """Affected pull requests are counted among those that were simulated."""
    found = [_row(number, is_affected=number == 1) for number in range(1, rows + 1)]
    result = repository_result(_result("", None).overview, found, not_looked_at=not_looked_at)

    assert expected == _report(result).title


def test_a_hundred_rows_at_most() -> None:
    """Those that would be affected come first, then the newest; the rest is counted."""
    rows = [_row(number, is_affected=number == 5) for number in range(1, 131)]
    result = repository_result(_result("", None).overview, rows, notes=(sentence("A note"),))
    text = summary(_report(result))
    numbers = [line.split()[1] for line in text.splitlines() if line.startswith("| #")]

    assert len(numbers) == 100
    assert numbers[:3] == ["#5", "#130", "#129"]
    assert "… and 30 more pull requests" in text
    assert text.endswith("### Notes\n\n- A note")


def test_titles_of_users_stay_in_their_cell() -> None:
    """No title adds a column to the table."""
    rows = [_row(1, title="a | b `c|d` [x](y) <b> @bob #1\n| - |"), _row(2, title="x" * 300)]
    text = summary(_report(repository_result(_result("", None).overview, rows)))
    cells = [token for token in tokens(text) if token.type == "td_open"]

    assert len(cells) == 8
    assert not {span.type for span in spans(text)} & {"link_open", "html_inline", "image"}
    assert f"| #2 {'x' * 80}… |" in text


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ("[label = a]", ["queue 'default': 'label = a'"]),
        ("[label = a, {and: [label = b, base = main]}]", ["queue 'default': 'label = a', 'label = b'"]),
        (
            "[{or: [label = a, {and: [label = b, draft]}]}]",
            ["queue 'default': 'label = a or (label = b and draft)'"],
        ),
        ("[{not: {or: [base = main]}}]", ["queue 'default': 'not (base = main)'"]),
        ("[{not: base = main}]", ["queue 'default': 'not base = main'"]),
        (
            "[label = a, label = b, label = c, label = d]",
            ["queue 'default': 'label = a', 'label = b', 'label = c' and 1 more"],
        ),
        (
            f"[{{or: [title = {'x' * 150}, title = {'y' * 150}]}}]",
            [f"queue 'default': 'title = {'x' * 150} or title = {'y' * 30}…'"],
        ),
        (f"[title = {'x' * 300}]", [f"queue 'default': 'title = {'x' * 192}…'"]),
        ("[base = main]", []),
    ],
)
def test_what_blocks_a_pull_request(conditions: str, expected: list[str]) -> None:
    """The conditions that do not hold, alternatives in one piece."""
    document = f"queue_rules: [{{name: default, queue_conditions: {conditions}}}]"
    row = row_of(simulated(document, scenario("no-rules").snapshot)[0], None)

    assert expected == [one.text for one in row.blockers]


@pytest.mark.parametrize(("number", "rest"), [(2, []), (3, ["1 more queue"]), (5, ["3 more queues"])])
def test_many_closed_queues_are_counted(number: int, rest: list[str]) -> None:
    """A row stays readable."""
    queues = ", ".join(f"{{name: q{place}, queue_conditions: [label = a]}}" for place in range(number))
    row = row_of(simulated(f"queue_rules: [{queues}]", scenario("no-rules").snapshot)[0], None)

    assert [one.text for one in row.blockers] == ["queue 'q0': 'label = a'", "queue 'q1': 'label = a'", *rest]


@pytest.mark.parametrize(
    ("number", "rest"), [(5, []), (6, ["1 more protection"]), (8, ["3 more protections"])]
)
def test_many_failing_protections_are_counted(number: int, rest: list[str]) -> None:
    """A row stays readable."""
    protections = ", ".join(
        f"{{name: p{place}, if: [], success_conditions: [label = a]}}" for place in range(number)
    )
    row = row_of(simulated(f"merge_protections: [{protections}]", scenario("no-rules").snapshot)[0], None)
    shown = [f"protection 'p{place}' failing: 'label = a'" for place in range(5)]

    assert [one.text for one in row.blockers] == [*shown, *rest]
