"""An import that reaches further back than earlier ones reads only what is missing, and all of it."""

import json
from collections import Counter
from contextlib import suppress
from random import Random

import pytest

from mergecast.errors import MergecastError
from mergecast.incoming.intake.importing.importer import read_state
from mergecast.incoming.sources.github.history_items import IS_EARLY
from mergecast.incoming.sources.page import Item
from mergecast.incoming.sources.payload import instant
from mergecast.queues.model.instant import DAY, MINUTE
from sources.faulty_server import Failure, FaultyServer, Request, faulty_server
from sources.github_deliveries import clock
from sources.imports import MemorySink, Setup
from sources.long_histories import HISTORIES, NOW

_SEEDS = range(3)
_WITH_EARLIER_VERSIONS = [source for source in HISTORIES if source != "bors"]
_LITTLE = 20  # requests: what is new, the queue, and the page where the earlier import ended


def _asked(server: FaultyServer) -> list[str]:
    """Every request since the last call."""
    asked = [_text(request) for request in server.requests]
    server.requests.clear()
    return asked


def _text(request: Request) -> str:
    body = (request.body["query"].split("(")[0], request.body["variables"]) if request.body else None
    return f"{request.path} {dict(request.query)} {body}"


def _twice(asked: list[str]) -> dict[str, int]:
    return {text: times for text, times in Counter(asked).items() if times > 1}


@pytest.mark.parametrize("source", HISTORIES)
def test_a_longer_import_costs_what_is_missing(source: str) -> None:
    """14 days and then 90 cost little more than 90 at once, and the same command again hardly anything."""
    with faulty_server(HISTORIES[source](1).platform) as server:
        Setup(source, server, now=NOW).once(NOW - 90 * DAY)
        whole = len(_asked(server))
        setup, costs = Setup(source, server, now=NOW), []
        for days in (14, 90, 14, 90):
            setup.once(NOW - days * DAY)
            costs.append(len(_asked(server)))

    assert whole > 3 * _LITTLE
    assert costs[0] + costs[1] <= whole + _LITTLE
    assert max(costs[2:]) <= _LITTLE


@pytest.mark.parametrize("source", HISTORIES)
def test_a_longer_import_costs_what_is_missing_after_interruptions(source: str) -> None:
    """However often it is interrupted, and however far back it should reach then."""
    with faulty_server(HISTORIES[source](2).platform) as server:
        Setup(source, server, now=NOW).once(NOW - 90 * DAY)
        whole, failed = len(_asked(server)), 0
        setup = Setup(source, server, now=NOW)
        for days in (14, 30, 90, 60, 90):
            server.plan = [*[None] * 40, *[Failure.BAD_GATEWAY] * 50]
            with suppress(MergecastError):
                setup.once(NOW - days * DAY)
            failed += 50 - server.plan.count(Failure.BAD_GATEWAY)
        server.plan = []
        setup.once(NOW - 90 * DAY)

        assert len(_asked(server)) - failed <= whole + 6 * _LITTLE


@pytest.mark.parametrize("source", HISTORIES)
def test_an_import_asks_for_nothing_twice(source: str) -> None:
    with faulty_server(HISTORIES[source](1).platform) as server:
        Setup(source, server, now=NOW).once(NOW - 90 * DAY)

        assert {} == _twice(_asked(server))


@pytest.mark.parametrize("source", HISTORIES)
def test_a_shorter_import_does_not_complete_a_longer_one(source: str) -> None:
    """It reads as far back as it was asked to, and the rest remains."""
    with faulty_server(HISTORIES[source](1).platform) as server:
        setup = Setup(source, server, now=NOW)
        server.plan = [*[None] * 12, *[Failure.BAD_GATEWAY] * 50]
        with pytest.raises(MergecastError, match="it answered 502"):
            setup.once(NOW - 90 * DAY)
        server.plan = []
        setup.once(NOW - 14 * DAY)
        (part,) = read_state(setup.sink.text).parts

        assert part.reached is not None
        assert NOW - 25 * DAY < part.reached <= NOW - 14 * DAY
        setup.once(NOW - 90 * DAY)
        clean = Setup(source, server, now=NOW)
        clean.once(NOW - 90 * DAY)
        assert clean.sink.kept.keys() == setup.sink.kept.keys()


