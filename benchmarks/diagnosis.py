"""Does a diagnosis find problems, and only problems? Watches quiet queues, a real one, and spoiled ones.

    PYTHONPATH=tests .venv/bin/python benchmarks/diagnosis.py quiet [WORLDS] [WEEKS] [FIRST]
    PYTHONPATH=tests .venv/bin/python benchmarks/diagnosis.py real EVENTS.ndjson.gz
    PYTHONPATH=tests .venv/bin/python benchmarks/diagnosis.py injected [WORLDS] [INJECTIONS] [FIRST] [PROBLEM]

`quiet` watches worlds in which nothing special happens: everything that is found is a false alarm. `real`
does the same with a recorded history, in which some alarms are true: those of a queue that stood still. It
counts as false whatever the history does not show to be true. `injected` makes each problem, or only PROBLEM,
begin INJECTIONS times in each world, and prints how many were found within three times the threshold, and
after how long. FIRST is the number of the first world. The rules were adjusted with worlds 0 to 9, 108, 202,
207, 209 and 220 to 229 in view, and with no others.
"""

import gzip
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import quantiles
from typing import Any

import msgspec

from mergecast.queues.model.event import WIRE_NAMES, Event
from mergecast.queues.model.instant import DAY, MINUTE, SECOND, WEEK, duration, parse_instant
from mergecast.signals.detection.course import Span
from mergecast.signals.detection.looking_back import past_problems, problems_as_they_begin
from mergecast.signals.detection.queue_history import QueueHistory
from mergecast.signals.detection.queue_problem import (
    NO_RUN_STARTED,
    NOTHING_MERGES,
    PROBLEM_NAMES,
    UNITS,
    QueueName,
    QueueProblem,
)
from signals.histories import history_of_events
from signals.standstill import standstill
from worlds.stuck import AFTER, Injection, injections, quiet_queue
from worlds.world import START

_QUEUE = QueueName("main", "default")
_MOST = 3  # times the threshold
_STANDSTILL = 30 * MINUTE


def quiet(worlds: str = "10", weeks: str = "52", first: str = "100") -> None:
    total: Counter[str] = Counter()
    for number in _numbers(worlds, first):
        began = time.process_time()
        queue = quiet_queue(number, int(weeks) * 7)
        world, history = queue.world, queue.history
        found = past_problems(_QUEUE, history, Span(START, world.end), DAY)
        names = Counter(problem.name for problem in found)
        total += names
        took = time.process_time() - began
        _print_alarms(f"world {number}, {len(history.runs):,} runs", names, int(weeks), f"{took:.0f} s")
    _print_alarms("all", total, int(weeks) * int(worlds), "")


def real(path: str) -> None:
    """The queue of a recorded history, from its first event to its last."""
    lines = gzip.decompress(Path(path).read_bytes()).splitlines()
    events = [_event(msgspec.json.decode(line)) for line in lines]
    instants = [event.happened_at for event in events]
    window = Span(min(instants), max(instants))
    history = history_of_events(events)
    found = past_problems(_QUEUE, history, window, DAY)
    weeks = (window.end - window.start) / WEEK
    still = [_stood_still(problem, history) for problem in found]
    false = Counter(problem.name for problem, lasted in zip(found, still, strict=True) if not lasted)
    _print_alarms(Path(path).name, Counter(problem.name for problem in found), weeks, "")
    _print_alarms("not shown to be true", false, weeks, "")
    for problem, lasted in zip(found, still, strict=True):
        print(f"  {problem.sentence}")
        print(f"    for {duration(lasted / SECOND)} nothing ran" if lasted else "    counted as false")


def _stood_still(problem: QueueProblem, history: QueueHistory) -> int:
    """For how long nothing ran although pull requests waited; 0 if that was short, or not the problem.

    A queue that tests one batch at a time starts the next within seconds.
    """
    if problem.name not in (NO_RUN_STARTED, NOTHING_MERGES):
        return 0
    lasted = standstill(history, Span(problem.since, problem.ended_at or problem.found_at))
    return lasted if lasted >= _STANDSTILL else 0


def _event(sent: dict[str, Any]) -> Event:
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
    problems = (problem,) if problem else PROBLEM_NAMES
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


def first_found(injection: Injection) -> QueueProblem | None:
    window = Span(injection.at, injection.at + AFTER)
    found = problems_as_they_begin(_QUEUE, injection.history, window, injection.levels)
    return next((problem for problem in found if problem.name == injection.problem), None)


def times_threshold(injection: Injection, problem: QueueProblem) -> float:
    """How long it took to find the problem, as a multiple of the threshold that it shows."""
    at, found_at, levels = injection.at, problem.found_at, injection.levels
    if problem.level.unit == "seconds":
        measured = (found_at - at) / SECOND
    elif problem.evidence.source is not None:
        measured = levels.sources[problem.evidence.source].rates.expected(at, found_at)
    elif levels.merges is not None and UNITS[problem.name] == "expected merges":
        measured = levels.merges.expected(at, found_at)
    else:
        measured = problem.evidence.value
    return measured / problem.level.value


def _quantiles(values: Iterable[float]) -> tuple[float, float]:
    listed = list(values)
    if len(listed) < 2:
        return (listed[0], listed[0]) if listed else (0.0, 0.0)
    deciles = quantiles(listed, n=10, method="inclusive")
    return deciles[4], deciles[8]


if __name__ == "__main__":
    commands: dict[str, Callable[..., None]] = {"quiet": quiet, "real": real, "injected": injected}
    command, *arguments = sys.argv[1:] or ["quiet"]
    commands[command](*arguments)
