"""Does a diagnosis find problems, and only problems? Watches quiet queues, a real one, and spoiled ones.

    PYTHONPATH=tests .venv/bin/python benchmarks/diagnosis.py quiet [WORLDS] [WEEKS] [FIRST]
    PYTHONPATH=tests .venv/bin/python benchmarks/diagnosis.py real EVENTS.ndjson.gz [INJECTIONS] [SEED]
    PYTHONPATH=tests .venv/bin/python benchmarks/diagnosis.py injected [WORLDS] [INJECTIONS] [FIRST] [PROBLEM]
    PYTHONPATH=tests .venv/bin/python benchmarks/diagnosis.py still [FIRST] [WEEKS]
    PYTHONPATH=tests .venv/bin/python benchmarks/diagnosis.py held EVENTS.ndjson.gz [FIRST] [WEEKS] [SEED]

`quiet` watches worlds in which nothing special happens: everything that is found is a false alarm. `real`
learns from the first 8 weeks of a recorded history of a queue with one slot, and watches the rest. Some of
its alarms are true: those of a queue that stood still, and of runs that took long. It counts as false what
the history does not show to be true. Then it spoils the history INJECTIONS times: no run starts for 2 hours
although somebody waits, every run fails for 3 hours, and CI is twice as slow for a day. `injected` makes
each problem, or only PROBLEM, begin INJECTIONS times in each world, and prints how many were found within
three times the threshold, and after how long. `still` counts false standstills in quiet branches: all 18
kinds of worlds under both policies, queues that wait for batches with and without knowing for how long, and
two queues on one branch. `held` measures everything that the diagnosis is held to, and prints it beside the
limits. FIRST is the number of the first world. The rules were adjusted with worlds 0 to 9, 108, 202, 207,
209, 220 to 229 and 300 to 308 in view, and with no others.
"""

import gzip
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean, median, quantiles
from typing import Any, NamedTuple

import msgspec

from mergecast.queues.model.alert import Alert
from mergecast.queues.model.event import WIRE_NAMES, Event
from mergecast.queues.model.instant import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    WEEK,
    duration,
    format_instant,
    parse_instant,
)
from mergecast.signals.thresholds.branch_alerts import past_standstills
from mergecast.signals.thresholds.course import Span
from mergecast.signals.thresholds.judged import (
    EVERYONE_FAILS,
    FORGOTTEN,
    GOING_ROUND,
    NO_RUN_STARTED,
    RUN_TOO_LONG,
    RUNS_SLOW,
)
from mergecast.signals.thresholds.levels import learn
from mergecast.signals.thresholds.looking_back import past_alerts
from mergecast.signals.thresholds.queue_history import LEARNED_FROM, PASSED, QueueHistory, QueueName, SeenRun
from mergecast.signals.thresholds.speed import long_length
from signals.histories import history_of_events
from signals.spoiled import failing, slowed, stopped
from signals.standstill import standstill, standstills
from worlds.stuck import (
    AFTER,
    BEFORE,
    INJECTED,
    Injection,
    QuietBranch,
    between,
    first_found,
    injections,
    quiet_branches,
    quiet_queue,
    shared_branch,
    waiting_branch,
)
from worlds.world import START

_QUEUE = QueueName("main", "default")
_MOST = 3  # times the threshold
_STANDSTILL = 30 * MINUTE


class Spoiled(NamedTuple):
    """One way to spoil a recorded queue, and within which time it must be found."""

    problem: str
    lasts: int
    within: int
    spoil: Callable[[QueueHistory, Span], QueueHistory]


_SPOILED = (
    Spoiled(NO_RUN_STARTED, 2 * HOUR, 2 * HOUR, stopped),
    Spoiled(EVERYONE_FAILS, 3 * HOUR, 3 * HOUR, failing),
    Spoiled(RUNS_SLOW, DAY, 8 * HOUR, partial(slowed, factor=2.0)),
)


