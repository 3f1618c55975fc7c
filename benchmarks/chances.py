"""Do pull requests merge as often as their chance says? Simulated queues, the demo, and a real history.

    PYTHONPATH=tests .venv/bin/python benchmarks/chances.py [WORLDS] [SEED]

Back-tests expected merges as the service does, and prints the predicted chance beside the share that merged,
in bins of ten points, corrected by what the other parts of the back-test show: of all pull requests, of those
that had failed a run of their stay before, and of those that came back with a commit that had failed. Each
without what verdicts know (commits, and names of failed checks), and with it. A bin with 100 or more cases
that is off by more than 10 points is marked `!`. Histories in ../shared/real are measured if they are there.
"""

import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from mergecast.demo.history import demo_events
from mergecast.forecasting.forecast.backtest import back_test
from mergecast.forecasting.forecast.chances import ChanceCase, bins_of
from mergecast.forecasting.forecast.eta import Happened
from mergecast.forecasting.forecast.suspects import Suspicions, unsuspecting
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.seconds import microseconds
from mergecast.incoming.intake.event_rules import read_event
from mergecast.judge.child.forecasting import Past
from mergecast.judge.messages import CheckFound
from mergecast.queues.model.event import CHECKS_ENDED, Event
from mergecast.queues.model.instant import DAY, Window, parse_instant
from verdict import REAL, names_of, read_real
from worlds.blame import blamed_worlds

_FAR_FUTURE = 1 << 62
_DEMO_START = date(2026, 3, 2)
_DEMO_DAYS = 130
_DAYS_OF_A_WORLD = 56
_ENOUGH, _OFF = 100, 0.1


class _Recorded(NamedTuple):
    events: list[Event]
    checks: list[CheckFound]


def main(worlds: str = "12", seed: str = "1") -> None:
    _compare(f"{worlds} worlds", _worlds(int(seed), int(worlds)))
    _compare("demo", _demo())
    for file in sorted(REAL.glob("*.ndjson.gz")):
        real = read_real(file)
        _compare(file.name, [_recorded(real.events, real.heads, names_of(real))])


def _worlds(seed: int, count: int) -> Iterator[_Recorded]:
    for world in list(blamed_worlds(seed, days=_DAYS_OF_A_WORLD).values())[:count]:
        played = world.play()
        yield _recorded(played.events, played.heads, played.names)


def _recorded(
    events: Iterable[Event], heads: Mapping[str, str], names: Mapping[tuple[str, int], tuple[str, ...]]
) -> _Recorded:
    events = [event._replace(head_sha=heads.get(event.session_id or "")) for event in events]
    ends = {
        (event.batch_id or "", event.attempt or 1): event.happened_at
        for event in events
        if event.type == CHECKS_ENDED
    }
    failed = [(run, name) for run, of_run in names.items() if run in ends for name in of_run]
    return _Recorded(events, [CheckFound(*run, name, ends[run], has_failed=True) for run, name in failed])


def _demo() -> Iterator[_Recorded]:
    since = datetime(_DEMO_START.year, _DEMO_START.month, _DEMO_START.day, tzinfo=UTC)
    rows = list(demo_events(_DEMO_START, since + timedelta(days=_DEMO_DAYS), checks_since=since))
    reports = [row for row in rows if row["type"] == "ci_check_reported"]
    checks = [
        CheckFound(
            *(str(row["batch_id"]), int(str(row["attempt"])), str(row["name"])),
            *(parse_instant(str(row["ended_at"])), row["conclusion"] != "success"),
        )
        for row in reports
        if row["is_required"] is not False and row["conclusion"] in {"success", "failure", "timed_out"}
    ]
    read = (read_event(row, "", _FAR_FUTURE) for row in rows if row["type"] != "ci_check_reported")
    events = [event for event in read if isinstance(event, Event)]
    for base_ref in sorted({event.base_ref for event in events if event.base_ref}):
        yield _Recorded([event for event in events if event.base_ref == base_ref], checks)


def _compare(name: str, histories: Iterable[_Recorded]) -> None:
    cases: tuple[list[ChanceCase], list[ChanceCase]] = ([], [])
    seconds = [0.0, 0.0]
    for recorded in histories:
        for place in range(2):
            began = time.process_time()
            cases[place].extend(_cases(recorded, with_verdicts=place == 1))
            seconds[place] += time.process_time() - began
    print(f"{name}: {seconds[0]:.0f} CPU s without verdicts, {seconds[1]:.0f} with them")
    returned = [place for place, case in enumerate(cases[1]) if case.has_returned]
    for title, found in zip(("without verdicts", "with verdicts"), cases, strict=True):
        _print(f"{name}, {title}", found)
        _print(f"{name}, {title}, had failed", [case for case in found if case.has_failed])
        _print(f"{name}, {title}, had returned", [found[place] for place in returned])


def _cases(recorded: _Recorded, *, with_verdicts: bool) -> list[ChanceCase]:
    events = recorded.events
    first = min(event.happened_at for event in events) // DAY * DAY
    history = read_history(events, Window(first, max(event.happened_at for event in events) + 1))
    suspicions: Suspicions = unsuspecting
    if with_verdicts:
        past = Past(events, recorded.checks, {})
        suspicions = lambda at: past.at(first + microseconds(at))  # noqa: E731 - the other is a function too
    return back_test(Happened(history, frozenset(history.queue_names), suspicions), seed=1).chances


def _print(title: str, cases: Sequence[ChanceCase]) -> None:
    if not cases:
        return
    brier = sum((case.chance - case.is_merged) ** 2 for case in cases) / len(cases)
    rate = sum(case.is_merged for case in cases) / len(cases)
    print(f"{title}: {len(cases):,} cases, Brier {brier:.3f}, of a constant {rate * (1 - rate):.3f}")
    for found in bins_of(cases):
        is_off = found.cases >= _ENOUGH and abs(found.predicted - found.merged) > _OFF
        print(
            f"  predicted {found.predicted:4.0%}, merged {found.merged:4.0%}, {found.cases:5,} cases"
            f"{' !' if is_off else ''}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
