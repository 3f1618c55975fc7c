"""The summary of a window, straight from the words of its definition and as naive as possible."""

from fractions import Fraction
from typing import Any

from property.oracle_facts import MERGED, Facts, Group
from property.oracle_numbers import (
    DAY,
    SECOND,
    Asked,
    interval_start,
    mean,
    percentile,
    seconds,
    spell,
    width_of,
)

YEAR_1 = -719_162 * DAY
_SIGNS_OF_ACTIVITY = ("entered", "failure_rate", "ci_runs_per_merge", "batch_size", "bisections")
_COUNTS = ("entered", "merged", "retries", "bisections", "runs_saved")
_OF_CI = (
    *("waiting_ci", "waiting_capacity", "ci_runs_per_merge", "ci_seconds_per_merge"),
    *("retries", "bisections", "runs_saved"),
)
_FAILED = ("CHECKS_FAILED", "CHECKS_TIMEOUT")
Values = dict[str, tuple[float | None, int]]


def usual_before(asked: Asked) -> tuple[int, int]:
    shift = max(asked.end - asked.start, 7 * DAY)
    return max(asked.start - shift, YEAR_1), max(asked.end - shift, YEAR_1)


def _known_before(asked: Asked, first: int | None) -> tuple[int, int]:
    """The usual window before; from the first event on, if that leaves at least a seventh of it."""
    start, end = usual_before(asked)
    if first is None or first <= start or 7 * (end - first) < end - start:
        return start, end
    return first, end


def summary(facts: Facts, asked: Asked, chosen: tuple[int, int] | None = None) -> Any:
    first = min((said.at for said in facts.all), default=None)
    before = chosen or _known_before(asked, first)
    is_comparable = first is not None and first <= before[0]
    length, length_before = asked.end - asked.start, max(before[1] - before[0], 1)
    without_change = () if length == length_before else _COUNTS

    windows = ((asked.start, asked.end), before)

    def is_active(keeps: Any) -> bool:
        """Whether anything of these queues happened in either window."""
        found = [_exact(facts, window, keeps, length) for window in windows]
        return any(values[name][1] for values in found for name in _SIGNS_OF_ACTIVITY)

    def figures(keeps: Any) -> Any:
        # Where nothing happened, there were certainly no retries.
        knows_ci = _knows_ci(facts, keeps) or not is_active(keeps)
        now, exact_now = _values(facts, windows[0], keeps, length, knows_ci=knows_ci)
        then, exact_then = _values(facts, windows[1], keeps, length_before, knows_ci=knows_ci)
        return {
            name: {
                "value": value,
                "before": then[name][0],
                "change": _change(name, exact_now[name], exact_then[name])
                if is_comparable and name not in without_change
                else None,
                "count": count,
                "count_before": then[name][1],
            }
            for name, (value, count) in now.items()
        }

    def of_queue(queue: Any) -> Any:
        return lambda group: asked.keeps(group) and group[:2] == queue

    queues = sorted({said.group[:2] for said in facts.all if asked.keeps(said.group)})
    found = [
        {"base_ref": queue[0], "queue_name": queue[1], **figures(of_queue(queue))}
        for queue in queues
        if is_active(of_queue(queue))
    ]
    return {
        "window": {"start": spell(asked.start), "end": spell(asked.end)},
        "window_before": {"start": spell(before[0]), "end": spell(before[1])},
        "all": figures(asked.keeps),
        "queues": found,
        "first_event_at": None if first is None else spell(first),
        "series": _series(facts, asked),
    }


def _series(facts: Facts, asked: Asked) -> list[dict[str, Any]]:
    width = width_of(asked)
    knows_ci = _knows_ci(facts, asked.keeps)
    starts = sorted({interval_start(at, width) for at in _moments(facts, asked)})
    return [
        {
            "start": spell(start),
            "end": spell(start + width),
            **{
                name: {"value": value, "count": count}
                for name, (value, count) in _values(
                    facts,
                    (max(start, asked.start), min(start + width, asked.end)),
                    asked.keeps,
                    width,
                    knows_ci=knows_ci,
                )[0].items()
            },
        }
        for start in starts
    ]


def _moments(facts: Facts, asked: Asked) -> list[int]:
    kept = [
        *((said.at, said.group) for said in (*facts.entered.values(), *facts.left.values())),
        *((said.at, said.group) for said in facts.bisection_started.values()),
        *((run.end, group) for run in facts.runs if run.end is not None for group in run.groups),
        *((run.start, group) for run in facts.runs if run.start is not None for group in run.started_in),
    ]
    return [at for at, group in kept if asked.covers(at) and asked.keeps(group)]


