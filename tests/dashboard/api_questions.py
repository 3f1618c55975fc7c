"""Questions to the API about an address of the dashboard."""

from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import httpx

from dashboard.address import Address, Window, parameters, usual_before


class Api:
    """Questions to the API about one address, at one moment."""

    def __init__(self, http: httpx.Client, address: Address) -> None:
        self._http, self.address, self._now = http, address, datetime.now(UTC)

    def get(self, path: str, **query: str) -> Any:
        answer = self._http.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def about(self, path: str, **query: str) -> Any:
        return self.get(f"/v1/repos/{self.address.repository}{path}", **query)

    def viewed(self, path: str, *, without: str = "", **query: str) -> Any:
        """In the window and with the filters of the address."""
        filters = {name: value for name, value in self.address.filters.items() if name != without}
        return self.about(path, **parameters(self.window), **filters, **query)

    def summary(self) -> Any:
        """Compared with what the address names."""
        chosen = self.address.chosen_before(self.window, self._pinned)
        named = {f"before_{name}": at for name, at in parameters(chosen).items()} if chosen else {}
        return self.viewed("/summary", intervals="true", **named)

    def summary_before(self) -> Any:
        window = self.address.chosen_before(self.window, self._pinned) or usual_before(self.window)
        return self.about("/summary", **parameters(window), **self.address.filters, intervals="true")

    @cached_property
    def window(self) -> Window:
        first = (
            self.about("/summary")["first_event_at"] if self.address.query.get("window") == "all" else None
        )
        return self.address.window(self._now, datetime.fromisoformat(first) if first else self._now)

    @cached_property
    def _pinned(self) -> dict[str, Window]:
        if "pinned" not in self.address.query:
            return {}
        return {
            one["name"]: (datetime.fromisoformat(one["start_at"]), datetime.fromisoformat(one["end_at"]))
            for one in self.about("/reference-periods")["reference_periods"]
        }

    def week_of(self, repository: str) -> Any:
        window = parameters(Address("overview", repository, None, {}).window(self._now, self._now))
        return self.get(f"/v1/repos/{repository}/summary", **window, intervals="true")
