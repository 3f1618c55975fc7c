"""What the audit finds in workflow files and the rules of a branch, and what it must not say."""

import json
from pathlib import Path
from textwrap import dedent

import msgspec
import pytest

from mergecast.language.audit.audit import audit
from mergecast.queues.answers.audit import AuditQuestion, BranchRules, Finding, KeptCheck, QueueRule

_SHARED = Path(__file__).parents[3] / "shared" / "reference" / "audit-cases.json"
_QUEUE = QueueRule(check_response_timeout_minutes=60, max_entries_to_build=5, min_entries_to_merge=1)
_BOTH = "on:\n  pull_request:\n  merge_group:\n"


def _job(id: str, *lines: str) -> str:
    return "".join(f"{line}\n" for line in (f"  {id}:", "    runs-on: x", *(f"    {line}" for line in lines)))


def _found(
    *files: str,
    required: tuple[str, ...] | None = None,
    queue: QueueRule | None = None,
    history: dict[str, KeptCheck] | None = None,
    groups_kept: int = 0,
) -> list[Finding]:
    texts = {f".github/workflows/{'abc'[place]}.yml": dedent(text) for place, text in enumerate(files)}
    rules = BranchRules(required=required, queue=queue or (None if required is None else _QUEUE))
    question = AuditQuestion(
        files=texts, base_ref="main", rules=rules, history=history, groups_kept=groups_kept
    )
    return list(audit(question).findings)


def _lines(found: list[Finding]) -> list[tuple[str, str, int, str, str]]:
    return [(one.rule, one.path.rpartition("/")[2], one.line, one.certainty, one.weight) for one in found]


@pytest.mark.skipif(not _SHARED.exists(), reason=f"not beside the project: {_SHARED}")
def test_the_shared_cases() -> None:
    told: dict[str, object] = {}
    expected: dict[str, object] = {}
    for case in json.loads(_SHARED.read_text(encoding="utf-8"))["cases"]:
        required, queue, history = case["required"], case["queue"], case["history"]
        rules = BranchRules(
            required=None if required is None else tuple(required),
            queue=None if queue is None else msgspec.convert(queue, QueueRule),
        )
        kept = None if history is None else msgspec.convert(history, dict[str, KeptCheck])
        question = AuditQuestion(files=case["files"], base_ref=case["base_ref"], rules=rules, history=kept)
        found = [
            [*line[:4]]
            for line in _lines(list(audit(question).findings))
            if line[0] not in ("orphans", "skipped-on-groups", "gate-omits")
        ]
        told[case["id"]] = sorted(found), [line[0] for line in found if line[0] in case["must_not_say"]]
        expected[case["id"]] = sorted(case["expect"]), []
    assert told == expected


def test_a_required_check_that_only_pull_requests_report() -> None:
    found = _found("on: [pull_request]\njobs:\n" + _job("lint"), required=("lint",))
    assert [one.text for one in found] == [
        "`lint` is required, but no job reports it on a group: each group waits 60 minutes and is removed."
    ]
    assert _lines(found) == [("required-never", "a.yml", 3, "sure", "breaks")]
    assert found[0].repair == "  on:\n+   merge_group:"


def test_a_push_that_leaves_the_queue_out_reports_nothing_on_groups() -> None:
    text = "on:\n  push:\n    branches-ignore: ['gh-readonly-queue/**']\njobs:\n" + _job("lint")
    assert _lines(_found(text, required=("lint",))) == [("required-never", "a.yml", 5, "sure", "breaks")]


def test_a_check_that_no_job_has_may_come_from_elsewhere() -> None:
    found = _found(_BOTH + "jobs:\n" + _job("test"), required=("test", "codecov/patch"))
    assert _lines(found) == [("required-elsewhere", "(rules)", 0, "cannot_tell", "breaks")]


