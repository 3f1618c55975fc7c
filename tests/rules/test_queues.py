"""Which queue a pull request would enter, at which priority, and where its checks would run."""

from typing import Any

import pytest

from mergecast.language.conditions.result import Outcome
from mergecast.language.report.pull_request import title
from mergecast.language.rules.repository import blockers
from mergecast.language.rules.simulation import AutoMerge, Effect, Entrance, MergeQueueResult, ScopesResult
from mergecast.queues.model.snapshot import BranchProtection, BranchRule, QueuePlace, Snapshot
from rules.builders import ALL_PRODUCTS, BARE, COMMIT, file, rule, run, said, simulated, snapshot, tree

QUEUES = {"queue_rules": [{"name": "fast", "queue_conditions": ["label = fast"]}, {"name": "slow"}]}
LABELLED = [{"name": "q", "queue_conditions": ["label = go"]}]
AUTOMATIC = {"merge_protections_settings": {"auto_merge_conditions": True}}
TO_QUEUE = {"pull_request_rules": [rule("in", [], queue=None)]}
TO_SLOW = {"pull_request_rules": [rule("in", [], queue={"name": "slow"})]}
FAST = snapshot(pull={"labels": ("fast",)})


def queue_of(document: dict[str, Any], seen: Snapshot = BARE, **more: Any) -> MergeQueueResult:
    queue = simulated(document, seen, **more).queue
    assert queue is not None
    return queue


@pytest.mark.parametrize(
    ("document", "seen", "entrance", "expected"),
    [
        (
            QUEUES | TO_QUEUE,
            FAST,
            Entrance.ENTERS,
            "Would enter the queue 'fast' with priority medium, by the queue action of the rule 'in'",
        ),
        (
            QUEUES | TO_SLOW,
            FAST,
            Entrance.ENTERS,
            "Would enter the queue 'slow' with priority medium, by the queue action of the rule 'in'",
        ),
        (
            TO_QUEUE,
            BARE,
            Entrance.ENTERS,
            "Would enter the queue 'default' with priority medium, by the queue action of the rule 'in'",
        ),
        (
            {"queue_rules": LABELLED} | TO_QUEUE,
            BARE,
            Entrance.WAITS,
            "Would enter the queue 'q' once it is admitted, by the queue action of the rule 'in'",
        ),
        (
            QUEUES | AUTOMATIC,
            BARE,
            Entrance.ENTERS,
            "Would enter the queue 'slow' with priority medium, by auto-merge",
        ),
        (
            {"queue_rules": LABELLED} | AUTOMATIC,
            BARE,
            Entrance.WAITS,
            "Would enter the queue 'q' once it is admitted, by auto-merge",
        ),
        (
            QUEUES,
            FAST,
            Entrance.CAN_ENTER,
            "Can be added to the queue 'fast' with the command `queue`",
        ),
        ({"queue_rules": LABELLED}, BARE, Entrance.SHUT, "No queue admits the pull request"),
        (
            QUEUES | TO_QUEUE,
            snapshot(queue=QueuePlace("slow", 3)),
            Entrance.QUEUED,
            "Is in the queue 'slow' at position 3, counted from 0",
        ),
        (
            QUEUES | TO_QUEUE,
            snapshot(pull={"closed": True}),
            Entrance.SHUT,
            "No queue admits the pull request",
        ),
    ],
)
def test_routing(document: Any, seen: Snapshot, entrance: Entrance, expected: str) -> None:
    routing = queue_of(document, seen).routing

    assert (entrance, expected) == (routing.entrance, routing.sentence.text)


def test_defaults_apply_to_the_implicit_queue() -> None:
    """It is a queue like the ones in the document."""
    document = TO_QUEUE | {"defaults": {"queue_rule": {"queue_conditions": ["label = ready"]}}}
    waiting, ready = queue_of(document), queue_of(document, snapshot(pull={"labels": ("ready",)}))

    assert [("default", True, False)] == [
        (queue.name, queue.is_implicit, queue.is_admitted) for queue in waiting.queues
    ]
    assert (
        "Would enter the queue 'default' once it is admitted, by the queue action of the rule 'in'"
        == waiting.routing.sentence.text
    )
    assert (
        "Would enter the queue 'default' with priority medium, by the queue action of the rule 'in'"
        == ready.routing.sentence.text
    )


