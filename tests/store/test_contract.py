"""What every kind of store promises."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence

import pytest

from mergecast.errors import Conflict, NotFound
from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.add_events import MOST_EVENTS_PER_SUBJECT
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository, Receipt, RecordedSnapshot, Selection
from store.places import OpenStore
from store.statistics import all_answers

pytestmark = pytest.mark.thorough

WIDGETS = Repository("acme", "widgets")
GADGETS = Repository("acme", "gadgets")
MINUTE = 60_000_000


def _stay(name: str, at: int = 0, queue: str = "default", source: str = "api") -> list[Event]:
    """A stay that enters, is checked and is merged."""

    def event(id: str, type: str, minutes: int, **more: object) -> Event:
        fields = {"session_id": name, "pull_request": 1, **more}
        return Event(f"{name}-{id}", type, at + minutes * MINUTE, "main", queue, None, source, **fields)  # type: ignore[arg-type]

    batch = {"batch_id": f"batch-{name}", "attempt": 1}
    return [
        event("in", "queue_entered", 0),
        event("started", "checks_started", 1, batch_pull_requests="1", **batch),
        event("ended", "checks_ended", 9, outcome="SUCCESS", **batch),
        event("out", "queue_left", 10, reason="PR_MERGED", schedule_wait=0, freeze_wait=0),
    ]


def _known(store: Store, name: Repository = WIDGETS) -> KnownRepository:
    known = asyncio.run(store.repository(name))
    assert known is not None
    return known


async def _exported(store: Store, name: Repository) -> list[Event]:
    known = await store.repository(name)
    assert known is not None
    return [event async for page in store.export(known) for event in page]


def test_a_page_of_an_export_is_bounded(store: Store) -> None:
    """However large the batches are, and even if one alone is larger than a page."""
    large, huge = " ".join(map(str, range(1, 1001))), " ".join(map(str, range(1, 200_001)))
    batches = [huge, *[large] * 400, *["1"] * 1100, huge, huge]
    events = [
        Event(str(n), "checks_started", n, "main", "default", None, "api", session_id=f"s{n}", pull_request=1,
              batch_id=f"b{n}", batch_pull_requests=text, attempt=1)
        for n, text in enumerate(batches)
    ]  # fmt: skip

    async def pages() -> list[list[Event]]:
        await store.record(WIDGETS, events)
        known = await store.repository(WIDGETS)
        assert known is not None
        return [page async for page in store.export(known)]

    found = asyncio.run(pages())

    assert events == [event for page in found for event in page]
    sizes = [[len(event.batch_pull_requests or "") for event in page] for page in found]
    assert all(sum(page[:-1]) < 1 << 20 for page in sizes)
    assert max(map(len, found)) > 1000


def test_order_and_parts_do_not_matter(store: Store) -> None:
    """The same events in one delivery, or one by one from last to first, give the same answers."""
    events = [*_stay("a"), *_stay("b", MINUTE), *_stay("c", 500 * MINUTE)]

    async def record() -> tuple[dict[str, bytes], dict[str, bytes]]:
        await store.record(WIDGETS, events)
        for event in reversed(events):
            assert Receipt(1, 0) == await store.record(GADGETS, [event])
        return await all_answers(store, WIDGETS), await all_answers(store, GADGETS)

    at_once, one_by_one = asyncio.run(record())

    assert at_once
    assert at_once == one_by_one


def test_a_duplicate_changes_nothing(store: Store) -> None:
    """Neither the version nor the record."""
    asyncio.run(store.record(WIDGETS, _stay("a")))
    before = _known(store)

    receipt = asyncio.run(store.record(WIDGETS, _stay("a")))

    assert Receipt(0, 4) == receipt
    assert before == _known(store)


@pytest.mark.parametrize("is_stored", [True, False], ids=["with the store", "with itself"])
def test_a_contradiction_refuses_the_whole_delivery(store: Store, *, is_stored: bool) -> None:
    """Nothing of it is stored, and the message names the fields."""
    stored, other = _stay("a")[0], _stay("a", queue="other")[0]
    asyncio.run(store.record(WIDGETS, _stay("b")))
    if is_stored:
        asyncio.run(store.record(WIDGETS, [stored]))
    before = _known(store)

    with pytest.raises(Conflict) as conflict:
        asyncio.run(store.record(WIDGETS, [*_stay("c"), *([] if is_stored else [stored]), other]))

    (error,) = conflict.value.errors
    assert f"/{4 if is_stored else 5}/id" == error.name
    assert (
        "an event with this id already exists with another queue_name; the content of an id can never change"
    ) == error.message
    assert before == _known(store)


def test_a_refused_delivery_does_not_create_a_repository(store: Store) -> None:
    """It would have no event."""
    with pytest.raises(Conflict):
        asyncio.run(store.record(WIDGETS, [_stay("a")[0], _stay("a", queue="other")[0]]))

    assert asyncio.run(store.repository(WIDGETS)) is None
    assert [] == asyncio.run(store.repositories())


def test_repositories_that_share_all_numbers_do_not_mix(store: Store) -> None:
    """Events, subjects and groups of two repositories have the same numbers and nothing else in common."""
    asyncio.run(store.record(WIDGETS, _stay("a", queue="fast")))
    alone = asyncio.run(all_answers(store, WIDGETS))
    asyncio.run(store.record(GADGETS, [*_stay("a", MINUTE, queue="slow"), *_stay("b", queue="slower")]))
    widgets, gadgets = _known(store), _known(store, GADGETS)

    assert (4, 2, 1) == (widgets.last_event, widgets.last_subject, widgets.last_group)
    assert (8, 4, 2) == (gadgets.last_event, gadgets.last_subject, gadgets.last_group)
    assert alone == asyncio.run(all_answers(store, WIDGETS))
    assert _stay("a", queue="fast") == asyncio.run(_exported(store, WIDGETS))

    asyncio.run(store.record(GADGETS, [_stay("a", queue="slow")[0]._replace(id="earlier", happened_at=0)]))
    asyncio.run(store.rebuild(GADGETS))
    asyncio.run(store.delete_events(Selection(GADGETS, end=5 * MINUTE)))

    assert alone == asyncio.run(all_answers(store, WIDGETS))
    assert widgets == _known(store)
    assert 4 == asyncio.run(store.forget(GADGETS))
    assert alone == asyncio.run(all_answers(store, WIDGETS))


def test_many_writers_of_one_repository(store: Store) -> None:
    """Twenty at once, each with its own events and with events that all of them send."""
    shared = _stay("shared")

    async def write(number: int) -> list[Receipt]:
        own = [store.record(WIDGETS, [event]) for event in _stay(f"own-{number}")]
        return list(await asyncio.gather(*own, store.record(WIDGETS, shared)))

    async def write_all() -> list[Receipt]:
        return [receipt for some in await asyncio.gather(*map(write, range(20))) for receipt in some]

    receipts = asyncio.run(write_all())
    events = asyncio.run(_exported(store, WIDGETS))

    assert 84 == sum(receipt.stored for receipt in receipts) == _known(store).events == len(events)
    assert 76 == sum(receipt.duplicates for receipt in receipts)
    assert 84 == len({event.id for event in events})
    before = asyncio.run(all_answers(store, WIDGETS))
    asyncio.run(store.rebuild(WIDGETS))
    assert before == asyncio.run(all_answers(store, WIDGETS))


def test_an_export_has_what_was_stored_when_it_began(store: Store) -> None:
    """Events that arrive meanwhile are not part of it, and none that was there is missing."""
    first = [event for number in range(1_500) for event in _stay(f"s{number}")]
    for start in range(0, len(first), 4_000):
        asyncio.run(store.record(WIDGETS, first[start : start + 4_000]))

    async def export() -> list[Event]:
        known = await store.repository(WIDGETS)
        assert known is not None
        found: list[Event] = []
        async for page in store.export(known):
            found += page
            await store.record(WIDGETS, _stay(f"late-{len(found)}"))
        return found

    assert first == asyncio.run(export())


def test_an_export_breaks_off_when_the_repository_is_deleted(store: Store) -> None:
    """A part must not look like the whole, also when the repository was created again meanwhile."""
    events = [event for number in range(1_500) for event in _stay(f"s{number}")]
    for start in range(0, len(events), 4_000):
        asyncio.run(store.record(WIDGETS, events[start : start + 4_000]))

    async def export() -> None:
        known = await store.repository(WIDGETS)
        assert known is not None
        pages = store.export(known)
        assert events[:5_000] == await anext(pages)
        await store.forget(WIDGETS)
        await store.record(WIDGETS, _stay("again"))
        with pytest.raises(NotFound) as broken:
            await anext(pages)
        assert "the repository acme/widgets was deleted during the export" == str(broken.value)

    asyncio.run(export())


def test_deleting_leaves_no_trace(store: Store) -> None:
    """The answers are those of a store that never had the events; the last one takes the repository away."""
    asyncio.run(store.record(WIDGETS, [*_stay("a"), *_stay("b", MINUTE, source="import")]))
    asyncio.run(store.record(GADGETS, _stay("a")))
    before = _known(store)

    deleted = asyncio.run(store.delete_events(Selection(WIDGETS, source="import")))

    assert 4 == deleted
    assert _known(store).version > before.version
    assert asyncio.run(all_answers(store, GADGETS)) == asyncio.run(all_answers(store, WIDGETS))
    assert Receipt(4, 0) == asyncio.run(store.record(WIDGETS, _stay("b", MINUTE, source="import")))
    assert 8 == asyncio.run(store.delete_events(Selection(WIDGETS)))
    assert asyncio.run(store.repository(WIDGETS)) is None


@pytest.mark.parametrize(
    ("id", "field", "kind"),
    [("in", "session_id", "stay"), ("started", "session_id", "stay")],
)
def test_a_subject_has_a_limited_number_of_events(store: Store, id: str, field: str, kind: str) -> None:
    """Up to the limit they are stored; one more is a conflict, because that depends on what is stored."""
    template = next(event for event in _stay("a") if event.id == f"a-{id}")
    for some in _copies(template, MOST_EVENTS_PER_SUBJECT):
        asyncio.run(store.record(WIDGETS, some))
    before = _known(store)

    with pytest.raises(Conflict) as conflict:
        asyncio.run(store.record(WIDGETS, [*_stay("b"), template._replace(id="one more")]))

    assert MOST_EVENTS_PER_SUBJECT == before.events
    assert (f"/4/{field}", f"this {kind} would have more than 10,000 events, which is the limit") == (
        conflict.value.errors[0].name,
        conflict.value.errors[0].message,
    )
    assert before == _known(store)
    assert Receipt(0, 1) == asyncio.run(store.record(WIDGETS, [template._replace(id="copy 0")]))


def _copies(event: Event, number: int, at_once: int = 5_000) -> Iterator[Sequence[Event]]:
    copies = [event._replace(id=f"copy {place}") for place in range(number)]
    return (copies[start : start + at_once] for start in range(0, number, at_once))


def test_numbers_continue_after_reopening(open_again: OpenStore) -> None:
    """Nothing that was acknowledged is lost, and no number is used twice."""
    first = open_again()
    asyncio.run(first.record(WIDGETS, _stay("a")))
    asyncio.run(first.set_products(WIDGETS, ("merge_queue",)))
    asyncio.run(first.put_snapshot(WIDGETS, RecordedSnapshot(7, is_open=True, document="{}")))
    before = _known(first)
    answers = asyncio.run(all_answers(first, WIDGETS))
    first.close()

    second = open_again()
    try:
        assert before == _known(second)
        assert answers == asyncio.run(all_answers(second, WIDGETS))
        assert Receipt(4, 4) == asyncio.run(second.record(WIDGETS, [*_stay("a"), *_stay("b")]))
        assert 8 == _known(second).last_event
        assert _known(second).version > before.version
    finally:
        second.close()


def test_a_repository_that_is_created_again_is_another_one(store: Store) -> None:
    """An id is never used again, so that an id and a version stand for one content: ETags name both."""
    removals: list[Callable[[], Coroutine[None, None, object]]] = [
        lambda: store.forget(WIDGETS),
        lambda: store.delete_events(Selection(WIDGETS)),
    ]
    asyncio.run(store.record(WIDGETS, _stay("a")))
    for remove in removals:
        before = _known(store)
        asyncio.run(remove())
        assert asyncio.run(store.repository(WIDGETS)) is None
        asyncio.run(store.record(WIDGETS, _stay("a")))

        assert _known(store).id > before.id


def test_every_text_is_stored_as_it_was_sent(store: Store) -> None:
    """Also what has a meaning to the database's own formats."""
    texts = ["\\N", "\\", "a\tb", "a\nb\r", "{1,2}", "'; drop table events; --", "", "é\U0001f600"]
    events = [
        Event(
            f"id-{place}-{text}",
            "queue_entered",
            place,
            f"base{text}",
            "q",
            text or None,
            "api",
            text or "s",
            1,
        )
        for place, text in enumerate(texts)
    ]

    async def record_and_export() -> list[Event]:
        await store.record(WIDGETS, events)
        return await _exported(store, WIDGETS)

    assert events == asyncio.run(record_and_export())
