"""A process that stores causes and sends notices is killed repeatedly."""

import asyncio
import json
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import NamedTuple

from local_http import Asked, LocalServer, Reply
from mergecast.process.clock import now_in_microseconds
from mergecast.process.sealing import Keys
from mergecast.queues.answers.channels import Schedule
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.cause import BEGIN, Cause
from mergecast.queues.model.notification import ALERT, Rule
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.alerts import encode_alert
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.outbox import add_causes
from mergecast.queues.store.store import Store
from mergecast.signals.notices.channels import Channels, Wanted
from mergecast.signals.notices.delivery import NoticeSettings, make_post
from mergecast.signals.notices.outbox import Outbox
from mergecast.signals.notices.posting import Limits
from mergecast.signals.notices.scope import Scope
from mergecast.signals.notices.sender import Sender
from waiting import MOST_SECONDS, wait_until

WIDGETS = Repository("acme", "widgets")
CHANNELS = 3
_LONGEST_LIFE = 1.5


class Killed(NamedTuple):
    """What came of it: how many causes were stored, and how many messages each channel got twice or never."""

    kills: int
    causes: int
    lost: int
    repeated: tuple[int, ...]  # by channel
    ids: int  # different ids of messages


def kill_often(folder: Path, kills: int, seed: int = 1) -> Killed:
    """Kill the process this often, then let it send the rest."""
    receivers = [LocalServer(lambda _: Reply(200)) for _ in range(CHANNELS)]
    with ExitStack() as opened:
        for receiver in receivers:
            opened.enter_context(receiver)
        urls = [receiver.url for receiver in receivers]
        stored: set[str] = set()
        random = Random(seed)
        for _ in range(kills):
            stored |= _live(folder, urls, random.uniform(0.2, _LONGEST_LIFE))
        _live(folder, urls, None, lambda: all(stored <= set(_keys(receiver)) for receiver in receivers))
        got = [_keys(receiver) for receiver in receivers]
        ids = {asked.headers["Mergecast-Id"] for receiver in receivers for asked in receiver.asked}
    lost = sum(len(stored - set(keys)) for keys in got)
    return Killed(kills, len(stored), lost, tuple(len(keys) - len(set(keys)) for keys in got), len(ids))


def _keys(receiver: LocalServer) -> list[str]:
    """What arrived whole; a server that is killed leaves a request unfinished."""
    return [
        _key(asked)
        for asked in list(receiver.asked)
        if len(asked.body) == int(asked.headers["Content-Length"])
    ]


def _key(asked: Asked) -> str:
    return str(json.loads(asked.body)["incident"])


def _live(
    folder: Path, urls: list[str], seconds: float | None, is_over: Callable[[], bool] | None = None
) -> set[str]:
    """One life of the process; returns the causes that it says it has stored."""
    processes = get_context("forkserver")
    processes.set_forkserver_preload([__name__])
    ours, theirs = processes.Pipe()
    process = processes.Process(target=_work, args=(folder, urls, theirs, seconds is not None))
    process.start()
    theirs.close()
    stored: set[str] = set()
    reading = threading.Thread(target=_read, args=(ours, stored))
    reading.start()
    try:
        wait_until(is_over or (lambda: bool(stored)))
        time.sleep(seconds or 0)
    finally:
        process.kill()
        process.join()
        reading.join()
    return stored


def _read(pipe: Connection, stored: set[str]) -> None:
    try:
        while True:
            stored.add(pipe.recv())
    except EOFError:
        return


def _work(folder: Path, urls: list[str], pipe: Connection, is_storing: bool) -> None:  # noqa: FBT001
    asyncio.run(_store_and_send(folder, urls, pipe, is_storing=is_storing))


async def _store_and_send(folder: Path, urls: list[str], pipe: Connection, *, is_storing: bool) -> None:
    store = open_store(folder)
    store.look_seconds = 0.02
    hosts = frozenset(url.removeprefix("http://") for url in urls)
    # A message that a busy machine takes long for would be sent again.
    settings = NoticeSettings(hosts=hosts, key_folder=folder, limits=Limits(seconds=MOST_SECONDS))
    post, keys = make_post(settings), Keys((), folder)
    channels = Channels(store, post, keys, now_in_microseconds, "https://mergecast.example")
    if not await channels.listed(Scope("acme", None)):
        for url in urls:
            wanted = Wanted("webhook", url, None, (), None, (Rule(ALERT),), Schedule())
            await channels.add(Scope("acme", None), wanted)
    Sender(Outbox(store, now_in_microseconds, ""), post, keys, token_hex(8)).start()
    while True:
        if is_storing:
            key = await _add_cause(store)
            pipe.send(key)
        await asyncio.sleep(0.02)


async def _add_cause(store: Store) -> str:
    now = now_in_microseconds()
    key = f"alert-{now}"
    # Each has a queue of its own, because alerts of one queue would be one incident.
    alert = Alert(key, "no_run_started", "learned", "main", key, now, now, 2.0, 1.0, "No run.", "Look.")
    cause = Cause(ALERT, key, BEGIN, now, "main", key, encode_alert(alert))
    await store.change(WIDGETS, lambda held: add_causes(held, [cause]), create=True)
    return key


def shown(killed: Killed) -> str:
    return (
        f"{killed.kills} kills, {killed.causes} causes, {CHANNELS} channels: {killed.lost} messages lost, "
        f"{sum(killed.repeated)} repeated, {killed.ids} different ids"
    )