def test_defaults_decide_where_checks_of_the_implicit_queue_run() -> None:
    """Batches need a separate branch."""
    one_at_a_time = TO_QUEUE | {"merge_queue": {"max_parallel_checks": 1}}
    batched = queue_of(one_at_a_time | {"defaults": {"queue_rule": {"batch_size": 3}}}).checks

    assert queue_of(one_at_a_time).checks.in_place
    assert (False, ["the queue 'default' has batches of 3"]) == (
        batched.in_place,
        [reason.text for reason in batched.reasons],
    )


def test_nothing_waits_for_a_queue_that_can_never_admit_it() -> None:
    queues = {"queue_rules": [{"name": "q", "queue_conditions": ["author = bob"]}]}
    routing = queue_of(queues | AUTOMATIC).routing

    assert (None, Entrance.SHUT) == (routing.queue, routing.entrance)


def test_nothing_waits_for_queues_that_exclude_it_for_different_reasons() -> None:
    """One needs another base, the other another author; together they look as if one could admit it."""
    queues = [
        {"name": "one", "queue_conditions": ["base = dev"]},
        {"name": "two", "queue_conditions": ["author = bob"]},
    ]

    assert Entrance.SHUT is queue_of({"queue_rules": queues} | TO_QUEUE).routing.entrance


def test_a_disabled_rule_queues_nothing() -> None:
    disabled = rule("in", [], queue=None) | {"disabled": {"reason": "later"}}

    assert Entrance.CAN_ENTER is queue_of({"pull_request_rules": [disabled]}).routing.entrance


def test_without_the_product_there_is_no_queue() -> None:
    simulation = simulated(QUEUES | TO_QUEUE, products=ALL_PRODUCTS - {"merge_queue"})

    assert simulation.queue is None
    assert (
        "Would not queue: the product Merge Queue is not enabled"
        == simulation.planned[0][1].sentences[0].text
    )


def test_a_document_without_queues_says_nothing_about_them() -> None:
    assert simulated({"pull_request_rules": [rule("a", [])]}).queue is None


def test_the_queue_position_and_the_last_exit_are_reported() -> None:
    queue = queue_of(QUEUES, snapshot(queue=QueuePlace("slow", 0, 5, 3000), dequeue_reason="CHECKS_FAILED"))

    assert (QueuePlace("slow", 0, 5, 3000), "CHECKS_FAILED") == (queue.place, queue.dequeue_reason)
    fresh = queue_of(QUEUES, snapshot(queue=QueuePlace(), dequeue_reason="NONE"))
    assert (None, None) == (fresh.place, fresh.dequeue_reason)


@pytest.mark.parametrize("pull", [{"draft": True}, {"closed": True}, {"mergeable": False}])
def test_only_an_open_pull_request_without_conflicts_is_admitted(pull: dict[str, Any]) -> None:
    document = {"queue_rules": [{"name": "q"}]}

    assert queue_of(document).queues[0].is_admitted
    assert not queue_of(document, snapshot(pull=pull)).queues[0].is_admitted


def test_a_queue_may_wait_for_a_label() -> None:
    document = {"queue_rules": [{"name": "q", "merge_conditions": ["label = go"]}]}
    (queue,) = queue_of(document).queues

    assert (True, Outcome.PENDING) == (queue.is_admitted, queue.merging_outcome)


def test_merge_conditions_read_the_checks_of_the_future_batch() -> None:
    document = {"queue_rules": [{"name": "q", "merge_conditions": ["check-success = e2e"]}]}
    (queue,) = queue_of(document, snapshot(check_runs=(run("e2e", "failure"),))).queues

    assert (True, Outcome.PENDING) == (queue.reads_batch_checks, queue.merging_outcome)
    assert {"all": ["check-success = e2e"]} == tree(queue.merging)


@pytest.mark.parametrize(
    ("conclusion", "expected"), [("success", Outcome.SUCCESS), ("failure", Outcome.FAILURE)]
)
def test_in_place_the_checks_are_those_of_the_pull_request(conclusion: str, expected: Outcome) -> None:
    conditions = ["check-success = e2e"]
    document = {
        "merge_queue": {"max_parallel_checks": 1},
        "queue_rules": [{"name": "q", "merge_conditions": conditions, "queue_conditions": conditions}],
    }
    (queue,) = queue_of(document, snapshot(check_runs=(run("e2e", conclusion),))).queues

    assert (False, expected) == (queue.reads_batch_checks, queue.merging_outcome)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, None),
        ({"commit_message_template": "{{ title }}"}, "With the commit message: Fix the queue"),
        (
            {"commit_message_format": {"title": "pr-title", "body": "empty"}},
            "With the commit message: Fix the queue (#7)",
        ),
        ({"commit_message_template": "x", "merge_method": "fast-forward"}, None),
        (
            {"commit_message_template": "{{ approved_reviews_by | join }}"},
            "The commit message cannot be rendered: no reviews were recorded",
        ),
    ],
)
def test_commit_message_of_a_queue(options: Any, expected: str | None) -> None:
    (queue,) = queue_of({"queue_rules": [{"name": "q", **options}]}, snapshot(commits=(COMMIT,))).queues

    assert expected == (queue.commit_message and queue.commit_message.text)


