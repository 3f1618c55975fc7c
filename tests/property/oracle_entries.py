"""The values of one entry of each statistic: the tables of section 5 of the definitions."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from property.oracle_facts import MERGED, Group
from property.oracle_numbers import mean, percentile, seconds

Entry = dict[str, object]

COMPONENTS = ("idle_capacity", "idle_schedule", "idle_freeze", "ci_runtime")

# Every property of QueueChecksOutcome.
OUTCOMES = (
    "BASE_BRANCH_CHANGED", "BASE_BRANCH_MISSING", "BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS",
    "BATCH_SCOPES_CHANGED", "BRANCH_UPDATE_FAILED", "CHECKS_FAILED", "CHECKS_INTERRUPTED",
    "CHECKS_TIMEOUT", "DROPPED_BY_BISECTION_ELIMINATION", "CONFLICT_WITH_BASE_BRANCH",
    "CONFLICT_WITH_PULL_AHEAD", "DRAFT_PULL_REQUEST_CHANGED", "BATCH_PULL_REQUEST_CLOSED",
    "INCOMPATIBILITY_WITH_BRANCH_PROTECTIONS", "MERGE_QUEUE_RESET", "PR_AHEAD_DEQUEUED",
    "BATCH_AHEAD_FAILED", "BATCH_AHEAD_BRANCH_EDITED", "PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE",
    "PR_DEQUEUED", "PR_DEQUEUED_FROM_PARTITION", "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    "PR_WITH_HIGHER_PRIORITY_QUEUED", "PULL_REQUEST_UPDATED", "QUEUE_RULE_MISSING",
    "SPECULATIVE_CHECK_NUMBER_REDUCED", "SUCCESS", "PR_MANUALLY_MERGED",
    "DRAFT_PULL_REQUEST_CREATION_FAILED", "DRAFT_PULL_REQUEST_CREATION_BRANCH_NOT_INDEXED",
    "CONFIGURATION_CHANGED", "UNPROCESSABLE_PULL_REQUEST", "PR_MANUALLY_DEQUEUED",
    "STACK_PREDECESSOR_DEQUEUED", "INTERMEDIATE_RESULTS_SKIPPED", "CHECKS_RETRIED",
    "SCHEDULED_FREEZE_STATUS_CHANGED", "SCHEDULE_BLOCKED_AHEAD_YIELDED", "BASE_REF_ALIGNMENT_TIMEOUT",
    "GITHUB_STACKED_PULL_REQUEST_MERGE_UNSUPPORTED",
)  # fmt: skip


@dataclass(frozen=True)
class Fact:
    """What is counted: when, in which group, a number, and what else a statistic needs."""

    at: int
    group: Group
    number: int = 0
    kind: str = ""
    parts: tuple[int, ...] = ()


def outcome_counts(facts: list[Fact]) -> Entry:
    return {**dict.fromkeys(OUTCOMES, 0), **Counter(fact.kind for fact in facts)}


def outcome_entries(facts: list[Fact]) -> list[Entry]:
    counted = Counter(fact.kind for fact in facts)
    return [{"check_outcome": outcome, "count": counted[outcome]} for outcome in sorted(counted)]


def exit_reason_entries(facts: list[Fact]) -> list[Entry]:
    counted = Counter("SUCCESS" if fact.kind in MERGED else fact.kind for fact in facts)
    return [{"exit_reason": reason, "count": counted[reason]} for reason in sorted(counted)]


def summary(facts: list[Fact]) -> Entry:
    values: Entry = {}
    for place, name in enumerate(COMPONENTS):
        numbers = [fact.parts[place] for fact in facts]
        values[f"avg_{name}"] = seconds(mean(numbers))
        values[f"p95_{name}"] = seconds(percentile(numbers, 95))
        values[f"max_{name}"] = seconds(max(numbers))
    return values


def _idle(facts: list[Fact]) -> list[Entry]:
    values: Entry = {"count_idle": len(facts)}
    for place, name in enumerate(COMPONENTS):
        numbers = [fact.parts[place] for fact in facts]
        values[name] = seconds(mean(numbers))
        values[f"p95_{name}"] = seconds(percentile(numbers, 95))
        values[f"max_{name}"] = seconds(max(numbers))
        values[f"sum_{name}"] = seconds(sum(numbers))
    return [values]


def _failure_rate(facts: list[Fact]) -> list[Entry]:
    failures = sum(fact.kind in ("CHECKS_FAILED", "CHECKS_TIMEOUT") for fact in facts)
    rate = float(Fraction(failures, len(facts)))
    return [{"total": len(facts), "failures": failures, "failure_rate": rate}]


def _queue_time(facts: list[Fact]) -> list[Entry]:
    times = [fact.number for fact in facts]
    entry: Entry = {
        "avg_queue_time": seconds(mean(times)),
        "max_queue_time": seconds(max(times)),
        "min_queue_time": seconds(min(times)),
        "sum_queue_time": seconds(sum(times)),
        "count_queue_time": len(times),
    }
    return [entry | {f"p{p}_queue_time": seconds(percentile(times, p)) for p in (50, 90, 95, 99)}]


def _runtime(facts: list[Fact]) -> list[Entry]:
    times = [fact.number for fact in facts]
    entry: Entry = {
        "runtime": seconds(mean(times)),
        "sum_runtime": seconds(sum(times)),
        "count_runtime": len(times),
    }
    return [entry | {f"p{p}_runtime": seconds(percentile(times, p)) for p in (50, 90, 95, 99)}]


def _batch_size(facts: list[Fact]) -> list[Entry]:
    sizes = [fact.number for fact in facts]
    return [
        {
            "avg_batch_size": float(mean(sizes)),
            "max_batch_size": max(sizes),
            "min_batch_size": min(sizes),
            "sum_batch_size": sum(sizes),
            "count_batch_size": len(sizes),
        }
    ]


def _retries(facts: list[Fact]) -> list[Entry]:
    depths = [fact.number for fact in facts]
    recovered = sum(fact.kind in MERGED for fact in facts)
    return [
        {
            "total_retries": sum(depths),
            "sessions_with_retries": len(facts),
            "recovered": recovered,
            "not_recovered": len(facts) - recovered,
            "recovery_rate": float(Fraction(recovered, len(facts))),
            "avg_retry_depth": float(mean(depths)),
            "max_retry_depth": max(depths),
        }
    ]


def _bisection_started(facts: list[Fact]) -> list[Entry]:
    depths, sizes = [fact.parts[0] for fact in facts], [fact.parts[1] for fact in facts]
    return [
        {
            "bisection_count": len(facts),
            "avg_depth": float(mean(depths)),
            "max_depth": max(depths),
            "avg_batch_size_before_split": float(mean(sizes)),
        }
    ]


def _bisection_completed(facts: list[Fact]) -> list[Entry]:
    return [
        {
            "bisection_completed_count": len(facts),
            "culprit_found_count": sum(fact.parts[0] for fact in facts),
            "max_failure_reached_count": sum(fact.parts[1] for fact in facts),
        }
    ]


ENTRIES: dict[str, Callable[[list[Fact]], list[Entry]]] = {
    "queues_checks_outcome_count": outcome_entries,
    "queues_pr_exit_reasons": exit_reason_entries,
    "queues_entered_count": lambda facts: [{"entered": len(facts)}],
    "queues_merged_count": lambda facts: [{"merged": len(facts)}],
    "skip_intermediate_results": lambda facts: [{"batches_saved": len(facts)}],
    "failure_rate": _failure_rate,
    "total_queue_time": _queue_time,
    "average_ci_runtime": _runtime,
    "idle_queue_time": _idle,
    "batch_size": _batch_size,
    "checks_retries": _retries,
    "bisection_started": _bisection_started,
    "bisection_completed": _bisection_completed,
}
