"""The open pull requests of the invented repository."""

from datetime import UTC, date, datetime
from importlib.resources import files
from typing import Any

import pytest
import yaml

from demo.histories import history
from mergecast.demo.live import live_events
from mergecast.demo.pull_requests import demo_pull_requests
from mergecast.demo.settings import QUEUES
from mergecast.language.configuration.read import read_configuration
from mergecast.queues.model.instant import parse_instant
from mergecast.queues.model.recorded import read_snapshot
from mergecast.queues.model.snapshot import Part

_NOW = datetime(2026, 11, 16, 12, 0, 30, 5, tzinfo=UTC)
_INSTANT = parse_instant("2026-11-16T12:00:30Z")
_PULLS = dict(demo_pull_requests("demo/harbor", _NOW))


@pytest.mark.parametrize("number", _PULLS)
def test_each_is_a_record_with_every_part(number: int) -> None:
    """No condition is undecided for lack of data."""
    record: dict[str, Any] = _PULLS[number]

    snapshot = read_snapshot(record, number=number, now=0)

    assert _INSTANT == snapshot.recorded_at
    assert {part.key for part in Part} - {"extends", "sender"} <= record.keys()
    assert not snapshot.pull.closed
    assert snapshot.pull.created_at < snapshot.pull.updated_at < _INSTANT
    assert ("demo", "harbor") == (snapshot.pull.owner, snapshot.pull.repository)


@pytest.mark.parametrize("start", [date(2026, 3, 2), date(2026, 8, 17)])
def test_they_are_newer_than_the_history(start: date) -> None:
    """A new demo starts at most 97 days before now; its pull requests have lower numbers."""
    numbers = {event.get("pull_request", 0) for event in history(start, days=97)}

    assert max(numbers) < min(_PULLS)


def test_the_history_never_uses_their_numbers() -> None:
    """After some months the history passes them."""
    numbers = {event.get("pull_request") for event in history(date(2026, 3, 2), days=140)}

    assert {12_200, 12_209} <= numbers
    assert not numbers & _PULLS.keys()


def test_the_document_is_valid() -> None:
    """Without deprecations or hints: people copy from it."""
    text = (files("mergecast.demo") / "harbor.yml").read_text(encoding="utf-8")

    verdict = read_configuration(text, today=_NOW.date(), repository="harbor")

    assert ((), (), (), ()) == (verdict.errors, verdict.deprecations, verdict.notes, verdict.hints)


def test_the_document_has_every_queue_of_the_demo() -> None:
    """A forecast refuses a document that lacks a queue of the history."""
    text = (files("mergecast.demo") / "harbor.yml").read_text(encoding="utf-8")
    live = next(iter(live_events(_NOW)))

    named = {rule["name"] for rule in yaml.safe_load(text)["queue_rules"]}

    assert named == {*(queue.name for queue in QUEUES), live["queue_name"]}
