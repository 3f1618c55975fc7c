"""`mergecast store copy` says what differs in a copy, and refuses places that cannot be copied to."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TypeVar

import httpx
import pytest

from builders import entered, left, worked_example
from cli.program import mergecast
from live_server import DAY, live_server
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.added_sources import (
    AddedSourceRow,
    GitHubAppRow,
    add_added_source,
    add_github_app,
    pause_added_source,
    read_added_sources,
    read_github_apps,
    set_installed_owners,
)
from mergecast.queues.store.channel_rows import ChannelRow, add_channel, copy_channel, read_channels
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from sources.github_deliveries import clock
from sources.github_stories import three_behind_each_other

T = TypeVar("T")
_WIDGETS = Repository("acme", "widgets")
_PATH = "/v1/repos/acme/widgets/stats/total_queue_time"


def _fill(folder: Path, *names: str) -> None:
    """The same events in each of these repositories."""
    events = worked_example()
    with live_server(folder) as server:
        for name in names:
            server.send(events, name).raise_for_status()


def _asked(folder: Path, ask: Callable[[httpx.Client], httpx.Response]) -> httpx.Response:
    """The answer of a server of the folder."""
    with live_server(folder) as server:
        return ask(server.http)


def test_all_repositories_that_differ_are_named(tmp_path: Path) -> None:
    """The others are copied: one before and one after those that differ."""
    source, target = tmp_path / "source", tmp_path / "target"
    _fill(source, "acme/a", "acme/changed", "acme/more", "acme/z")
    changed = {**entered("2026-03-02T10:00:01Z", "a", 1), "id": "x"}
    with live_server(source) as server:
        server.send(
            [entered("2026-03-02T10:00:00Z", "a", 1) | {"id": "x"}], "acme/changed"
        ).raise_for_status()
    with live_server(target) as server:
        server.send([changed], "acme/changed").raise_for_status()
        server.send([left("2026-03-02T10:00:00Z", "own", 9)], "acme/more").raise_for_status()

    ended = mergecast("store", "copy", "--to", target, data=source)

    assert (1, "") == (ended.code, ended.out)
    assert (
        "mergecast: 2 of 4 repositories differ in the copy; the others are the same\n"
        "  acme/changed: the copy refuses event `x`: an event with this id already exists with another at; "
        "the content of an id can never change\n"
        "  acme/more: it has 12 events, 0 snapshots and 0 deliveries, and the copy has 13 events, "
        "0 snapshots and 0 deliveries; it must not have events of its own: copy into another place, "
        "or delete them there\n"
    ) == ended.err
    answer = _asked(target, lambda http: http.get("/v1/repos/acme/z/stats/failure_rate", params=DAY))
    assert 200 == answer.status_code


def test_what_waits_for_translation_is_translated(tmp_path: Path) -> None:
    """A server that is killed leaves webhooks that it has stored and not yet translated."""
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    story = three_behind_each_other().deliveries
    given = [webhook_delivery(one.event, one.id, one.body, one.received_at)[1] for one in story]

    async def receive(store: Store) -> None:
        await Intake(store, lambda: clock(60), "tests").receive(_WIDGETS, given)

    store = open_store(source)
    asyncio.run(receive(store))
    store.close()

    ended = mergecast("store", "copy", "--to", target, data=source)

    assert (0, "") == (ended.code, ended.err)
    assert "copied 0 events" not in ended.out


def test_a_copy_never_repeats_an_entity_tag(tmp_path: Path) -> None:
    """A client that kept an early answer of the original gets a new one: the copy has more events by then."""
    source, target = tmp_path / "source", tmp_path / "target"
    events = worked_example()
    with live_server(source) as server:
        tags = []
        for event in events:
            server.send([event]).raise_for_status()
            tags.append(server.http.get(_PATH, params=DAY).headers["etag"])

    assert 0 == mergecast("store", "copy", "--to", target, data=source).code

    kept = {"If-None-Match": ", ".join(tags)}
    assert 200 == _asked(target, lambda http: http.get(_PATH, params=DAY, headers=kept)).status_code


def test_a_key_that_was_revoked_after_an_earlier_copy(tmp_path: Path) -> None:
    """The copy may have keys of its own, so they are named and not revoked."""
    source, target = tmp_path / "source", tmp_path / "target"
    _fill(source, "acme/widgets")
    with live_server(source) as server:
        key = server.key()["id"]
    first = mergecast("store", "copy", "--to", target, data=source)
    assert 0 == mergecast("admin", "key", "revoke", key, data=source).code

    again = mergecast("store", "copy", "--to", target, data=source)

    assert (0, "") == (first.code, first.err)
    assert 0 == again.code
    assert (
        f"mergecast: warning: the copy also accepts key {key} (a test), which the source does not have; "
        f"if it was revoked, revoke it in the copy too: `mergecast admin key revoke {key}`\n"
    ) == again.err


@pytest.mark.parametrize(
    ("to", "message", "code"),
    [
        ("", "name a data folder, or the URL of a PostgreSQL database", 2),
        ("source/../source", "this is the store to copy from; name another place", 2),
        (
            "https://me:secret@mergecast.example",
            "`https://…` is not the URL of a PostgreSQL database; that starts with postgresql://",
            2,
        ),
        (
            "postgresql://me:secret@127.0.0.1:1/x",
            'the database cannot be reached: connection to server at "127.0.0.1", port 1 failed',
            3,
        ),
    ],
)
def test_a_place_that_cannot_be_copied_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to: str, message: str, code: int
) -> None:
    """Nothing is created, and no password is repeated."""
    monkeypatch.chdir(tmp_path)
    _fill(tmp_path / "source", "acme/widgets")

    ended = mergecast("store", "copy", "--to", to, data=tmp_path / "source")

    assert ended.code == code
    assert ended.err.startswith(f"mergecast: --to: {message}")
    assert "secret" not in ended.err
    assert ["source"] == [one.name for one in tmp_path.iterdir()]


def test_an_empty_store(tmp_path: Path) -> None:
    """It is more likely the wrong one than worth copying."""
    _fill(tmp_path / "source")

    ended = mergecast("store", "copy", "--to", tmp_path / "target", data=tmp_path / "source")

    expected = "mergecast: there is nothing to copy: the source has no repositories; is it the right one?\n"
    assert (1, "", expected) == (ended.code, ended.out, ended.err)


_URL = "https://api.github.com"
_CHANNEL = ChannelRow("c", "acme", "widgets", "slack", "sealed", '{"name":"first"}', 1, None, None, 2)
_APP = GitHubAppRow("7", "mergecast-acme", "acme", _URL, "sealed", True, '["acme"]', 1)
_ADDED = AddedSourceRow("a", "github", "acme/web", "acme", "web", _URL, "", "7", 1, "operator")


async def _shared_rows(store: Store) -> tuple[list[object], ...]:
    rows = (read_channels(store), read_github_apps(store), read_added_sources(store))
    return tuple([list(await one) for one in rows])


def _in_store(folder: Path, *works: Callable[[Store], Awaitable[T]]) -> list[T]:
    async def run(store: Store) -> list[T]:
        return [await work(store) for work in works]

    folder.mkdir(exist_ok=True)
    with closing(open_store(folder, None)) as store:
        return asyncio.run(run(store))


@pytest.mark.parametrize(
    "add",
    [
        partial(add_channel, channel=_CHANNEL),
        partial(add_github_app, row=_APP),
        partial(add_added_source, row=_ADDED),
    ],
    ids=["channel", "app", "source"],
)
def test_a_store_without_repositories_is_copied(
    tmp_path: Path, add: Callable[[Store], Awaitable[object]]
) -> None:
    """Somebody has begun to set it up."""
    source, target = tmp_path / "source", tmp_path / "target"
    _in_store(source, add)

    ended = mergecast("store", "copy", "--to", target, data=source)

    assert (0, "") == (ended.code, ended.err)
    assert _in_store(source, _shared_rows) == _in_store(target, _shared_rows)


def test_what_changed_after_an_earlier_copy(tmp_path: Path) -> None:
    """Rules, subscriptions, targets and pauses of channels, and what is followed, and how."""
    source, target = tmp_path / "source", tmp_path / "target"
    changed = _CHANNEL._replace(
        sealed="again", document='{"name":"second"}', paused_at=5, result='{"at":5}', digest_at=9
    )
    adds = (partial(add_github_app, row=_APP), partial(add_added_source, row=_ADDED))
    _in_store(source, partial(add_channel, channel=_CHANNEL), *adds)
    first = mergecast("store", "copy", "--to", target, data=source)
    _in_store(
        source,
        partial(copy_channel, channel=changed),
        partial(set_installed_owners, id=_APP.id, owners=["acme", "other"]),
        partial(pause_added_source, id=_ADDED.id, paused_at=6),
    )

    again = mergecast("store", "copy", "--to", target, data=source)

    assert (0, 0) == (first.code, again.code)
    (expected,) = _in_store(source, _shared_rows)
    assert [expected] == _in_store(target, _shared_rows)
    assert [changed] == expected[0]
