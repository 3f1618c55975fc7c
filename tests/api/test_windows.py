"""The default window, and extreme windows that must not cause internal errors."""

from datetime import UTC, datetime, timedelta

import pytest

from builders import entered, left
from live_server import LiveServer
from mergecast.queues.stats.published import STATISTICS

_EXTREMES = [
    {"start_at": "0001-01-01T00:00:00Z"},
    {"end_at": "0001-01-01T00:00:00Z"},
    {"end_at": "9999-12-31T23:59:59.999999Z"},
    {"start_at": "0001-01-01T00:00:00Z", "end_at": "9999-12-31T23:59:59.999999Z"},
    {"start_at": "1970-01-01T00:00:00Z", "end_at": "1970-01-01T00:00:00.000001Z"},
    {"start_at": "1969-12-31T23:59:59Z", "end_at": "1970-01-06T00:00:00Z"},
    {"start_at": "0001-01-01T00:00:00Z", "end_at": "0001-01-01T00:00:01Z"},
]


@pytest.fixture(scope="module")
def old(server: LiveServer) -> str:
    """A repository with its first event at the earliest possible instant and a merge 25 hours ago."""
    yesterday = datetime.now(UTC) - timedelta(hours=25)
    events = [
        entered("1970-01-01T00:00:00Z", "first", 0),
        left("1970-01-01T00:00:00.000001Z", "first", 0),
        entered((yesterday - timedelta(hours=1)).isoformat(), "second", 1),
        left(yesterday.isoformat(), "second", 1),
        entered((yesterday + timedelta(hours=2)).isoformat(), "third", 2),
    ]
    server.send(events, "acme/old").raise_for_status()
    return "acme/old"


@pytest.mark.parametrize("name", [name for name in STATISTICS if name != "time_to_merge"])
def test_extreme_windows(server: LiveServer, old: str, name: str) -> None:
    """Every statistic accepts the earliest and latest instants."""
    for window in _EXTREMES:
        answer = server.http.get(f"/v1/repos/{old}/stats/{name}", params=window)
        assert 200 == answer.status_code, (window, answer.text)


def test_extreme_windows_of_other_answers(server: LiveServer, old: str) -> None:
    """So does everything else about a period of a repository."""
    paths = [path for path in _paths_with_a_period(server) if "/stats/" not in path]
    assert {"summary", "stays", "alerts", "verdicts", "changes"} <= {
        path.rpartition("/")[2] for path in paths
    }
    for path in paths:
        for window in _EXTREMES:
            answer = server.http.get(path.format(owner="acme", repository="old"), params=window)
            assert 200 == answer.status_code, (path, window, answer.text)
    early = server.http.get(f"/v1/repos/{old}/summary", params={"end_at": "0001-01-01T00:00:00Z"}).json()
    assert {"start": "0001-01-01T00:00:00Z", "end": "0001-01-01T00:00:00Z"} == early["window"]


def _paths_with_a_period(server: LiveServer) -> list[str]:
    """Of one repository, and with no other part that is chosen."""
    described = server.http.get("/v1/openapi.json").json()["paths"]
    return [
        path
        for path, methods in described.items()
        if path.count("{") == 2
        and {"owner", "repository", "start_at", "end_at"}
        <= {one["name"] for one in methods.get("get", {}).get("parameters", ())}
    ]


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "1970-01-08T00:00:00Z"])
def test_extreme_instants(server: LiveServer, old: str, at: str) -> None:
    """So does time_to_merge."""
    assert 200 == server.http.get(f"/v1/repos/{old}/stats/time_to_merge", params={"at": at}).status_code


def test_the_default_is_the_last_day(server: LiveServer, old: str) -> None:
    """Without parameters the window is the 24 hours up to now."""
    assert 1 == _entered(server, old)
    assert [] == server.http.get(f"/v1/repos/{old}/stats/queues_merged_count").json()["groups"]


def test_start_alone(server: LiveServer, old: str) -> None:
    """The window ends now."""
    assert 3 == _entered(server, old, start_at="1970-01-01T00:00:00Z")


def test_end_alone(server: LiveServer, old: str) -> None:
    """The window is the 24 hours before it, half open."""
    assert 1 == _entered(server, old, end_at="1970-01-02T00:00:00Z")
    assert 0 == _entered(server, old, end_at="1970-01-02T00:00:00.000001Z")
    assert 0 == _entered(server, old, end_at="1970-01-01T00:00:00Z")


def test_an_end_in_the_future(server: LiveServer, old: str) -> None:
    """It is valid, and the observed period ends now."""
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()

    answer = server.http.get(f"/v1/repos/{old}/stats/queue_size", params={"end_at": tomorrow})

    latest = max(entry["start"] for group in answer.json()["groups"] for entry in group["stats"])
    assert 200 == answer.status_code
    assert latest <= datetime.now(UTC).isoformat()


@pytest.mark.parametrize("spelling", ["2026-03-02T10:00:00.0000009Z", "2026-03-02T11:00:00+01:00"])
def test_other_spellings_are_the_same_window(server: LiveServer, spelling: str) -> None:
    """Digits beyond the sixth are truncated and offsets applied: the ETag is the same."""
    path = "/v1/repos/acme/widgets/stats/total_queue_time"
    end = "2026-03-03T00:00:00Z"

    plain = server.http.get(path, params={"start_at": "2026-03-02T10:00:00Z", "end_at": end})
    other = server.http.get(path, params={"start_at": spelling, "end_at": end})

    assert plain.headers["etag"] == other.headers["etag"]
    assert plain.json() == other.json()


def test_filters_are_repeatable(server: LiveServer, repository: str) -> None:
    """A group is included if it matches every filter."""
    at = "2026-03-02T10:00:00Z"
    places = [("main", "a", None), ("main", "b", "high"), ("dev", "a", "low"), ("rel", "c", "high")]
    events = [
        entered(at, f"s{number}", number, base_ref=base, queue_name=queue, priority_rule_name=rule)
        for number, (base, queue, rule) in enumerate(places)
    ]
    server.send(events, repository).raise_for_status()

    def kept(**filters: list[str]) -> list[tuple[str, str, str | None]]:
        window = {"start_at": "2026-03-02T00:00:00Z", "end_at": "2026-03-03T00:00:00Z"}
        found = server.stats("queues_entered_count", repository, **window, **filters)["groups"]
        return [(one["base_ref"], one["queue_name"], one["priority_rule_name"]) for one in found]

    assert sorted(places, key=lambda place: place[:2]) == kept()
    assert [("dev", "a", "low"), ("main", "a", None), ("main", "b", "high")] == kept(base_ref=["main", "dev"])
    assert [("main", "b", "high"), ("rel", "c", "high")] == kept(priority_rule_name=["high"])
    assert [("main", "b", "high")] == kept(base_ref=["main", "dev"], queue_name=["b", "c"])
    assert [] == kept(base_ref=["nothing"])


def _entered(server: LiveServer, repository: str, **window: str) -> int:
    answer = server.http.get(f"/v1/repos/{repository}/stats/queues_entered_count", params=window).json()
    return sum(entry["entered"] for group in answer["groups"] for entry in group["stats"])
