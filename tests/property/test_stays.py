"""The lists of stays and the history of a pull request equal the oracle's."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from live_server import LiveServer, live_server
from postgres.server import new_database
from property.compare import differences
from property.oracle_facts import microseconds
from property.oracle_stays import history as expected_history
from property.oracle_stays import stays as expected_stays
from property.questions import History, histories, parameters

# Threads of the database's connection pool use it while an example is drawn.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
_ORDERS = ("-seconds", "seconds", "-at", "at")


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def shared_server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One server per kind of store."""
    url = None
    if request.param == "postgres":
        url = new_database(request.getfixturevalue("database_server"))
    with live_server(tmp_path_factory.mktemp("stays"), database_url=url) as live:
        yield live


def _places(stays: list[Any], order: str) -> list[Any]:
    """What the list is sorted by; equal places may be in any order."""
    if order.endswith("seconds"):
        return [one["seconds"] for one in stays]
    return [microseconds(one["left_at"]) for one in stays]


def _sorted_places(stays: list[Any], order: str) -> list[Any]:
    """The same, sorted; a stay without a duration comes last."""
    places = _places(stays, order)
    known = sorted((one for one in places if one is not None), reverse=order.startswith("-"))
    return known + [None] * places.count(None)


@settings(deadline=None, derandomize=True, max_examples=30)
@given(history=histories(), order=st.sampled_from(_ORDERS), limit=st.sampled_from((1, 3, 1000)))
def test_stays_and_histories_are_those_of_the_events(
    shared_server: LiveServer, new_repository: Callable[[], str], history: History, order: str, limit: int
) -> None:
    """This holds for any valid events and any window, order and limit."""
    repository = new_repository()
    shared_server.send(history.events, repository).raise_for_status()

    _compare_stays(shared_server, repository, history, {"order": order, "limit": limit})
    for number in (0, 1, 2**63 - 1):
        _compare_history(shared_server, repository, history, number)


def _compare_stays(server: LiveServer, repository: str, history: History, page: dict[str, Any]) -> None:
    """The total counts the stays beyond the limit too."""
    query = {**parameters("failure_rate", history.asked), **page}
    got = server.quick.get(f"/v1/repos/{repository}/stays", query)

    assert 200 == got.status_code
    listed, expected = got.json()["stays"], expected_stays(history.facts, history.asked)
    by_session = {one["session_id"]: one for one in expected}
    order, limit = page["order"], page["limit"]
    assert (len(expected), min(limit, len(expected))) == (got.json()["total"], len(listed))
    assert len(listed) == len({one["session_id"] for one in listed})
    assert [] == [line for one in listed for line in differences(by_session[one["session_id"]], one)]
    assert [] == differences(_sorted_places(expected, order)[:limit], _places(listed, order))


def _compare_history(server: LiveServer, repository: str, history: History, number: int) -> None:
    """A pull request without any stay is not known."""
    got = server.quick.get(f"/v1/repos/{repository}/pulls/{number}/history", {})

    expected = expected_history(history.facts, number)
    assert (200 if expected else 404) == got.status_code
    if expected:
        whole = {"pull_request": number, "pull": None, "stays": expected}
        found = got.json()
        found.pop("waiting_for")  # depends on the present
        for stay in found["stays"]:
            for later in ("verdict", "is_being_judged"):
                stay.pop(later)
        assert [] == differences(whole, found, str(number))
