"""Deliveries are deleted together with all that was translated from them."""

import asyncio
from collections.abc import Sequence

import pytest

from mergecast.incoming.intake.housekeeping import Keep
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.intake.overview import source_overviews
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.expire_events import drop_old_events
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import DeliveryReceipt
from sources.github_deliveries import Story, clock
from store.old_histories import answers_since, known_as

pytestmark = pytest.mark.thorough

LANDER = Repository("acme-orbit", "lander")
_MIDNIGHT = 14 * 60  # minutes after the beginning of a story
_LIMIT = clock(_MIDNIGHT)
_KEEP = 30 * DAY
_NOW = _LIMIT + _KEEP


def _merged(story: Story, number: int, head: str, on: str, span: tuple[float, float]) -> None:
    start, end = span
    story.enqueued(start, number)
    story.group(start + 1, number, head, on)
    story.check(end - 2, number, head, "success", began=start + 2, on=on)
    story.destroyed(end, number, head, "merged", on)
    story.merged(end, number)


def _deliveries(story: Story) -> list[Delivery]:
    return [webhook_delivery(one.event, one.id, one.body, one.received_at)[1] for one in story.deliveries]


def _intake(store: Store) -> Intake:
    return Intake(store, lambda: _NOW, "tests", Keep(events=_KEEP))


async def _take(store: Store, deliveries: Sequence[Delivery]) -> DeliveryReceipt:
    intake = _intake(store)
    receipt = await intake.receive(LANDER, deliveries)
    await intake.translate(LANDER)
    return receipt


async def _events(store: Store) -> list[Event]:
    known = await known_as(store, LANDER)
    return sorted([event async for page in store.export(known) for event in page])


def _numbers(events: Sequence[Event]) -> set[int | None]:
    return {event.pull_request for event in events}


def test_deliveries_go_with_their_events(store: Store) -> None:
    """What arrives again is acknowledged, counted and not stored."""
    story = Story()
    _merged(story, 1, "one", "base", (0, 30))
    deliveries = _deliveries(story)

    async def scenario() -> None:
        receipt = await _take(store, deliveries)
        events = await _events(store)
        assert len(events) == await drop_old_events(store, LANDER, _NOW, _KEEP)

        known = await known_as(store, LANDER)
        assert (0, 0) == (known.events, known.deliveries)
        again = await _intake(store).receive_import(LANDER, deliveries, None)
        assert DeliveryReceipt(0, 0, 0, len(deliveries)) == again
        (overview,) = await source_overviews(store, LANDER, known, _NOW)
        assert (0, len(deliveries)) == (overview.deliveries, overview.expired)
        assert receipt.stored == len(deliveries)
        assert known == await known_as(store, LANDER)

    asyncio.run(scenario())


def test_what_another_pull_request_was_built_on_is_kept(store: Store) -> None:
    """As long as that one may be translated again: its events stay the same."""
    story = Story()
    _merged(story, 1, "one", "base", (0, 30))
    _merged(story, 2, "two", "one", (5, _MIDNIGHT + 5))
    _merged(story, 3, "three", "elsewhere", (-2000, -1990))

    async def scenario() -> None:
        await _take(store, _deliveries(story))
        before, answers = await _events(store), await answers_since(store, LANDER, _LIMIT)

        await drop_old_events(store, LANDER, _NOW, _KEEP)

        left = await _events(store)
        assert ({1, 2, 3}, {1, 2}) == (_numbers(before), _numbers(left))
        await _intake(store).translate_again(LANDER, "github")
        assert left == await _events(store)
        assert answers == await answers_since(store, LANDER, _LIMIT)
        assert () == (await store.verify(await known_as(store, LANDER))).examples

    asyncio.run(scenario())


def test_the_earlier_stays_of_a_pull_request_are_kept_with_its_last_one(store: Store) -> None:
    """They are translated from the same deliveries."""
    story = Story()
    _merged(story, 1, "one", "base", (0, 30))
    later = Story(deliveries=list(story.deliveries))
    _merged(later, 1, "again", "base", (_MIDNIGHT + 5, _MIDNIGHT + 25))

    async def scenario() -> None:
        await _take(store, _deliveries(later))
        before = await _events(store)

        assert 0 == await drop_old_events(store, LANDER, _NOW, _KEEP)

        assert before == await _events(store)
        assert len(story.deliveries) == (await _take(store, _deliveries(story))).duplicates

    asyncio.run(scenario())
