"""One browser, and one server with the demo, for all tests of the dashboard's pages."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, StorageState

from browser_windows import SharedBrowser, Window, shared_chromium, why_not
from builders import entered, left
from demo_set_up import send_set_up
from live_server import LiveServer, live_server
from mergecast.demo.history import demo_events
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.instant import HOUR, SECOND
from worlds.events import history_of
from worlds.wire import wire_event
from worlds.world import World

ADVISED = "acme/advised"
_WORLD = World(5, days=15, pulls_per_day=20, length_median=20, weekend=0.5)
HOSTILE = "<img src=x onerror=alert(1)>"
_WEEKS = 4  # on any day of the week, the dashboard can show 28 days
_DAYS_OF_CHECKS = 4
_DELIVERY = 10_000


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Four weeks of the demo, its set-up, and a repository with one stay in a queue with a hostile name."""
    folder = tmp_path_factory.mktemp("demo")
    shutil.copytree(_filled_folder(tmp_path_factory), folder, dirs_exist_ok=True)
    with live_server(folder) as server:
        yield server


def _filled_folder(temporary: pytest.TempPathFactory) -> Path:
    """A data folder with these events, which the first process that needs it fills for all of a run."""
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    of_run = temporary.getbasetemp().parent if is_worker else temporary.getbasetemp()
    folder, ready = of_run / "filled-demo", of_run / "filled-demo-is-ready"
    with (of_run / "filled-demo-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            with live_server(folder) as server:
                _fill(server)
            ready.touch()
    return folder


def _fill(server: LiveServer) -> None:
    now = datetime.now(UTC)
    monday = now.date() - timedelta(days=now.weekday(), weeks=_WEEKS)
    events = list(demo_events(monday, now, checks_since=now - timedelta(days=_DAYS_OF_CHECKS)))
    for first in range(0, len(events), _DELIVERY):
        assert server.send(events[first : first + _DELIVERY], "demo/harbor").status_code == 200
    send_set_up(server)
    hour_ago = (now - timedelta(hours=1)).isoformat()
    # Other processes of the run, which use the folder too, count the ids of their events themselves.
    stay = [
        entered(hour_ago, "stay-1", 1, queue_name=HOSTILE, id="it entered"),
        left(now.isoformat(), "stay-1", 1, queue_name=HOSTILE, id="it left"),
    ]
    assert server.send(stay, "acme/odd").status_code == 200


@pytest.fixture(scope="session")
def advised(demo: LiveServer) -> LiveServer:
    """Just enough history for forecasts, which are quick with it: a queue that tests one at a time.

    Its last event was less than an hour ago: a source that is silent for longer may raise an alert.
    """
    history = history_of(_WORLD, _WORLD.play(Policy(rules=(QueueRule(1, 1, 0),), max_parallel_checks=1)))
    last = max(event.happened_at for event in history)
    later = (int(datetime.now(UTC).timestamp()) * SECOND - last) // HOUR * HOUR
    events = [wire_event(event._replace(happened_at=event.happened_at + later)) for event in history]
    demo.send(events, ADVISED).raise_for_status()
    return demo


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[SharedBrowser]:
    reason = why_not()
    if reason:
        pytest.skip(reason)
    with shared_chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def opened_browser(shared_browser: SharedBrowser) -> Iterator[Browser]:
    with shared_browser.in_use() as browser:
        yield browser


@pytest.fixture
def window(opened_browser: Browser, demo: LiveServer) -> Iterator[Window]:
    """A window without a session; the test fails if its console has an unexpected message."""
    with opened_window(opened_browser, demo) as window:
        yield window


@pytest.fixture
def signed_in(opened_browser: Browser, demo: LiveServer, session: StorageState) -> Iterator[Window]:
    """The same, signed in by a link with the admin token."""
    with opened_window(opened_browser, demo, session) as window:
        yield window


@pytest.fixture(scope="session")
def session(shared_browser: SharedBrowser, demo: LiveServer) -> StorageState:
    with shared_browser.in_use() as browser:
        return session_of(browser, demo)


def session_of(browser: Browser, server: LiveServer) -> StorageState:
    """What a browser keeps of signing in: the next window with it need not load a page for that."""
    with opened_window(browser, server) as window:
        window.sign_in(server)
        return window.page.context.storage_state()


@contextmanager
def opened_window(
    browser: Browser, demo: LiveServer, session: StorageState | None = None
) -> Iterator[Window]:
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, accept_downloads=True, storage_state=session
    )
    window = Window(context.new_page(), demo.url)
    yield window
    context.close()
    assert [] == window.unexpected_messages()
