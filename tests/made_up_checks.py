"""Reports about CI checks for the CI runs of a history, as a busy and careless CI would send them."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from random import Random

from builders import Wire

_CONCLUSIONS = ("success",) * 6 + ("failure", "failure", "timed_out", "cancelled", "skipped", "neutral")
_RUNNERS = ("linux-x64-16", "linux-x64-4", "macos", None)
_NAMES = ("unit", "lint", "integration / linux", "integration / macos", "e2e", "\u00e9tude")


def reports_for(events: Iterable[Wire], random: Random, *, most: int = 6) -> Iterator[Wire]:
    """A few executions for most runs of these events, in a random order; some are reported twice."""
    runs: dict[tuple[str, int], Wire] = {}
    for event in events:
        if event["type"] == "checks_started":
            runs.setdefault((event["batch_id"], event.get("attempt", 1)), event)
    found = [
        report
        for start in runs.values()
        if random.random() < 0.9
        for number in range(random.randint(1, most))
        for report in _execution(start, number, random)
    ]
    random.shuffle(found)
    return iter(found)


def _execution(start: Wire, number: int, random: Random) -> list[Wire]:
    batch, attempt = start["batch_id"], start.get("attempt", 1)
    name = random.choice(_NAMES)
    queued = datetime.fromisoformat(start["at"]) + timedelta(seconds=random.randint(0, 120))
    started = queued + timedelta(seconds=random.choice([0, 1, 7, random.randint(0, 900)]))
    ended = started + timedelta(
        seconds=random.randint(0, 3000), microseconds=random.choice([0, 0, 1, 999_999])
    )
    content: Wire = {
        "type": "ci_check_reported",
        "base_ref": start["base_ref"],
        "queue_name": start["queue_name"],
        "batch_id": batch,
        "attempt": attempt,
        "check_id": f"{number}",
        "name": name,
        "url": random.choice([None, f"https://ci.example.com/{batch}/{number}"]),
        "runner": random.choice(_RUNNERS),
        "is_required": random.choice([None, None, True, False]),
    }
    content = {name: value for name, value in content.items() if value is not None}
    running = {"id": f"{batch}-{attempt}-{number}-running", "at": started.isoformat(), "conclusion": None}
    ending = {
        "id": f"{batch}-{attempt}-{number}-ended",
        "at": ended.isoformat(),
        "conclusion": random.choice(_CONCLUSIONS),
    }
    steps = {
        "queued_at": queued.isoformat(),
        "started_at": started.isoformat(),
        "ended_at": ended.isoformat(),
    }
    known = {name: at for name, at in steps.items() if random.random() < 0.9}
    reports = [{**content, **running, "started_at": started.isoformat()}, {**content, **ending, **known}]
    return reports if random.random() < 0.2 else reports[random.random() < 0.95 :]
