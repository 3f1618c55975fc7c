"""Digests of many repositories delay no other message, and become one."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from jsonschema import validate  # type: ignore[import-untyped]

from builders import entered, left
from empty_store import copy_empty_store
from mergecast.errors import Unavailable
from mergecast.incoming.intake.event_bodies import read_json
from mergecast.process.sealing import Keys
from mergecast.queues.answers.channels import Schedule
from mergecast.queues.model.ci_check import AnyEvent
from mergecast.queues.model.instant import HOUR, MINUTE, format_instant, parse_instant
from mergecast.queues.model.notification import DIGEST, REMOVED, Rule
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.channel_rows import (
    NoticeRow,
    add_channel,
    add_notices,
    read_channels,
    read_notices,
)
from mergecast.queues.store.held_repository import SharedRows
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.sqlite.store import SQLiteStore
from mergecast.queues.store.store import QUERY_SECONDS
from mergecast.signals.notices.channel import Channel, Options, from_row, to_row
from mergecast.signals.notices.channels import Channels, Wanted
from mergecast.signals.notices.delivery import NoticeSettings, make_post
from mergecast.signals.notices.digest import Digests, read_digest, together
from mergecast.signals.notices.message import message_of
from mergecast.signals.notices.notice import Digest, DigestFigure, Notice, RepositoryDigest
from mergecast.signals.notices.outbox import Outbox
from mergecast.signals.notices.posting import Limits
from mergecast.signals.notices.rendering import slack, teams, text
from mergecast.signals.notices.scope import Scope
from mergecast.signals.notices.sender import Sender, notice_of
from notices.receivers import Receiver
from notices.schemas import SLACK, TEAMS
from waiting import MOST_SECONDS, wait_for, wait_until

T = TypeVar("T")
_MONDAY = parse_instant("2026-03-09T09:00:00Z")


class _PartlyDown(SQLiteStore):
    """A store of which some repositories cannot be read, as if their machine were down."""

    down: frozenset[int] = frozenset()
    is_full = False

    async def change_shared(self, work: Callable[[SharedRows], T]) -> T:
        if self.is_full:
            raise Unavailable("the disk of the store is full")
        return await super().change_shared(work)

    async def read(
        self, repository_id: int | None, work: Callable[[Reader], T], *, seconds: float = QUERY_SECONDS
    ) -> T:
        if repository_id in self.down:
            raise Unavailable("no connection to worker-2")
        return await super().read(repository_id, work, seconds=seconds)


async def _with_two_repositories(store: SQLiteStore, now: int) -> int:
    """A channel gets the digests of both; returns the id of the first."""
    for name in ("one", "two"):
        events = read_json(json.dumps([entered("2026-03-08T10:00:00Z", name, 1)]).encode(), _MONDAY)
        await store.record(Repository("acme", name), events)
    first = await store.repository(Repository("acme", "one"))
    assert first is not None
    options = Options("?", "c", (Rule(DIGEST),))
    await add_channel(store, to_row(Channel("c", "acme", None, "slack", "", options, now, digest_at=now)))
    return first.id


def test_a_repository_that_is_down_delays_its_own_digest_only(tmp_path: Path) -> None:
    """It is tried again after a minute, and none is made twice."""
    copy_empty_store(tmp_path)
    store = _PartlyDown(tmp_path / FILE_NAME)
    now = [_MONDAY - HOUR]

    async def made(digests: Digests) -> list[str]:
        await digests.make([from_row(row) for row in await read_channels(store)])
        return [notice_of(row).repository for row in await read_notices(store, 100)]

    async def run() -> list[list[str]]:
        down = await _with_two_repositories(store, now[0])
        digests = Digests(Outbox(store, lambda: now[0], "http://localhost"))
        store.down = frozenset({down})
        found = []
        for moment in (_MONDAY, _MONDAY + MINUTE // 2, _MONDAY + 2 * MINUTE, _MONDAY + 3 * MINUTE):
            now[0] = moment
            found.append(sorted(await made(digests)))
            if moment > _MONDAY:
                store.down = frozenset()
        return found

    try:
        found = asyncio.run(run())
    finally:
        store.close()

    assert [["acme/two"], ["acme/two"], ["acme/one", "acme/two"], ["acme/one", "acme/two"]] == found


def test_a_digest_that_could_not_be_stored_is_made_again(tmp_path: Path) -> None:
    """While another repository is down, so that more than one message is needed."""
    copy_empty_store(tmp_path)
    store = _PartlyDown(tmp_path / FILE_NAME)
    now = [_MONDAY - HOUR]

    async def run() -> list[str]:
        down = await _with_two_repositories(store, now[0])
        channels = [from_row(row) for row in await read_channels(store)]
        digests = Digests(Outbox(store, lambda: now[0], "http://localhost"))
        store.down, store.is_full, now[0] = frozenset({down}), True, _MONDAY
        with pytest.raises(Unavailable):
            await digests.make(channels)
        store.is_full, now[0] = False, _MONDAY + 2 * MINUTE
        await digests.make(channels)
        return [notice_of(row).repository for row in await read_notices(store, 100)]

    try:
        assert ["acme/two"] == asyncio.run(run())
    finally:
        store.close()


class _SlowDigests(SQLiteStore):
    """A store whose digests can be read once a test says so."""

    def __init__(self, file: Path, now: Callable[[], int]) -> None:
        super().__init__(file, now=now)
        self.may_read = asyncio.Event()
        self.begun = 0

    async def read(
        self, repository_id: int | None, work: Callable[[Reader], T], *, seconds: float = QUERY_SECONDS
    ) -> T:
        if getattr(work, "func", None) is read_digest:
            self.begun += 1
            await self.may_read.wait()
        return await super().read(repository_id, work, seconds=seconds)


def _events(at: int, number: int, *exits: dict[str, Any]) -> list[AnyEvent]:
    body = [entered(format_instant(at - 20 * MINUTE), f"s{number}", number), *exits]
    return read_json(json.dumps(body).encode(), _MONDAY)


@pytest.mark.server
@pytest.mark.thorough
def test_a_removal_does_not_wait_for_the_digests_of_60_repositories(tmp_path: Path) -> None:
    """It arrives while the first digest is being made. All digests are one message of the owner's channel."""
    copy_empty_store(tmp_path)
    now = _MONDAY - HOUR
    store = _SlowDigests(tmp_path / FILE_NAME, lambda: now)
    store.look_seconds = 0.01

    async def run(receiver: Receiver) -> None:
        nonlocal now
        settings = NoticeSettings(
            hosts=frozenset({receiver.host}), key_folder=tmp_path, limits=Limits(seconds=MOST_SECONDS)
        )
        post, keys = make_post(settings), Keys((), tmp_path)
        channels = Channels(store, post, keys, lambda: now, "http://localhost")
        wanted = Wanted("webhook", receiver.url, None, (), None, (Rule(REMOVED), Rule(DIGEST)), Schedule())
        await channels.add(Scope("acme", None), wanted)
        for number in range(60):
            await store.record(Repository("acme", f"r{number}"), _events(now, number))
        now = _MONDAY + MINUTE
        gone = left(format_instant(now), "s7", 7, reason="CHECKS_FAILED")
        await store.record(Repository("acme", "r7"), _events(now, 7, gone))
        now += MINUTE
        sender = Sender(Outbox(store, lambda: now, "http://localhost"), post, keys, "a test")
        sender.start()
        await asyncio.to_thread(wait_until, lambda: store.begun)
        await asyncio.to_thread(wait_until, lambda: receiver.asked)
        assert 1 == store.begun
        store.may_read.set()
        await asyncio.to_thread(wait_for, 2, lambda: len(receiver.asked))
        await sender.close()

    with Receiver() as receiver:
        try:
            asyncio.run(run(receiver))
        finally:
            store.close()
    removed, digest = (json.loads(asked.body) for asked in receiver.asked)
    assert ("removed", "acme/r7") == (removed["kind"], removed["repository"])
    assert ("digest", "acme", None) == (digest["kind"], digest["repository"], digest["digest"])
    assert "acme merged 0 pull requests in 60 repositories in the last week." == digest["sentence"]
    assert {f"acme/r{number}" for number in range(60)} == {one["repository"] for one in digest["digests"]}
    assert 60 == store.begun


