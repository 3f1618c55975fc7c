"""A receiver that is slow, wrong or hostile has a clear result, and delays no other channel."""

import asyncio
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from live_server import LiveServer
from local_http import Reply
from mergecast.process.sealing import Seal
from mergecast.queues.model.notification import REMOVED, Rule
from mergecast.queues.store.channel_rows import add_channel
from mergecast.signals.notices.channel import Channel, Options, Target, to_row
from mergecast.signals.notices.posting import Limits
from mergecast.signals.notices.sender import MOST_AT_ONCE, UnderWay
from notices.receivers import CHANNELS, Clock, Receiver, listed, make_channel, remove_pull_request, serving
from waiting import wait_for, wait_until

pytestmark = pytest.mark.server

_KEYS = ("key-of-at-least-32-characters-in-a-test",)
_PUBLIC = {"good.example": ["127.0.0.1"], "inside.example": ["10.1.2.3"], "mixed.example": ["1.1.1.1", "::1"]}


async def _resolve(host: str, _: int) -> Sequence[str]:
    if host not in _PUBLIC and not host.replace(".", "").isdigit():
        raise socket.gaierror(-2, "Name or service not known")
    return _PUBLIC.get(host, [host])


class _RawReceiver:
    """Accepts connections, and sends some bytes or none."""

    def __init__(self, opening: bytes, endless: bytes, *, closes: bool) -> None:
        self._opening, self._endless, self._closes = opening, endless, closes
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.sent = 0
        self.accepted = 0
        self._is_over = threading.Event()
        self._threads: list[threading.Thread] = []
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.accepted += 1
            thread = threading.Thread(target=self._answer, args=(connection,))
            self._threads.append(thread)
            thread.start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            try:
                if self._closes:
                    return
                connection.recv(1 << 16)
                connection.sendall(self._opening)
                while self._endless:
                    self.sent += connection.send(self._endless)
                self._is_over.wait()
            except OSError:
                return

    def close(self) -> None:
        """Close all connections; also a second time."""
        if self._is_over.is_set():
            return
        self._is_over.set()
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for thread in (self._thread, *self._threads):
            thread.join()


@contextmanager
def _raw(opening: bytes = b"", endless: bytes = b"", *, closes: bool = False) -> Iterator[_RawReceiver]:
    receiver = _RawReceiver(opening, endless, closes=closes)
    try:
        yield receiver
    finally:
        receiver.close()


def test_fifty_bad_channels_delay_nobody_and_each_says_what_is_wrong(tmp_path: Path) -> None:
    """The good channel gets its message while the others still hang."""
    clock = Clock()
    gigabyte = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"
    replies = {
        400: Reply(400),
        429: Reply(429),
        500: Reply(500),
        302: Reply(302, b"", {"Location": "http://x/"}),
    }
    with (
        _raw() as hanging,
        _raw(gigabyte, b"x" * 65536) as large,
        _raw(closes=True) as closing,
        Receiver(*[replies[400]] * 9) as bad,
        Receiver(*[replies[429]] * 9) as busy,
        Receiver(*[replies[500]] * 9) as broken,
        Receiver(*[replies[302]] * 9) as moved,
        Receiver() as good,
        serving(
            tmp_path, clock, good, bad, busy, broken, moved, hanging, large, closing,  # type: ignore[arg-type]
            resolve=_resolve,
        ) as server,
    ):  # fmt: skip
        kinds = {
            "https://10.0.0.1/x": _hidden("10.0.0.1"),
            "https://inside.example/x": _hidden("inside.example"),
            "https://mixed.example/x": _hidden("mixed.example"),
            "https://nowhere.example/x": _hidden("nowhere.example"),
            f"{moved.url}/x": "127.0.0.1 answered 302; redirects are not followed, use the final URL",
            f"{bad.url}/x": "127.0.0.1 answered 400",
            f"{busy.url}/x": "127.0.0.1 answered 429; it is tried again",
            f"{broken.url}/x": "127.0.0.1 answered 500; it is tried again",
            f"{large.url}/x": "127.0.0.1 answered 200 and more than 64 KiB, which were not read",
        }
        made = {}
        for number in range(5):
            for url in kinds:
                made[make_channel(server, kind="webhook", url=f"{url}{number}")["id"]] = url
            make_channel(server, kind="webhook", url=f"{hanging.url}/x{number}")
        make_channel(server, kind="slack", url=f"{closing.url}/x")
        assert 422 == server.http.post(CHANNELS, json={"kind": "slack", "url": "wrong"}).status_code
        make_channel(server, kind="slack", url=good.url)
        remove_pull_request(server, clock, 7)
        clock.pass_seconds(16)
        wait_until(lambda: good.asked)
        # All but those that hang, of which none has a result.
        wait_for(47, lambda: len([one for one in listed(server) if one["last_result"]]))
        assert [None] * 5 == [result for target, result in _results(server) if target.startswith(hanging.url)]
        hanging.close()

        found = {one["id"]: one["last_result"]["detail"] for one in listed(server) if one["id"] in made}
        assert {id: kinds[url] for id, url in made.items()} == found
        assert large.sent < 5 * (16 << 20)
        (closed,) = [result for target, result in _results(server) if target.startswith(closing.url)]
        assert closed["detail"].startswith("127.0.0.1 did not answer: ")


