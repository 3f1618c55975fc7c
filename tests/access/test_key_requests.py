"""Application keys over HTTP: what each scope allows, and when a key stops working."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from api.problem_documents import FORBIDDEN, error, invalid, problem
from builders import entered
from live_server import TOKEN, LiveServer, live_server
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.instant import SECOND, format_instant

pytestmark = pytest.mark.server

STATISTIC = "/v1/repos/{}/stats/queues"
EVENTS = "/v1/repos/{}/events"
_MISSING = "is missing"
_FIELD = "is not a field of a key; it takes owner, name, scopes or expires_at"
_MISSPELT = "is not a field of a key, did you mean scopes? It takes owner, name, scopes or expires_at"
_SCOPES = "must be a list of any of read, ingest, admin, sources, each at most once"
_NAME = "must be a string of 1 to 100 printable characters"
_OWNER = "must be 1 to 40 letters, digits or hyphens"
_NOT_A_TIME = (
    "this is not a date-time; write it like 2026-01-31T09:00:00Z or 2026-01-31T10:00:00.5+01:00; "
    "null for a key that does not expire"
)


def test_a_key_is_shown_once(server: LiveServer) -> None:
    """The list of keys has everything but the secret."""
    made = server.key("Umbrella", name="Anna's dashboard")

    listed = next(one for one in server.http.get("/v1/keys").json()["keys"] if one["id"] == made["id"])

    assert re.fullmatch(rf"mck_{made['id']}_[0-9a-f]{{64}}", made["key"])
    assert {**listed, "key": made["key"]} == made
    assert ("Umbrella", "Anna's dashboard", ["read"], None, None) == (
        made["owner"], made["name"], made["scopes"], made["expires_at"], made["last_used_at"],
    )  # fmt: skip


def _statuses(server: LiveServer, key: str, repository: str) -> dict[str, int]:
    sent = [entered("2026-03-02T10:00:00Z", "s", 1)]
    return {
        "statistic": server.ask(key, STATISTIC.format(repository)).status_code,
        "export": server.ask(key, EVENTS.format(repository)).status_code,
        "send": server.ask(key, EVENTS.format(repository), "POST", json=sent).status_code,
        "take back": server.ask(key, EVENTS.format(repository) + "?source=none", "DELETE").status_code,
        "forget": server.ask(key, f"/v1/repos/{repository}", "DELETE").status_code,
        "keys": server.ask(key, "/v1/keys").status_code,
        "rebuild": server.ask(key, "/v1/admin/rebuild", "POST").status_code,
        "list": server.ask(key, "/v1/repos").status_code,
    }


_READS = {"statistic": 200, "export": 200, "send": 403, "take back": 403, "forget": 403, "keys": 403,
          "rebuild": 403, "list": 200}  # fmt: skip


@pytest.mark.parametrize(
    ("scopes", "expected"),
    [
        (["read"], _READS),
        (["ingest"], {**_READS, "send": 200}),
        (["admin"], _READS),
        (["read", "admin", "ingest"], {**_READS, "send": 200}),
    ],
    ids=["read", "ingest", "admin", "all"],
)
def test_rights_of_scopes(server: LiveServer, scopes: list[str], expected: dict[str, int]) -> None:
    """Every key can read; `ingest` adds sending events; no key can do what only the operator may do."""
    key = server.key(scopes=scopes)["key"]
    server.send([entered("2026-03-02T10:00:00Z", "s", 1)], "acme/scopes")

    assert expected == _statuses(server, key, "acme/scopes")
    nothing = dict.fromkeys(expected, 403) | {"list": 200}
    assert nothing == _statuses(server, key, "acme-corp/widgets")


def test_owners_are_case_insensitive(server: LiveServer) -> None:
    """A key for `ACME` reads `acme`, and a key for `acme` reads `Acme`; neither reads `acme-corp`."""
    keys = [server.key(owner)["key"] for owner in ("ACME", "acme")]
    repositories = ("acme/widgets", "ACME/WIDGETS", "acme-corp/widgets", "acm/widgets", "cme/widgets")

    answers = [[server.ask(key, STATISTIC.format(one)).status_code for one in repositories] for key in keys]

    assert [[200, 200, 403, 403, 403]] * 2 == answers


def test_an_unknown_repository_of_the_owner_is_404(server: LiveServer) -> None:
    """A caller who may read it gets 404; any other caller gets 403."""
    key = server.key("acme")["key"]

    assert 404 == server.ask(key, STATISTIC.format("acme/nobody-knows")).status_code
    assert 403 == server.ask(key, STATISTIC.format("acme-corp/nobody-knows")).status_code


def test_the_list_has_only_readable_repositories(server: LiveServer) -> None:
    """Repositories of other owners are absent."""
    server.send([entered("2026-03-02T10:00:00Z", "s", 1)], "solo/one")
    names = {
        owner: [f"{one['owner']}/{one['repository']}" for one in answer["repositories"]]
        for owner in ("SOLO", "anonymous")
        for answer in [server.ask(server.key(owner)["key"], "/v1/repos").json()]
    }

    assert {"SOLO": ["solo/one"], "anonymous": []} == names


def test_revoking_takes_effect_immediately(server: LiveServer) -> None:
    """It affects open connections too; revoking again gets 404."""
    made = server.key()
    before = server.ask(made["key"]).status_code

    revoked = server.http.delete(f"/v1/keys/{made['id']}")
    after = server.ask(made["key"])
    again = server.http.delete(f"/v1/keys/{made['id']}")

    assert (200, 204, b"") == (before, revoked.status_code, revoked.content)
    assert (403, FORBIDDEN) == (after.status_code, after.json())
    detail = f"there is no key `{made['id']}`; GET /v1/keys lists all keys"
    assert (404, problem(404, detail)) == (again.status_code, again.json())
    assert made["id"] not in {one["id"] for one in server.http.get("/v1/keys").json()["keys"]}


def test_an_expired_key_stops_working(tmp_path: Path) -> None:
    """It expires at the time that was set when it was created."""
    now = now_in_microseconds()
    with live_server(tmp_path, now=lambda: now) as server:
        server.send([entered("2026-03-02T10:00:00Z", "s", 1)]).raise_for_status()
        made = server.key(expires_at=format_instant(now + SECOND))
        now += SECOND - 1
        before = server.ask(made["key"]).status_code
        now += 1
        after = server.ask(made["key"])

    assert 200 == before
    assert (403, FORBIDDEN) == (after.status_code, after.json())


def test_the_last_use_is_listed(server: LiveServer) -> None:
    """It is current, although the store writes it at most once per minute."""
    made = server.key()
    begun = datetime.now(UTC)
    server.ask(made["key"])

    (used,) = [
        one["last_used_at"] for one in server.http.get("/v1/keys").json()["keys"] if one["id"] == made["id"]
    ]

    assert begun - timedelta(seconds=1) <= datetime.fromisoformat(used) <= datetime.now(UTC)


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, [("/owner", _MISSING), ("/name", _MISSING)]),
        ({"owner": "a_b", "name": ""}, [("/owner", _OWNER), ("/name", _NAME)]),
        ({"owner": "acme", "name": "x" * 101}, [("/name", _NAME)]),
        ({"owner": "acme", "name": "two\nlines"}, [("/name", _NAME)]),
        ({"owner": 1, "name": None}, [("/owner", _OWNER), ("/name", _NAME)]),
        ({"owner": "acme", "name": "n", "scopes": "read"}, [("/scopes", _SCOPES)]),
        ({"owner": "acme", "name": "n", "scopes": []}, [("/scopes", _SCOPES)]),
        ({"owner": "acme", "name": "n", "scopes": ["read", "read"]}, [("/scopes", _SCOPES)]),
        ({"owner": "acme", "name": "n", "scopes": ["write"]}, [("/scopes", _SCOPES)]),
        ({"owner": "acme", "name": "n", "scopes": [["read"]]}, [("/scopes", _SCOPES)]),
        ({"owner": "acme", "name": "n", "scopes": ["sources"]},
         [("/owner", "must be * with the scope sources, which belongs to no owner")]),
        ({"owner": "acme", "name": "n", "expires_at": 1}, [("/expires_at", _NOT_A_TIME)]),
        ({"owner": "acme", "name": "n", "expires_at": "2020-01-01T00:00:00Z"},
         [("/expires_at", "must be in the future")]),
        ({"owner": "acme", "name": "n", "scope": "read", "id": "x"},
         [("/scope", _MISSPELT), ("/id", _FIELD)]),
        ({"owner": "acme", "name": "n", "a/b~c": 1, "~" * 200: 1},
         [("/a~1b~0c", _FIELD), ("/" + "~0" * 100, _FIELD)]),
    ],
    ids=["nothing", "rules", "long name", "control", "types", "scope text", "no scope", "twice", "unknown",
         "nested", "sources of an owner", "number", "past", "fields", "odd fields"],
)  # fmt: skip
def test_errors_of_a_new_key(server: LiveServer, body: Any, errors: list[tuple[str, str]]) -> None:
    """All of them are reported together."""
    answer = server.http.post("/v1/keys", json=body)

    assert invalid(*(error("body", *one) for one in errors)) == answer.json()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{", "the body is not valid JSON: Input data was truncated"),
        (b"[]", "the body must be a JSON object that describes a key"),
        (b'{"owner": ' + b"[" * 5000, "the body is not valid JSON: nested too deeply"),
        (b'{"owner": "\xff"}', "the body is not valid JSON: not UTF-8"),
        (b'{"owner": "\\ud800"}', "the body is not valid JSON: half of a surrogate pair in a string"),
    ],
    ids=["cut", "list", "deep", "not UTF-8", "half a pair"],
)
def test_bodies_that_are_not_objects(server: LiveServer, body: bytes, message: str) -> None:
    """The messages are those of every other endpoint."""
    answer = server.http.post("/v1/keys", content=body, headers={"Content-Type": "application/json"})

    assert invalid(error("body", "", message)) == answer.json()


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{}", {"Content-Type": "text/plain"}, 415),
        (b"{}", {"Content-Encoding": "gzip"}, 415),
        (b" " * 20_000, {}, 413),
    ],
    ids=["type", "gzip", "large"],
)
def test_invalid_bodies(server: LiveServer, body: bytes, headers: dict[str, str], status: int) -> None:
    """They are rejected as on every other endpoint."""
    answer = server.http.post(
        "/v1/keys", content=body, headers={"Content-Type": "application/json", **headers}
    )

    assert status == answer.status_code == answer.json()["status"]


@pytest.mark.parametrize(
    "id", ["unknown", "..", "%00", "%2e%2e%2f", "%F0%9F%94%91", "'; drop table application_keys", "x" * 5000]
)
def test_invalid_ids(server: LiveServer, id: str) -> None:
    """The response says that there is no such key."""
    before = server.http.get("/v1/keys").json()

    assert 404 == server.http.delete(f"/v1/keys/{id}").status_code
    assert before == server.http.get("/v1/keys").json()


def test_the_admin_token_has_every_right(server: LiveServer) -> None:
    """It works on every repository."""
    statuses = _statuses(server, TOKEN, "fresh/admin")

    assert {404, 200} == set(statuses.values())
