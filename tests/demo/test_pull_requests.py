"""The open pull requests of the made-up repository."""

from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

import pytest

from mergecast.configuration.read import read_configuration
from mergecast.demo.history import demo_events
from mergecast.demo.pull_requests import demo_pull_requests
from mergecast.model.instant import parse_instant
from mergecast.model.recorded import read_snapshot
from mergecast.model.snapshot import Part

_NOW = datetime(2026, 11, 16, 12, 0, 30, 5, tzinfo=UTC)
_INSTANT = parse_instant("2026-11-16T12:00:30Z")
_PULLS = dict(demo_pull_requests("demo/harbor", _NOW))


@pytest.mark.parametrize("number", _PULLS)
def test_each_is_a_record_with_every_part(number: int) -> None:
    """So that no condition is left open."""
    record: dict[str, Any] = _PULLS[number]

    snapshot = read_snapshot(record, number=number, now=0)

    assert _INSTANT == snapshot.recorded_at
    assert {part.key for part in Part} - {"extends", "sender"} <= record.keys()
    assert not snapshot.pull.closed
    assert snapshot.pull.created_at < snapshot.pull.updated_at < _INSTANT
    assert ("demo", "harbor") == (snapshot.pull.owner, snapshot.pull.repository)


def test_none_of_them_was_ever_queued() -> None:
    """Their numbers lie below those of the history."""
    first = next(demo_events(_NOW.date(), _NOW))["pull_request"]

    assert isinstance(first, int)
    assert max(_PULLS) < first


def test_the_document_is_valid() -> None:
    """Without deprecations or hints: people copy from it."""
    text = (files("mergecast.demo") / "harbor.yml").read_text(encoding="utf-8")

    verdict = read_configuration(text, today=_NOW.date(), repository="harbor")

    assert ((), (), (), ()) == (verdict.errors, verdict.deprecations, verdict.notes, verdict.hints)