def test_twenty_kept_groups_tell_whether_a_check_from_elsewhere_reports() -> None:
    text, required = _BOTH + "jobs:\n" + _job("test"), ("test", "codecov/patch")
    both = {"test": KeptCheck(), "codecov/patch": KeptCheck()}
    assert not _found(text, required=required, history=both, groups_kept=41)
    (found,) = _found(text, required=required, history={"test": KeptCheck()}, groups_kept=41)
    assert found.certainty == "sure"
    assert found.text == (
        "`codecov/patch` is required, and it reported on 0 of 41 groups: "
        "each group waits 60 minutes and is removed."
    )


def test_names_of_a_matrix_are_those_of_its_combinations() -> None:
    matrix = "strategy: {matrix: {os: [linux, mac], node: [20, 22], exclude: [{os: mac, node: 20}]}}"
    text = _BOTH + "jobs:\n" + _job("test", matrix)
    assert not _found(text, required=("test (linux, 20)", "test (mac, 22)"))
    assert _lines(_found(text, required=("test (mac, 20)",))) == [
        ("required-elsewhere", "(rules)", 0, "cannot_tell", "breaks")
    ]
    assert _lines(_found(text, required=("test",))) == [
        ("required-elsewhere", "a.yml", 5, "cannot_tell", "breaks")
    ]


def test_versions_keep_the_form_in_which_they_are_written() -> None:
    text = (
        _BOTH
        + "jobs:\n"
        + _job("test", "name: py ${{ matrix.py }}", "strategy: {matrix: {py: [3.10, 3.11]}}")
    )
    assert not _found(text, required=("py 3.10", "py 3.11"))


def test_a_matrix_that_a_run_makes_may_have_any_name() -> None:
    text = (
        _BOTH
        + "jobs:\n"
        + _job("plan", "outputs: {m: x}")
        + _job("test", "needs: plan", "strategy: {matrix: '${{ fromJSON(needs.plan.outputs.m) }}'}")
    )
    assert not _found(text, required=("test (linux)",))


def test_a_reusable_workflow_reports_under_the_names_of_both_jobs() -> None:
    caller = _BOTH + "jobs:\n  ci:\n    uses: ./.github/workflows/b.yml\n"
    called = "on: workflow_call\njobs:\n" + _job("unit")
    assert not _found(caller, called, required=("ci / unit",))
    skipped = "on: workflow_call\njobs:\n" + _job("unit", "if: github.event_name == 'pull_request'")
    assert _lines(_found(caller, skipped, required=("ci / unit",))) == [
        ("required-skipped", "b.yml", 5, "sure", "breaks")
    ]
    gone = caller.replace("    uses", "    if: github.event_name == 'pull_request'\n    uses")
    assert _lines(_found(gone, called, required=("ci / unit",))) == [
        ("required-unsure", "b.yml", 3, "cannot_tell", "breaks")
    ]


def test_a_job_after_a_skipped_one_is_skipped_unless_it_asks_for_the_result() -> None:
    first = _job("a", "if: github.event_name == 'pull_request'")
    after = _BOTH + "jobs:\n" + first + _job("b", "needs: a") + _job("c", "needs: b", "if: '!cancelled()'")
    assert _lines(_found(after, required=("b",)))[0] == ("required-skipped", "a.yml", 8, "sure", "breaks")
    assert "required-skipped" not in {one.rule for one in _found(after, required=("c",))}


def test_jobs_that_need_each_other_are_no_endless_search() -> None:
    text = _BOTH + "jobs:\n" + _job("a", "needs: b") + _job("b", "needs: a")
    assert {one.certainty for one in _found(text, required=("a",))} <= {"cannot_tell"}


