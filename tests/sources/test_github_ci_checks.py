"""GitHub's check runs, jobs and statuses become one report for each execution of a CI check."""

import json
from collections.abc import Callable
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.incoming.sources.github.deliveries import item_delivery, webhook_delivery
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.instant import format_instant
from sources.ci_check_reports import as_line, lines_of, reasons_of, reports_of, translations_of
from sources.github_deliveries import Story, clock, sha
from sources.github_stories import TRANSLATED_STORIES

ONE, TWO = sha("one")[:7], sha("two")[:7]


def _deliveries(story: Story) -> list[Delivery]:
    return [webhook_delivery(one.event, one.id, one.body, one.received_at)[1] for one in story.deliveries]


def _required(minutes: float, *names: str, base_ref: str = "main") -> Delivery:
    body = {"base_ref": base_ref, "names": list(names), "at": format_instant(clock(minutes))}
    return item_delivery(f"required-{minutes}", "required_checks", json.dumps(body).encode(), clock(9000))


def _queued() -> Story:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    return story


def checks_with_jobs() -> Story:
    """Two checks: one passes, one waits for a machine and fails."""
    story = _queued()
    story.check_requested(1, 1, "one", run=70, name="build")
    story.check_requested(1, 1, "one", run=71)
    story.check(6, 1, "one", "success", began=1.5, run=70, name="build", details_url="https://ci.example/70")
    story.job(6, 1, "one", "success", queued=1, began=1.5, run=70, name="build")
    story.check(20, 1, "one", "failure", began=9, run=71, details_url="https://ci.example/71")
    story.job(20, 1, "one", "failure", queued=1, began=9, run=71)
    story.dequeued(21, 1, "CI_FAILURE")
    story.destroyed(21, 1, "one", "dequeued")
    return story


def retried_checks() -> Story:
    """A workflow is run again: its checks belong to the second attempt."""
    story = _queued()
    story.workflow(12, 1, "one", "failure", began=1.5)
    story.check(12, 1, "one", "failure", began=2, run=70)
    story.check(11, 1, "one", "success", began=2, run=71, name="build")
    story.workflow(25, 1, "one", "success", began=13, attempt=2, created=1.5)
    story.check(25, 1, "one", "success", began=14, run=72)
    story.merged(26, 1)
    return story


def rebuilt_groups() -> Story:
    """The group ahead fails, so the second one is tested again on another commit."""
    story = Story()
    story.enqueued(0, 1)
    story.enqueued(0, 2)
    story.group(1, 1, "one")
    story.group(1, 2, "two", "one")
    story.check(10, 1, "one", "failure", began=2, run=70)
    story.check_requested(2, 2, "two", run=71, on="one")
    story.check(11, 2, "two", "cancelled", began=2, run=71, on="one")
    story.dequeued(11, 1, "CI_FAILURE")
    story.destroyed(11, 1, "one", "dequeued")
    story.destroyed(11, 2, "two", "invalidated", "one")
    story.group(12, 2, "two again", "base")
    story.check(22, 2, "two again", "success", began=13, run=72)
    story.merged(23, 2)
    return story


def statuses_and_jobs_alone() -> Story:
    """No check runs are reported: one system sets statuses, the other one has jobs."""
    story = _queued()
    story.status(2, 1, "one", "pending", 10)
    story.job(8, 1, "one", "startup_failure", queued=1, began=1, run=70)
    story.status(9, 1, "one", "error", 11)
    story.status(10, 1, "one", "error", 12)
    story.status(11, 1, "one", "pending", 13)
    story.status(15, 1, "one", "success", 14)
    story.merged(16, 1)
    return story


STORIES = [checks_with_jobs, retried_checks, rebuilt_groups, statuses_and_jobs_alone]


def test_a_check_run_and_its_job_are_one_execution() -> None:
    """The job says how long it waited, and for which machine."""
    assert lines_of(_deliveries(checks_with_jobs())) == [
        (
            f"main {ONE} attempt 1  build  10:01:00 → 10:01:30 → 10:06:00  success  linux-x64-16  "
            "https://ci.example/70"
        ),
        (
            f"main {ONE} attempt 1  unit-tests  10:01:00 → 10:09:00 → 10:20:00  failure  linux-x64-16  "
            "https://ci.example/71"
        ),
    ]


def test_an_execution_belongs_to_the_attempt_in_which_it_began() -> None:
    """What was not run again stays in the first attempt."""
    assert lines_of(_deliveries(retried_checks())) == [
        f"main {ONE} attempt 1  unit-tests  ? → 10:02:00 → 10:12:00  failure",
        f"main {ONE} attempt 1  build  ? → 10:02:00 → 10:11:00  success",
        f"main {ONE} attempt 2  unit-tests  ? → 10:14:00 → 10:25:00  success",
    ]