PRIORITIES = [
    {"name": "low", "conditions": ["label = refactor"], "priority": "low"},
    {"name": "odd", "conditions": ["label = odd"], "priority": 4321, "allow_checks_interruption": True},
    {"name": "high", "conditions": ["label = urgent"], "priority": "high"},
]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("urgent", "refactor"), (1000, "low", "low", False)),
        (("odd",), (4321, "4321", "odd", True)),
        (("urgent",), (3000, "high", "high", False)),
        ((), (2000, "medium", None, False)),
    ],
)
def test_the_first_priority_rule_that_matches_counts(labels: tuple[str, ...], expected: Any) -> None:
    document = {"queue_rules": [{"name": "default"}], "priority_rules": PRIORITIES}
    priority = queue_of(document, snapshot(pull={"labels": labels})).priority

    assert expected == (priority.value, priority.word, priority.rule, priority.allows_interruption)
    assert [row.matches for row in priority.rules] == [
        name in labels for name in ("refactor", "odd", "urgent")
    ]


SOURCE = {
    "files": {
        "web": {"include": ["web/**"]},
        "api": {"include": ["api/**"], "exclude": ["**/*.md"]},
        "any": {},
    }
}
BARRIER = {"include": ["build/**"], "exclude": ["build/doc/**"]}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ((file("web/a.ts"),), ScopesResult(("any", "web"), False, ())),
        ((file("new.py", "renamed", "api/old.py"),), ScopesResult(("any", "api"), False, ())),
        ((file("api/readme.md"),), ScopesResult(("any",), False, ())),
        ((file("build/x"), file("build/doc/y")), ScopesResult(("any",), True, ("build/x",))),
        ((), ScopesResult((), False, ())),
        (None, ScopesResult((), False, (), "no files were recorded")),
    ],
)
def test_scopes_of_files(files: Any, expected: ScopesResult) -> None:
    document = {"scopes": {"source": SOURCE, "barrier_files": BARRIER}, "queue_rules": [{"name": "q"}]}

    assert expected == queue_of(document, snapshot(files=files)).scopes


def test_uploaded_scopes() -> None:
    document = {"scopes": {"source": {"manual": None}}, "queue_rules": [{"name": "q"}]}

    assert ScopesResult(("a", "b"), False, ()) == queue_of(document, snapshot(scopes=("b", "a"))).scopes
    assert ScopesResult((), False, (), "no scopes were recorded") == queue_of(document).scopes
    assert queue_of({"queue_rules": [{"name": "q"}]}).scopes is None


def test_conditions_see_the_scopes_of_the_document() -> None:
    document = {
        "scopes": {"source": SOURCE},
        "queue_rules": [{"name": "q", "queue_conditions": ["scope = web"]}],
    }

    assert queue_of(document, snapshot(files=(file("web/a.ts"),))).queues[0].is_admitted
    assert not queue_of(document, snapshot(files=(file("x"),))).queues[0].is_admitted
    assert not queue_of(document).queues[0].is_admitted


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, (True, ["one check at a time, batches of one, no second step and no retries"])),
        ({"merge_conditions": ["check-success = ci"]}, (True, None)),
        (
            {"merge_conditions": ["check-success = e2e"]},
            (False, ["the queue 'q' has its own merge conditions"]),
        ),
        ({"max_checks_retries": 1}, (False, ["the queue 'q' retries failed checks"])),
        ({"batch_size": 2}, (False, ["the queue 'q' has batches of 2"])),
        ({"batch_size": {"min": 1, "max": 4}}, (False, ["the queue 'q' has batches of 1 to 4"])),
    ],
)
def test_where_the_checks_run(change: Any, expected: Any) -> None:
    rules = [{"name": "q", "queue_conditions": ["check-success = ci"], **change}]
    checks = queue_of({"merge_queue": {"max_parallel_checks": 1}, "queue_rules": rules}).checks

    in_place, reasons = expected
    assert in_place is checks.in_place
    assert reasons in (None, [reason.text for reason in checks.reasons])


def test_parallel_checks_need_batch_pull_requests() -> None:
    checks = queue_of({"queue_rules": [{"name": "q"}]}).checks

    assert (False, ["`max_parallel_checks` is 5"]) == (checks.in_place, [one.text for one in checks.reasons])


