"""`…/audit`: what was sent of a branch is kept and audited, with what the store knows of its checks."""

from collections.abc import Iterator
from typing import Any

import pytest

from api.problem_documents import error, invalid
from builders import ended, entered, left, reported, started
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import HOUR, MINUTE, format_instant, parse_instant

_NOW = parse_instant("2026-03-12T10:00:00Z")
_PATH = "/v1/repos/acme/web/audit"
_COMMIT = "5f7ba410bacaf6dc8eb956602904ade95b7eee5d"
_CI = """\
on: [pull_request, merge_group]
concurrency: {group: ci, cancel-in-progress: true}
jobs: {test: {runs-on: x, timeout-minutes: 20}}
"""
_FILES = {".github/workflows/ci.yml": _CI}
_RULES = {
    "required": ["test", "codecov/patch", "legal"],
    "queue": {"check_response_timeout_minutes": 60, "max_entries_to_build": 5},
}
_TEXTS = "must be an object with the texts of files in .github/workflows/ by their paths"
_SET_UP = {"base_ref": "main", "commit": _COMMIT, "files": _FILES, "rules": _RULES}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A repository with 25 CI runs, on each of which `test` took 19 minutes and `codecov/patch` passed."""
    events = [event for number in range(1, 26) for event in _stay(number)]
    with live_server(tmp_path_factory.mktemp("audited"), now=lambda: _NOW) as live:
        live.send(events, "acme/web").raise_for_status()
        yield live


def _stay(number: int) -> list[dict[str, Any]]:
    """A pull request that merges after one CI run."""
    stay, batch, start = f"s{number}", f"B{number}", _NOW - number * HOUR

    def at(minute: int) -> str:
        return format_instant(start + minute * MINUTE)

    times = {"started_at": at(1), "ended_at": at(20)}
    return [
        entered(at(0), stay, number),
        started(at(1), stay, number, batch, [number]),
        reported(at(20), batch, "test", **times),
        reported(at(20), batch, "codecov/patch", **times),
        ended(at(20), stay, number, batch),
        left(at(21), stay, number),
    ]


def test_what_is_sent_is_audited_with_the_checks_of_the_store_and_kept(server: LiveServer) -> None:
    sent = server.http.put(_PATH, json=_SET_UP).raise_for_status().json()
    assert [(one["rule"], one["line"], one["certainty"]) for one in sent["findings"]] == [
        ("required-elsewhere", 0, "sure"),
        ("groups-cancel", 2, "sure"),
        ("job-limit", 3, "sure"),
    ]
    assert sent["findings"][0]["text"] == (
        "`legal` is required, and it reported on 0 of 25 groups: each group waits 60 minutes and is removed."
    )
    about = {name: value for name, value in sent.items() if name != "findings"}
    assert about == {
        "commit": _COMMIT,
        "base_ref": "main",
        "read_at": None,
        "rules_known": True,
        "groups_kept": 25,
    }
    kept = server.http.get(_PATH).raise_for_status().json()
    assert kept == {**sent, "read_at": format_instant(_NOW)}
    assert server.http.get(_PATH, params={"base_ref": "main"}).json() == kept


def test_a_branch_that_was_never_sent(server: LiveServer) -> None:
    server.http.put(_PATH, json=_SET_UP).raise_for_status()
    refused = server.http.get(_PATH, params={"base_ref": "release"})
    assert (refused.status_code, refused.json()["detail"]) == (
        404,
        "nothing is kept of how release of acme/web is set up, only of main",
    )


def test_a_repository_of_which_no_branch_was_sent(server: LiveServer) -> None:
    server.send(_stay(1), "acme/other").raise_for_status()
    refused = server.http.get("/v1/repos/acme/other/audit")
    assert refused.status_code == 404
    assert refused.json()["detail"] == (
        "nothing is kept of how acme/other is set up: an import from GitHub reads it if its token has the "
        "right *Contents: read*, and `mergecast audit acme/other --send` in a clone sends it"
    )


def test_what_is_sent_again_takes_the_place_of_what_was_kept(server: LiveServer) -> None:
    server.http.put(_PATH, json=_SET_UP).raise_for_status()
    better = {".github/workflows/ci.yml": _CI.replace("group: ci,", "group: 'ci-${{ github.ref }}',")}
    server.http.put(_PATH, json={**_SET_UP, "files": better}).raise_for_status()
    rules = [one["rule"] for one in server.http.get(_PATH).json()["findings"]]
    assert rules == ["required-elsewhere", "job-limit"]


@pytest.mark.parametrize(
    ("changed", "field", "message"),
    [
        ({"commit": "main"}, "/commit", "must be a commit: 40 or 64 hexadecimal digits"),
        (
            {"files": {"README.md": ""}},
            "/files",
            f"{_TEXTS}; 'README.md' is not such a path",
        ),
        (
            {"files": {".github/workflows/a.yml": 3}},
            "/files",
            _TEXTS,
        ),
        (
            {"rules": {"required": "test"}},
            "/rules",
            "must be the rules of a branch: Expected `array | null`, got `str` - at `$.required`",
        ),
    ],
)
def test_what_is_refused(server: LiveServer, changed: dict[str, Any], field: str, message: str) -> None:
    refused = server.http.put(_PATH, json={**_SET_UP, **changed})
    assert (refused.status_code, refused.json()) == (422, invalid(error("body", field, message)))


def test_only_who_may_send_events_may_send_a_set_up(server: LiveServer) -> None:
    reader = server.key(scopes=["read"])["key"]
    headers = {"Authorization": f"Bearer {reader}"}
    with server.anonymous() as client:
        assert client.put(_PATH, json=_SET_UP, headers=headers).status_code == 403
        server.http.put(_PATH, json=_SET_UP).raise_for_status()
        assert client.get(_PATH, headers=headers).status_code == 200
