"""Servers whose forecasts last until a test lets them end, and those who ask them."""

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from builders import entered
from live_server import LiveServer, live_server
from local_client import local_client
from mergecast.judge.pools import FORECASTS, FORECASTS_AT_ONCE
from mergecast.sandbox.fork_server import ForkServer
from mergecast.sandbox.patience import Patience
from mergecast.sandbox.pool import Pool
from shared_fork_servers import PATIENT
from waiting import wait_until

FORECAST = {"base_ref": "main", "candidate": {"settings": {"batch_size": 2}}}
LINES = {"Accept": "application/x-ndjson"}
NAMES = ("one", "two", "three")
PATH = "/v1/repos/acme/one/forecast"
_PROGRAM = Path(__file__).parent / "judge" / "held_forecaster.py"


class HeldForecasts:
    """The folder by which the children of `pool` and the test tell each other how far they are."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()

    def pool(self, seconds: float = 60.0, patience: Patience = PATIENT) -> Pool:
        program = (sys.executable, "-I", str(_PROGRAM), str(self._folder))
        return Pool(
            FORECASTS,
            FORECASTS_AT_ONCE + 1,
            ForkServer(program),
            seconds,
            stops_abandoned=True,
            patience=patience,
        )

    def begun(self) -> int:
        """How many children have begun."""
        return len(list(self._folder.glob("begun-*")))

    def wait_until_begun(self, count: int) -> None:
        wait_until(lambda: self.begun() >= count, f"{count} forecasts under way")

    def sent(self, progress: int) -> int:
        """How many children have reported this much."""
        return len(list(self._folder.glob(f"*-{progress}")))

    def allow(self, progress: int) -> None:
        (self._folder / str(progress)).mkdir()

    def forbid(self, progress: int) -> None:
        (self._folder / str(progress)).rmdir()

    def let_end(self) -> None:
        (self._folder / "go").mkdir()


@contextmanager
def serving_held(folder: Path, **pool: Any) -> Iterator[tuple[LiveServer, HeldForecasts]]:
    held = HeldForecasts(folder / "held")
    with live_server(folder / "data", forecaster=partial(held.pool, **pool)) as server:
        for name in NAMES:
            server.send([entered("2026-03-02T10:00:00Z", "a", 1)], f"acme/{name}").raise_for_status()
        yield server, held


class Asked(threading.Thread):
    """A forecast that somebody waits for; the lines that have arrived so far."""

    def __init__(self, server: LiveServer, token: str, path: str = PATH, **body: Any) -> None:
        super().__init__()
        self._url, self._token = server.url + path, token
        self._body = body or FORECAST
        self.lines: list[Any] = []
        self.start()

    def run(self) -> None:
        headers = {**LINES, "Authorization": f"Bearer {self._token}"}
        with (
            local_client(timeout=600) as http,
            http.stream("POST", self._url, json=self._body, headers=headers) as response,
        ):
            self.lines.extend(json.loads(line) for line in response.iter_lines())

    def place(self) -> Any:
        """The last position that was told."""
        return next((line["line"] for line in reversed(self.lines) if "line" in line), None)

    def positions(self) -> list[int]:
        return [line["line"]["position"] for line in self.lines if "line" in line]


def keys_of(server: LiveServer, count: int) -> list[str]:
    return [server.key(scopes=["read"])["key"] for _ in range(count)]


def advice(server: LiveServer, name: str, token: str | None = None) -> Any:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    response = server.http.get(f"/v1/repos/acme/{name}/forecast/recommendation", headers=headers)
    assert response.status_code == 200, response.text
    return response.json()
