"""All eighteen statistics, computed directly from their definitions and as simply as possible."""

from collections.abc import Callable, Iterable
from typing import Any

from property.oracle_entries import (
    ENTRIES,
    Fact,
    outcome_counts,
    summary,
)
from property.oracle_facts import MERGED, Facts, Group
from property.oracle_numbers import (
    DAY,
    Asked,
    bounds,
    interval_start,
    mean,
    percentile,
    seconds,
    split_by,
    width_of,
)
from property.oracle_steps import queue_size, running_speculative_checks

Answer = Any


def answer(statistic: str, facts: Facts, asked: Asked, now: int) -> Answer:
    """The answer of this endpoint for these facts, as decoded JSON."""
    if statistic in _PLAIN:
        return _PLAIN[statistic](facts, asked)
    if statistic in _UNDER_WAY:
        return {"groups": _UNDER_WAY[statistic](facts, asked, now)}
    if statistic == "batch_bisection":
        return {
            "started": _by_interval(asked, _bisection_starts(facts), ENTRIES["bisection_started"]),
            "completed": _by_interval(asked, _bisection_ends(facts), ENTRIES["bisection_completed"]),
        }
    chosen = _FACTS[statistic](facts, asked)
    return {"groups": _by_interval(asked, chosen, ENTRIES[statistic])}


def _in_group_order(asked: Asked, facts: Iterable[Fact]) -> list[tuple[Group, list[Fact]]]:
    """The facts of the window by group; null sorts before any priority rule."""
    groups: dict[Group, list[Fact]] = {}
    for fact in facts:
        if asked.covers(fact.at) and asked.keeps(fact.group):
            groups.setdefault(fact.group, []).append(fact)
    return sorted(groups.items(), key=lambda item: (*item[0][:2], item[0][2] is not None, item[0][2] or ""))


def _record(group: Group, **more: object) -> dict[str, object]:
    return {"base_ref": group[0], "queue_name": group[1], "priority_rule_name": group[2], **more}


def _by_interval(
    asked: Asked, facts: Iterable[Fact], entries: Callable[[list[Fact]], list[dict[str, object]]]
) -> list[dict[str, object]]:
    width = width_of(asked)
    return [
        _record(
            group,
            stats=[
                {**bounds(start, width), **entry}
                for start, part in split_by(members, lambda fact: interval_start(fact.at, width))
                for entry in entries(part)
            ],
        )
        for group, members in _in_group_order(asked, facts)
    ]


def _checks_ended(facts: Facts, _: Asked) -> list[Fact]:
    return [Fact(end.at, end.group, kind=end.fields["outcome"]) for end in facts.ended.values()]


def _entered(facts: Facts, _: Asked) -> list[Fact]:
    return [Fact(entry.at, entry.group) for entry in facts.entered.values()]


def _left(facts: Facts, _: Asked) -> list[Fact]:
    return [Fact(leave.at, leave.group, kind=leave.fields["reason"]) for leave in facts.left.values()]


def _merged(facts: Facts, asked: Asked) -> list[Fact]:
    return [fact for fact in _left(facts, asked) if fact.kind in MERGED]


def _whole_stays(facts: Facts, _: Asked) -> list[Fact]:
    return [
        Fact(leave.at, leave.group, facts.stay_seconds(session), kind=leave.fields["reason"])
        for session, leave in facts.left.items()
        if session in facts.entered
    ]


def _idle(facts: Facts, _: Asked) -> list[Fact]:
    found = []
    for session, leave in facts.left.items():
        if session in facts.entered:
            runtime = facts.ci_runtime(session)
            waits = [
                round(leave.fields.get(f"seconds_waiting_for_{what}", 0) * 1_000_000)
                for what in ("schedule", "freeze")
            ]
            capacity = max(0, facts.stay_seconds(session) - runtime - sum(waits))
            found.append(Fact(leave.at, leave.group, parts=(capacity, *waits, runtime)))
    return found


def _judged_runs(facts: Facts, _: Asked) -> list[Fact]:
    return [
        Fact(run.end, group, max(0, run.end - run.start))
        for run in facts.runs
        if run.start is not None and run.end is not None
        for group in run.judged_in
    ]


