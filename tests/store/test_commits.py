"""Commits of pull requests that clients report later than the events that they belong to."""

import asyncio
from functools import partial
from itertools import pairwise
from random import Random

import pytest

from mergecast.errors import Conflict
from mergecast.queues.model.event import Event
from mergecast.queues.model.facts import Stay
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.add_events import replace_derived
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.values import KnownRepository, Receipt
from store.statistics import all_answers

pytestmark = pytest.mark.thorough

WIDGETS = Repository("acme", "widgets")
FIRST, SECOND = "1f" * 20, "2e" * 20
ENTERED = Event("in", "queue_entered", 1, "main", "default", None, "api", "stay", 7)
STARTED = Event("go", "checks_started", 5, "main", "default", None, "api", "stay", 7, "batch", 1, "7")
LEFT = Event("out", "queue_left", 9, "main", "default", None, "api", "stay", 7, reason="CHECKS_FAILED",
             schedule_wait=0, freeze_wait=0)  # fmt: skip


def _with(event: Event, commit: str) -> Event:
    return event._replace(head_sha=commit)


async def _known(store: Store, name: Repository = WIDGETS) -> KnownRepository:
    known = await store.repository(name)
    assert known is not None
    return known


async def _exported(store: Store, name: Repository = WIDGETS) -> list[Event]:
    known = await _known(store, name)
    return [event async for page in store.export(known) for event in page]


async def _commits_of_stays(store: Store, name: Repository = WIDGETS) -> list[str | None]:
    """After making sure that the facts are those that the events give."""
    known = await _known(store, name)
    assert () == (await store.verify(known)).examples
    stays = await store.read(known.id, lambda reader: read_rows(reader, known.id, Stay))
    return [stay.head_sha for stay in stays]


def test_a_commit_can_be_added_to_a_stored_event(store: Store) -> None:
    """It stays the same event, at its place; answers change their version, but not their content."""

    async def changed() -> None:
        await store.record(WIDGETS, [ENTERED, STARTED, LEFT])
        before, answers = await _known(store), await all_answers(store, WIDGETS)

        receipt = await store.record(WIDGETS, [_with(ENTERED, FIRST)])

        after = await _known(store)
        assert Receipt(0, 1) == receipt
        assert [_with(ENTERED, FIRST), STARTED, LEFT] == await _exported(store)
        assert [FIRST] == await _commits_of_stays(store)
        assert (before.version + 1, before.events) == (after.version, after.events)
        assert answers == await all_answers(store, WIDGETS)

    asyncio.run(changed())


def test_an_event_without_its_known_commit_is_a_duplicate(store: Store) -> None:
    """A client that does not know the field sends what it always did."""

    async def changed() -> None:
        await store.record(WIDGETS, [_with(ENTERED, FIRST)])
        before = await _known(store)

        receipt = await store.record(WIDGETS, [ENTERED, _with(ENTERED, FIRST)])

        assert Receipt(0, 2) == receipt
        assert before == await _known(store)
        assert [_with(ENTERED, FIRST)] == await _exported(store)

    asyncio.run(changed())


@pytest.mark.parametrize("is_stored", [True, False], ids=["with the store", "with itself"])
def test_another_commit_is_a_contradiction(store: Store, *, is_stored: bool) -> None:
    """The delivery is refused whole, with the commits that it would add to other events."""
    sent = [ENTERED, LEFT, *([_with(ENTERED, FIRST)] if is_stored else [])]
    asyncio.run(store.record(WIDGETS, sent))
    first = [] if is_stored else [_with(ENTERED, FIRST)]

    with pytest.raises(Conflict) as conflict:
        asyncio.run(store.record(WIDGETS, [_with(LEFT, FIRST), *first, _with(ENTERED, SECOND)]))

    (error,) = conflict.value.errors
    assert f"/{1 + len(first)}/id" == error.name
    assert (
        "an event with this id already exists with another head_sha; the content of an id can never change"
    ) == error.message
    assert [_with(ENTERED, FIRST) if is_stored else ENTERED, LEFT] == asyncio.run(_exported(store))


def test_a_commit_that_one_of_both_lacks_is_not_part_of_a_contradiction(store: Store) -> None:
    """The message names the other field alone."""
    asyncio.run(store.record(WIDGETS, [LEFT]))

    with pytest.raises(Conflict) as conflict:
        asyncio.run(store.record(WIDGETS, [_with(LEFT, FIRST)._replace(reason="UNKNOWN")]))

    assert [
        "an event with this id already exists with another reason; the content of an id can never change"
    ] == [error.message for error in conflict.value.errors]


def test_a_commit_and_new_events_of_the_same_stay_arrive_together(store: Store) -> None:
    """The facts follow from both."""

    async def changed() -> None:
        await store.record(WIDGETS, [ENTERED])

        receipt = await store.record(WIDGETS, [_with(ENTERED, FIRST), STARTED, _with(LEFT, FIRST)])

        assert Receipt(2, 1) == receipt
        assert [FIRST] == await _commits_of_stays(store)

    asyncio.run(changed())


_FORMS = (ENTERED, _with(ENTERED, FIRST), LEFT, _with(LEFT, SECOND), STARTED)


def _deliveries(chance: Random) -> list[list[Event]]:
    """All forms in any order, some of them again and again, in parts."""
    sent = [*_FORMS, *chance.choices(_FORMS, k=chance.randrange(8))]
    chance.shuffle(sent)
    cuts = sorted(chance.choices(range(len(sent)), k=4))
    return [sent[start:end] for start, end in pairwise([0, *cuts, len(sent)])]


def test_neither_order_nor_repetition_of_both_forms_matters(store: Store) -> None:
    """Whatever arrives first, one by one or at the same time, the same is stored in the end."""

    async def sent(chance: Random) -> None:
        parts = _deliveries(chance)
        if chance.random() < 0.5:
            await asyncio.gather(*(store.record(WIDGETS, part) for part in parts))
        else:
            for part in parts:
                await store.record(WIDGETS, part)
        expected = {_with(ENTERED, FIRST), _with(LEFT, SECOND), STARTED}
        assert expected == set(await _exported(store))
        assert 3 == (await _known(store)).events
        assert [None] == await _commits_of_stays(store)
        await store.forget(WIDGETS)

    for seed in range(12):
        asyncio.run(sent(Random(seed)))


def test_a_translation_decides_about_the_commits_of_its_events(store: Store) -> None:
    """They follow from deliveries alone, whatever a client has added meanwhile."""

    async def translated(*events: Event) -> None:
        await store.change(WIDGETS, partial(replace_derived, wanted={1: events}), create=True)

    async def changed() -> None:
        await translated(ENTERED, LEFT)
        await translated(_with(ENTERED, FIRST), LEFT)
        assert [FIRST] == await _commits_of_stays(store)
        await store.record(WIDGETS, [_with(LEFT, SECOND)])
        assert [None] == await _commits_of_stays(store)
        await translated(_with(ENTERED, FIRST), LEFT)
        assert {_with(ENTERED, FIRST), LEFT} == set(await _exported(store))
        assert [FIRST] == await _commits_of_stays(store)

    asyncio.run(changed())
