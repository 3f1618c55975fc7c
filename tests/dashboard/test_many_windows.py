"""Many windows of one browser, which keeps six connections to a server: they share their streams."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext

from browser_windows import Window
from builders import entered
from dashboard.conftest import session_of
from live_server import NO_LIMITS, LiveServer, live_server
from waiting import wait_for

pytestmark = pytest.mark.server
_REPOSITORIES = ("acme/one", "acme/two", "acme/three")
# Half of the connections may be streams, and a tenth of those one credential's.
_STREAMS_OF_CREDENTIAL = 12
_LIMITS = replace(NO_LIMITS, connections=20 * _STREAMS_OF_CREDENTIAL)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, _LIMITS) as server:
        for number, name in enumerate(_REPOSITORIES):
            _enter(server, name, number + 1)
        yield server


def _enter(server: LiveServer, name: str, number: int) -> None:
    stay = entered(datetime.now(UTC).isoformat(), f"stay {number}", number)
    server.send([stay], name).raise_for_status()


def _open(context: BrowserContext, server: LiveServer, name: str) -> Window:
    window = Window(context.new_page(), server.url)
    window.open(f"/r/{name}/queue")
    window.sees("1 pull request in queue")
    return window


def _free_streams(server: LiveServer) -> int:
    """How many more streams the operator could open now."""
    held = []
    for _ in range(_STREAMS_OF_CREDENTIAL + 1):
        request = server.http.build_request("GET", f"/v1/repos/{_REPOSITORIES[0]}/live")
        held.append(server.http.send(request, stream=True))
    for answer in held:
        answer.close()
    return sum(answer.status_code == 200 for answer in held)


def test_eight_windows_load_and_hear_the_news(opened_browser: Browser, server: LiveServer) -> None:
    """All are visible. Two repositories have a stream each; the third has one when another is free."""
    context = opened_browser.new_context(storage_state=session_of(opened_browser, server))
    one, two, three = _REPOSITORIES
    first = [_open(context, server, one) for _ in range(3)]
    second = [_open(context, server, two) for _ in range(3)]
    third = [_open(context, server, three) for _ in range(2)]

    for name, windows in ((one, first), (two, second)):
        _enter(server, name, 77)
        for window in windows:
            window.sees("2 pull requests in queue")
            window.sees("#77")
    wait_for(_STREAMS_OF_CREDENTIAL - 2, lambda: _free_streams(server))
    for window in third:
        window.sees("not live")

    for window in first:
        window.page.close()
    for window in third:
        window.sees("● live")
    _enter(server, three, 78)
    for window in third:
        window.sees("#78")
    wait_for(_STREAMS_OF_CREDENTIAL - 2, lambda: _free_streams(server))
    context.close()


@pytest.mark.parametrize("status", [404, 200], ids=["missing", "mute"])
def test_a_window_that_cannot_share_has_its_own_stream(signed_in: Window, status: int) -> None:
    """The file of the shared worker is missing after an upgrade, or it does not run and no event says so."""
    file = "**/assets/streams-worker-*"
    signed_in.page.route(file, lambda route: route.fulfill(status=status, content_type="text/javascript"))
    signed_in.open("/r/demo/harbor")
    signed_in.sees("● live")
