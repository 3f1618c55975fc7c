"""The list of repositories: all of them as before, or pages with the figures of each repository."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from api.problem_documents import error, invalid
from builders import entered, left
from live_server import LiveServer, live_server
from mergecast.api.repositories import ORDERS
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, WEEK, format_instant, parse_instant
from mergecast.queues.model.repository import OWNER_LENGTH

NOW = parse_instant("2026-11-02T12:00:00Z")
NAMES = ["acme/calm", "acme/slow", "acme/stuck", "zeta/failing", "zeta/silent"]


def _stays(first_at: int, count: int, minutes: int, reason: str = "PR_MERGED") -> list[dict[str, Any]]:
    """One stay an hour, up to `count`."""
    events = []
    for number in range(count):
        at, session = first_at + number * HOUR, f"s{first_at}-{number}"
        events += [
            entered(format_instant(at), session, number + 1),
            left(format_instant(at + minutes * MINUTE), session, number + 1, reason),
        ]
    return events


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder: Path = tmp_path_factory.mktemp("repositories")
    early, late = NOW - 2 * WEEK, NOW - 3 * DAY
    with live_server(folder, now=lambda: NOW) as running:
        running.send([*_stays(early, 30, 10), *_stays(late, 30, 10)], NAMES[0])
        running.send([*_stays(early, 30, 10), *_stays(late, 30, 40)], NAMES[1])
        running.send([*_stays(early, 30, 10), entered(format_instant(NOW - DAY), "w", 99)], NAMES[2])
        running.send([*_stays(early, 30, 10), *_stays(late, 30, 10, "CHECKS_FAILED")], NAMES[3])
        running.send(_stays(early, 30, 10), NAMES[4])
        yield running


def _page(server: LiveServer, **query: object) -> Any:
    answer = server.http.get("/v1/repos", params={name: str(value) for name, value in query.items()})
    assert 200 == answer.status_code, answer.text
    return answer.json()


def _names(page: Any) -> list[str]:
    return [f"{one['owner']}/{one['repository']}" for one in page["repositories"]]


def test_without_parameters_everything_is_listed_as_before(server: LiveServer) -> None:
    text = server.http.get("/v1/repos").text

    first = '{"owner":"acme","repository":"calm","events":120,"first_event_at":"2026-10-19T12:00:00Z",'
    assert text.startswith(f'{{"repositories":[{first}"last_event_at":"2026-10-31T17:10:00Z"}},')
    assert ["repositories"] == list(server.http.get("/v1/repos").json())


def test_pages_follow_each_other(server: LiveServer) -> None:
    found: list[str] = []
    after: dict[str, str] = {}
    while True:
        page = _page(server, limit=2, order="-name", **after)
        found += _names(page)
        assert 5 == page["total"]
        if page["next"] is None:
            break
        after = {"after": page["next"]}

    assert NAMES[::-1] == found


def test_searching_and_sorting(server: LiveServer) -> None:
    assert ["acme/slow", "acme/stuck"] == _names(_page(server, search="S ACME"))
    assert ["zeta/failing", "zeta/silent"] == _names(_page(server, owner="Zeta"))
    newest = _names(_page(server, order="-last_event_at"))
    assert ("acme/stuck", "zeta/silent") == (newest[0], newest[-1])
    assert ["acme/stuck", "zeta/silent"] == sorted(_names(_page(server, order="events"))[:2])
    assert {"repositories": [], "total": 0, "next": None} == _page(server, search="nothing")


def test_figures_equal_those_of_each_repository(server: LiveServer) -> None:
    """So do the states."""
    page = _page(server, figures="true")

    window = {"start_at": format_instant(NOW - WEEK), "end_at": format_instant(NOW)}
    states = {}
    for name, one in zip(_names(page), page["repositories"], strict=True):
        summary = server.http.get(f"/v1/repos/{name}/summary", params=window).json()
        queue = server.http.get(f"/v1/repos/{name}/queue").json()
        figures = one["figures"]
        assert {
            "state": summary["state"]["name"],
            "sentence": summary["state"]["sentence"],
            "in_queue": sum(len(queue["entries"]) for queue in queue["queues"]),
            **{
                figure: summary["all"][figure]
                for figure in ("merged", "failure_rate", "time_in_queue_p50", "time_in_queue_p95")
            },
        } == {figure: value for figure, value in figures.items() if figure != "trend"}
        assert 7 == len(figures["trend"])
        states[name] = figures["state"]
    assert ["fine", "slow", "stuck", "failing", "silent"] == [states[name] for name in NAMES]
    assert [600.0, 600.0] == [p50 for p50 in page["repositories"][0]["figures"]["trend"] if p50 is not None]


def test_only_what_the_caller_may_read(server: LiveServer) -> None:
    token = server.key("acme", scopes=["read"])["key"]

    listed = server.ask(token, "/v1/repos", params={"figures": "true"}).json()
    other = server.ask(token, "/v1/repos", params={"owner": "zeta"}).json()

    assert NAMES[:3] == _names(listed)
    assert {"repositories": [], "total": 0, "next": None} == other


def test_wrong_parameters(server: LiveServer) -> None:
    wrong = {"limit": "0", "order": "size", "figures": "yes", "owner": "a/b", "sort": "name"}
    answer = server.http.get("/v1/repos", params=wrong)
    names = (
        "name, events, last_event_at, state, in_queue, merged, failure_rate, time_in_queue_p50, "
        "time_in_queue_p50_change, time_in_queue_p95"
    )
    orders = f"{names}, -{names.replace(', ', ', -')}"

    assert (
        invalid(
            error("query", "limit", "must be a number from 1 to 1000, in plain decimal digits"),
            error("query", "order", f"must be one of {orders}"),
            error("query", "figures", "must be true or false"),
            error("query", "owner", f"must be 1 to {OWNER_LENGTH} letters, digits or hyphens"),
            error(
                "query",
                "sort",
                "is not a parameter of this endpoint; it takes limit, after, order, search, owner, figures",
            ),
        )
        == answer.json()
    )
    unknown = server.http.get("/v1/repos", params={"after": "acme/gone"}).json()
    message = "there is no repository acme/gone in this list; `next` of the page before names one"
    assert invalid(error("query", "after", message)) == unknown


def _figure(name: str) -> Callable[[Any], Any]:
    """What a row is sorted by, from the row itself."""
    states = ["fine", "slow", "silent", "failing", "stuck"]
    figure = name.removesuffix("_change")
    return {
        "state": lambda row: states.index(row["figures"]["state"]),
        "in_queue": lambda row: row["figures"]["in_queue"],
        "events": lambda row: row["events"],
        "last_event_at": lambda row: row["last_event_at"],
    }.get(name, lambda row: row["figures"][figure]["value" if name == figure else "change"])


@pytest.mark.parametrize("order", [one for one in ORDERS if not one.endswith("name")])
def test_every_order_in_pages(server: LiveServer, order: str) -> None:
    """Pages of one have the same rows as one page of all: sorted, equal ones by name."""
    rows = _page(server, figures="true", order=order)["repositories"]
    figure = _figure(order.removeprefix("-"))
    known = [row for row in rows if figure(row) is not None]
    named = sorted(known, key=lambda row: (row["owner"], row["repository"]))
    assert known == sorted(named, key=figure, reverse=order.startswith("-"))
    assert known == rows[: len(known)]

    pages = [_page(server, limit=1, order=order)]
    while pages[-1]["next"] is not None:
        pages.append(_page(server, limit=1, order=order, after=pages[-1]["next"]))
    assert _names({"repositories": rows}) == [name for page in pages for name in _names(page)]


def test_a_page_follows_even_if_figures_change(tmp_path: Path) -> None:
    """Whatever happens to the last repository of a page, all others are listed once."""
    names = [f"acme/r{number}" for number in range(5)]
    with live_server(tmp_path, now=lambda: NOW) as server:
        for number, name in enumerate(names):
            server.send(_stays(NOW - 3 * DAY, number // 2 + 1, 10), name).raise_for_status()
        for order, ascending in (("-merged", False), ("merged", True), ("-events", False)):
            first = _page(server, limit=2, order=order)
            last = _names(first)[-1]
            server.send(_stays(NOW - 2 * DAY, 9, 10), last).raise_for_status()
            rest = _page(server, order=order, after=first["next"])
            others = [name for name in _names(rest) if name != last]
            assert sorted(names) == sorted(_names(first) + others), order
            assert ascending == (last in _names(rest)), order
            server.http.delete(f"/v1/repos/{last}").raise_for_status()
            assert others == _names(_page(server, order=order, after=first["next"]))
            server.send(_stays(NOW - 3 * DAY, names.index(last) // 2 + 1, 10), last).raise_for_status()


@pytest.mark.parametrize("after", ["-merged:many:acme/calm", "-merged:nan:acme/calm", "-merged:"])
def test_a_wrong_place_to_continue(server: LiveServer, after: str) -> None:
    wrong = server.http.get("/v1/repos", params={"order": "-merged", "after": after}).json()
    message = f"there is no repository {after} in this list; `next` of the page before names one"
    assert invalid(error("query", "after", message)) == wrong


def test_a_page_continues_in_its_order(server: LiveServer) -> None:
    after = _page(server, limit=1, order="-merged")["next"]
    assert "-merged:30.0:acme/calm" == after

    wrong = server.http.get("/v1/repos", params={"order": "merged", "after": after}).json()

    message = "continues a list in the order -merged; leave it out to list in the order merged"
    assert invalid(error("query", "after", message)) == wrong
