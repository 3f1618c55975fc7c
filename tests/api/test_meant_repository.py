"""A repository name that is not known: which one was probably meant."""

import pytest

from api.problem_documents import problem
from builders import entered
from live_server import LiveServer

_EVENT = [entered("2026-03-02T10:00:00Z", "s", 1)]
_PATHS = (
    "summary", "stats/queues", "stays", "queue", "pulls/7/history", "sources", "reference-periods", "alerts",
    "thresholds", "settings", "freshness", "events", "export/stays", "ci-checks",
    "forecast/recommendation", "products",
)  # fmt: skip


@pytest.fixture(scope="module")
def harbor(server: LiveServer) -> LiveServer:
    """The names belong to this module alone."""
    for name in ("harbors/harbor", "harbors/pier-1", "harbors/tug", "Other-Docks/Crane"):
        server.send(_EVENT, name).raise_for_status()
    return server


def _unknown(name: str, suggestion: str = "") -> dict[str, object]:
    return problem(404, f"the repository {name} is not known here: it has no events{suggestion}")


@pytest.mark.parametrize("path", _PATHS)
def test_every_answer_about_an_unknown_repository_suggests_one(harbor: LiveServer, path: str) -> None:
    answer = harbor.http.get(f"/v1/repos/harbors/habor/{path}")

    expected = _unknown("harbors/habor", "; did you mean harbors/harbor?")
    assert (404, expected) == (answer.status_code, answer.json())


@pytest.mark.parametrize(
    ("named", "meant"),
    [
        ("harbors/HABOR", "harbors/harbor"),
        ("other-dock/crane", "Other-Docks/Crane"),
        ("harbor/tug", "harbors/tug"),
    ],
)
def test_the_owner_or_the_name_may_be_misspelled(harbor: LiveServer, named: str, meant: str) -> None:
    answer = harbor.http.get(f"/v1/repos/{named}/summary")

    assert _unknown(named, f"; did you mean {meant}?") == answer.json()


@pytest.mark.parametrize("named", ["harbors/pier-2", "harbors/tap", "harbors/nothing", "harbor/habor", "x/y"])
def test_another_name_is_no_misspelled_one(harbor: LiveServer, named: str) -> None:
    """Neither another number nor another short word."""
    assert _unknown(named) == harbor.http.get(f"/v1/repos/{named}/summary").json()


def test_a_key_learns_only_names_that_it_may_read(harbor: LiveServer) -> None:
    """Its own owner has no `crane`, and it must not learn that another has one."""
    headers = {"Authorization": f"Bearer {harbor.key('other-dock')['key']}"}

    answer = harbor.http.get("/v1/repos/other-dock/crane/summary", headers=headers)

    assert (404, _unknown("other-dock/crane")) == (answer.status_code, answer.json())
