"""The question that an address of the dashboard contains, as parameters of the API."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

LENGTHS = {
    "24h": timedelta(days=1),
    "7d": timedelta(days=7),
    "28d": timedelta(days=28),
    "90d": timedelta(days=90),
}
_FILTERS = {"branch": "base_ref", "queue": "queue_name", "priority": "priority_rule_name"}


@dataclass(frozen=True)
class Address:
    page: str
    repository: str
    number: int | None
    query: dict[str, str]

    @property
    def filters(self) -> dict[str, str]:
        return {_FILTERS[name]: value for name, value in self.query.items() if name in _FILTERS}

    def window(self, now: datetime) -> tuple[datetime, datetime]:
        """The window ends with the minute that `now` is in."""
        if "from" in self.query:
            return datetime.fromisoformat(self.query["from"]), datetime.fromisoformat(self.query["to"])
        end = now.replace(second=0, microsecond=0) + timedelta(minutes=1)
        return end - LENGTHS[self.query.get("window", "7d")], end

    def window_before(self, now: datetime) -> tuple[datetime, datetime]:
        """The adjoining one, or for less than a week the same hours a week earlier."""
        start, end = self.window(now)
        shift = max(end - start, timedelta(days=7))
        return start - shift, end - shift


def read(url: str) -> Address:
    parts = urlsplit(url)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    match parts.path.strip("/").split("/"):
        case ["r", owner, name]:
            return Address("overview", f"{owner}/{name}", None, query)
        case ["r", owner, name, "pulls", number]:
            return Address("pull", f"{owner}/{name}", int(number), query)
        case ["r", owner, name, page]:
            return Address(page, f"{owner}/{name}", None, query)
        case [page]:
            return Address(page or "repositories", "", None, query)
        case _:
            raise AssertionError(f"not an address of the dashboard: {url}")


def parameters(window: tuple[datetime, datetime]) -> dict[str, str]:
    start, end = (f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" for at in window)
    return {"start_at": start, "end_at": end}
