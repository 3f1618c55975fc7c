"""Questions to the API about an address of the dashboard."""

from datetime import UTC, datetime
from typing import Any

import httpx

from dashboard.address import Address, parameters


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
        window = parameters(self.address.window(self._now))
        filters = {name: value for name, value in self.address.filters.items() if name != without}
        return self.about(path, **window, **filters, **query)

    def viewed_before(self, path: str, **query: str) -> Any:
        window = parameters(self.address.window_before(self._now))
        return self.about(path, **window, **self.address.filters, **query)

    def week_of(self, repository: str) -> Any:
        window = parameters(Address("overview", repository, None, {}).window(self._now))
        return self.get(f"/v1/repos/{repository}/summary", **window, intervals="true")
