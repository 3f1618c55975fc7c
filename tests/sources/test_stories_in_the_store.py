"""Stories through the real store: the same events in every order, however often a delivery comes."""

import asyncio
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from hashlib import sha256
from itertools import count

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.intake.renames import Destination, destination
from mergecast.incoming.intake.translate import MOST_LOADED
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.incoming.sources.github.hooks import WEBHOOKS
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.model.delivery import IMPORT, Delivery
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from postgres.server import new_store
from sources.activity_log_stories import STORIES as LOG_STORIES
from sources.bors_queue import deliveries
from sources.bors_stories import STORIES as BORS_STORIES
from sources.github_deliveries import clock
from sources.github_stories import STORIES, statuses_that_list_branches_of_others
from sources.github_translation import events_of
from sources.gitlab_pages import TrainStory
from sources.test_gitlab_stories import the_one_ahead_failed, the_pipeline_failed_and_it_entered_again

_NOW = clock(3 * 24 * 60)
_numbers = count(1)


def _github(place: int) -> list[Delivery]:
    told = STORIES[place]().deliveries
    return [webhook_delivery(one.event, one.id, one.body, one.received_at)[1] for one in told]


def _activity_log(place: int) -> list[Delivery]:
    read = SOURCES["activity-log"].translator().read_item
    items = LOG_STORIES[place % len(LOG_STORIES)]().items
    return [read(str(item["id"]), item["type"], json.dumps(item).encode(), _NOW) for item in items]


def _gitlab(_: int) -> list[Delivery]:
    return _trains(the_one_ahead_failed(), the_pipeline_failed_and_it_entered_again())


def _trains(*stories: TrainStory) -> list[Delivery]:
    seen = [one for story in stories for one in story.observations]
    bodies = [msgspec.json.encode(one) for one in seen]
    return [
        Delivery(
            "gitlab", IMPORT, f"item-{place}", sha256(body).digest(), "", "", _NOW, body, str(one.number),
            one.ended_at or one.at, body.decode(), is_about_queue=True,
        )
        for place, (one, body) in enumerate(zip(seen, bodies, strict=True))
    ]  # fmt: skip


def _bors(place: int) -> list[Delivery]:
    return deliveries(BORS_STORIES[place % len(BORS_STORIES)]().items())


_SOURCES = {"github": _github, "activity-log": _activity_log, "gitlab": _gitlab, "bors": _bors}


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.server)])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    url = None
    if request.param == "postgres":
        url = new_store(request.getfixturevalue("database_server"))
    opened = open_store(tmp_path_factory.mktemp("store"), url)
    yield opened
    opened.close()


async def _events(
    store: Store,
    parts: Sequence[Sequence[Delivery]],
    imported: Collection[int] = (),
    most_loaded: int = MOST_LOADED,
) -> list[Event]:
    """The events of a new repository that got these deliveries, translated after each part.

    Parts that are imported are translated in the transaction that stores them.
    """
    name = Repository("acme", f"lander-{next(_numbers)}")
    intake = Intake(store, lambda: _NOW, "tests")
    intake.most_loaded = most_loaded
    for place, part in enumerate(parts):
        if place in imported:
            await intake.receive_import(name, part, None)
        else:
            await intake.receive(name, part)
            await intake.translate(name)
    known = await store.repository(name)
    assert known is not None
    assert 0 == (await store.verify(known)).differences
    return sorted([event async for page in store.export(known) for event in page])


