"""Settings as people write them."""

from typing import Any

import pytest

from history.recorded import SECOND, enters, leaves, runs
from mergecast.forecasting.forecast.settings import (
    apply,
    apply_to_queue,
    described,
    errors_of,
    errors_of_groups,
    errors_of_kind,
    errors_of_queue,
)
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.replay.values import Landing, Mode, Policy, QueueRule
from mergecast.queues.model.instant import Window

MINUTE = 60 * SECOND


@pytest.fixture(scope="module")
def rules() -> TrainRules:
    events = [
        *(enters(0, 1), enters(1, 2)),
        *runs((10, 600), "a", [1, 2]),
        *(leaves(601, 1), leaves(602, 2)),
    ]
    (found,) = infer(read_history(events, Window(0, 86_400 * SECOND)))
    return found


@pytest.mark.parametrize(
    ("settings", "field", "message"),
    [
        (
            {"batch_size": 10_000},
            "batch_size",
            "must be a whole number from 1 to 128, or an object with `min` and `max`",
        ),
        (
            {"batch_size": {"min": 3}},
            "batch_size",
            "must be a whole number, or an object with `min` and `max`",
        ),
        ({"batch_size": {"min": 3, "max": 2}}, "batch_size", "must have a `min` that is not above its `max`"),
        ({"checks_timeout": 1}, "checks_timeout", "must be a whole number from 60 to 604800, or null"),
        ({"max_parallel_checks": True}, "max_parallel_checks", "must be a whole number from 1 to 128"),
        ({"skip_intermediate_results": 1}, "skip_intermediate_results", "must be true or false"),
        ({"kind": "bors"}, "kind", "must be one of mergify, github, gitlab"),
        ({"mode": "zig"}, "mode", "must be one of serial, parallel, isolated"),
    ],
)
def test_a_wrong_setting_is_named_with_what_would_be_right(
    settings: dict[str, Any], field: str, message: str
) -> None:
    assert errors_of(settings) == [(field, message)]


def test_an_unknown_setting_is_refused() -> None:
    similar, ((field, message),) = errors_of({"batchsize": 3}), errors_of({"colour": 3})

    assert similar == [("batchsize", "is not a setting; did you mean `batch_size`?")]
    assert field == "colour"
    assert message.startswith("is not a setting; the settings are arrivals, batch_max_failure_")


def test_settings_change_the_baseline_and_leave_the_rest(rules: TrainRules) -> None:
    settings = {"batch_size": {"min": 2, "max": 6}, "checks_timeout": 900, "max_parallel_checks": 7}

    assert errors_of(settings) == []
    policy = apply(settings, rules.kind, rules.policy)

    (rule,) = policy.rules
    assert (rule.batch_size_min, rule.batch_size_max, rule.checks_timeout) == (2, 6, 900 * SECOND)
    assert rule.max_checks_retries == rules.policy.rules[0].max_checks_retries
    assert policy.max_parallel_checks == 7
    assert policy.mode is Mode.SERIAL


def test_a_setting_of_another_kind_of_queue_is_refused() -> None:
    assert errors_of_kind({"batch_size": 2, "wait_minutes": 1, "checks_timeout": 60}, ["mergify"]) == [
        ("wait_minutes", "is a setting of github queues; the kind here is mergify")
    ]


def test_a_smallest_group_above_the_largest_is_refused(rules: TrainRules) -> None:
    policy = apply({"kind": "github", "min_entries_to_merge": 6}, rules.kind, rules.policy)

    assert errors_of_groups(policy) == [
        ("min_entries_to_merge", "must not be above max_entries_to_merge, which is 5")
    ]


def test_a_queue_of_another_kind_has_no_batches(rules: TrainRules) -> None:
    """A search over kinds varies settings that some of them do not have."""
    policy = apply({"kind": "gitlab", "batch_size": 4, "max_checks_retries": 2}, rules.kind, rules.policy)

    assert policy == apply({"kind": "gitlab"}, rules.kind, rules.policy)


def test_another_kind_of_queue_begins_with_its_defaults(rules: TrainRules) -> None:
    settings = {"kind": "github", "min_entries_to_merge": 3, "wait_minutes": 10, "max_entries_to_build": 4}

    policy = apply(settings, rules.kind, rules.policy)

    assert policy.max_parallel_checks == 4
    assert policy.landing == Landing(min_entries=3, max_entries=5, wait=10 * MINUTE)
    assert not policy.variants.waits_for_ahead


@pytest.mark.parametrize("kind", ["mergify", "github", "gitlab"])
def test_what_was_understood_can_be_asked_for_again(rules: TrainRules, kind: str) -> None:
    policy = apply({"kind": kind}, rules.kind, rules.policy)
    understood = described(kind, policy)

    assert errors_of(understood) == []
    assert apply(understood, rules.kind, rules.policy) == policy


def test_settings_of_one_queue_leave_the_others_as_they_are() -> None:
    before = Policy(rules=(QueueRule(4, 4, 300 * SECOND), QueueRule(1, 1, 0)))

    after = apply_to_queue({"batch_size": 2, "batch_max_wait_time": 60}, 0, before)

    sizes = [(rule.batch_size_min, rule.batch_size_max, rule.batch_max_wait_time) for rule in after.rules]
    assert sizes == [(2, 2, 60 * SECOND), (1, 1, 0)]


def test_what_queues_share_cannot_be_set_for_one() -> None:
    errors = errors_of_queue({"batch_size": 0, "arrivals": 1.3, "batch_siz": 2})

    assert errors == [
        ("batch_siz", "is not a setting; did you mean `batch_size`?"),
        ("batch_size", "must be a whole number from 1 to 128, or an object with `min` and `max`"),
        ("arrivals", "is the same for all queues of a branch; set it for all"),
    ]
