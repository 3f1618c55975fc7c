"""What counts as valid at a glance keeps every rule of events."""

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from mergecast.incoming.intake.event_bodies import to_wire
from mergecast.incoming.intake.event_rules import are_plainly_valid, read_event
from mergecast.queues.model.event import CHECKS_STARTED, QUEUE_LEFT, Event

_NOW = 1_800_000_000_000_000
_TEXTS = st.one_of(st.text(max_size=4), st.sampled_from(["", "main", "a\0", "\ud800", "x" * 201, "é"]))
_NUMBERS = st.one_of(st.integers(), st.integers(-1, 1001))
_LEFT = Event("id", QUEUE_LEFT, 0, "main", "default", None, "github", "stay", 7, reason="PR_MERGED",
              schedule_wait=0, freeze_wait=0, head_sha="9f" * 20)  # fmt: skip
_STARTED = Event("id", CHECKS_STARTED, 0, "main", "default", None, "github", "stay", 7, "batch", 1, "7")


def _events() -> st.SearchStrategy[Event]:
    fields: dict[str, st.SearchStrategy[Any]] = {
        "id": _TEXTS, "base_ref": _TEXTS, "queue_name": _TEXTS, "priority_rule_name": st.none() | _TEXTS,
        "session_id": _TEXTS, "batch_id": _TEXTS, "pull_request": _NUMBERS, "attempt": _NUMBERS,
        "happened_at": st.integers(-5, 2 * _NOW), "schedule_wait": _NUMBERS,
        "head_sha": st.sampled_from(["a" * 40, "a" * 39, "b" * 64, "A" * 40, "0" * 40, "main"]),
        "batch_pull_requests": st.lists(st.integers(-1, 2**70), min_size=1).map(
            lambda members: ",".join(map(str, members))
        ),
    }  # fmt: skip
    of_left = {name: fields[name] for name in fields if name not in ("attempt", "batch_pull_requests")}
    of_started = {name: fields[name] for name in fields if name not in ("schedule_wait", "head_sha")}
    return st.one_of(
        st.fixed_dictionaries({}, optional=of_left).map(lambda given: _LEFT._replace(**given)),
        st.fixed_dictionaries({}, optional=of_started).map(lambda given: _STARTED._replace(**given)),
    )


@given(st.lists(_events(), min_size=1, max_size=3))
@example([_LEFT])
@example([_STARTED])
@settings(max_examples=500, deadline=None)
def test_events_that_are_plainly_valid_are_valid(events: list[Event]) -> None:
    """The other way round need not hold: those events are read field by field."""
    assert are_plainly_valid(events, _NOW) == all(are_plainly_valid([event], _NOW) for event in events)
    for event in events:
        if are_plainly_valid([event], _NOW):
            assert event == read_event(to_wire(event), "", _NOW)


def test_ordinary_events_are_plainly_valid() -> None:
    """Otherwise nothing would be gained."""
    assert are_plainly_valid([_LEFT, _STARTED], _NOW)