def test_every_group_has_checks_of_its_own() -> None:
    """The runs of a queue are named by their commits."""
    assert sorted(lines_of(_deliveries(rebuilt_groups()))) == sorted(
        [
            f"main {ONE} attempt 1  unit-tests  ? → 10:02:00 → 10:10:00  failure",
            f"main {TWO} attempt 1  unit-tests  10:02:00 → 10:02:00 → 10:11:00  cancelled",
            f"main {sha('two again')[:7]} attempt 1  unit-tests  ? → 10:13:00 → 10:22:00  success",
        ]
    )


def test_a_status_runs_from_pending_to_its_result() -> None:
    """Setting a result again does not run anything; a job is enough where there is no check run."""
    assert lines_of(_deliveries(statuses_and_jobs_alone())) == [
        (
            f"main {ONE} attempt 1  unit-tests  10:01:00 → 10:01:00 → 10:08:00  failure  linux-x64-16  "
            "https://hosting.example/jobs/70"
        ),
        f"main {ONE} attempt 1  farm/hardware  ? → 10:02:00 → 10:09:00  failure",
        f"main {ONE} attempt 2  farm/hardware  ? → 10:11:00 → 10:15:00  success",
    ]


def test_a_check_that_runs_has_no_conclusion() -> None:
    """It is reported while it waits for a machine, and while it runs."""
    story = _queued()
    story.check_requested(2, 1, "one", run=70)
    waiting = lines_of(_deliveries(story))
    story.check_requested(3, 1, "one", run=70, status="in_progress")

    assert waiting == [f"main {ONE} attempt 1  unit-tests  10:02:00 → ? → ?  runs"]
    assert lines_of(_deliveries(story)) == [
        f"main {ONE} attempt 1  unit-tests  10:02:00 → 10:03:00 → ?  runs"
    ]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_order_and_repetition_do_not_matter(story: Callable[[], Story], data: st.DataObject) -> None:
    """A platform promises neither order nor that a delivery comes once."""
    told = _deliveries(story())
    repeated = data.draw(st.lists(st.sampled_from(told), max_size=4))
    shuffled = data.draw(st.permutations([*told, *repeated]))

    assert reports_of(told) == reports_of(shuffled)
    assert reasons_of(told) == reasons_of(shuffled)


@pytest.mark.parametrize("story", [*STORIES, *TRANSLATED_STORIES], ids=lambda story: story.__name__)
def test_jobs_and_required_checks_change_no_event(story: Callable[[], Story]) -> None:
    """Statistics, standings and forecasts follow from the other deliveries alone."""
    told = story()
    without = [one for one in _deliveries(told) if one.event != "workflow_job"]
    for one in list(told.deliveries):
        if one.event == "check_run":
            run = json.loads(one.body)["check_run"]
            told.job(90, 1, "one", "failure", queued=0, began=0, run=run["id"], head_sha=run["head_sha"])
            told.job(91, 2, "one", "success", queued=0, began=0, run=run["id"] + 1, head_sha=run["head_sha"])
    more = [*_deliveries(told), _required(1, "unit-tests"), _required(2)]
    before, after = translations_of(without), translations_of(more)

    assert {thread: one.events for thread, one in before.items()} == {
        thread: one.events for thread, one in after.items() if thread in before
    }
    assert not any(after[thread].events for thread in after.keys() - before.keys())


def test_jobs_wait_until_their_group_is_known() -> None:
    """A job alone does not show that its pull request is in a queue."""
    story = Story()
    story.job(20, 1, "one", "success", queued=2, began=3, run=70)
    alone = reports_of(_deliveries(story))
    story.enqueued(0, 1)
    story.group(1, 1, "one")

    assert not alone
    assert ["unit-tests"] == [report.name for report in reports_of(_deliveries(story))]


def test_jobs_of_two_workflows_with_the_same_name_are_told_apart() -> None:
    """Their workflows are known from their jobs, or from the runs of the workflows."""
    story = _queued()
    story.check(9, 1, "one", "success", began=2, run=70, suite=5)
    story.check(9, 1, "one", "failure", began=2, run=71, suite=6)
    story.check(9, 1, "one", "success", began=2, run=72, suite=6, name="lint")
    story.check(9, 1, "one", "success", began=2, run=73, suite=7, app={"slug": "farm"})
    story.job(9, 1, "one", "success", queued=1, began=2, run=70, workflow_name="ci")
    run = {"id": 1, "head_branch": story.queue_branch(1, "base"), "head_sha": sha("one"), "name": "nightly"}
    body = {
        "workflow_run": {**run, "check_suite_id": 6},
        "repository": {"full_name": "acme/lander"},
        "action": "requested",
    }
    workflow = webhook_delivery("workflow_run", "w", json.dumps(body).encode(), clock(2))[1]

    names = [report.name for report in reports_of([*_deliveries(story), workflow])]

    assert names == ["ci / unit-tests", "nightly / unit-tests", "lint", "farm / unit-tests"]