def quiet(worlds: str = "10", weeks: str = "52", first: str = "100") -> list[Counter[str]]:
    every: list[Counter[str]] = []
    for number in _numbers(worlds, first):
        began = time.process_time()
        queue = quiet_queue(number, int(weeks) * 7)
        world, history = queue.world, queue.history
        window = Span(START, world.end)
        found = [
            *past_alerts(_QUEUE, history, window, DAY),
            *past_standstills("main", {"default": history}, window),
        ]
        every.append(Counter(problem.figure for problem in found))
        took = time.process_time() - began
        _print_alarms(f"world {number}, {len(history.runs):,} runs", every[-1], int(weeks), f"{took:.0f} s")
    _print_alarms("all", sum(every, Counter()), int(weeks) * int(worlds), "")
    return every


class Watched(NamedTuple):
    """What was found in the real queue: false alarms and weeks, and the delays of what was injected."""

    false: Counter[str]
    weeks: float
    delays: dict[str, list[float | None]]  # in minutes


def real(path: str, injections: str = "30", seed: str = "1") -> Watched:
    lines = gzip.decompress(Path(path).read_bytes()).splitlines()
    events = [event_of(msgspec.json.decode(line)) for line in lines]
    instants = [event.happened_at for event in events]
    window = Span(min(instants) + LEARNED_FROM, max(instants))
    history = history_of_events(events)
    found = [
        *past_alerts(_QUEUE, history, window, DAY),
        *past_standstills("main", {"default": history}, window),
    ]
    weeks = (window.end - window.start) / WEEK
    shown = [_shown(problem, history) for problem in found]
    false = Counter(problem.figure for problem, said in zip(found, shown, strict=True) if not said)
    _print_alarms(Path(path).name, Counter(problem.figure for problem in found), weeks, "")
    _print_alarms("not shown to be true", false, weeks, "")
    for problem, said in zip(found, shown, strict=True):
        print(f"  {format_instant(problem.since)[:16]} {problem.sentence}\n    {said or 'counted as false'}")
    delays = {}
    print(f"stops of 45 minutes: {_stops_found(history, window, found)}")
    for spoiled in _SPOILED:
        delays[spoiled.problem] = _delays(history, window, spoiled, Random(f"{seed}:real"), int(injections))
        print(f"{spoiled.problem:16} {_found(delays[spoiled.problem])}", flush=True)
    return Watched(false, weeks, delays)


def _stops_found(history: QueueHistory, window: Span, found: Sequence[Alert]) -> str:
    """Of the stops that the history shows, with all that waits, those that an alert tells of."""
    stops = [stop for stop in standstills(history, window) if stop.end - stop.start >= 45 * MINUTE]
    told = [one for one in found if one.figure == NO_RUN_STARTED]
    seen = [stop for stop in stops if any(stop.start <= one.found_at <= stop.end for one in told)]
    return f"{len(seen)} of {len(stops)} found"


def _shown(problem: Alert, history: QueueHistory) -> str:
    """What the history shows of a problem; nothing if that is too little.

    A queue that tests one batch at a time starts the next within seconds, so a standstill of half an hour is
    one. A run is too long if it took 1.5 times as long as any before it, and runs are slow if they took 1.5
    times as long as in the whole history.
    """
    until = problem.ended_at or problem.found_at
    if problem.figure == NO_RUN_STARTED:
        lasted = standstill(history, Span(problem.since, until))
        return f"nothing ran for {duration(lasted / SECOND)}" if lasted >= _STANDSTILL else ""
    if problem.figure == RUN_TOO_LONG:
        before = [run for run in history.runs if (run.ended_at or until) <= problem.since]
        longest = max((run.ended_at or until) - run.started_at for run in before)
        factor = (until - problem.since) / longest
        return f"it took {factor:.1f} times as long as any run before" if factor >= 1.5 else ""
    if problem.figure == RUNS_SLOW:
        passed = [run for run in history.runs if run.outcome == PASSED]
        then = [
            run for run in history.runs if _is_between(run, problem.found_at - 4 * HOUR, problem.found_at)
        ]
        usual, slow = (
            long_length([(r.ended_at or until) - r.started_at for r in of]) for of in (passed, then)
        )
        return f"{slow / usual:.1f} times as long as in all weeks" if slow >= 1.5 * usual else ""
    return ""


