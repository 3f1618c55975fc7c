"""What happens when a part of the server fails while the server stops."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from asgi import ask
from live_server import NO_LIMITS, TOKEN
from logged_secrets import LOGGED
from mergecast.api.platform_access import Platform
from mergecast.app import Serving, application
from mergecast.judge.pools import document_pool
from mergecast.process.logs import log_as_json
from mergecast.queues.store.opening import open_store
from mergecast.sandbox.pool import Pool
from mergecast.simulation.ports import Forge
from shared_fork_servers import FOR_DOCUMENTS

pytestmark = pytest.mark.server


async def _fail() -> None:
    raise RuntimeError("the connections to the platform do not close")


def _serving(folder: Path) -> Serving:
    def judge() -> Pool:
        return document_pool(1, FOR_DOCUMENTS, children_at_start=0)

    platform = Platform(cast("Forge", None), close=_fail)
    return Serving(
        folder, TOKEN, "127.0.0.1", 0,
        policy=NO_LIMITS, platform=platform, judge=judge, forecaster=judge,
    )  # fmt: skip


def test_a_part_that_does_not_close_leaves_no_other_open(tmp_path: Path) -> None:
    """The lines of the access log that wait are written nevertheless."""
    log_as_json()
    store = open_store(tmp_path)
    server = application(store, _serving(tmp_path), "http://127.0.0.1", lambda: False)

    async def answer_and_stop() -> list[str]:
        sent: list[str] = []

        async def receive() -> Any:
            if sent:
                await ask(server, "GET", "/v1/repos/acme/closing/queue", TOKEN)
                return {"type": "lifespan.shutdown"}
            return {"type": "lifespan.startup"}

        async def send(message: Any) -> None:
            sent.append(message["type"])

        with pytest.raises(RuntimeError, match=r"^the connections to the platform do not close$"):
            await server({"type": "lifespan"}, receive, send)
        return sent

    before = len(LOGGED.getvalue())
    assert ["lifespan.startup.complete"] == asyncio.run(answer_and_stop())
    store.close()
    assert b'"route":"/v1/repos/{owner}/{repository}/queue"' in LOGGED.getvalue()[before:]
