"""Windows of a real browser, and what tests ask about them."""

import shutil
from asyncio import AbstractEventLoop, _get_running_loop, _set_running_loop, get_running_loop
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    Route,
    expect,
    sync_playwright,
)

from live_server import LiveServer
from waiting import wait_until

T = TypeVar("T")

ROOT = Path(__file__).parents[1]
# Without the windows and toolbars of the whole browser, the shell takes half the CPU time.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
BUILT = ROOT / "src" / "mergecast" / "api" / "dashboard" / "index.html"
AXE = ROOT / "dashboard" / "node_modules" / "axe-core" / "axe.min.js"
_SECONDS = 120  # only a test that fails waits so long
# Chromium reports every answer that is no success; tests of refusals expect those.
_REFUSALS = tuple(
    f"Failed to load resource: the server responded with a status of {status}"
    for status in (403, 404, 409, 412, 422)
)

_TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
_FIND = "(options) => axe.run(options).then((found) => found.violations)"
# Describing everything that is right would take axe-core longer.
_BRIEFLY = {"resultTypes": ["violations"]}
# Without this, axe-core does not look for targets of less than 24 pixels.
_ALL_RULES = {"rules": {"target-size": {"enabled": True}}}


def why_not() -> str | None:
    """Why there is no browser test, if that is so."""
    if CHROMIUM is None:
        return "Chromium is not installed (Debian: apt install chromium-headless-shell)"
    if not BUILT.is_file() or not AXE.is_file():
        return "the dashboard is not built: run scripts/dashboard"
    return None


@contextmanager
def chromium() -> Iterator[Browser]:
    expect.set_options(timeout=_SECONDS * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"], timeout=_SECONDS * 1000
        )
        try:
            yield browser
        finally:
            browser.close()


class SharedBrowser:
    """A browser that tests use now and then.

    The event loop of Playwright runs in the thread of the tests. Between uses it is not the running one,
    so that other tests can run theirs.
    """

    def __init__(self, browser: Browser, loop: AbstractEventLoop) -> None:
        self._browser, self.loop = browser, loop

    @contextmanager
    def in_use(self) -> Iterator[Browser]:
        before = _get_running_loop()
        _set_running_loop(self.loop)
        try:
            yield self._browser
        finally:
            _set_running_loop(before)


@contextmanager
def shared_chromium() -> Iterator[SharedBrowser]:
    with chromium() as browser:
        shared = SharedBrowser(browser, get_running_loop())
        _set_running_loop(None)
        try:
            yield shared
        finally:
            _set_running_loop(shared.loop)


class Window:
    """A page, everything it wrote to the console, and every request that it sent."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.messages: list[str] = []
        self.requests: list[str] = []
        self._unanswered: set[Request] = set()
        page.set_default_timeout(_SECONDS * 1000)
        page.on("console", self._remember)
        page.on("request", self._note)
        page.on("requestfinished", self._forget)
        page.on("requestfailed", self._forget)
        page.on("pageerror", lambda error: self.messages.append(str(error)))

    def _remember(self, message: ConsoleMessage) -> None:
        self.messages.append(message.text)

    def _note(self, request: Request) -> None:
        self.requests.append(f"{request.method} {request.url} {request.post_data or ''}")
        # A stream does not end, and Playwright may not report the end of loading a shared worker.
        if request.resource_type != "eventsource" and "/streams-worker-" not in request.url:
            self._unanswered.add(request)

    def _forget(self, request: Request) -> None:
        self._unanswered.discard(request)

    def wait_until(self, found: Callable[[], T | None], what: str = "what this test waits for") -> T:
        """As `waiting.wait_until`; Playwright reports requests and events only while it is called."""

        def look() -> T | None:
            self.page.context.cookies()  # any call will do; this one does not mind a navigation
            return found()

        return wait_until(look, what)

    def hold(self, pattern: str, method: str | None = None) -> Callable[[], Route]:
        """The next request to an address waits. The result waits for that request, and returns its route."""
        held: list[Route] = []

        def keep(route: Route) -> None:
            if held or method not in (None, route.request.method):
                route.fallback()
            else:
                held.append(route)

        self.page.route(pattern, keep)
        return lambda: self.wait_until(lambda: held, f"a request to {pattern}")[0]

    def settles(self) -> None:
        """Wait until every request is answered, and the answers are drawn."""
        self.wait_until(lambda: self._is_drawn() and not self._unanswered, "an answer to every request")

    def _is_drawn(self) -> bool:
        """An answer may lead to the next question: after two frames, its request is sent."""
        return bool(self.page.evaluate(_TWO_FRAMES))

    def open(self, path: str) -> None:
        self.page.goto(f"{self.url}{path}")

    def sign_in(self, server: LiveServer, token: str | None = None) -> None:
        """Sign in by a link with a credential, and wait until that has ended."""
        self.page.goto(sign_in_link(server, token))
        expect(self.page.get_by_role("banner").get_by_role("link", name="Settings")).to_be_visible()

    def sees(self, text: str) -> None:
        """Wait until the page shows a text."""
        expect(self.page.get_by_text(text).first).to_be_visible()

    def refuses(self, field: Locator, sentence: str) -> None:
        """Wait until a field is marked as invalid, and described by a sentence."""
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(sentence)
        expect(self.page.get_by_role("alert").get_by_text(sentence)).to_be_visible()

    def saves(self, heading: str) -> None:
        """Wait until the section with this heading says that the last change is saved."""
        expect(self._states_of(heading, "Saving…")).to_have_count(0)
        expect(self._states_of(heading, "Saved.").first).to_be_visible()

    def is_saving(self, heading: str) -> None:
        """Wait until that section says that it waits for the server."""
        expect(self._states_of(heading, "Saving…").first).to_be_visible()

    def _states_of(self, heading: str, text: str) -> Locator:
        section = self.page.locator("section", has=self.page.get_by_role("heading", name=heading, exact=True))
        return section.get_by_role("status").get_by_text(text, exact=True)

    def width(self) -> int:
        width: int = self.page.evaluate("document.documentElement.scrollWidth")
        return width

    def violations(self, *rules: str) -> list[str]:
        """What axe-core finds wrong, by all rules or by these."""
        # The policy of the page lets no other script in, and Playwright evaluates this one outside of it.
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        options = _BRIEFLY | ({"runOnly": rules} if rules else _ALL_RULES)
        found: list[dict[str, Any]] = self.page.evaluate(_FIND, options)
        return [f"{one['id']}: {node['html']}" for one in found for node in one["nodes"]]

    def unexpected_messages(self) -> list[str]:
        return [message for message in self.messages if not message.startswith(_REFUSALS)]


def sign_in_link(server: LiveServer, token: str | None = None) -> str:
    """A link that signs in with a credential, once."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    answer = server.http.post("/v1/session/codes", headers=headers)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["url"])