def _is_between(run: SeenRun, start: int, end: int) -> bool:
    return run.started_at < end and (run.ended_at is None or run.ended_at > start)


def _delays(
    history: QueueHistory, window: Span, spoiled: Spoiled, draw: Random, count: int
) -> list[float | None]:
    """How many minutes after the injection the problem was found, or None; at the starts of random runs."""
    late = [run.started_at for run in history.runs if window.start < run.started_at < window.end - 2 * DAY]
    delays: list[float | None] = []
    for at in sorted(draw.sample(late, count)):
        levels = learn(between(history, at - LEARNED_FROM, at), at)
        near = between(spoiled.spoil(history, Span(at, at + spoiled.lasts)), at - BEFORE, at + spoiled.within)
        found = first_found(Injection(spoiled.problem, at, near, levels), spoiled.within)
        delays.append(None if found is None else (found.found_at - at) / MINUTE)
    return delays


def _found(delays: Sequence[float | None]) -> str:
    known = [delay for delay in delays if delay is not None]
    middle = f", median {duration(median(known) * 60)}" if known else ""
    return f"{len(known)} of {len(delays)}{middle}"


def event_of(sent: dict[str, Any]) -> Event:
    names = {wire: name for name, wire in WIRE_NAMES.items()}
    fields = {names.get(name, name): value for name, value in sent.items()}
    fields["happened_at"] = parse_instant(fields["happened_at"])
    if "batch_pull_requests" in fields:
        fields["batch_pull_requests"] = ",".join(map(str, fields["batch_pull_requests"]))
    known = {"priority_rule_name": None, "source": "real"} | fields
    return Event(**{name: value for name, value in known.items() if name in Event._fields})


def _print_alarms(name: str, found: Counter[str], weeks: float, note: str) -> None:
    listed = ", ".join(f"{problem} {count}" for problem, count in sorted(found.items())) or "nothing"
    print(f"{name:28} {4 * found.total() / weeks:5.2f} alarms in 4 weeks: {listed} {note}", flush=True)


def _numbers(worlds: str, first: str) -> range:
    return range(int(first), int(first) + int(worlds))


def injected(worlds: str = "10", count: str = "20", first: str = "100", problem: str = "") -> None:
    problems = (problem,) if problem else INJECTED
    delays: defaultdict[str, list[float]] = defaultdict(list)
    within: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for number in _numbers(worlds, first):
        for injection in injections(quiet_queue(number, 84), int(count), problems):
            made[injection.problem] += 1
            found = first_found(injection)
            if found is not None:
                delays[injection.problem].append((found.found_at - injection.at) / SECOND)
                within[injection.problem] += times_threshold(injection, found) <= _MOST
    print(f"{'problem':16} {'made':>5} {'found':>6} {'within 3 times':>15} {'median':>8} {'p90':>8}")
    for name in problems:
        print(
            f"{name:16} {made[name]:5} {len(delays[name]):6} {within[name] / max(made[name], 1):15.1%} "
            + " ".join(f"{duration(value):>8}" for value in _quantiles(delays[name]))
        )


def still(first: str = "306", weeks: str = "4") -> dict[str, list[int]]:
    """False standstills of each branch, by what is special about it."""
    days, numbers = int(weeks) * 7, _numbers("18", first)
    found: defaultdict[str, list[int]] = defaultdict(list)
    for number in numbers:
        for branch in quiet_branches(number, days):
            found["18 kinds, both policies"].append(_standstills(branch))
        found["two queues on a branch"].append(_standstills(shared_branch(number, days)))
    for number in numbers[:6]:
        waiting = waiting_branch(number, days)
        found["a known wait for batches"].append(_standstills(waiting, waiting.wait))
        found["a wait for batches that is not known"].append(_standstills(waiting))
    for name, counts in found.items():
        print(f"{name}: {sum(counts)} in {len(counts)} branches and {weeks} weeks", flush=True)
    return found


def _standstills(branch: QuietBranch, wait: int | None = None) -> int:
    histories = {queue.queue_name: history for queue, history in branch.histories.items()}
    return len(past_standstills("main", histories, Span(START, branch.world.end), wait=wait))