# Hypothesis takes the jitter of PostgreSQL's connection pool, in a thread of its own, for a random strategy.
@pytest.mark.filterwarnings("ignore:Do not use the `random` module")
@pytest.mark.thorough
@given(data=st.data())
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # shrinking takes minutes
)
def test_order_and_repetition_do_not_matter(store: Store, data: st.DataObject) -> None:
    """A story delivered at once, and in any order with repetitions and translations in between.

    A transaction may load few deliveries, so that translating a part takes several.
    """
    read = data.draw(st.sampled_from(sorted(_SOURCES)))
    told = _SOURCES[read](data.draw(st.integers(0, len(STORIES) - 1)))
    repeated = data.draw(st.lists(st.sampled_from(told), max_size=5))
    shuffled = data.draw(st.permutations([*told, *repeated]))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(shuffled) - 1), max_size=4))) if told[1:] else []
    parts = [shuffled[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)]

    imported = data.draw(st.sets(st.sampled_from(range(len(parts)))))
    most = data.draw(st.sampled_from((1, 5, MOST_LOADED)))

    assert asyncio.run(_events(store, [told])) == asyncio.run(_events(store, parts, imported, most))


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_the_store_gives_the_events_of_the_story(store: Store, story: Callable[[], object]) -> None:
    """One delivery at a time."""
    told = _github(STORIES.index(story))
    expected = sorted(events_of(STORIES[STORIES.index(story)]().deliveries))

    assert expected == asyncio.run(_events(store, [[one] for one in told]))


def test_statuses_that_arrive_before_their_groups_stay(store: Store) -> None:
    """Those of other commits are deleted after a day."""
    told = _github(STORIES.index(statuses_that_list_branches_of_others))
    name = Repository("acme", "early-statuses")

    async def kept() -> tuple[int, list[Event]]:
        intake = Intake(store, lambda: _NOW, "tests")
        for one in reversed(told):
            await intake.receive(name, [one])
            await intake.translate(name)
        await store.drop_old_deliveries(name, _NOW + 9 * DAY, 90 * DAY)
        await intake.translate_again(name, "github")
        known = await store.repository(name)
        assert known is not None
        return known.deliveries, sorted([event async for page in store.export(known) for event in page])

    expected = sorted(events_of(statuses_that_list_branches_of_others().deliveries))
    assert (len(told) - 1, expected) == asyncio.run(kept())


def test_threads_translated_together_do_not_depend_on_more_than_each_alone(store: Store) -> None:
    """A merge request whose exit was never seen is not ahead of another one days later."""
    lost, later = TrainStory(), TrainStory()
    lost.car(1, 1, 0)
    later.car(2, 2, 2 * 24 * 60)
    later.pipeline(3, 2, 2 * 24 * 60 + 1, "running")
    first, second = _trains(lost), [one._replace(guid=f"later-{one.guid}") for one in _trains(later)]

    assert asyncio.run(_events(store, [first, second])) == asyncio.run(_events(store, [[*first, *second]]))


def test_names_that_are_too_long_for_an_index(store: Store) -> None:
    """They are not translated, and do not stop the translation of others."""
    long = "".join(sha256(str(number).encode()).hexdigest() for number in range(100))
    instant = "2026-09-14T10:00:00Z"
    tested = {"number": 7, "base_ref": "main", "head_sha": long, "id": 1, "started_at": instant}
    car = {"id": 1, "merge_request": {"iid": 7}, "created_at": instant, "target_branch": long, "status": "x"}
    told = [
        SOURCES["github"].translator().read_item("1", "check_run", json.dumps(tested).encode(), _NOW),
        SOURCES["gitlab"].translator().read_item("1", "car", json.dumps(car).encode(), _NOW),
        *_github(0),
    ]

    found = asyncio.run(_events(store, [told[:2], told], imported=[1]))

    assert sorted(events_of(STORIES[0]().deliveries)) == [one for one in found if one.pull_request != 7]


@pytest.mark.parametrize("former", ["old\0", "old/er", "old " * 1000])
def test_a_former_name_that_no_repository_has(store: Store, former: str) -> None:
    """It counts as missing, instead of being looked up in a database that cannot store it."""
    named = {"full_name": "acme/new", "id": 4_000_000}
    payload = {"repository": named, "changes": {"repository": {"name": {"from": former}}}}
    headers = {"X-GitHub-Event": "repository", "X-GitHub-Delivery": "1"}
    webhook = WEBHOOKS.read(headers, json.dumps(payload).encode(), _NOW)
    new = Repository("acme", "new")

    assert Destination(new) == asyncio.run(destination(store, webhook, new, lambda _: True))
