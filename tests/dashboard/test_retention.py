"""The overview says if a part of its period is not kept."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from browser_windows import Window
from builders import entered, left
from live_server import LiveServer
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.expire_events import drop_old_events

pytestmark = pytest.mark.server


def _drop(demo: LiveServer) -> None:
    name = Repository("kept", "aged")
    asyncio.run(drop_old_events(demo.store, name, now_in_microseconds(), 100 * DAY))


def test_the_overview_says_since_when_events_are_kept(signed_in: Window, demo: LiveServer) -> None:
    """Only if its period begins earlier."""
    now = datetime.now(UTC)

    def stay(number: int, days: int) -> list[dict[str, object]]:
        begin, end = ((now - timedelta(days=days, minutes=minutes)).isoformat() for minutes in (60, 30))
        return [entered(begin, f"stay-{number}", number), left(end, f"stay-{number}", number)]

    said = "was deleted because of its age: earlier figures are too low."
    demo.send([*stay(1, 300), *stay(2, 20), *stay(3, 2)], "kept/aged").raise_for_status()
    try:
        with ThreadPoolExecutor(1) as thread:  # this one has the loop of the browser
            thread.submit(_drop, demo).result()
        signed_in.open("/r/kept/aged?window=all")
        signed_in.sees(said)
        signed_in.open("/r/kept/aged/pulls/3")
        signed_in.sees("was deleted because of its age: earlier stays may be missing.")
        signed_in.open("/r/kept/aged?window=7d")
        signed_in.sees("merged")
        assert 0 == signed_in.page.get_by_text(said).count()
    finally:
        demo.http.delete("/v1/repos/kept/aged").raise_for_status()