def test_a_digest_of_many_repositories_names_the_busiest() -> None:
    digests = [
        RepositoryDigest(
            f"acme/r{number}",
            f"All is well with {number}.",
            f"http://localhost/r/acme/r{number}",
            _week(number),
        )
        for number in range(40)
    ]
    sentence, ordered = together("acme", digests)
    notice = Notice(
        "1", "digest", "once", "acme", None, None, "2026-03-09T09:00:00Z", sentence, "http://localhost",
        digests=ordered,
    )  # fmt: skip

    lines = text(message_of(notice)).splitlines()

    assert [
        "Merge queues: the last week · acme",
        "",
        "acme merged 780 pull requests in 40 repositories in the last week.",
        "acme/r39 <http://localhost/r/acme/r39>: All is well with 39.",
    ] == lines[:4]
    assert [
        "acme/r10 <http://localhost/r/acme/r10>: All is well with 10.",
        "and 10 more",
        "",
        "Open in Mergecast <http://localhost>",
    ] == lines[-4:]
    validate(slack(message_of(notice)), SLACK)
    validate(teams(message_of(notice)), TEAMS)
    assert len(msgspec.json.encode(teams(message_of(notice)))) < 28 << 10


def _week(merged: int) -> Digest:
    figure = DigestFigure("Merged", float(merged), None, str(merged))
    return Digest("2026-03-02T09:00:00Z", "2026-03-09T09:00:00Z", [figure], [], [])


def test_a_digest_that_waits_goes_after_everything_else(tmp_path: Path) -> None:
    copy_empty_store(tmp_path)
    store = SQLiteStore(tmp_path / FILE_NAME)

    async def order() -> list[str]:
        options = Options("?", "c", (Rule(REMOVED), Rule(DIGEST)))
        await add_channel(store, to_row(Channel("c", "acme", None, "slack", "", options, 0)))
        rows = [
            NoticeRow(f"n{at}", "c", kind, str(at), "once", at, "{}", 0, at)
            for at, kind in enumerate(("digest", "removed", "alert"))
        ]
        await add_notices(store, rows)
        (first,) = await read_notices(store)
        return [first.kind, *(row.kind for row in await read_notices(store, 3))]

    try:
        assert ["removed", "removed", "alert", "digest"] == asyncio.run(order())
    finally:
        store.close()


def test_a_message_of_a_channel_that_was_deleted_is_not_stored(tmp_path: Path) -> None:
    """Making a digest takes a while, and nothing would delete the message."""
    copy_empty_store(tmp_path)
    store = SQLiteStore(tmp_path / FILE_NAME)

    async def waiting() -> list[NoticeRow]:
        await add_notices(store, [NoticeRow("n", "gone", "digest", "1", "once", 1, "{}", 0, 1)])
        return await read_notices(store)

    try:
        assert [] == asyncio.run(waiting())
    finally:
        store.close()
