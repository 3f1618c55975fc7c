"""What a waiting pull request waits for: stories with whole sentences, and what holds for all of them."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as replaced

from mergecast.queues.answers.queue import Entry, ExpectedMerge, FailedRun
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, format_instant, parse_instant
from mergecast.queues.model.queue_rules import ClosedTime, QueueRules
from mergecast.queues.stats.queue_contents import Batch, Queue, after_failure
from mergecast.queues.stats.waiting_for import Situation, Trouble, waits
from mergecast.queues.stats.waiting_sentence import WaitingFor, described

NOW = parse_instant("2026-03-05T12:00:00Z")
RULES = QueueRules(
    "default",
    ("default", "hotfix"),
    slots=2,
    batch_size=3,
    batch_wait=300.0,
    starts_at_once=("urgent",),
    usual_ci=(1080.0, 1860.0),
)
EXPECTED = ExpectedMerge("2026-03-05T13:10:00Z", "2026-03-05T13:55:00Z", 0.97)


def _at(minutes: float) -> str:
    return format_instant(NOW + round(minutes * MINUTE))


def _entry(position: int, ago: float, batch: str | None = None, **fields: Any) -> Entry:
    number = 100 + position
    found: dict[str, Any] = {
        "position": position,
        "is_estimated": True,
        "pull_request": number,
        "session_id": f"s{number}",
        "priority_rule_name": None,
        "entered_at": _at(-ago),
        "waited_seconds": ago * 60,
        "batch_id": batch,
    }
    return Entry(**{**found, **fields})


def _run(name: str, ago: float, *numbers: int) -> Batch:
    return Batch(name, 1, _at(-ago), numbers)


def _situation(entries: list[Entry], batches: tuple[Batch, ...] = (), of: int = 0, **more: Any) -> Situation:
    """The situation of one of the entries, the last unless given."""
    queue = Queue("main", "default", batches, tuple(entries))
    found = {"branch": [queue], "newest_event_at": NOW - MINUTE, "rules": RULES}
    return Situation(entries[of - 1], queue, **{**found, **more})


def _said(situation: Situation, at: int = NOW) -> WaitingFor:
    return described(waits(situation, at), at)


BUSY = (_run("A", 22, 101), _run("B", 5, 102))
THIRD = [_entry(1, 40, "A"), _entry(2, 30, "B"), _entry(3, 20)]


def test_all_slots_are_busy() -> None:
    found = _said(_situation(THIRD, BUSY, expected=EXPECTED))

    assert ("capacity", None) == (found.reason, found.until)
    assert (
        "Third in `default`; 2 of 2 CI slots are busy; "
        "expected between 2026-03-05T13:10:00Z and 2026-03-05T13:55:00Z" == found.sentence
    )
    assert (2, 2, EXPECTED) == (
        found.evidence.busy_slots, found.evidence.slots, found.evidence.expected_merge,
    )  # fmt: skip


def test_runs_of_a_queue_that_shares_the_slots_count() -> None:
    other = Queue("main", "hotfix", (_run("H", 3, 900),), ())
    situation = _situation([_entry(1, 40, "A"), _entry(2, 20)], BUSY[:1])

    found = _said(replace(situation, branch=[situation.queue, other]))

    assert "Second in `default`; 2 of 2 CI slots are busy" == found.sentence


def test_its_batch_waits_to_be_filled() -> None:
    """The oldest member entered three minutes ago."""
    found = _said(_situation([_entry(1, 40, "A"), _entry(2, 3), _entry(3, 1)], BUSY[:1]))

    assert ("batch", _at(2)) == (found.reason, found.until)
    assert "Third in `default`; its batch waits for one more pull request or 2m" == found.sentence


def test_a_pull_request_that_was_tested_already_does_not_fill_a_batch() -> None:
    found = _said(_situation([_entry(1, 9), _entry(2, 1)], tested={101}))

    assert "Second in `default`; its batch waits for two more pull requests or 4m" == found.sentence


def test_only_pull_requests_of_the_same_priority_fill_a_batch_if_they_are_not_mixed() -> None:
    entries = [_entry(1, 4, priority_rule_name="low"), _entry(2, 1)]

    mixed = _said(_situation(entries))
    alone = _said(_situation(entries, rules=replace(RULES, has_one_priority=True)))

    place = "Second in `default` by time of entry"
    assert f"{place}; its batch waits for one more pull request or 1m" == mixed.sentence
    assert f"{place}; its batch waits for two more pull requests or 4m" == alone.sentence


def test_an_urgent_batch_does_not_wait() -> None:
    found = _said(_situation([_entry(1, 1, priority_rule_name="urgent")]))

    assert "First in `default`; 0 of 2 CI slots are busy; its CI has not started" == found.sentence


def test_a_batch_whose_wait_is_over_is_not_said_to_wait() -> None:
    found = _said(_situation([_entry(1, 6)]))

    assert ("start", None) == (found.reason, found.until)
    assert "First in `default`; 0 of 2 CI slots are busy; its CI has not started" == found.sentence


@pytest.mark.parametrize(
    ("ago", "sentence"),
    [
        (22.0, "First in `default`; CI has run for 22m; most runs take 18m to 31m"),
        (
            95.0,
            "First in `default`; CI has run for 1h35m, longer than most runs, which take 18m to 31m",
        ),
    ],
)
def test_its_ci_is_running(ago: float, sentence: str) -> None:
    found = _said(_situation([_entry(1, 120, "A")], (_run("A", ago, 101),)))

    assert ("ci", sentence, _at(-ago)) == (found.reason, found.sentence, found.evidence.ci_started_at)


def test_its_batch_failed_and_it_is_tested_again() -> None:
    """The chance is said, however high it is, unless nothing is expected."""
    failed = FailedRun(
        "F", 1, _at(-6), (101, 102, 103), "types", after_failure((101, 102, 103), "types", (101,))
    )
    entries = [_entry(1, 60, "A", failed=failed)]

    told = _said(_situation(entries, (_run("A", 5, 101),), expected=EXPECTED))
    unexpected = _said(_situation(entries, (_run("A", 5, 101),), rules=None))

    place = "First in `default`; its batch of 3 failed `types`; being tested alone now; CI has run for 5m"
    assert (
        f"{place}; most runs take 18m to 31m; "
        "expected between 2026-03-05T13:10:00Z and 2026-03-05T13:55:00Z; about 95 % merge from here"
        == told.sentence
    )
    assert place == unexpected.sentence
    assert failed == told.evidence.failed


def test_its_ci_has_passed() -> None:
    second = _said(_situation([_entry(1, 60), _entry(2, 50)], has_passed=True, tested={102}))
    first = _said(_situation([_entry(1, 50)], has_passed=True, tested={101}, expected=EXPECTED))

    assert "Second in `default`; its CI has passed; it waits for one pull request ahead" == second.sentence
    assert (
        "First in `default`; its CI has passed; "
        "expected between 2026-03-05T13:10:00Z and 2026-03-05T13:55:00Z" == first.sentence
    )


def _closed(kind: Any, until: int | None, *, starts: bool) -> QueueRules:
    return replace(RULES, closed=(ClosedTime(kind, NOW - HOUR, until, starts),))


def test_a_closed_queue() -> None:
    monday, entries = parse_instant("2026-03-09T09:00:00Z"), [_entry(1, 20)]

    frozen = _said(_situation(entries, rules=_closed("freeze", monday, starts=False), expected=EXPECTED))
    hours = _said(_situation(entries, rules=_closed("schedule", monday, starts=True)))
    paused = _said(_situation(entries, rules=_closed("pause", None, starts=True), expected=EXPECTED))

    by = "until 2026-03-09T09:00:00Z, judging by earlier weeks"
    assert ("freeze", "2026-03-09T09:00:00Z", None) == (
        frozen.reason, frozen.until, frozen.evidence.expected_merge,
    )  # fmt: skip
    assert f"First in `default`; the queue is frozen {by}" == frozen.sentence
    assert f"First in `default`; the queue starts no CI {by}" == hours.sentence
    assert ("pause", None) == (paused.reason, paused.until)
    assert "First in `default`; the queue has been paused since 2026-03-05T11:00:00Z" == paused.sentence


def test_a_queue_that_starts_no_ci_does_not_hold_a_run_in_progress() -> None:
    rules = _closed("schedule", NOW + HOUR, starts=True)

    assert "ci" == _said(_situation([_entry(1, 60, "A")], BUSY[:1], rules=rules)).reason


def test_closed_time_is_over_when_it_is_over() -> None:
    situation = _situation(THIRD, BUSY, rules=_closed("schedule", NOW + HOUR, starts=True))

    reasons = [_said(situation, at).reason for at in (NOW, NOW + HOUR - 1, NOW + HOUR)]

    assert ["schedule", "schedule", "capacity"] == reasons


def test_without_rules_only_what_the_queue_shows_is_said() -> None:
    waiting = _said(_situation(THIRD, BUSY, rules=None))
    running = _said(_situation(THIRD, BUSY, of=1, rules=None))

    assert "Third in `default`; its CI has not started" == waiting.sentence
    assert "First in `default`; CI has run for 22m" == running.sentence
    assert (None, None) == (waiting.evidence.slots, waiting.evidence.busy_slots)


def test_more_runs_than_ever_before_show_that_the_limit_is_unknown() -> None:
    found = _said(_situation(THIRD, (*BUSY, _run("C", 1, 900))))

    assert "Third in `default`; its CI has not started" == found.sentence


def test_free_slots_are_not_claimed_if_passed_batches_may_hold_them() -> None:
    found = _said(_situation(THIRD, BUSY[:1], rules=replace(RULES, keeps_slot_until_merged=True)))

    assert "Third in `default`; its CI has not started" == found.sentence


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("nothing_merges", "nothing has merged since 2026-03-05T09:00:00Z"),
        ("no_run_started", "no CI run has started since 2026-03-05T09:00:00Z"),
        ("everyone_fails", "checks have failed in all CI runs since 2026-03-05T09:00:00Z"),
        ("run_too_long", "a CI run has been in progress since 2026-03-05T09:00:00Z, unusually long"),
        ("runs_slow", "CI runs have taken unusually long since 2026-03-05T09:00:00Z"),
        ("a_problem_of_a_later_version", None),
    ],
)
def test_a_problem_of_the_queue_is_said_instead_of_the_expected_merge(name: str, clause: str | None) -> None:
    found = _said(_situation(THIRD, BUSY, troubles=[Trouble(name, _at(-180))], expected=EXPECTED))

    said = "Third in `default`; 2 of 2 CI slots are busy"
    assert (f"{said}; {clause}" if clause else said) == found.sentence
    assert None is found.evidence.expected_merge


def test_a_forgotten_pull_request_delays_no_other() -> None:
    forgotten = Trouble("forgotten", _at(-180))
    found = _said(_situation(THIRD, BUSY, troubles=[forgotten], expected=EXPECTED))

    assert _said(_situation(THIRD, BUSY, expected=EXPECTED)) == found
    assert found.evidence.expected_merge is not None


def test_nothing_is_known_while_the_feed_is_silent() -> None:
    silent = Trouble("source_silent", _at(-180), "github")

    told = _said(_situation(THIRD, BUSY, troubles=[silent], expected=EXPECTED))
    old = _said(_situation(THIRD, BUSY, newest_event_at=NOW - DAY, expected=EXPECTED))

    unknown = "what it waits for is not known"
    assert f"The source `github` has sent nothing since 2026-03-05T09:00:00Z; {unknown}" == told.sentence
    assert f"No event has arrived since 2026-03-04T12:00:00Z; {unknown}" == old.sentence
    assert ("no_data", None, None) == (old.reason, old.until, old.evidence.expected_merge)


@pytest.mark.parametrize(
    ("expected", "clause"),
    [
        (ExpectedMerge(_at(-1), _at(4), 1.0), "; expected by 2026-03-05T12:04:00Z"),
        (ExpectedMerge(_at(4), _at(4), 1.0), "; expected by 2026-03-05T12:04:00Z"),
        (ExpectedMerge(_at(-9), _at(-1), 1.0), ""),
        (
            ExpectedMerge(_at(5), _at(9), 0.42),
            "; expected between 2026-03-05T12:05:00Z and 2026-03-05T12:09:00Z; about 40 % merge from here",
        ),
    ],
)
def test_what_is_expected(expected: ExpectedMerge, clause: str) -> None:
    """An expectation that has passed is not repeated."""
    found = _said(_situation(THIRD, BUSY, expected=expected))

    assert f"Third in `default`; 2 of 2 CI slots are busy{clause}" == found.sentence


_PRIORITIES = st.sampled_from([None, "low", "urgent"])
_TROUBLES = st.sampled_from(["nothing_merges", "no_run_started", "source_silent", "unheard_of"])


@st.composite
def _situations(draw: st.DrawFn) -> Situation:
    size = draw(st.integers(1, 8))
    running = draw(st.integers(0, size))
    ages = sorted(draw(st.lists(st.integers(0, 3000), min_size=size, max_size=size)), reverse=True)
    entries = [
        _entry(
            place, age, f"B{place}" if place <= running else None, priority_rule_name=draw(_PRIORITIES),
            is_estimated=draw(st.booleans()),
        )
        for place, age in enumerate(ages, 1)
    ]  # fmt: skip
    batches = tuple(
        _run(f"B{place}", draw(st.integers(0, 900)), 100 + place) for place in range(1, running + 1)
    )
    closed = draw(st.lists(st.tuples(st.integers(-90, 90), st.none() | st.integers(-60, 200)), max_size=3))
    rules = QueueRules(
        "default",
        ("default",),
        draw(st.none() | st.integers(1, 8)),
        draw(st.booleans()),
        draw(st.none() | st.integers(1, 5)),
        draw(st.none() | st.floats(30, 3600)),
        draw(st.booleans()),
        draw(st.sampled_from([(), ("urgent",), (None,)])),
        draw(st.none() | st.just((60.0, 600.0))),
        tuple(
            ClosedTime(
                "pause" if end is None else draw(st.sampled_from(["schedule", "freeze"])),
                NOW + start * MINUTE, None if end is None else NOW + end * MINUTE, draw(st.booleans()),
            )
            for start, end in closed
        ),
    )  # fmt: skip
    p50 = draw(st.integers(-60, 300))
    return _situation(
        entries,
        batches,
        of=draw(st.integers(1, size)),
        rules=draw(st.sampled_from([rules, None])),
        newest_event_at=NOW - draw(st.integers(0, 2000)) * MINUTE,
        troubles=[Trouble(name, _at(-30)) for name in draw(st.lists(_TROUBLES, max_size=2))],
        tested=set(draw(st.lists(st.integers(101, 108)))),
        has_passed=draw(st.booleans()),
        expected=draw(
            st.sampled_from([None, ExpectedMerge(_at(p50), _at(p50 + draw(st.integers(0, 99))), 0.5)])
        ),
    )


@settings(max_examples=150, deadline=None)
@given(_situations())
def test_nothing_is_promised_that_something_else_contradicts(situation: Situation) -> None:
    found = _said(situation)
    evidence, expected = found.evidence, found.evidence.expected_merge

    assert found.until is None or parse_instant(found.until) > NOW
    assert ("expected" in found.sentence) == (expected is not None)
    if expected is not None:
        assert not situation.troubles
        assert NOW - situation.newest_event_at < DAY
        assert parse_instant(expected.p90) > NOW
        assert found.reason not in {"schedule", "freeze"} or expected.p50 >= str(found.until)
    assert (evidence.slots is None) == (evidence.busy_slots is None)
    assert evidence.busy_slots is None or 0 <= evidence.busy_slots <= (evidence.slots or 0)
    assert evidence.missing is None or (found.reason == "batch" and evidence.missing > 0)
    if found.reason == "no_data":
        assert (None, None, None) == (evidence.slots, evidence.missing, evidence.ci_started_at)


@settings(max_examples=100, deadline=None)
@given(_situations(), st.randoms(use_true_random=False))
def test_the_order_in_which_facts_arrive_does_not_matter(situation: Situation, random: Any) -> None:
    """Entries, troubles and queues are sets: their places are in their fields."""
    entries, troubles = list(situation.queue.entries), list(situation.troubles)
    random.shuffle(entries)
    random.shuffle(troubles)
    queue = replaced(situation.queue, entries=tuple(entries))

    shuffled = replace(situation, queue=queue, branch=[queue], troubles=troubles)

    assert _said(situation) == _said(shuffled)
