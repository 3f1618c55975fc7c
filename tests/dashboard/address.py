"""The question that an address of the dashboard contains, as parameters of the API."""

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil
from urllib.parse import parse_qs, urlsplit

LENGTHS = {
    "24h": timedelta(days=1),
    "7d": timedelta(days=7),
    "28d": timedelta(days=28),
    "90d": timedelta(days=90),
}
Window = tuple[datetime, datetime]
_FILTERS = {"branch": "base_ref", "queue": "queue_name", "priority": "priority_rule_name"}


def packed(document: str) -> str:
    """A document as links contain it."""
    deflated = zlib.compress(document.encode(), wbits=-zlib.MAX_WBITS)
    return base64.urlsafe_b64encode(deflated).decode().rstrip("=")


@dataclass(frozen=True)
class Address:
    page: str
    repository: str
    number: int | None
    query: dict[str, str]

    @property
    def filters(self) -> dict[str, str]:
        return {_FILTERS[name]: value for name, value in self.query.items() if name in _FILTERS}

    def window(self, now: datetime, first_event: datetime) -> Window:
        """The window ends with the minute that `now` is in, even if days until midnight were chosen."""
        end = now.replace(second=0, microsecond=0) + timedelta(minutes=1)
        if "from" in self.query:
            first, last = (datetime.fromisoformat(self.query[name]) for name in ("from", "to"))
            return first, min(last, end)
        match self.query.get("window", "7d"):
            case "year":
                return end.replace(month=1, day=1, hour=0, minute=0), end
            case "all":
                return first_event.replace(hour=0, minute=0, second=0, microsecond=0), end
            case name:
                return end - LENGTHS[name], end

    def chosen_before(self, window: Window, pinned: Mapping[str, Window]) -> Window | None:
        """The period to compare with that the address names."""
        start, end = window
        if "pinned" in self.query:
            return pinned[self.query["pinned"]]
        match self.query.get("compare"):
            case "before":
                return start - (end - start), start
            case "week":
                shift = timedelta(weeks=max(1, ceil((end - start) / timedelta(weeks=1))))
                return start - shift, end - shift
            case _:
                return None


def usual_before(window: Window) -> Window:
    """The adjoining one, or for less than a week the same hours a week earlier."""
    start, end = window
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


def parameters(window: Window) -> dict[str, str]:
    start, end = (f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" for at in window)
    return {"start_at": start, "end_at": end}
