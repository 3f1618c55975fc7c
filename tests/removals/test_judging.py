"""Removals are judged from the stored events: in any order, interrupted or not, and never from later ones."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from empty_store import copy_empty_store
from mergecast.errors import Unavailable
from mergecast.queues.model.instant import DAY, MINUTE, parse_instant
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Selection
from mergecast.signals.leading import Turn
from postgres.server import new_store
from removals.judging import (
    NAME,
    START,
    Said,
    judge,
    known_of,
    removals,
    rows_of,
    said,
    send,
    states_of,
)
from removals.world import Wire, World
from waiting import MOST_SECONDS

NOW = START + 30 * DAY


async def _judged_at_once(events: list[Wire], now: int = NOW) -> dict[str, Said]:
    with TemporaryDirectory() as folder:
        copy_empty_store(Path(folder))
        store = open_store(Path(folder))
        try:
            await send(store, events, now)
            await judge(store, now)
            return await said(store)
        finally:
            store.close()


def test_every_removal_gets_a_verdict_once_it_is_judged(store: Store) -> None:
    world = World(1, START, 3)

    async def run() -> None:
        await send(store, world.events, NOW)
        await judge(store, NOW)
        expected = {event["session_id"] for event in world.events if _is_removal(event)}
        rows = await rows_of(store)
        assert expected == {row.session_id for row in rows}
        assert {1} == {row.revision for row in rows}
        known = await known_of(store)
        assert (None, None, None) == (known.judge_from, known.judge_by, known.judging_from)
        # Judging what has not changed changes nothing.
        version = known.verdict_version
        await store.rebuild(NAME)
        await judge(store, NOW)
        assert rows == await rows_of(store)
        assert version == (await known_of(store)).verdict_version

    asyncio.run(run())


@settings(max_examples=8)
@given(seed=st.integers(0, 1000), order=st.randoms(use_true_random=False), parts=st.integers(1, 4))
def test_the_order_in_which_events_arrive_does_not_matter(seed: int, order: Random, parts: int) -> None:
    events = World(seed, START, 2).events
    expected = asyncio.run(_judged_at_once(events))
    order.shuffle(events)

    async def in_parts() -> dict[str, Said]:
        with TemporaryDirectory() as folder:
            copy_empty_store(Path(folder))
            store = open_store(Path(folder))
            try:
                for part in range(parts):
                    await send(store, events[part::parts], NOW)
                    await judge(store, NOW)
                return await said(store)
            finally:
                store.close()

    assert expected == asyncio.run(in_parts())


def test_events_that_arrive_as_they_happen_give_the_same_verdicts_as_an_import(store: Store) -> None:
    """Also if some verdicts are revised: the server judges every five minutes."""
    events = sorted(World(3, START, 1).events, key=lambda event: str(event["at"]))
    expected = asyncio.run(_judged_at_once(events))

    async def live() -> None:
        for step in range(300):
            now = START + step * 5 * MINUTE
            arrived = [event for event in events if now - 5 * MINUTE <= parse_instant(event["at"]) < now]
            if arrived:
                await send(store, arrived, now)
                await judge(store, now)
        await judge(store, NOW)

    asyncio.run(live())
    assert expected == asyncio.run(said(store))


@settings(max_examples=5)
@given(seed=st.integers(0, 1000), chance=st.randoms(use_true_random=False))
def test_a_server_that_goes_on_from_what_it_keeps_says_what_one_that_begins_says(
    seed: int, chance: Random
) -> None:
    """Events arrive at once, some minutes late or hours late, and not every entering is recorded."""
    events = [event for event in World(seed, START, 1).events if not _is_left_out(event, chance)]
    expected = asyncio.run(_judged_at_once(events))
    late = [(parse_instant(event["at"]) + chance.choice(_DELAYS), event) for event in events]
    clock = [START]

    async def live() -> dict[str, Said]:
        with TemporaryDirectory() as folder:
            copy_empty_store(Path(folder))
            store = open_store(Path(folder))
            try:
                server = removals(store, lambda: clock[0])
                for now in range(START, START + 2 * DAY, 40 * MINUTE):
                    clock[0] = now
                    if arrived := [event for at, event in late if now - 40 * MINUTE <= at < now]:
                        await send(store, arrived, now)
                        await server.judge(await known_of(store))
                clock[0] = NOW
                await server.judge(await known_of(store))
                return await said(store)
            finally:
                store.close()

    assert expected == asyncio.run(live())


_DELAYS = (0, 0, 0, 0, 0, 20 * MINUTE, 180 * MINUTE)


def _is_left_out(event: Wire, chance: Random) -> bool:
    return event["type"] == "queue_entered" and chance.random() < 0.1


def _failing_after(turns: int) -> Turn:
    """A server that is killed after so many queries."""
    left = iter(range(turns))

    @asynccontextmanager
    async def turn() -> AsyncIterator[None]:
        if next(left, None) is None:
            raise Unavailable("the server was killed")
        yield

    return turn


def test_a_server_that_is_killed_while_it_judges_goes_on_where_it_was(store: Store) -> None:
    """Each time it gets one period further, because states and verdicts are stored together."""
    events = World(5, START, 40, slots=10).events
    expected = asyncio.run(_judged_at_once(events, START + 60 * DAY))

    async def run() -> int:
        now = START + 60 * DAY
        await send(store, events, now)
        for turns in range(1, 20):
            await judge(store, now, _failing_after(3))
            if (await known_of(store)).judging_from is None:
                return turns
        raise AssertionError("it never ends")

    assert asyncio.run(run()) > 2
    assert expected == asyncio.run(said(store))


def test_a_verdict_knows_nothing_that_happened_later_than_ten_minutes_after_the_removal() -> None:
    """What came later is its outcome. Whoever returns earlier shows that, too."""
    events = sorted(World(8, START, 3).events, key=lambda event: str(event["at"]))
    everything = asyncio.run(_judged_at_once(events))
    for event in list(filter(_is_removal, events))[::9]:
        end = parse_instant(event["at"]) + 10 * MINUTE
        known_then = [one for one in events if parse_instant(one["at"]) <= end]
        session = event["session_id"]
        whole, then = everything[session], asyncio.run(_judged_at_once(known_then))[session]
        if whole[3] != "wait":  # which may be over later
            assert whole == then


def test_a_changed_history_is_judged_from_the_last_state_before_the_change(store: Store) -> None:
    """A removal that is deleted loses its verdict, and states from after the change are made again."""
    events = World(5, START, 9).events

    async def run() -> None:
        now = START + 10 * DAY
        await send(store, events, now)
        await judge(store, now)
        before, states = await said(store), await states_of(store)
        assert 8 <= len(states)
        since = START + 8 * DAY
        await store.delete_events(Selection(NAME, start=since))
        await judge(store, now)
        kept = {session: told for session, told in before.items() if told[0] < since}
        assert kept.keys() < before.keys()
        assert kept.keys() == (await said(store)).keys()
        rest = [event for event in events if parse_instant(event["at"]) >= since]
        await send(store, rest, now)
        await judge(store, now)
        assert before == await said(store)
        assert {state.day for state in states} == {state.day for state in await states_of(store)}

    asyncio.run(run())


def test_decades_in_which_nothing_happens_take_few_states(store: Store) -> None:
    """For example after a test with an event of 1970."""
    old = World(1, parse_instant("1970-03-02T00:00:00Z"), 1).events
    events = World(5, START, 1, first=1000).events

    async def run() -> None:
        await send(store, [*old, *events], NOW)
        await judge(store, NOW)
        assert {event["session_id"] for event in [*old, *events] if _is_removal(event)} == {
            *await said(store)
        }
        assert len(await states_of(store)) < 100

    asyncio.run(run())


def test_a_repository_that_is_deleted_meanwhile_is_no_error(store: Store) -> None:
    async def run() -> None:
        await send(store, World(1, START, 2).events, NOW)
        known = await known_of(store)

        @asynccontextmanager
        async def turn() -> AsyncIterator[None]:
            yield
            await store.forget(NAME)

        await removals(store, lambda: NOW, turn).judge(known)
        assert await store.repository(NAME) is None

    asyncio.run(run())


def test_only_what_is_to_be_judged_is_listed(store: Store) -> None:
    """Old events wait until no others have arrived for a while."""

    async def listed(now: int) -> list[str]:
        return [str(name) for name in await store.repositories_listed("repositories_to_judge", now)]

    async def run() -> None:
        await send(store, World(1, START, 1).events, NOW)
        state = await known_of(store)
        assert state.judge_by is not None
        assert [] == await listed(state.judge_by - 1)
        assert ["acme/widgets"] == await listed(state.judge_by)
        await judge(store, NOW)
        assert [] == await listed(2**62)

    asyncio.run(run())


@pytest.mark.server
def test_of_two_servers_that_share_a_store_one_judges(database_server: str, tmp_path: Path) -> None:
    """The other one goes on when it stops."""
    store = open_store(tmp_path, new_store(database_server), lambda: NOW)
    world = World(2, NOW - DAY + MINUTE, 1)
    arrived = [event for event in world.events if parse_instant(event["at"]) < NOW]
    removed = [event["session_id"] for event in arrived if _is_removal(event)]

    async def all_judged(of: int) -> None:
        async with asyncio.timeout(MOST_SECONDS):
            while len(await rows_of(store)) < of:  # noqa: ASYNC110 - another task stores them
                await asyncio.sleep(0.05)

    async def run() -> None:
        one, two = (removals(store, lambda: NOW, holder=holder) for holder in ("one", "two"))
        for server in (one, two):
            server.look_seconds = 0.01
            server.start()
        await send(store, arrived[: len(arrived) // 2], NOW)
        await all_judged(1)
        (lease,) = [lease for lease in await store.leases() if lease.name == "removals"]
        first, second = (one, two) if lease.holder == "one" else (two, one)
        await first.close()
        await send(store, arrived[len(arrived) // 2 :], NOW)
        await all_judged(len(removed))
        (lease,) = [lease for lease in await store.leases() if lease.name == "removals"]
        assert lease.holder == ("two" if first is one else "one")
        await second.close()

    try:
        asyncio.run(run())
    finally:
        store.close()


@pytest.mark.server
def test_a_server_that_leads_again_knows_what_another_one_was_told(
    database_server: str, tmp_path: Path
) -> None:
    """The other one judged something that happened before what the first one keeps."""
    clock = [NOW]
    store = open_store(tmp_path, new_store(database_server), lambda: clock[0])
    events = sorted(World(4, NOW - DAY // 2, 1, 60).events, key=lambda event: str(event["at"]))
    before = [event for event in events if parse_instant(event["at"]) < NOW]
    after = [event for event in events if NOW + MINUTE < parse_instant(event["at"]) < NOW + DAY // 4]
    late = before[-60:-40]
    told = ((NOW, before[:-60] + before[-40:]), (NOW + 3 * MINUTE, late), (NOW + DAY // 4, after))

    async def run() -> None:
        one, two = (removals(store, lambda: clock[0], holder=holder) for holder in ("one", "two"))
        for server, (clock[0], part) in zip((one, two, one), told, strict=True):
            await send(store, part, clock[0])
            await server.judge_soon(await known_of(store))
            await server.close()
        clock[0] += DAY
        await one.judge(await known_of(store))

    try:
        asyncio.run(run())
        assert asyncio.run(_judged_at_once(before + after, clock[0])) == asyncio.run(said(store))
    finally:
        store.close()


def _is_removal(event: Wire) -> bool:
    return bool(event["type"] == "queue_left" and event["reason"] != "PR_MERGED")
