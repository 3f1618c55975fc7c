"""`mergecast admin key`, with and without a running server."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from builders import worked_example
from cli.program import mergecast
from live_server import TOKEN, LiveServer
from logged_secrets import LOGGED

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a key."""
    folder = tmp_path_factory.mktemp("keys")
    assert 0 == mergecast("admin", "key", "make", "acme", "--name", "n", data=folder).code
    return folder


def test_a_key_is_created_listed_and_revoked(tmp_path: Path) -> None:
    """Only the secret goes to standard output."""
    made = mergecast("admin", "key", "make", "Acme", "--name", "dashboard", data=tmp_path)
    id = made.out[4:16]
    listed = mergecast("admin", "key", "list", data=tmp_path)
    revoked = mergecast("admin", "key", "revoke", id, data=tmp_path)
    gone = mergecast("admin", "key", "list", data=tmp_path)

    assert (0, 0, 0, 0) == (made.code, listed.code, revoked.code, gone.code)
    assert re.fullmatch(r"mck_[0-9a-f]{12}_[0-9a-f]{64}\n", made.out)
    assert f"key {id} for Acme (read), does not expire; store it now:\n" in made.err
    header, row = listed.out.splitlines()
    assert ["id", "owner", "name", "scopes", "created", "expires", "last", "used,", "UTC"] == header.split()
    assert re.fullmatch(rf"{id} +Acme +dashboard +read +20\d\d-\d\d-\d\d \d\d:\d\d +- +- *", row)
    assert made.out.strip() not in listed.out
    assert f"revoked key {id}\n" == revoked.out
    assert "there are no keys; create one with `mergecast admin key make OWNER --name NAME`\n" == gone.out


def test_the_audit_lines_of_commands(tmp_path: Path) -> None:
    """They say who created and revoked which key, without the secret."""
    before = len(LOGGED.getvalue())
    made = mergecast("admin", "key", "make", "acme", "--name", "ci", "--scope", "ingest", data=tmp_path)
    id = made.out[4:16]
    mergecast("admin", "key", "revoke", id, data=tmp_path)

    logged = LOGGED.getvalue()[before:].decode()
    first, second = [line for line in map(json.loads, logged.splitlines()) if line.get("key") == id]
    expected = {"logger": "mergecast.audit", "level": "warning", "who": "admin token", "address": "127.0.0.1",
                "key": id, "name": "ci", "owner": "acme"}  # fmt: skip
    assert {**expected, "event": "key created", "scopes": ["read", "ingest"], "expires_at": None} == {
        name: value for name, value in first.items() if name != "timestamp"
    }
    assert {**expected, "event": "key revoked"} == {
        name: value for name, value in second.items() if name != "timestamp"
    }
    assert made.out.strip()[-64:] not in logged


def test_json(tmp_path: Path) -> None:
    """The output is the whole response, with scopes and an expiry."""
    wanted = ("--name", "ci", "--scope", "ingest", "--scope", "admin", "--expires", "90d")
    made = json.loads(mergecast("admin", "key", "make", "acme", *wanted, "--json", data=tmp_path).out)
    (listed,) = json.loads(mergecast("admin", "key", "list", "--json", data=tmp_path).out)

    assert {**listed, "key": made["key"]} == made
    assert ["read", "ingest", "admin"] == made["scopes"]
    away = datetime.fromisoformat(made["expires_at"]) - datetime.now(UTC)
    assert timedelta(days=89, hours=23) < away < timedelta(days=90)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("make", "a_b", "--name", "n"), "OWNER: `a_b` must have 1 to 40 letters, digits or hyphens"),
        (("make", "acme", "--name", ""), "--name: must have 1 to 100 printable characters"),
        (("make", "acme", "--name", "n", "--scope", "write"),
         "Invalid value for '--scope': 'write' is not one of 'read', 'ingest', 'admin', 'sources'."),
        (("make", "acme", "--name", "n", "--expires", "2020-01-01T00:00:00Z"),
         "--expires: `2020-01-01T00:00:00Z` is in the past"),
        (("make", "acme", "--name", "n", "--expires", "999999w"),
         "--expires: `999999w` is after the year 9999"),
        (("revoke", "../x"),
         "`../x` is not the id of a key; `mergecast admin key list` shows the ids"),
    ],
    ids=["owner", "name", "scope", "past", "far", "id"],
)  # fmt: skip
def test_wrong_usage(data: Path, arguments: tuple[str, ...], message: str) -> None:
    """The exit code is 2, and the message names the option and what is right."""
    ended = mergecast("admin", "key", *arguments, data=data)

    assert (2, f"mergecast: {message}\n") == (ended.code, ended.err)


def test_an_unknown_id(data: Path) -> None:
    """The message mentions commands, not HTTP."""
    ended = mergecast("admin", "key", "revoke", "0123456789ab", data=data)

    message = "mergecast: there is no key `0123456789ab`; `mergecast admin key list` shows the ids\n"
    assert (1, message) == (ended.code, ended.err)


def test_with_any_server(server: LiveServer, tmp_path: Path) -> None:
    """A key created on a server works as the token of other commands."""
    server.send(worked_example()).raise_for_status()
    where = ("--url", server.url)
    made = mergecast(
        "admin", "key", "make", "acme", "--name", "n", *where, data=tmp_path, MERGECAST_ADMIN_TOKEN=TOKEN
    )
    key = made.out.strip()

    read = mergecast("store", "export", "acme/widgets", *where, data=tmp_path, MERGECAST_ADMIN_TOKEN=key)
    refused = mergecast("admin", "key", "list", *where, data=tmp_path, MERGECAST_ADMIN_TOKEN=key)

    assert (0, 12) == (read.code, read.out.count("\n"))
    assert 2 == refused.code
    assert f"mergecast: {server.url} does not accept this application key for this command" in refused.err
