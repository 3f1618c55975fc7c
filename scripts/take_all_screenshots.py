"""Look at every page: pictures of each width and theme, with several histories, and what is wrong with them.

`scripts/screenshots --all FOLDER [STORE]` calls this. It starts a server of its own, with nothing, one stay,
the demo, and 60 queues. STORE is a data folder to look at as well; `benchmarks/big_store.py` makes one.
It prints every message on a console, finding of axe-core, page that is too wide, and page whose controls the
keyboard does not reach, and exits with 1 if there is any.
"""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from playwright.sync_api import Browser, Error, expect

from browser_windows import Window, chromium, sign_in_link
from builders import ended, entered, left, started
from demo_set_up import send_set_up
from live_server import LiveServer, live_server
from mergecast.demo.history import demo_events

_WIDTHS = (1440, 1024, 360)
_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_SECTIONS = "open=load.ci.queues.slowest"
_DELIVERY = 10_000
_QUEUES = 60
# How many controls the tab key must be able to reach, and which one it is at.
_CONTROLS = """() => [...document.querySelectorAll('a[href], button, input, select, summary')].filter(
  (one) => one.checkVisibility({visibilityProperty: true}) && !one.disabled && one.tabIndex >= 0).length"""
_FOCUSED = """() => {
  const all = [...document.querySelectorAll('*')];
  return all.indexOf(document.activeElement);
}"""


def main() -> int:
    folder, *stores = map(Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    found: list[str] = []
    with TemporaryDirectory() as data, live_server(Path(data)) as server, chromium() as browser:
        _fill(server)
        found += _visit(browser, server, _pages(server), folder)
    for store in stores:
        with live_server(store) as server, chromium() as browser:
            found += _visit(browser, server, _pages_of("large", "acme/large", server), folder)
    sys.stdout.write("\n".join([*found, f"{len(found)} findings\n"]))
    return 1 if found else 0


def _fill(server: LiveServer) -> None:
    now = datetime.now(UTC)
    monday = now.date() - timedelta(days=now.weekday(), weeks=13)
    histories = {
        "demo/harbor": list(demo_events(monday, now, checks_since=now - timedelta(days=7))),
        "acme/one": list(_stays(now, ["default"])),
        "acme/wide": list(_stays(now, [f"queue {number}" for number in range(_QUEUES)])),
    }
    for repository, events in histories.items():
        for first in range(0, len(events), _DELIVERY):
            server.send(events[first : first + _DELIVERY], repository).raise_for_status()
    send_set_up(server)


def _stays(now: datetime, queues: list[str]) -> Iterator[dict[str, Any]]:
    """One stay per queue that merged, and one that waits if there are several."""
    for number, queue in enumerate(queues, start=1):
        at = [(now - timedelta(minutes=minutes)).isoformat() for minutes in (90, 80, 60, 59)]
        name, stay, batch = {"queue_name": queue}, f"stay {number}", f"batch {number}"
        yield entered(at[0], stay, number, **name)
        yield started(at[1], stay, number, batch, [number], **name)
        yield ended(at[2], stay, number, batch, **name)
        yield left(at[3], stay, number, **name)
        if len(queues) > 1:
            yield entered(at[3], f"waiting {number}", 1000 + number, **name)


def _pages(server: LiveServer) -> dict[str, str]:
    pages = {
        "repositories": "/",
        "owner": "/r/acme",
        "settings": "/settings?repository=demo/harbor",
        "docs": "/docs",
    }
    for name, repository in (("demo", "demo/harbor"), ("one", "acme/one"), ("wide", "acme/wide")):
        pages |= _pages_of(name, repository, server)
    return pages | {"none-overview": "/r/acme/nothing", "none-queue": "/r/acme/nothing/queue"}


def _pages_of(name: str, repository: str, server: LiveServer) -> dict[str, str]:
    since = (datetime.now(UTC) - timedelta(days=28)).isoformat()
    stays = server.http.get(f"/v1/repos/{repository}/stays", params={"start_at": since, "limit": 100}).json()[
        "stays"
    ]
    number = max(stays, key=lambda stay: int(stay["retries"]))["pull_request"]
    path = f"/r/{repository}"
    return {
        f"{name}-overview": f"{path}?window=28d&{_SECTIONS}",
        f"{name}-pull": f"{path}/pulls/{number}",
        **{
            f"{name}-{page}": f"{path}/{page}"
            for page in ("queue", "ci-checks", "forecast", "set-up", "sources")
        },
        f"{name}-configuration": f"{path}/configuration",
    }


def _visit(browser: Browser, server: LiveServer, pages: dict[str, str], folder: Path) -> list[str]:
    context = browser.new_context()
    window, found = Window(context.new_page(), server.url), list[str]()
    window.page.goto(sign_in_link(server))
    window.sees("Repositories")
    for name, path in pages.items():
        for width in _WIDTHS:
            found += [
                f"{name}, {width}: {one}" for one in _look(window, path, width, folder / f"{name}-{width}")
            ]
        found += [f"{name}: {one}" for one in _tab_through(window)]
        sys.stderr.write(f"{name}\n")
    return found


def _look(window: Window, path: str, width: int, file: Path) -> list[str]:
    page, found = window.page, list[str]()
    page.set_viewport_size({"width": width, "height": 900})
    window.open(path)
    page.locator("h1, h2").first.wait_for()
    expect(page.locator(".loading")).to_have_count(0, timeout=600_000)
    found += [] if window.width() == width else [f"{window.width()} pixels wide"]
    for scheme in _SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {one}" for one in window.violations()]
        try:
            page.screenshot(path=f"{file}-{scheme}.png", full_page=True, animations="disabled")
        except Error as error:
            found.append(f"no picture: {error.message.splitlines()[0]}")
    found += [f"console: {one}" for one in window.unexpected_messages()]
    window.messages.clear()
    return found


def _tab_through(window: Window) -> list[str]:
    """The tab key comes by every control, and leaves the page at the end."""
    page = window.page
    controls, reached = int(page.evaluate(_CONTROLS)), set[int]()
    page.locator("body").press("Tab")
    for _ in range(3 * controls + 50):
        place = int(page.evaluate(_FOCUSED))
        if place in reached:
            break
        reached.add(place)
        page.keyboard.press("Tab")
    return [] if len(reached) >= controls else [f"the keyboard reaches {len(reached)} of {controls} controls"]


if __name__ == "__main__":
    sys.exit(main())
