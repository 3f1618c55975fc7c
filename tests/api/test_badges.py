"""Badges: one figure of the last seven days as a picture."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from api.problem_documents import FORBIDDEN
from builders import entered, left, worked_example
from live_server import NO_LIMITS, LiveServer, live_server
from mergecast.queues.model.instant import parse_instant
from mergecast.queues.model.repository import Repository

_NOW = parse_instant("2026-03-04T10:02:00Z")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Two days after the worked example; the badges of one repository are public."""
    public = frozenset({Repository("ACME", "widgets"), Repository("acme", "nothing")})
    policy = replace(NO_LIMITS, public_badges=public)
    with live_server(tmp_path_factory.mktemp("badges"), policy, now=lambda: _NOW) as live:
        live.send([*worked_example(), entered("2026-03-04T09:00:00Z", "c", 3)]).raise_for_status()
        live.send([left("2026-03-04T09:00:00Z", "x", 1)], "acme/private").raise_for_status()
        yield live


def _texts(picture: str) -> list[str]:
    return [str(one.text) for one in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        # Two stays of 3720 and 3480 seconds, and one of an hour so far, in two days.
        ("total_queue_time", ["time in queue, p50", "1h00m"]),
        ("queue_size", ["queue size, mean", "0.1"]),
        ("failure_rate", ["failure rate", "0.0%"]),
    ],
)
def test_everyone_sees_the_badges_that_the_operator_publishes(
    served: LiveServer, name: str, texts: list[str]
) -> None:
    """Names compare without case; the picture may be kept for some minutes."""
    with served.anonymous() as http:
        answer = http.get(f"/v1/repos/acme/widgets/badges/{name}.svg")
        again = http.get(
            f"/v1/repos/acme/widgets/badges/{name}.svg", headers={"If-None-Match": answer.headers["etag"]}
        )

    assert (200, "image/svg+xml", "public, max-age=300") == (
        answer.status_code, answer.headers["content-type"], answer.headers["cache-control"],
    )  # fmt: skip
    assert texts == _texts(answer.text)
    assert 304 == again.status_code


def test_other_badges_need_the_right_to_read(served: LiveServer) -> None:
    """The refusal does not reveal whether the repository exists."""
    paths = [f"/v1/repos/acme/{name}/badges/failure_rate.svg" for name in ("private", "unknown")]
    with served.anonymous() as http:
        refused = [http.get(path) for path in paths]
    allowed = served.ask(served.key()["key"], paths[0])

    assert [(403, FORBIDDEN)] * 2 == [(answer.status_code, answer.json()) for answer in refused]
    assert (200, ["failure rate", "0.0%"]) == (allowed.status_code, _texts(allowed.text))
    assert "private, max-age=300" == allowed.headers["cache-control"], "a shared cache may not keep it"


def test_nothing_else_of_a_published_repository_is_public(served: LiveServer) -> None:
    """A badge that has no data yet is 404, like everything about an unknown repository."""
    with served.anonymous() as http:
        statistic = http.get("/v1/repos/acme/widgets/stats/failure_rate")
        unknown = http.get("/v1/repos/acme/nothing/badges/failure_rate.svg")

    assert (403, 404) == (statistic.status_code, unknown.status_code)


def test_a_badge_without_data(served: LiveServer) -> None:
    """No stay with a known start has left."""
    answer = served.http.get("/v1/repos/acme/private/badges/total_queue_time.svg")

    assert ["time in queue, p50", "no data"] == _texts(answer.text)


def test_visitors_are_limited_by_address(tmp_path: Path) -> None:
    """They have no credential that could be."""
    badges = frozenset({Repository("acme", "widgets")})
    policy = replace(NO_LIMITS, public_badges=badges, requests_per_second=0.01, requests_burst=3)
    with live_server(tmp_path, policy, passed=lambda: 0) as server, server.anonymous() as http:
        server.send(worked_example())
        path = "/v1/repos/acme/widgets/badges/failure_rate.svg"

        assert [200, 200, 200, 429] == [http.get(path).status_code for _ in range(4)]