def held(path: str, first: str = "306", weeks: str = "26", seed: str = "1") -> None:
    """Everything that the diagnosis is held to, measured."""
    real_queue = real(path, seed=seed)
    stood = still(first)
    worlds = quiet("12", weeks, first)
    in_worlds = _delays_in_worlds(first)
    in_4_weeks = [4 * found.total() / int(weeks) for found in worlds]
    failing_false = 4 * real_queue.false[EVERYONE_FAILS] / real_queue.weeks
    slow_false = 52 * sum(found[RUNS_SLOW] for found in worlds) / (12 * int(weeks))
    rows = [
        (
            "false alarms in 4 weeks, real queue",
            f"{4 * real_queue.false.total() / real_queue.weeks:.2f}",
            "0.5",
        ),
        ("in 12 quiet worlds, mean", f"{fmean(in_4_weeks):.2f}", "0.5"),
        ("in 12 quiet worlds, most", f"{max(in_4_weeks):.2f}", "1"),
        *(
            (f"false standstills in 4 weeks, {name}", f"{fmean(counts):.2f}", limit)
            for (name, counts), limit in zip(stood.items(), ("0", "0", "0", "0.5"), strict=True)
        ),
        ("stops of 2 h, real queue", _found(real_queue.delays[NO_RUN_STARTED]), "75 %"),
        ("stops of 2 h, worlds", _found(in_worlds[NO_RUN_STARTED]), ""),
        ("everyone fails for 3 h, real queue", _found(real_queue.delays[EVERYONE_FAILS]), "70 %, 1h45m"),
        ("everyone fails for 3 h, worlds", _found(in_worlds[EVERYONE_FAILS]), ""),
        ("false ones in 4 weeks, real queue", f"{failing_false:.2f}", "0.15"),
        ("CI twice as slow, in 8 h, real queue", _found(real_queue.delays[RUNS_SLOW]), "70 %"),
        ("CI twice as slow, in 8 h, worlds", _found(in_worlds[RUNS_SLOW]), "70 %"),
        ("false ones a year, worlds", f"{slow_false:.2f}", "1"),
        ("a run never ends, worlds", _found(in_worlds[RUN_TOO_LONG]), "all"),
        ("a pull request fails again, worlds", _found(in_worlds[GOING_ROUND]), "92 %"),
        ("a forgotten pull request, worlds", _found(in_worlds[FORGOTTEN]), ""),
    ]
    for what, measured, limit in rows:
        print(f"{what:66} {measured:28} {limit}")


def _delays_in_worlds(first: str) -> dict[str, list[float | None]]:
    within = {spoiled.problem: spoiled.within for spoiled in _SPOILED}
    delays: defaultdict[str, list[float | None]] = defaultdict(list)
    problems = (*within, RUN_TOO_LONG, GOING_ROUND, FORGOTTEN)
    for number in _numbers("12", first):
        for injection in injections(quiet_queue(number, 84), 4, problems, failing=3 * HOUR):
            found = first_found(injection, within.get(injection.problem, AFTER))
            delays[injection.problem].append(
                None if found is None else (found.found_at - injection.at) / MINUTE
            )
    return delays


def times_threshold(injection: Injection, problem: Alert) -> float:
    """How long it took to find the problem, as a multiple of the threshold that it shows."""
    at, found_at, levels = injection.at, problem.found_at, injection.levels
    if problem.unit_words == "seconds":
        measured = (found_at - at) / SECOND
    elif problem.evidence.source is not None:
        measured = levels.sources[problem.evidence.source].usual.expected(at, found_at)
    else:
        measured = problem.value
    return measured / problem.threshold


def _quantiles(values: Iterable[float]) -> tuple[float, float]:
    listed = list(values)
    if len(listed) < 2:
        return (listed[0], listed[0]) if listed else (0.0, 0.0)
    deciles = quantiles(listed, n=10, method="inclusive")
    return deciles[4], deciles[8]


if __name__ == "__main__":
    commands: dict[str, Callable[..., object]] = {
        "quiet": quiet,
        "real": real,
        "still": still,
        "injected": injected,
        "held": held,
    }
    command, *arguments = sys.argv[1:] or ["quiet"]
    commands[command](*arguments)
