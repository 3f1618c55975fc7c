"""A window whose figures are compared with the API's answers to the question in its address."""

import time
from collections.abc import Callable

from browser_windows import Window
from dashboard import address, screen
from dashboard.api_questions import Api
from dashboard.expectations import expected
from dashboard.screen import Figures
from live_server import LiveServer
from waiting import MOST_SECONDS

_LOOKS = 20


class Compared:
    """Click, then `agrees`: it asks the API itself, and waits until the page shows the same."""

    def __init__(self, window: Window, server: LiveServer) -> None:
        self.window, self.page, self.server = window, window.page, server
        self._last: Figures = {}

    def open(self, path: str) -> None:
        self.window.open(path)
        self.agrees()

    def click(self, name: str, role: str = "button") -> None:
        """A click that changes the figures."""
        self.page.get_by_role(role, name=name, exact=True).click()  # type: ignore[arg-type]
        self.agrees(changed=True)

    def choose(self, label: str, option: str) -> None:
        self.page.get_by_label(label, exact=True).select_option(option)
        self.agrees(changed=True)

    def agrees(self, more: Callable[[Api], Figures] | None = None, *, changed: bool = False) -> None:
        """Wait until every figure is right. `changed`: and until they are others than before."""
        deadline = time.monotonic() + MOST_SECONDS
        wrong = ["nothing was compared"]
        while wrong and time.monotonic() < deadline:
            where = address.read(self.page.evaluate("location.href"))
            wanted = dict(expected(self.server.http, where))
            if more is not None:
                wanted |= more(Api(self.server.http, where))
            wrong = ["the same as before"] if changed and wanted == self._last else self._differences(wanted)
        assert [] == wrong, f"{self.page.url} shows something else than the API answers: {wrong}"
        assert wanted
        self._last = wanted

    def _differences(self, wanted: Figures) -> list[str]:
        """A few looks, because answers are on their way; then the API may answer something else, too."""
        wrong: list[str] = []
        for _ in range(_LOOKS):
            seen = screen.look(self.page)
            wrong = screen.differences(wanted, screen.figures_of(seen))
            if not wrong or not screen.changes(self.page, seen):
                break
        return wrong
