"""When a waiting command looks, on a clock that jumps to whatever happens next."""

import asyncio
from contextlib import aclosing
from selectors import DefaultSelector, SelectorKey

import httpx

from mergecast.client.client import Client
from mergecast.client.pull_watch import PullWatch

_STATE = b'{"state": "unknown", "since": null, "position": null, "waiting_for": null, "removal": null}'


class _Jumping(DefaultSelector):
    """Waits for nothing: the time until the next timer passes at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def _looks_without_a_stream(most: int) -> list[float]:
    """When it looks, in seconds."""
    times: list[float] = []

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/live"):
            return httpx.Response(429, headers={"Retry-After": "3600"})
        times.append(round(asyncio.get_running_loop().time(), 3))
        return httpx.Response(200, content=_STATE)

    async def follow() -> None:
        async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
            watch = PullWatch(Client("http://server", "key"), http, ("a/b", 7), lambda _: None)
            async with aclosing(watch.states()) as states:
                async for _ in states:
                    if len(times) == most:
                        return

    with asyncio.Runner(loop_factory=_Loop) as runner:
        runner.run(follow())
    return times


def test_without_a_stream_it_looks_every_15_seconds() -> None:
    assert [0, 15, 30, 45] == _looks_without_a_stream(4)
