"""Counters of queues: each end counts once, when it is first stored, and nothing makes a counter fall."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import HOUR, MINUTE
from mergecast.queues.model.queue_counts import run_outcome
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.add_events import replace_derived
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Selection
from store.places import OpenStore

pytestmark = pytest.mark.thorough

_NAME = Repository("acme", "widgets")


class _Beginning:
    """When the test began: half an hour may pass between collecting the tests and running them."""

    at = 0


@pytest.fixture(autouse=True)
def _begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Beginning, "at", now_in_microseconds())


def _event(type: str, ago: int, number: int, **fields: object) -> Event:
    """An event of stay or batch `number` that happened so many microseconds before the test began."""
    own: dict[str, object] = {"session_id": f"s{number}", "pull_request": number}
    if type.startswith("bisection"):
        own = {"batch_id": f"b{number}"}
    elif type.startswith("checks"):
        own |= {"batch_id": f"b{number}", "attempt": 1}
    content = {"source": "api", "priority_rule_name": None, **own, **fields}
    id = f"{type} {ago} {sorted(content.items(), key=str)}"
    return Event(id, type, _Beginning.at - ago, "main", "default", **content)  # type: ignore[arg-type]


def _entered(ago: int, number: int, **fields: object) -> Event:
    return _event("queue_entered", ago, number, **fields)


def _left(ago: int, number: int, reason: str = "PR_MERGED", **fields: object) -> Event:
    return _event("queue_left", ago, number, reason=reason, **fields)


def _started(ago: int, number: int, **fields: object) -> Event:
    return _event("checks_started", ago, number, batch_pull_requests=str(number), **fields)


def _ended(ago: int, number: int, outcome: str = "SUCCESS", **fields: object) -> Event:
    return _event("checks_ended", ago, number, outcome=outcome, **fields)


def _counts(store: Store, queue: int = 1) -> dict[str, int]:
    """What was counted in a queue, without the sums of durations."""
    known = asyncio.run(store.repository(_NAME))
    assert known is not None
    rows = asyncio.run(store.read(known.id, lambda reader: reader.rows("queue_counts", [[known.id]])))
    counts = {number: json.loads(text) for _, number, text in rows}.get(queue, {})
    return {name: count for name, count in counts.items() if not name.endswith("sum")}


def _record(store: Store, *events: Event) -> None:
    asyncio.run(store.record(_NAME, events))


def _replace(store: Store, thread: int, events: Sequence[Event]) -> None:
    work = partial(replace_derived, wanted={thread: events})
    asyncio.run(store.change(_NAME, work, create=True))


def test_entries_exits_and_runs_are_counted(store: Store) -> None:
    """Times in the queue of merged pull requests and lengths of runs fall into buckets."""
    _record(
        store,
        *(
            _entered(20 * MINUTE, 1),
            _left(10 * MINUTE, 1),
            _entered(5 * MINUTE, 2),
            _left(0, 2, "PR_DEQUEUED"),
        ),
        *(_started(18 * MINUTE, 1), _ended(11 * MINUTE, 1, "CHECKS_FAILED")),
        *(_started(10 * MINUTE, 1, attempt=2), _ended(9 * MINUTE, 1, attempt=2)),
        _event("bisection_ended", 0, 1, culprit_found=True, max_failures_reached=False),
    )

    assert {
        "entered": 2, "left PR_MERGED": 1, "left PR_DEQUEUED": 1, "time 7": 1,
        "run failed 6": 1, "run passed 0": 1, "retries": 1, "bisections": 1,
    } == _counts(store)  # fmt: skip


def test_an_import_is_not_counted(store: Store) -> None:
    """Nor is what a client sends more than an hour later."""
    _record(store, _entered(HOUR, 1), _left(HOUR, 1))

    assert {} == _counts(store)

    _record(store, _entered(30 * MINUTE, 3))

    assert {"entered": 1} == _counts(store)


def test_later_corrections_change_no_counter(store: Store) -> None:
    """An earlier exit with another reason becomes the fact; the counter stays."""
    _record(store, _entered(30 * MINUTE, 1), _left(MINUTE, 1))
    _record(store, _left(2 * MINUTE, 1, "PR_DEQUEUED"))

    assert {"entered": 1, "left PR_MERGED": 1, "time 10": 1} == _counts(store)


def test_a_translation_that_replaces_events_counts_nothing_twice(store: Store) -> None:
    """Not even if the exit is gone for a while."""
    _replace(store, 1, [_entered(5 * MINUTE, 1), _left(MINUTE, 1)])
    _replace(store, 1, [_entered(5 * MINUTE, 1), _left(2 * MINUTE, 1, "UNKNOWN")])
    _replace(store, 1, [_entered(5 * MINUTE, 1)])
    _replace(store, 1, [_entered(6 * MINUTE, 1), _left(0, 1, "PR_DEQUEUED")])

    assert {"entered": 1, "left PR_MERGED": 1, "time 4": 1} == _counts(store)


def test_deleted_events_that_come_back_are_not_counted_again(store: Store) -> None:
    """Deleting them does not change the counters either."""
    _record(store, _entered(5 * MINUTE, 1), _left(MINUTE, 1), _entered(0, 2, source="other"))
    before = _counts(store)

    asyncio.run(store.delete_events(Selection(_NAME, "api")))
    assert before == _counts(store)

    _record(store, _entered(5 * MINUTE, 1), _left(0, 1, "CHECKS_FAILED"))
    assert before == _counts(store)


@pytest.mark.parametrize("seed", range(3))
def test_every_duration_is_counted_in_whatever_order_events_arrive(store: Store, seed: int) -> None:
    """Of 60 stays and their CI runs, over many requests; entries and starts may be older than an hour."""
    events = [
        event
        for number in range(1, 61)
        for event in (
            _entered(80 * MINUTE, number),
            _started(70 * MINUTE, number),
            _ended(20 * MINUTE, number),
            _left(10 * MINUTE, number),
        )
    ]
    random = Random(seed)
    random.shuffle(events)
    while events:
        size = random.randint(1, 40)
        _record(store, *events[:size], *random.sample(events, min(3, len(events))))
        del events[:size]

    assert {"left PR_MERGED": 60, "time 13": 60, "run passed 12": 60} == _counts(store)


def test_a_start_that_comes_back_does_not_count_a_duration_again(store: Store) -> None:
    start, entry = _started(20 * MINUTE, 1, source="other"), _entered(30 * MINUTE, 1, source="other")
    _record(store, entry, start, _ended(10 * MINUTE, 1), _left(MINUTE, 1))
    before = _counts(store)

    asyncio.run(store.delete_events(Selection(_NAME, "other")))
    _record(store, entry, start)

    assert before == _counts(store)


def test_counters_survive_a_restart(open_again: OpenStore) -> None:
    """They are part of the store."""
    for number in (1, 2):
        store = open_again()
        _record(store, _entered(0, number))
        assert {"entered": number} == _counts(store)
        store.close()


def test_queues_beyond_the_limit_are_not_counted(store: Store) -> None:
    """The first hundred stay the same, whatever comes later."""
    many = [_entered(0, number)._replace(id=str(number), queue_name=f"q{number:03}") for number in range(102)]
    _record(store, *many)
    _record(store, many[101]._replace(id="x", session_id="x"), many[0]._replace(id="y", session_id="y"))

    assert {"entered": 2} == _counts(store, 1)
    assert {"entered": 1} == _counts(store, 100)
    assert {} == _counts(store, 102)


_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["record", "replace 1", "replace 2", "delete api", "delete other"]),
        st.lists(
            st.builds(
                lambda make, ago, number, source: make(ago, number, source=source),
                st.sampled_from([
                    _entered, _left, partial(_left, reason="CHECKS_FAILED"), _started, _ended,
                    partial(_ended, outcome="CHECKS_TIMEOUT"), partial(_ended, attempt=2),
                ]),
                st.sampled_from([0, 10 * MINUTE, 30 * MINUTE, 90 * MINUTE]),
                st.integers(1, 3),
                st.sampled_from(["api", "other"]),
            ),
            max_size=6,
        ),
    ),
    min_size=2,
    max_size=8,
)  # fmt: skip

_KINDS = {
    "queue_entered": ("entered",),
    "queue_left": ("left PR_MERGED", "left CHECKS_FAILED"),
    "checks_ended": ("run passed", "run failed"),
}


class _Expected:
    """The same counters, by their definition: from all events that were ever stored."""

    def __init__(self) -> None:
        self.events: dict[str, tuple[Event, int]] = {}  # with the thread; 0 for those that clients sent
        self.ever: set[tuple[object, ...]] = set()
        self.counts: Counter[str] = Counter()

    def note(self) -> None:
        """Count the ends that are stored for the first time."""
        found: dict[tuple[object, ...], list[Event]] = {}
        for event, _ in self.events.values():
            if event.type in _KINDS or event.type == "checks_started":
                found.setdefault(_subject(event), []).append(event)
        for subject, events in found.items():
            first = min(events, key=lambda event: (event.happened_at, event.id))
            if subject[0] == "checks_started" or _Beginning.at - first.happened_at >= HOUR:
                continue
            if subject not in self.ever:
                self._count(first)
            elif (
                subject[0] == "checks_ended" and ("checks_started", *subject[1:]) in found.keys() - self.ever
            ):
                self.counts[f"run {run_outcome(first.outcome)}"] += 1
        self.ever |= found.keys()

    def _count(self, end: Event) -> None:
        if end.type == "queue_entered":
            self.counts["entered"] += 1
        elif end.type == "queue_left":
            self.counts[f"left {end.reason}"] += 1
        else:
            starts = [
                e for e, _ in self.events.values() if e.type == "checks_started" and _run(e) == _run(end)
            ]
            self.counts[f"run {run_outcome(end.outcome)}"] += bool(starts)
            self.counts["retries"] += end.attempt == 2


def _run(event: Event) -> tuple[object, ...]:
    return event.batch_id, event.attempt


def _subject(event: Event) -> tuple[object, ...]:
    return (event.type, *(_run(event) if event.type.startswith("checks") else (event.session_id,)))


def _grouped(counts: dict[str, int]) -> Counter[str]:
    """The observations of each histogram of runs together, without times in the queue."""
    found: Counter[str] = Counter()
    for name, count in counts.items():
        if not name.startswith("time"):
            found[" ".join(name.split(" ")[:2])] += count
    return found


def _sent(expected: _Expected, events: Iterable[Event], thread: int) -> list[Event]:
    """Those that may be stored: an event of a thread stays with it."""
    return [event for event in events if expected.events.get(event.id, (event, thread))[1] == thread]


@settings(max_examples=10, derandomize=True)
@given(steps=_STEPS)
def _check(store: Store, steps: list[tuple[str, list[Event]]]) -> None:
    """A counter equals the number of ends first stored within an hour, and never falls."""
    asyncio.run(store.forget(_NAME))
    expected = _Expected()
    anchor = _event("checks_started", 0, 9, source="anchor", batch_pull_requests="9")
    _record(store, anchor)
    before: Counter[str] = Counter()
    for step, events in steps:
        kind, _, what = step.partition(" ")
        if kind == "record":
            sent = _sent(expected, events, 0)
            _record(store, *sent)
            expected.events |= {event.id: (event, 0) for event in sent}
        elif kind == "replace":
            thread = int(what)
            wanted = list({event.id: event for event in _sent(expected, events, thread)}.values())
            _replace(store, thread, wanted)
            kept = {id: pair for id, pair in expected.events.items() if pair[1] != thread}
            expected.events = kept | {event.id: (event, thread) for event in wanted}
        else:
            asyncio.run(store.delete_events(Selection(_NAME, what)))
            expected.events = {id: p for id, p in expected.events.items() if p[0].source != what}
        expected.note()
        counts = _grouped(_counts(store))
        assert +expected.counts == counts, (step, events)
        assert all(counts[name] >= count for name, count in before.items())
        before = counts


@pytest.mark.thorough
def test_a_counter_equals_the_ends_first_stored_within_an_hour(store: Store) -> None:
    """Under any order, repetition, replacement and deletion of events, and it never falls."""
    _check(store)
