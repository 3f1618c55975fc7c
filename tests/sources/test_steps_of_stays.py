"""Each step that dates late webhooks makes the difference for a small thread: here with it and without it.

A test has the name of its step. Stories begin at 10:00; `lag` is by how many seconds a webhook is late.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

import pytest

from mergecast.incoming.sources.github.history_items import read_history_item
from mergecast.incoming.sources.github.observation import Observation
from mergecast.incoming.sources.github.stays import sequence
from mergecast.incoming.sources.github.stays.first_dates import dated_with_redelivered, without_borrowed_dates
from mergecast.incoming.sources.github.stays.sequence import (
    ended_unreported,
    entered_before_first_group,
    entered_before_proof,
    entered_before_proof_by_another_clock,
    entered_unreported,
    left_before_closing,
    left_before_next_entry,
    outdated_at_reception,
    reported_elsewhere,
)
from mergecast.queues.model.instant import format_instant
from sources.github_deliveries import Story, clock
from sources.github_translation import as_line, events_of_pull_request, observations_of

_LISTS = ("FIRST_DATES", "CORRECTIONS", "COMPLETION")
_HOURS = 3600
_ADDED, _REMOVED, _MERGED = "AddedToMergeQueueEvent", "RemovedFromMergeQueueEvent", "MergedEvent"
_LinesWithout = Callable[[Sequence[Any], Iterable[Observation]], list[str]]


def _lines(observations: Iterable[Observation]) -> list[str]:
    """The events, without the tested commits."""
    events = events_of_pull_request("main", 1, list(observations))
    return [as_line(event._replace(batch_id=None, batch_pull_requests=None)) for event in events]


@pytest.fixture
def lines_without(monkeypatch: pytest.MonkeyPatch) -> _LinesWithout:
    """The events if the sequence did not have these steps."""

    def lines(removed: Sequence[Any], observations: Iterable[Observation]) -> list[str]:
        with monkeypatch.context() as patch:
            for name in _LISTS:
                steps = getattr(sequence, name)
                patch.setattr(sequence, name, tuple(step for step in steps if step not in removed))
            return _lines(observations)

    return lines


def _webhooks(story: Story) -> list[Observation]:
    return observations_of(story.deliveries)


def _imported(minutes: float, type: str, **more: Any) -> tuple[Observation, ...]:
    """An entry of the timeline."""
    node = {"__typename": type, "createdAt": format_instant(clock(minutes)), **more}
    item = {"number": 1, "base_ref": "main", "node": node}
    return read_history_item("timeline", f"{type} at {minutes}", item, clock(9000))


def test_every_step_has_its_test() -> None:
    """A new step does not go untested."""
    steps = chain.from_iterable(getattr(sequence, name) for name in _LISTS)

    assert [] == [step.__name__ for step in steps if f"test_{step.__name__}" not in globals()]


def test_without_borrowed_dates(lines_without: _LinesWithout) -> None:
    """It enters again half a minute after it left, and its last change is still that it left."""
    story = Story()
    story.enqueued(0, 1)
    story.dequeued(5, 1, "MANUAL")
    story.lag = 31
    story.enqueued(5, 1)
    seen = _webhooks(story)

    assert _lines(seen) == [
        "10:00:00  main#1  queue_entered",
        "10:05:00  main#1  queue_left  PR_MANUALLY_DEQUEUED",
        "10:05:31  main#1  queue_entered",
    ]
    assert lines_without([without_borrowed_dates], seen) == [
        "10:00:00  main#1  queue_entered",
        "10:00:00  main#1  queue_left  UNKNOWN",
        "10:05:00  main#1  queue_entered",
        "10:05:00  main#1  queue_left  PR_MANUALLY_DEQUEUED",
    ]


def test_dated_with_redelivered(lines_without: _LinesWithout) -> None:
    """The date of the group shows that webhooks failed, and were delivered again three hours later."""
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.dequeued(20, 1, "CI_FAILURE")
    entered, group, left = story.deliveries
    again = clock(200)
    seen = observations_of([entered, group._replace(received_at=again), left._replace(received_at=again)])

    assert _lines(seen) == [
        "10:00:00  main#1  queue_entered",
        "10:01:00  main#1  checks_started  attempt 1",
        "10:20:00  main#1  checks_ended  attempt 1  CHECKS_FAILED",
        "10:20:00  main#1  queue_left  CHECKS_FAILED",
    ]
    assert lines_without([dated_with_redelivered], seen) == [
        "10:00:00  main#1  queue_entered",
        "10:01:00  main#1  checks_started  attempt 1",
        "13:20:00  main#1  checks_ended  attempt 1  CHECKS_FAILED",
        "13:20:00  main#1  queue_left  CHECKS_FAILED",
    ]


def test_redelivered_webhooks_that_the_timeline_confirms() -> None:
    """The exit came in time, while older webhooks were delivered again: the pull request had not changed."""
    story = Story()
    story.lag = 3 * _HOURS
    story.group(1, 1, "one")
    story.dequeued(1, 1, "CI_FAILURE")
    seen = [*_webhooks(story), *_imported(181, _REMOVED, reason="failed_checks")]

    assert _lines(seen)[-1] == "13:01:00  main#1  queue_left  CHECKS_FAILED"


def test_reported_elsewhere(lines_without: _LinesWithout) -> None:
    """The timeline has the exit that a webhook reports two hours later."""
    story = Story()
    story.enqueued(0, 1)
    story.lag = 2 * _HOURS
    story.dequeued(5, 1, "CI_TIMEOUT")
    seen = [*_webhooks(story), *_imported(5, _REMOVED, reason="ci_timeout")]

    assert _lines(seen) == [
        "10:00:00  main#1  queue_entered",
        "10:05:00  main#1  queue_left  CHECKS_TIMEOUT",
    ]
    assert lines_without([reported_elsewhere], seen) == [
        "12:05:00  main#1  queue_left  CHECKS_TIMEOUT",
        "10:00:00  main#1  queue_entered",
        "10:05:00  main#1  queue_left  CHECKS_TIMEOUT",
    ]


def test_an_exit_that_only_its_group_reports_in_time(lines_without: _LinesWithout) -> None:
    """The group was destroyed because its pull request left."""
    story = Story()
    story.enqueued(0, 1)
    story.destroyed(10, 1, "one", "dequeued")
    story.lag = 3 * _HOURS
    story.dequeued(10, 1, "CI_FAILURE")
    seen = _webhooks(story)

    assert "10:10:00  main#1  queue_left  CHECKS_FAILED" == _lines(seen)[-1]
    assert "13:10:00  main#1  queue_left  CHECKS_FAILED" == lines_without([reported_elsewhere], seen)[-1]


def test_outdated_at_reception(lines_without: _LinesWithout) -> None:
    """The webhook of the second entry arrives two hours late, and does not know of the exit."""
    story = Story()
    story.enqueued(0, 1)
    story.dequeued(15, 1, "CI_FAILURE")
    story.lag = 2 * _HOURS
    story.enqueued(10, 1)
    seen = _webhooks(story)

    assert _lines(seen) == [
        "10:00:00  main#1  queue_entered",
        "10:00:00  main#1  queue_left  UNKNOWN",
        "10:10:00  main#1  queue_entered",
        "10:15:00  main#1  queue_left  CHECKS_FAILED",
    ]
    assert lines_without([outdated_at_reception], seen) == [
        "10:00:00  main#1  queue_entered",
        "10:15:00  main#1  queue_left  CHECKS_FAILED",
        "12:10:00  main#1  queue_entered",
    ]


def test_entered_before_proof(lines_without: _LinesWithout) -> None:
    """Of two late entries, the group belongs to the one that is earlier without allowing for clocks."""
    story = Story()
    story.group(5, 1, "one")
    story.lag = 65
    story.enqueued(5.5, 1)
    story.lag = 24 * _HOURS
    story.enqueued(2, 1)
    seen = _webhooks(story)

    assert _lines(seen) == [
        "10:02:00  main#1  queue_entered",
        "10:05:00  main#1  checks_started  attempt 1",
        "10:05:00  main#1  checks_ended  attempt 1  CHECKS_INTERRUPTED",
        "10:05:00  main#1  queue_left  UNKNOWN",
        "10:06:35  main#1  queue_entered",
    ]
    assert lines_without([entered_before_proof], seen) == [
        "10:02:00  main#1  queue_entered",
        "10:02:00  main#1  queue_left  UNKNOWN",
        "10:05:00  main#1  queue_entered",
        "10:05:00  main#1  checks_started  attempt 1",
    ]


def test_entered_before_proof_by_another_clock(lines_without: _LinesWithout) -> None:
    """The host that built the group is 18 seconds behind the one that dates pull requests."""
    story = Story()
    story.group(1, 1, "one")
    story.lag = 3 * _HOURS
    story.enqueued(1.3, 1)
    seen = _webhooks(story)

    assert _lines(seen) == [
        "10:01:00  main#1  queue_entered",
        "10:01:00  main#1  checks_started  attempt 1",
    ]
    assert lines_without([entered_before_proof_by_another_clock], seen) == [
        "10:01:00  main#1  queue_entered",
        "10:01:00  main#1  checks_started  attempt 1",
        "10:01:00  main#1  checks_ended  attempt 1  CHECKS_INTERRUPTED",
        "10:01:00  main#1  queue_left  UNKNOWN",
        "13:01:18  main#1  queue_entered",
    ]


def _closed() -> list[Observation]:
    return list(_imported(20, "ClosedEvent"))


def _left() -> list[Observation]:
    return list(_imported(20, _REMOVED, reason="failed_checks"))


def _tested() -> list[Observation]:
    story = Story()
    story.group(20, 1, "one")
    return _webhooks(story)


@pytest.mark.parametrize("proof", [_closed, _left, _tested])
def test_each_proof_of_an_entry(lines_without: _LinesWithout, proof: Callable[[], list[Observation]]) -> None:
    """It had entered before it was closed, left, or was tested; otherwise it would when the webhook came."""
    story = Story()
    story.lag = 3 * _HOURS
    story.enqueued(0, 1)
    seen = [*_webhooks(story), *proof()]

    assert "10:00:00  main#1  queue_entered" == _lines(seen)[0]
    wrong = lines_without([entered_before_proof, entered_before_proof_by_another_clock], seen)
    assert "13:00:00  main#1  queue_entered" == wrong[-1]


def test_an_exit_that_was_reported_before_its_late_entry() -> None:
    """The webhook of the exit is late, too."""
    story = Story()
    story.group(1, 1, "one")
    story.lag = 3 * _HOURS
    story.enqueued(0, 1)
    story.dequeued(20, 1, "MANUAL")

    assert _lines(_webhooks(story))[-1] == "10:20:00  main#1  queue_left  PR_MANUALLY_DEQUEUED"


def test_an_entry_that_came_a_little_late_and_did_not_change_the_pull_request() -> None:
    """It entered shortly before its first group was built, and not when it last changed, two hours before."""
    story = Story()
    story.group(1, 1, "one")
    story.lag = 2 * _HOURS + 5 * 60
    story.enqueued(-120, 1)

    assert _lines(_webhooks(story))[0] == "10:01:00  main#1  queue_entered"


def test_left_before_closing(lines_without: _LinesWithout) -> None:
    """It failed and was merged by hand; an import has the merge, and the webhook of the failure is late."""
    story = Story()
    story.enqueued(0, 1)
    story.lag = 3 * _HOURS
    story.dequeued(10, 1, "CI_FAILURE")
    seen = [*_webhooks(story), *_imported(40, _MERGED, actor={"login": "ines"})]

    assert _lines(seen) == [
        "10:00:00  main#1  queue_entered",
        "10:10:00  main#1  queue_left  CHECKS_FAILED",
    ]
    assert lines_without([left_before_closing], seen) == [
        "10:00:00  main#1  queue_entered",
        "10:40:00  main#1  queue_left  PR_MANUALLY_MERGED",
    ]


def test_left_because_it_was_closed(lines_without: _LinesWithout) -> None:
    """The closing was its last change; the webhook that it left is late."""
    story = Story()
    story.enqueued(0, 1)
    story.closed(5, 1, merged_by=None)
    story.lag = 3 * _HOURS
    story.dequeued(5, 1, "MANUAL")
    seen = _webhooks(story)

    assert _lines(seen) == [
        "10:00:00  main#1  queue_entered",
        "10:05:00  main#1  queue_left  PR_MANUALLY_DEQUEUED",
    ]
    assert lines_without([left_before_closing], seen) == [
        "13:05:00  main#1  queue_left  PR_MANUALLY_DEQUEUED",
        "10:00:00  main#1  queue_entered",
        "10:05:00  main#1  queue_left  PR_DEQUEUED",
    ]


def test_left_before_next_entry(lines_without: _LinesWithout) -> None:
    """An import has both entries; the webhook of the exit in between is late."""
    story = Story()
    story.lag = 3 * _HOURS
    story.dequeued(10, 1, "CI_FAILURE")
    seen = [*_webhooks(story), *_imported(0, _ADDED), *_imported(60, _ADDED)]

    assert _lines(seen) == [
        "10:00:00  main#1  queue_entered",
        "10:10:00  main#1  queue_left  CHECKS_FAILED",
        "11:00:00  main#1  queue_entered",
    ]
    assert lines_without([left_before_next_entry], seen) == [
        "10:00:00  main#1  queue_entered",
        "10:00:00  main#1  queue_left  UNKNOWN",
        "11:00:00  main#1  queue_entered",
        "13:10:00  main#1  queue_left  CHECKS_FAILED",
    ]


def test_entered_unreported(lines_without: _LinesWithout) -> None:
    """Only the group and the exit are known."""
    story = Story()
    story.group(1, 1, "one")
    story.dequeued(20, 1, "CI_FAILURE")
    seen = _webhooks(story)

    assert _lines(seen) == [
        "10:01:00  main#1  queue_entered",
        "10:01:00  main#1  checks_started  attempt 1",
        "10:20:00  main#1  checks_ended  attempt 1  CHECKS_FAILED",
        "10:20:00  main#1  queue_left  CHECKS_FAILED",
    ]
    assert lines_without([entered_unreported], seen) == [
        "10:20:00  main#1  queue_left  CHECKS_FAILED",
    ]


def test_entered_before_first_group(lines_without: _LinesWithout) -> None:
    """The webhook is 65 seconds late; the group was built in the meantime."""
    story = Story()
    story.group(0.5, 1, "one")
    story.lag = 65
    story.enqueued(0, 1)
    seen = _webhooks(story)

    assert _lines(seen) == [
        "10:00:30  main#1  queue_entered",
        "10:00:30  main#1  checks_started  attempt 1",
    ]
    assert lines_without([entered_before_first_group], seen) == [
        "10:01:05  main#1  queue_entered",
        "10:00:30  main#1  checks_started  attempt 1",
    ]


def _entered_again() -> list[Observation]:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.enqueued(30, 1)
    return _webhooks(story)


def _absent_from_the_queue() -> list[Observation]:
    story = Story()
    story.enqueued(0, 1)
    item = {"number": 1, "base_ref": "main", "at": format_instant(clock(9))}
    return [*_webhooks(story), *read_history_item("absent", "absent", item, clock(9))]


def _last_group_destroyed() -> list[Observation]:
    story = Story()
    story.enqueued(0, 1)
    story.group(1, 1, "one")
    story.destroyed(5, 1, "one", "dequeued")
    return _webhooks(story)


def _unknown_group_destroyed() -> list[Observation]:
    story = Story()
    story.enqueued(0, 1)
    story.destroyed(5, 1, "one", "dequeued")
    return _webhooks(story)


@pytest.mark.parametrize(
    ("evidence", "left_at"),
    [
        (_entered_again, "10:01:00"),
        (_absent_from_the_queue, "10:00:00"),
        (_last_group_destroyed, "10:05:01"),
        (_unknown_group_destroyed, "10:05:01"),
    ],
)
def test_ended_unreported(
    lines_without: _LinesWithout, evidence: Callable[[], list[Observation]], left_at: str
) -> None:
    """When it was last seen, if it enters again, is absent from the queue, or its group was destroyed."""
    seen, left = evidence(), f"{left_at}  main#1  queue_left  UNKNOWN"

    assert left in _lines(seen)
    assert [] == [line for line in lines_without([ended_unreported], seen) if "queue_left" in line]


def test_a_thread_with_more_contradictions_than_corrections() -> None:
    """Only the first twenty are corrected: each takes another pass over all reports."""
    story = Story()
    for number in range(25):
        story.group(10 * number, 1, f"commit {number}")
        story.dequeued(10 * number + 5, 1, "CI_FAILURE")
    entered = [line for line in _lines(_webhooks(story)) if "queue_entered" in line]

    assert 20 == len(entered)