def _knows_ci(facts: Facts, keeps: Any) -> bool:
    return any(keeps(group) for run in facts.runs for group in (*run.groups, *run.started_in))


def _values(
    facts: Facts, window: tuple[int, int], keeps: Any, length: int, *, knows_ci: bool
) -> tuple[Values, dict[str, Fraction | None]]:
    """The figures as they are shown, and exactly."""
    exact = _exact(facts, window, keeps, length)
    if not knows_ci:
        exact |= dict.fromkeys(_OF_CI, (None, 0))
    shown = {name: (_shown(name, value), count) for name, (value, count) in exact.items()}
    return shown, {name: value for name, (value, _) in exact.items()}


def _exact(
    facts: Facts, window: tuple[int, int], keeps: Any, length: int
) -> dict[str, tuple[Fraction | None, int]]:
    """The figures, as if all CI runs were reported."""

    def counts(at: int | None, group: Group) -> bool:
        return at is not None and window[0] <= at < window[1] and keeps(group)

    left = {session: leave for session, leave in facts.left.items() if counts(leave.at, leave.group)}
    merged = sum(leave.fields["reason"] in MERGED for leave in left.values())
    stays = [session for session in left if session in facts.entered]
    times = [facts.stay_seconds(session) for session in stays]
    merged_times = [
        facts.stay_seconds(session) for session in stays if left[session].fields["reason"] in MERGED
    ]
    waits = [_waits(facts, session) for session in stays]
    entered = sum(counts(entry.at, entry.group) for entry in facts.entered.values())
    ended = [run for run in facts.runs if any(counts(run.end, group) for group in run.groups)]
    run_time = sum(max(0, (run.end or 0) - run.start) for run in ended if run.start is not None)
    sizes = [run.size for run in facts.runs if any(counts(run.start, group) for group in run.started_in)]
    retries = [facts.retries(session) for session in left]
    bisections = sum(counts(start.at, start.group) for start in facts.bisection_started.values())
    saved = _saved(left.values())
    return {
        "entered": (Fraction(entered), entered),
        "merged": (Fraction(merged), merged),
        "merged_per_day": (Fraction(merged * DAY, length), merged),
        "failure_rate": (
            _share(sum(leave.fields["reason"] in _FAILED for leave in left.values()), len(left)),
            len(left),
        ),
        **{
            f"time_in_queue_p{percent}": (percentile(times, percent) if times else None, len(times))
            for percent in (50, 90, 95, 99)
        },
        **{
            f"waiting_{name}": (mean([one[place] for one in waits]) if waits else None, len(waits))
            for place, name in enumerate(("ci", "capacity", "schedule", "freeze"))
        },
        **{
            f"time_to_merge_p{percent}": (
                percentile(merged_times, percent) if merged_times else None,
                len(merged_times),
            )
            for percent in (50, 90, 95, 99)
        },
        "ci_runs_per_merge": (_share(len(ended), merged), len(ended)),
        "ci_seconds_per_merge": (_share(run_time, merged), len(ended)),
        "batch_size": (_share(sum(sizes), len(sizes)), len(sizes)),
        "retries": (Fraction(sum(retries)), sum(number > 0 for number in retries)),
        "bisections": (Fraction(bisections), bisections),
        "runs_saved": (Fraction(saved), saved),
    }


def _share(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None


def _shown(name: str, value: Fraction | None) -> float | None:
    if value is None:
        return None
    if name.startswith(("time_in_queue_", "time_to_merge_", "waiting_", "ci_seconds_")):
        return seconds(value)
    return int(value) if name in _COUNTS else float(value)


def _saved(left: Any) -> int:
    """Batches, by queue, of which a pull request was merged without its own result."""
    return len({
        (leave.group[:2], leave.fields["batch_id"])
        for leave in left
        if leave.fields["reason"] == MERGED[1] and leave.fields.get("batch_id") is not None
    })  # fmt: skip


def _waits(facts: Facts, session: Any) -> tuple[int, ...]:
    leave, runtime = facts.left[session], facts.ci_runtime(session)
    schedule, freeze = (
        round(leave.fields.get(f"seconds_waiting_for_{what}", 0) * SECOND) for what in ("schedule", "freeze")
    )
    return runtime, max(0, facts.stay_seconds(session) - runtime - schedule - freeze), schedule, freeze


def _change(name: str, value: Fraction | None, before: Fraction | None) -> float | None:
    if value is None or before is None:
        return None
    if name == "failure_rate":
        return float(value - before)
    return float(value / before - 1) if before else None