def _hidden(host: str) -> str:
    return (
        f"the host {host} was not found or is not public; the operator can allow it with "
        f"MERGECAST_NOTICE_HOSTS={host}:443; it is tried again"
    )


def _results(server: LiveServer) -> list[tuple[str, Any]]:
    return [(channel["target"], channel["last_result"]) for channel in listed(server)]


def test_a_receiver_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    """Longer than ten seconds; here half of one."""
    assert 10 == Limits().seconds
    with _raw() as hanging, serving(tmp_path, Clock(), hanging, limits=Limits(seconds=0.5)) as server:  # type: ignore[arg-type]
        id = make_channel(server, kind="slack", url=hanging.url)["id"]

        answer = server.http.post(f"{CHANNELS}/{id}/test")

    expected = {"is_sent": False, "detail": "127.0.0.1 did not answer within 0.5 seconds"}
    assert expected == answer.json()


def test_many_slow_channels_of_one_owner_delay_no_other_owner(tmp_path: Path) -> None:
    """The good channel gets its message while as many of the others hang as may be under way."""
    clock = Clock()
    with _raw() as hanging, Receiver() as good:
        serve = serving(tmp_path, clock, hanging, good, resolve=_resolve, secret_keys=_KEYS)  # type: ignore[arg-type]
        with serve as server:
            asyncio.run(_add_channels(server, clock, "slow", hanging.url, MOST_AT_ONCE + 50))
            make_channel(server, kind="webhook", url=good.url)
            remove_pull_request(server, clock, 1, repository="slow/one")
            clock.pass_seconds(16)
            wait_for(MOST_AT_ONCE // 2, lambda: hanging.accepted)
            remove_pull_request(server, clock, 2)
            clock.pass_seconds(16)

            wait_until(lambda: good.asked)

            assert MOST_AT_ONCE // 2 == hanging.accepted
            hanging.close()


async def _add_channels(server: LiveServer, clock: Clock, owner: str, url: str, count: int) -> None:
    seal = Seal(_KEYS)
    for number in range(count):
        sealed = seal.close(msgspec.json.encode(Target(url)), f"c{number}")
        options = Options("?", f"c{number}", (Rule(REMOVED),))
        channel = Channel(f"c{number}", owner, None, "slack", sealed, options, clock.now, digest_at=clock.now)
        await add_channel(server.store, to_row(channel))


def test_there_is_always_room_for_the_next_owner() -> None:
    """Digests leave half of the places to what is urgent."""

    async def begun() -> list[int]:
        under_way, is_over = UnderWay(8), asyncio.Event()

        async def wait() -> None:
            await is_over.wait()

        counts = []
        for owner, is_urgent in (("a", False), ("b", True), ("c", True), ("d", True), ("e", True)):
            count = 0
            for number in range(9):
                channel = Channel(
                    f"{owner}{number}", owner, None, "slack", "", Options("?", f"{owner}{number}"), 0
                )
                if under_way.has_room(channel, is_urgent=is_urgent):
                    under_way.begin(channel, wait())
                    count += 1
            counts.append(count)
        is_over.set()
        await asyncio.gather(*under_way.tasks)
        await asyncio.sleep(0)
        assert [] == list(under_way.channels)
        return counts

    assert [2, 3, 2, 1, 0] == asyncio.run(begun())


def test_an_unexpected_error_is_the_result_of_a_sample(tmp_path: Path) -> None:
    async def resolve(_: str, __: int) -> Sequence[str]:
        raise RuntimeError("no name server can answer like this")

    with serving(tmp_path, Clock(), resolve=resolve) as server:
        id = make_channel(server, kind="slack", url="https://chat.example/x")["id"]

        answer = server.http.post(f"{CHANNELS}/{id}/test")

        detail = "an unexpected error, which the log of the server describes"
        assert (200, {"is_sent": False, "detail": detail}) == (answer.status_code, answer.json())
        assert detail == listed(server)[0]["last_result"]["detail"]


def test_a_name_is_resolved_once_and_the_connection_goes_to_that_address(tmp_path: Path) -> None:
    """A second answer of the name server, with a private address, would not be used."""
    clock, asked = Clock(), []

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked.append((host, port))
        return ["127.0.0.1"]

    with Receiver() as receiver:
        port = receiver.url.rpartition(":")[2]
        hosts = frozenset({f"chat.example:{port}"})
        with serving(tmp_path, clock, resolve=resolve, hosts=hosts) as server:
            id = make_channel(server, kind="slack", url=f"http://chat.example:{port}/x")["id"]
            answer = server.http.post(f"{CHANNELS}/{id}/test")

        assert {"is_sent": True, "detail": "chat.example answered 200"} == answer.json()
        assert [("chat.example", int(port))] == asked
        assert f"chat.example:{port}" == receiver.asked[0].headers["Host"]