def _started_runs(facts: Facts, _: Asked) -> list[Fact]:
    return [
        Fact(run.start, group, run.size)
        for run in facts.runs
        if run.start is not None
        for group in run.started_in
    ]


def _retried_stays(facts: Facts, _: Asked) -> list[Fact]:
    return [
        Fact(leave.at, leave.group, facts.retries(session), kind=leave.fields["reason"])
        for session, leave in facts.left.items()
        if facts.retries(session) > 0
    ]


def _saved_batches(facts: Facts, asked: Asked) -> list[Fact]:
    """One fact for each batch, group and window, at the earliest leaving."""
    first: dict[tuple[Group, str], int] = {}
    for leave in facts.left.values():
        batch = leave.fields.get("batch_id")
        skipped = leave.fields["reason"] == "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED"
        if skipped and batch is not None and asked.covers(leave.at):
            key = (leave.group, batch)
            first[key] = min(leave.at, first.get(key, leave.at))
    return [Fact(at, group) for (group, _), at in first.items()]


def _bisection_starts(facts: Facts) -> list[Fact]:
    return [
        Fact(one.at, one.group, parts=(one.fields["depth"], len(one.fields["batch_pull_requests"])))
        for one in facts.bisection_started.values()
    ]


def _bisection_ends(facts: Facts) -> list[Fact]:
    return [
        Fact(one.at, one.group, parts=(one.fields["culprit_found"], one.fields["max_failures_reached"]))
        for one in facts.bisection_ended.values()
    ]


def _merge_queue_checks_outcome(facts: Facts, asked: Asked) -> Answer:
    grouped = _in_group_order(asked, _checks_ended(facts, asked))
    return {"groups": [_record(group, stats=outcome_counts(ends)) for group, ends in grouped]}


def _idle_queue_time(facts: Facts, asked: Asked) -> Answer:
    stays = _idle(facts, asked)
    groups = _by_interval(asked, stays, ENTRIES["idle_queue_time"])
    for record, (_, members) in zip(groups, _in_group_order(asked, stays), strict=True):
        record["summary"] = summary(members)
    return {"groups": groups}


def _branches(facts: Facts, asked: Asked) -> Answer:
    return {"base_refs": sorted({said.group[0] for said in facts.all if asked.covers(said.at)})}


def _queues(facts: Facts, asked: Asked) -> Answer:
    return {"queue_names": sorted({said.group[1] for said in facts.all if asked.covers(said.at)})}


def _time_to_merge(facts: Facts, asked: Asked) -> Answer:
    def counts(at: int, group: Group) -> bool:
        return asked.at - 7 * DAY < at <= asked.at and asked.branch in (None, group[0])

    merged = [
        stay for stay in _whole_stays(facts, asked) if stay.kind in MERGED and counts(stay.at, stay.group)
    ]
    active = {said.group[1] for said in facts.all if counts(said.at, said.group)}
    queues = []
    for queue in sorted(active):
        times = [stay.number for stay in merged if stay.group[1] == queue]
        known: dict[str, float | None] = {"mean": None, "median": None}
        if times:
            known = {"mean": seconds(mean(times)), "median": seconds(percentile(times, 50))}
        queues.append({"queue_name": queue, "time_to_merge": known})
    return [{"queues": queues}]


_PLAIN: dict[str, Callable[[Facts, Asked], Answer]] = {
    "merge_queue_checks_outcome": _merge_queue_checks_outcome,
    "idle_queue_time": _idle_queue_time,
    "branches": _branches,
    "queues": _queues,
    "time_to_merge": _time_to_merge,
}
_UNDER_WAY = {"queue_size": queue_size, "running_speculative_checks": running_speculative_checks}
_FACTS: dict[str, Callable[[Facts, Asked], list[Fact]]] = {
    "queues_checks_outcome_count": _checks_ended,
    "queues_entered_count": _entered,
    "queues_merged_count": _merged,
    "queues_pr_exit_reasons": _left,
    "failure_rate": _left,
    "total_queue_time": _whole_stays,
    "average_ci_runtime": _judged_runs,
    "batch_size": _started_runs,
    "checks_retries": _retried_stays,
    "skip_intermediate_results": _saved_batches,
}
STATISTICS = (*_PLAIN, *_UNDER_WAY, *_FACTS, "batch_bisection")