@pytest.mark.parametrize("source", _WITH_EARLIER_VERSIONS)
def test_an_import_that_an_earlier_version_completed(source: str) -> None:
    """It remembered only the covered window. What is before that window is read."""
    with faulty_server(HISTORIES[source](1).platform) as server:
        clean = Setup(source, server, now=NOW)
        clean.once(NOW - 90 * DAY)
        whole = len(_asked(server))
        setup = Setup(source, server, now=NOW)
        setup.once(NOW - 14 * DAY)
        _asked(server)
        setup.sink.text = json.dumps({"covered": [NOW - 14 * DAY, NOW]})
        setup.once(NOW - 90 * DAY)

        assert _found(clean.sink, NOW - 90 * DAY) == _found(setup.sink, NOW - 90 * DAY)
        assert len(_asked(server)) <= whole
        (part,) = read_state(setup.sink.text).parts
        assert (NOW - 90 * DAY, NOW, True) == (*part.window, part.is_read)


@pytest.mark.parametrize("source", _WITH_EARLIER_VERSIONS)
@pytest.mark.parametrize("days", [14, 40, 90])
def test_an_import_that_an_earlier_version_began(source: str, days: int) -> None:
    """It is completed where it stopped, before anything else is read."""
    with faulty_server(HISTORIES[source](1).platform) as server:
        setup = Setup(source, server, now=NOW)
        server.plan = [*[None] * 25, *[Failure.BAD_GATEWAY] * 50]
        with pytest.raises(MergecastError, match="it answered 502"):
            setup.once(NOW - 40 * DAY)
        server.plan = []
        (part,) = json.loads(setup.sink.text)["parts"]
        known = ("runs_until", "pulls_until", "after", "until", "cursor", "page")
        position = {name: value for name, value in json.loads(part["position"]).items() if name in known}
        setup.sink.text = json.dumps({"window": part["window"], "position": json.dumps(position)})
        setup.once(NOW - days * DAY)
        clean = Setup(source, server, now=NOW)
        clean.once(NOW - days * DAY)

        since = NOW - days * DAY
        assert _found(clean.sink, since).items() <= _found(setup.sink, since).items()


@pytest.mark.parametrize("source", HISTORIES)
def test_whatever_was_imported_before_a_longer_import_finds_what_a_first_one_would(source: str) -> None:
    """Imports of random lengths, some interrupted, while pull requests change."""
    for seed in _SEEDS:
        history, random = HISTORIES[source](seed), Random(seed)
        with faulty_server(history.platform) as server:
            setup = Setup(source, server, now=NOW)
            for _ in range(random.randint(1, 6)):
                is_interrupted = random.random() < 0.6
                server.plan = (
                    [*[None] * random.randint(1, 60), *[Failure.BAD_GATEWAY] * 50] if is_interrupted else []
                )
                try:
                    setup.once(setup.now - random.randint(1, 80 * 24) * DAY // 24)
                except MergecastError:
                    assert is_interrupted
                before = setup.now
                setup.now += random.randint(1, 3000) * MINUTE
                history.go_on(_minutes(before), _minutes(setup.now))
            server.plan = []
            since = setup.now - 90 * DAY
            setup.once(since)
            clean = Setup(source, server, MemorySink(), setup.now)
            clean.once(since)

            assert _found(clean.sink, since) == _found(setup.sink, since), seed


def _minutes(instant: int) -> float:
    return (instant - clock(0)) / MINUTE


def _found(sink: MemorySink, since: int) -> dict[str, str]:
    """The kind of each item. What ended before the import may be incomplete.

    Runs from before a window are marked, and an import that reaches further back reads them again.
    """
    found = {id: item for id, item in sorted(sink.kept.items()) if IS_EARLY not in item.body}
    return {id: item.kind for id, item in found.items() if _instant(item) >= since}


def _instant(item: Item) -> int:
    names = ("updated_at", "completed_at", "created_at", "received_at")
    node = item.body.get("node", {})
    found = [instant(item.body, name) for name in names] + [instant(node, "createdAt")]
    return next(one for one in found if one is not None)