@pytest.mark.parametrize(
    ("key", "cancels", "said"),
    [
        ("ci", "true", [("groups-cancel", "a.yml", 4, "sure", "breaks")]),
        ("ci", "false", [("groups-replace", "a.yml", 4, "sure", "breaks")]),
        ("ci-${{ github.ref }}", "true", []),
        ("ci-${{ github.sha }}", "true", []),
        ("ci-${{ github.run_id }}", "true", []),
        ("ci-${{ github.run_number || github.ref }}", "true", []),
        ("ci-${{ inputs.lane }}", "true", [("groups-cancel", "a.yml", 4, "sure", "breaks")]),
        ("ci-${{ inputs.lane }}-${{ github.ref_name }}", "true", []),
        ("${{ github.event.pull_request.number || github.sha }}", "true", []),
        (
            "${{ github.event.pull_request.number }}",
            "true",
            [("groups-cancel", "a.yml", 4, "sure", "breaks")],
        ),
        (
            "ci",
            "${{ github.event_name == 'pull_request' }}",
            [("groups-replace", "a.yml", 4, "sure", "breaks")],
        ),
        ("ci", "${{ vars.CANCEL == 'yes' }}", [("groups-cancel", "a.yml", 4, "cannot_tell", "breaks")]),
        ("ci-${{ github.actor }}", "true", [("groups-cancel", "a.yml", 4, "cannot_tell", "breaks")]),
        ("ci-${{ github.actor }}", "false", []),
    ],
)
def test_which_keys_meet(key: str, cancels: str, said: list[tuple[str, str, int, str, str]]) -> None:
    text = f'{_BOTH}concurrency:\n  group: "{key}"\n  cancel-in-progress: {cancels}\njobs:\n{_job("test")}'
    assert _lines(_found(text)) == said


def test_keys_do_not_meet_where_the_queue_builds_one_group_at_a_time() -> None:
    text = f"{_BOTH}concurrency: {{group: ci, cancel-in-progress: true}}\njobs:\n{_job('test')}"
    alone = QueueRule(max_entries_to_build=1, check_response_timeout_minutes=60)
    assert not _found(text, required=("test",), queue=alone)


def test_a_branch_filter_without_the_base() -> None:
    text = "on:\n  merge_group:\n    branches: [release/*]\njobs:\n" + _job("test")
    found = _found(text, required=("test",))
    assert _lines(found)[0] == ("group-branches", "a.yml", 2, "sure", "breaks")
    assert (
        found[0].text == "No group of `main` starts this workflow: its branch filter leaves this branch out."
    )


def test_without_rules_every_sentence_begins_with_a_condition() -> None:
    text = _BOTH + "concurrency: lab\njobs:\n" + _job("test", "if: github.event_name == 'pull_request'")
    (skipped,) = _found(text)
    assert skipped.text == (
        "If this branch has GitHub's queue, `test` runs on pull requests and is skipped on groups, "
        "which GitHub counts as passed."
    )
    assert _lines([skipped]) == [("skipped-on-groups", "a.yml", 8, "sure", "note")]


def test_a_condition_that_names_merge_group_is_meant() -> None:
    assert not _found(_BOTH + "jobs:\n" + _job("test", "if: github.event_name != 'merge_group'"))


def test_a_gate_that_waits_for_what_is_skipped() -> None:
    text = (
        _BOTH
        + "jobs:\n"
        + _job("a", "if: github.event_name != 'merge_group'")
        + _job("ok", "needs: [a]", "if: always()")
    )
    assert _lines(_found(text, required=("ok",))) == [
        ("gate-over-nothing", "a.yml", 11, "if_required", "breaks")
    ]


def test_a_required_gate_that_leaves_a_job_out() -> None:
    text = _BOTH + "jobs:\n" + _job("a") + _job("b") + _job("c") + _job("ok", "needs: [a, b]", "if: always()")
    found = _found(text, required=("ok",))
    assert _lines(found) == [("gate-omits", "a.yml", 11, "sure", "note")]
    assert found[0].text == (
        "`ok` is required and does not wait for `c`, which can fail without holding a group up."
    )


def test_a_required_gate_that_is_skipped_after_a_failure() -> None:
    text = _BOTH + "jobs:\n" + _job("a") + _job("b") + _job("ok", "needs: [a, b]")
    found = _found(text, required=("ok",))
    assert _lines(found) == [("gate-skipped", "a.yml", 9, "sure", "breaks")]
    assert found[0].text == (
        "`ok` is skipped when `a` or `b` fails, and GitHub counts a skipped check as passed."
    )
    assert not _found(text, required=("a", "b"))


