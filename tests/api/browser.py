"""A real browser, driven over WebDriver: plain HTTP requests to `chromedriver`."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--window-size=400,800",
)  # fmt: skip
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # WebDriver's key for an element reference
_SECONDS = 20.0


class Browser:
    """One browser window."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def open(self, url: str) -> None:
        self._ask("POST", "/url", {"url": url})

    def address(self) -> str:
        return str(self._ask("GET", "/url"))

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression on the page."""
        return self._ask("POST", "/execute/sync", {"script": f"return {script}", "args": []})

    def text(self, selector: str) -> str:
        return str(self._ask("GET", f"/element/{self._find(selector)}/text"))

    def is_shown(self, selector: str) -> bool:
        return bool(self._ask("GET", f"/element/{self._find(selector)}/displayed"))

    def click(self, selector: str) -> None:
        self._ask("POST", f"/element/{self._find(selector)}/click", {})

    def type(self, selector: str, text: str) -> None:
        """Replace the content of the field."""
        self._ask("POST", f"/element/{self._find(selector)}/clear", {})
        self._ask("POST", f"/element/{self._find(selector)}/value", {"text": text})

    def press(self, *keys: str) -> None:
        """Send keys to the focused element."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def errors(self) -> list[str]:
        """Console messages, such as script errors and blocked styles, without failed network requests."""
        entries = self._ask("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["source"] != "network"]

    def _find(self, selector: str) -> str:
        found = self._ask("POST", "/element", {"using": "css selector", "value": selector})
        return str(found[_ELEMENT])

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self._http.request(method, path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()["value"]


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _SECONDS
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser window whose profile is stored in `folder`."""
    assert CHROMIUM is not None
    assert DRIVER is not None
    environment = {**os.environ, "HOME": str(folder), "NO_PROXY": "*"}
    with subprocess.Popen(
        [DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as driver:
        try:
            yield from _window(_port_of(driver), folder)
        finally:
            driver.terminate()


def _port_of(driver: "subprocess.Popen[str]") -> int:
    assert driver.stdout is not None
    for line in driver.stdout:
        if found := re.search(r"started successfully on port (\d+)", line):
            return int(found[1])
    raise AssertionError("the driver ended at its start")


def _window(port: int, folder: Path) -> Iterator[Browser]:
    options = {"binary": CHROMIUM, "args": [*_FLAGS, f"--user-data-dir={folder / 'profile'}"]}
    wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
    driver = f"http://127.0.0.1:{port}"
    with httpx.Client(timeout=60, trust_env=False) as http:
        made = http.post(f"{driver}/session", json={"capabilities": {"alwaysMatch": wanted}})
        assert made.status_code == 200, made.text
        session = f"{driver}/session/{made.json()['value']['sessionId']}"
        http.base_url = httpx.URL(session)
        try:
            yield Browser(http)
        finally:
            # A path relative to the base URL would end in a slash, which does not name the session.
            http.delete(session).raise_for_status()