@pytest.mark.parametrize(
    ("given", "reported"),
    [
        ("success", "success"),
        ("failure", "failure"),
        ("timed_out", "timed_out"),
        ("cancelled", "cancelled"),
        ("skipped", "skipped"),
        ("neutral", "neutral"),
        ("action_required", "failure"),
        ("startup_failure", "failure"),
        ("error", "failure"),
        ("stale", "cancelled"),
        ("waiting", None),
        ("pending", None),
    ],
)
def test_conclusions(given: str, reported: str | None) -> None:
    """Every word of GitHub becomes one of six conclusions."""
    story = _queued()
    story.check(9, 1, "one", given, began=2, run=70)

    assert [reported] == [report.conclusion for report in reports_of(_deliveries(story))]


def test_an_end_before_its_start_is_moved_to_it() -> None:
    """The clocks of machines differ."""
    story = _queued()
    story.check(9, 1, "one", "success", began=9.5, run=70)
    story.job(9, 1, "one", "success", queued=10, began=9.5, run=70)

    assert lines_of(_deliveries(story)) == [
        (
            f"main {ONE} attempt 1  unit-tests  10:09:30 → 10:09:30 → 10:09:30  success  linux-x64-16  "
            "https://hosting.example/jobs/70"
        )
    ]


def test_required_checks_are_those_of_the_rules_at_that_time() -> None:
    """Before the first rules were read, these count; a branch without rules says nothing."""
    story = _queued()
    story.check(9, 1, "one", "success", began=2, run=70)
    story.check(9, 1, "one", "success", began=2, run=71, name="lint")
    told = _deliveries(story)

    for rules, expected in (
        ([], [None, None]),
        ([_required(0.5, "unit-tests")], [True, False]),
        ([_required(30, "unit-tests")], [True, False]),
        ([_required(-60, "lint"), _required(0.5, "unit-tests", "lint"), _required(5)], [True, True]),
        ([_required(-60)], [False, False]),
        ([_required(0.5, "lint", base_ref="release")], [None, None]),
    ):
        for ordered in permutations(rules):
            found = reports_of([*told, *ordered])
            assert expected == [report.is_required for report in found]


def test_names_that_do_not_fit_are_changed_or_left_out() -> None:
    """No report makes a translation fail, and what is missing is counted."""
    story = _queued()
    story.check(9, 1, "one", "success", began=2, run=70, name="x" * 10_000)
    story.check(9, 1, "one", "success", began=2, run=71, name="x" * 9_999 + "y")
    story.check(9, 1, "one", "success", began=2, run=72, name="two\nlines")
    story.check(9, 1, "one", "success", began=2, run=73, name="\x1b[31mred")
    story.check(9, 1, "one", "success", began=2, run=74, name="")
    story.check(9, 1, "one", "astonished", began=2, run=75)
    story.check(9, 1, "one", "success", began=2, run=76, name="👩\u200d🚀 fits")
    story.job(9, 1, "one", "success", queued=1, began=2, run=77, name="j" * 10_000)
    told = _deliveries(story)

    names = [report.name for report in reports_of(told)]
    reasons = reasons_of(told)

    assert [255, 255, "two lines", "[31mred", 8, 255] == [
        name if name in ("two lines", "[31mred") else len(name) for name in names
    ]
    assert 6 == len(set(names))
    assert reasons == [
        "a CI check with the unknown conclusion 'astonished' is left out",
        "a CI check without a name is left out",
        "control, bidirectional or tag characters were removed from the name of a CI check",
        "control, bidirectional or tag characters were removed from the name of a CI check",
    ]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "https://",
        "http://ci example",
        "ftp://ci.example",
        "https://ci.example/" + "x" * 500,
    ],
)
def test_a_link_that_is_no_web_address_is_left_out(url: str) -> None:
    """The check itself is reported."""
    story = _queued()
    story.check(9, 1, "one", "success", began=2, run=70, details_url=url)
    told = _deliveries(story)

    assert [None] == [report.url for report in reports_of(told)]
    assert ["the link of a CI check is not a web address of at most 500 characters"] == reasons_of(told)


@pytest.mark.parametrize("value", [None, True, -1, 10**30, "x", "\0", [7], {}, "9999-12-31T23:59:59Z"])
def test_a_field_of_another_type_never_stops_the_others(value: object) -> None:
    """Whoever knows the secret can send anything."""
    story = checks_with_jobs()
    told = _deliveries(story)
    for place, one in enumerate(story.deliveries):
        for kind in ("check_run", "workflow_job"):
            if one.event != kind:
                continue
            payload = json.loads(one.body)
            for name in payload[kind]:
                body = json.dumps({**payload, kind: {**payload[kind], name: value}}).encode()
                changed = [*told[:place], webhook_delivery(kind, one.id, body, one.received_at)[1]]
                for report in reports_of([*changed, *told[place + 1 :]]):
                    assert as_line(report)
                    assert 1 <= len(report.check_id) <= 200
                    assert 1 <= len(report.id) <= 200