ONE_AT_A_TIME = {"merge_queue": {"max_parallel_checks": 1}}
STRICT = snapshot(branch_protection=BranchProtection(is_strict=True))
BLOCKED = (
    "'main' requires branches to be up to date before merging, which only in-place checks can satisfy; "
    "remove that requirement, or set `max_parallel_checks: 1` and `batch_size: 1`, without "
    "`max_checks_retries` and without `merge_conditions` that differ from `queue_conditions`"
)


@pytest.mark.parametrize(
    "document",
    [
        {"queue_rules": [{"name": "q"}]},
        {"queue_rules": [{"name": "q", "batch_size": 2}], **ONE_AT_A_TIME},
        {"queue_rules": [{"name": "q", "merge_conditions": ["check-success = build"]}], **ONE_AT_A_TIME},
    ],
)
@pytest.mark.parametrize(
    "seen", [STRICT, snapshot(rules=(BranchRule("required_status_checks", is_strict=True),))]
)
def test_a_strict_base_blocks_a_queue_without_in_place_checks(
    document: dict[str, Any], seen: Snapshot
) -> None:
    """The report says that the pull request is blocked, and what to change."""
    simulation = simulated(document | TO_QUEUE, seen)
    routing = queue_of(document | TO_QUEUE, seen).routing
    (plan,) = simulation.rules[0].plans

    assert (Entrance.BLOCKED, f"Blocked: {BLOCKED}") == (routing.entrance, routing.sentence.text)
    assert (Effect.CANNOT, [f"Would not queue: {BLOCKED}"]) == said(plan)
    assert "1 rule matches — blocked from the queue" == title(simulation)
    assert [f"Blocked: {BLOCKED}"] == [blocker.text for blocker in blockers(simulation)]


def test_a_strict_base_stops_auto_merge_into_a_queue() -> None:
    result = simulated(QUEUES | AUTOMATIC, STRICT).auto_merge

    assert result is not None
    assert (AutoMerge.NOTHING, f"Would not queue: {BLOCKED}") == (result.state, result.sentence.text)


def test_in_place_checks_satisfy_a_strict_base() -> None:
    document = {"queue_rules": [{"name": "q"}], **ONE_AT_A_TIME}

    assert Entrance.ENTERS is queue_of(document | TO_QUEUE, STRICT).routing.entrance


@pytest.mark.parametrize(("labels", "expected"), [(("fast",), "high"), ((), "medium")])
def test_priority_rules_see_the_queue_being_entered(labels: tuple[str, ...], expected: str) -> None:
    """Also in the sentence of the queue action, and if the place in a queue was recorded as none."""
    rules = {"priority_rules": [{"name": "p", "conditions": ["queue-name = fast"], "priority": "high"}]}
    for place in (None, QueuePlace()):
        seen = snapshot(pull={"labels": labels}, queue=place)
        simulation = simulated(QUEUES | TO_QUEUE | rules, seen)
        assert simulation.queue is not None
        assert expected == simulation.queue.priority.word
        assert f"with priority {expected}" in simulation.rules[0].plans[0].sentences[0].text
        assert f"with priority {expected}" in simulation.queue.routing.sentence.text


def test_priority_rules_see_the_queue_that_it_is_in() -> None:
    rules = {"priority_rules": [{"name": "p", "conditions": ["queue-name = slow"], "priority": "low"}]}
    seen = snapshot(pull={"labels": ("fast",)}, queue=QueuePlace("slow", 1))

    assert "low" == queue_of(QUEUES | TO_QUEUE | rules, seen).priority.word


@pytest.mark.parametrize("conclusion", ["failure", None])
def test_failing_merge_protections_keep_auto_merge_from_queueing(conclusion: str | None) -> None:
    """The pull request waits; it does not enter the queue."""
    protections = [{"name": "p", "if": [], "success_conditions": ["check-success = build"]}]
    seen = snapshot(check_runs=(run("build", conclusion),), statuses=())
    simulation = simulated(QUEUES | AUTOMATIC | {"merge_protections": protections}, seen)

    assert simulation.auto_merge is not None
    assert simulation.queue is not None
    assert (AutoMerge.WAITS, "Would queue the pull request once the merge protections pass") == (
        simulation.auto_merge.state,
        simulation.auto_merge.sentence.text,
    )
    routing = simulation.queue.routing
    assert (Entrance.WAITS, "Would enter the queue 'slow' by auto-merge once the merge protections pass") == (
        routing.entrance,
        routing.sentence.text,
    )
