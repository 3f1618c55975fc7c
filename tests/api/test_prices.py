"""Prices of CI, and what a summary makes of them."""

from collections.abc import Iterator
from typing import Any

import pytest

from api.problem_documents import error, invalid
from builders import ended, entered, left, reported, started
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import parse_instant

_DAY = "2026-03-02T"
_PRICES = {"currency": "USD", "per_minute": "0.008", "by_runner": {"large": "0.064"}}
_PRICE = 'must be a price as a string such as "0.008": up to 6 digits, and up to 9 decimals'
_RUNNERS = "must be an object with prices of at most 100 kinds of runners"
_WINDOW = "start_at=2026-03-02T00:00:00Z&end_at=2026-03-03T00:00:00Z"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(
        tmp_path_factory.mktemp("prices"), now=lambda: parse_instant("2026-03-05T00:00:00Z")
    ) as live:
        yield live


def _fill(server: LiveServer, repository: str) -> None:
    """A run that fails after 10 minutes on a large machine, and one that passes after 20 on another."""
    runs = (("a", 1, "10", "CHECKS_FAILED", "CHECKS_FAILED"), ("b", 2, "20", "SUCCESS", "PR_MERGED"))
    for stay, number, minute, outcome, reason in runs:
        end = f"{_DAY}10:{minute}:00Z"
        server.send(
            [
                entered(f"{_DAY}09:00:00Z", stay, number),
                started(f"{_DAY}10:00:00Z", stay, number, stay, [number]),
                ended(end, stay, number, stay, outcome),
                left(end, stay, number, reason),
                reported(end, stay, "unit", "success" if number > 1 else "failure",
                         queued_at=f"{_DAY}09:50:00Z", started_at=f"{_DAY}10:00:00Z", ended_at=end,
                         **({"runner": "large"} if number == 1 else {})),
            ],
            repository,
        ).raise_for_status()  # fmt: skip


def test_a_summary_has_waiting_waste_and_cost(server: LiveServer, repository: str) -> None:
    """10 minutes at 0.064 failed, and 20 at 0.008 led to the only merge; each waited for 10 minutes."""
    path = f"/v1/repos/{repository}"
    _fill(server, repository)
    before = server.http.get(f"{path}/summary?{_WINDOW}").raise_for_status()

    unset = server.http.get(f"{path}/prices").json()
    put = server.http.put(f"{path}/prices", json=_PRICES)
    shown = server.http.get(f"{path}/prices").json()
    summary = server.http.get(
        f"{path}/summary?{_WINDOW}", headers={"If-None-Match": before.headers["ETag"]}
    ).json()

    assert ({"prices": None}, {"prices": _PRICES}, {"prices": _PRICES}) == (unset, put.json(), shown)
    assert "cost" not in before.json()
    assert 20 / 50 == summary["ci_wait_share"]
    wasted = {"failed": 600.0, "stopped": 0.0, "superseded": 0.0, "repeated": 0.0, "sum": 600.0}
    assert wasted == summary["ci_seconds_wasted"]
    cost = {"currency": "USD", "total": "0.8000", "per_merge": "0.8000", "wasted": "0.6400"}
    assert cost == summary["cost"]


def test_deleted_prices_leave_no_cost(server: LiveServer, repository: str) -> None:
    """All of them are deleted, and a second time there is nothing to delete."""
    path = f"/v1/repos/{repository}"
    _fill(server, repository)
    server.http.put(f"{path}/prices", json=_PRICES).raise_for_status()
    before = server.http.get(f"{path}/summary?{_WINDOW}").raise_for_status()

    deleted = [server.http.delete(f"{path}/prices") for _ in range(2)]
    after = server.http.get(f"{path}/summary?{_WINDOW}", headers={"If-None-Match": before.headers["ETag"]})

    assert [(200, {"deleted": 2}), (200, {"deleted": 0})] == [
        (one.status_code, one.json()) for one in deleted
    ]
    assert {"prices": None} == server.http.get(f"{path}/prices").json()
    assert (True, False) == ("cost" in before.json(), "cost" in after.json())


def test_a_summary_without_reports_has_none_of_it(server: LiveServer, repository: str) -> None:
    server.send([entered(f"{_DAY}09:00:00Z", "a", 1)], repository).raise_for_status()

    found = server.http.get(f"/v1/repos/{repository}/summary?{_WINDOW}").raise_for_status().json()

    assert not {"ci_wait_share", "ci_seconds_wasted", "cost"} & found.keys()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("currency", "usd", "must be three capital letters such as USD"),
        ("currency", 7, "must be three capital letters such as USD"),
        ("per_minute", 0.008, _PRICE),
        ("per_minute", "-1", _PRICE),
        ("per_minute", "1e3", _PRICE),
        ("per_minute", "0.0000000001", _PRICE),
        ("per_minute", "1234567", _PRICE),
        ("by_runner", [], _RUNNERS),
        ("by_runner", {f"{n}": "1" for n in range(101)}, _RUNNERS),
        ("by_runner", {"large": 1}, f"'large' {_PRICE}"),
        ("by_runner", {"a\nb": "1"}, "'a\\nb' must not contain control characters"),
    ],
)  # fmt: skip
def test_a_wrong_price(server: LiveServer, repository: str, name: str, value: Any, message: str) -> None:
    """The message says what would be right, and nothing is changed."""
    server.send([entered(f"{_DAY}09:00:00Z", "a", 1)], repository).raise_for_status()

    answer = server.http.put(f"/v1/repos/{repository}/prices", json={**_PRICES, name: value})

    assert (422, invalid(error("body", f"/{name}", message))) == (answer.status_code, answer.json())
    assert {"prices": None} == server.http.get(f"/v1/repos/{repository}/prices").json()


def test_prices_that_are_not_utf_8(server: LiveServer, repository: str) -> None:
    server.send([entered(f"{_DAY}09:00:00Z", "a", 1)], repository).raise_for_status()
    body = b'{"currency": "USD", "per_minute": "0.008", "by_runner": {"linux\xb716": "1"}}'

    answer = server.http.put(
        f"/v1/repos/{repository}/prices", content=body, headers={"Content-Type": "application/json"}
    )

    assert (422, invalid(error("body", "/by_runner", _RUNNERS))) == (answer.status_code, answer.json())