def test_path_filters_make_a_push_unsure() -> None:
    text = "on:\n  pull_request:\n  push:\n    paths: [src/**]\n  merge_group:\njobs:\n" + _job("test")
    found = _found(text, required=("test",))
    assert _lines(found) == [("push-and-group", "a.yml", 3, "sure", "costs")]
    assert "each group that changes the files of its path filter" in found[0].text


def test_a_push_beside_another_workflow_for_groups() -> None:
    grouped = "on:\n  merge_group:\njobs:\n" + _job("test")
    pushed = "on:\n  push:\njobs:\n" + _job("docs")
    assert _lines(_found(grouped, pushed, required=("test",))) == [
        ("push-on-queue-branch", "b.yml", 2, "sure", "note")
    ]


def test_limits_that_cross_are_told_while_no_lengths_are_kept() -> None:
    text = _BOTH + "jobs:\n" + _job("test", "timeout-minutes: 90")
    assert _lines(_found(text, required=("test",))) == [("limits-cross", "a.yml", 7, "sure", "note")]
    kept = {"test": KeptCheck(p95=600.0, wait_p95=30.0)}
    assert not _found(text, required=("test",), history=kept, groups_kept=30)


def test_a_limit_that_passes_come_close_to() -> None:
    text = _BOTH + "jobs:\n" + _job("test", "timeout-minutes: 20")
    kept = {"test": KeptCheck(p95=1182.0, wait_p95=40.0, cancelled_at_limit=11)}
    (found,) = _found(text, required=("test",), history=kept, groups_kept=30)
    assert found.text == (
        "`test` has a limit of 20 minutes; 95 % of its passes take up to 19.7 minutes, "
        "and it was stopped 11 times."
    )
    assert found.repair == "-     timeout-minutes: 20\n+     timeout-minutes: 30"


def test_checkout_of_an_empty_ref_takes_the_group_itself() -> None:
    steps = "steps: [{uses: actions/checkout@v4, with: {ref: '${{ github.event.pull_request.head.sha }}'}}]"
    assert not _found(_BOTH + "jobs:\n" + _job("test", steps))
    other = steps.replace("actions/checkout", "some/action")
    assert [one.rule for one in _found(_BOTH + "jobs:\n" + _job("test", other))] == ["empty-on-groups"]


def test_a_file_that_cannot_be_read_is_told_and_the_others_are_audited() -> None:
    found = _found("on: [\n", _BOTH + "concurrency: lab\njobs:\n" + _job("test"))
    assert _lines(found) == [
        ("groups-replace", "b.yml", 4, "sure", "breaks"),
        ("unreadable", "a.yml", 2, "cannot_tell", "breaks"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 5_000,
        "a: &a [1]\n"
        + "".join(
            f"b{n}: &b{n} [*{'a' if not n else f'b{n - 1}'}, *{'a' if not n else f'b{n - 1}'}]\n"
            for n in range(40)
        ),
        "on: push\njobs: {a: {if: '" + "(" * 400 + "'}}",
        "on: push\njobs: {a: {needs: [" + ", ".join(f"x{n}" for n in range(3000)) + "]}}",
        "jobs: 1",
        "on: {push: {branches: ['" + "*a" * 500 + "']}}\njobs: {a: {}}",
        "on: {merge_group: 7, push: [1]}\njobs: {a: {steps: [1, {run: [1]}], strategy: {matrix: [1]}}}",
        "on: merge_group\njobs: {a: {strategy: {matrix: {"
        + ", ".join(f"v{n}: [1, 2, 3, 4]" for n in range(30))
        + "}}}}",
    ],
)
def test_a_hostile_file_is_refused_or_read(text: str) -> None:
    assert all(one.rule for one in _found(text))


def test_names_are_shown_without_characters_that_steer_a_terminal() -> None:
    text = _BOTH + 'jobs:\n  a:\n    name: "x\\e[31m`\\u202e<b>"\n    runs-on: x\n    concurrency: "\\a"\n'
    found = _found(text, required=("x\x1b[31m`\u202e<b>", "missing\nname"))
    assert all(ord(character) >= 32 for one in found for character in one.text)
    assert not any("\u202e" in one.text for one in found)
