"""Invented histories of which a part is old, and every answer about the periods after a limit."""

import json
from collections.abc import Iterable
from itertools import count
from random import Random
from typing import Any

import msgspec

from mergecast.incoming.intake.event_bodies import READERS
from mergecast.queues.model.ci_check import AnyEvent
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, Window, format_instant, grid_for
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Page, Question
from mergecast.queues.stats.ci_checks import CI_CHECKS
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.stats.queue_contents import queue_contents
from mergecast.queues.stats.stays import STAYS
from mergecast.queues.stats.summary import SUMMARY
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository
from property.histories import ORIGINS, make_history, make_scene

Wire = dict[str, Any]
BEGIN = ORIGINS[1]
END = BEGIN + 61 * DAY
_NOW = END + DAY
_STATISTICS = (*STATISTICS.values(), SUMMARY, STAYS, CI_CHECKS)


def events_of(wires: Iterable[Wire]) -> list[AnyEvent]:
    return list(READERS["application/json"](json.dumps(list(wires)).encode(), _NOW))


def old_and_new(seed: int) -> list[AnyEvent]:
    """Chaotic events, each part with stays of its own, and stays as they usually are that share batches."""
    random = Random(seed)
    scene = make_scene(random.choice)
    # All parts share pull requests and groups.
    wires = [
        _of_part(event, part)
        for part in range(random.choice((2, 5)))
        for event in make_history(random.choice, scene, random.choice((2, 6, 15)))
    ]
    numbers = count(1)
    for batch in range(random.choice((3, 10))):
        at = BEGIN + random.randrange(60 * DAY)
        for _ in range(random.choice((1, 1, 2, 4))):
            wires += _usual_stay(random, next(numbers), at, f"usual {batch}")
    return events_of({event["id"]: event for event in wires}.values())


def _of_part(event: Wire, part: int) -> Wire:
    renamed = {name: f"{event[name]} of {part}" for name in ("session_id", "batch_id") if event.get(name)}
    return event | renamed | {"id": f"{event['id']} of {part}"}


def _usual_stay(random: Random, number: int, at: int, batch: str) -> list[Wire]:
    pull_request = random.choice((1, 1, number))
    entered, started = at - random.randrange(HOUR), at + random.randrange(MINUTE)
    ended = started + random.choice((MINUTE, HOUR, 3 * DAY))
    stay = {"session_id": f"usual {number}", "pull_request": pull_request}
    run = {**stay, "batch_id": batch}
    report = {"batch_id": batch, "check_id": f"unit {number}", "name": "unit"}
    happened: list[tuple[str, int, Wire]] = [
        ("queue_entered", entered, stay),
        ("checks_started", started, {**run, "batch_pull_requests": [pull_request]}),
        ("checks_ended", ended, {**run, "outcome": random.choice(("SUCCESS", "CHECKS_FAILED"))}),
        ("ci_check_reported", ended, {**report, "conclusion": random.choice(("success", "failure"))}),
        ("queue_left", ended + MINUTE, {**stay, "reason": random.choice(("PR_MERGED", "CHECKS_FAILED"))}),
    ]
    dropped = random.choice((None, None, None, None, "queue_left", "checks_ended", "queue_entered"))
    return [
        {
            "id": f"usual {number} {type}",
            "type": type,
            "at": format_instant(instant),
            "base_ref": "main",
            "queue_name": "default",
            **fields,
        }
        for type, instant, fields in happened
        if type != dropped
    ]


async def known_as(store: Store, name: Repository) -> KnownRepository:
    known = await store.repository(name)
    assert known is not None
    return known


async def answers_since(store: Store, name: Repository, limit: int) -> dict[str, bytes]:
    """Every answer about periods that begin at the limit or later."""
    known = await known_as(store, name)

    def work(reader: Reader) -> dict[str, bytes]:
        found = {}
        for window in _windows(limit):
            for statistic in _STATISTICS:
                answer = statistic.answer(reader, _question(reader, known, window))
                found[f"{statistic.name} {window.start - limit} {window.end}"] = msgspec.json.encode(answer)
        for at in (limit, limit + HOUR, END):
            found[f"the queue at {at}"] = msgspec.json.encode(queue_contents(reader, known.id, at))
        return found

    return await store.read(known.id, work)


def _windows(limit: int) -> list[Window]:
    return [
        Window(limit, limit + 4 * DAY),
        Window(limit + 1, limit + 90 * DAY),
    ]


def _question(reader: Reader, known: KnownRepository, window: Window) -> Question:
    first = END if known.first_at is None else known.first_at
    observed = Window(max(window.start, first), min(window.end, END))
    return Question(
        known.id,
        window,
        observed,
        grid_for(window),
        reader.groups(known.id),
        known.first_at,
        with_intervals=True,
        page=Page("-seconds", 1000),
        last_at=known.last_at,
        # The usual period before would begin before the limit.
        before=Window(window.end, window.end + HOUR),
        kept_since=known.kept_since,
    )
