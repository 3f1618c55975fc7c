"""Audit lines: who did what, from where, at a limited rate."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from access.token_issuer import actions_claims, signed
from live_server import LiveServer
from logged_secrets import LOGGED
from mergecast.access.audit import MOST_LINES, MOST_LINES_OF_ADDRESS, Audit, Refusals
from mergecast.access.errors import Refusal
from mergecast.access.rights import OPERATOR, AccessRequest, Admission, Caller, CredentialKind, Right
from mergecast.process.logs import log_as_json
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store

Lines = list[dict[str, Any]]
WIDGETS = Repository("acme", "widgets")


@pytest.fixture
def lines() -> Callable[[], Lines]:
    """The log lines since the last call, without their times."""
    log_as_json()
    seen = len(LOGGED.getvalue())

    def read() -> Lines:
        nonlocal seen
        new = LOGGED.getvalue()[seen:]
        seen += len(new)
        written = [json.loads(line) for line in new.splitlines()]
        return [
            {name: value for name, value in line.items() if name not in ("timestamp", "level", "logger")}
            for line in written
            if line.get("logger") == "mergecast.audit"
        ]

    return read


def test_keys_are_audited(server: LiveServer, lines: Callable[[], Lines]) -> None:
    """One line for creating a key, one for revoking it."""
    made = server.key(name="Anna", scopes=["ingest"], expires_at="2999-01-01T00:00:00Z")
    server.http.delete(f"/v1/keys/{made['id']}")

    who = {"who": "admin token", "address": "127.0.0.1", "key": made["id"], "name": "Anna", "owner": "acme"}
    more = {"scopes": ["read", "ingest"], "expires_at": "2999-01-01T00:00:00Z"}
    assert [{"event": "key created", **who, **more}, {"event": "key revoked", **who}] == lines()


def test_refusals_are_audited(own_server: LiveServer, lines: Callable[[], Lines]) -> None:
    """The line has the apparent owner of the credential and the reason; the response has neither."""
    made = own_server.key()
    lines()
    path = "/v1/repos/umbrella/secret/stats/queues"
    for token in (
        "nonsense",
        made["key"],
        f"mck_{made['id']}_{'0' * 64}",
        signed(actions_claims()),
        "e30.e30.x",
    ):
        own_server.ask(token, path)

    what = {"event": "refused", "address": "127.0.0.1", "repository": "umbrella/secret", "status": 403,
            "what": "GET /v1/repos/{owner}/{repository}/stats/queues"}  # fmt: skip
    subject = "repo:acme/widgets:ref:refs/heads/main"
    assert [
        {**what, "who": "anonymous", "reason": "unknown credential"},
        {**what, "who": f"application key {made['id']}", "reason": "no right to this"},
        {**what, "who": f"application key {made['id']}", "reason": "wrong secret"},
        {**what, "who": f"service token {subject}", "reason": "no right to this"},
        {**what, "who": "service token", "reason": "malformed token"},
    ] == lines()


def test_products_are_audited(tmp_path: Path, lines: Callable[[], Lines]) -> None:
    """The line has the caller and the new setting."""
    key = Caller(CredentialKind.APPLICATION, "0123456789ab", "0123456789ab", frozenset(Right), "acme")
    store = open_store(tmp_path)
    audit = Audit(store, lambda: 7)

    async def change() -> None:
        for caller, products in ((key, ["merge_queue"]), (OPERATOR, None)):
            admission = Admission(caller, "192.0.2.1")
            await audit.note(admission, "products changed", WIDGETS, products=products)

    asyncio.run(change())
    store.close()

    what = {"event": "products changed", "address": "192.0.2.1", "repository": "acme/widgets"}
    assert [
        {**what, "who": "application key 0123456789ab", "products": ["merge_queue"]},
        {**what, "who": "admin token", "products": None},
    ] == lines()


def test_a_line_that_cannot_be_stored(tmp_path: Path, lines: Callable[[], Lines]) -> None:
    """The change was made, so the request succeeds; the log has the line, and says what the store lacks."""
    store = open_store(tmp_path)
    store.close()

    asyncio.run(
        Audit(store, lambda: 7).note(Admission(OPERATOR, "192.0.2.1"), "key revoked", "acme", key="0")
    )

    line = {"event": "key revoked", "who": "admin token", "address": "192.0.2.1", "owner": "acme", "key": "0"}
    missing = {"event": "an audit line was not stored", "error": "the store is closing"}
    assert [line, missing] == lines()


def _access_request(address: str) -> AccessRequest:
    return AccessRequest([], Right.READ, None, "GET /v1/repos", address)


class _Timer:
    """A timer that the test fires."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def __call__(self, seconds: float, then: Callable[[], None]) -> None:
        assert 60 == seconds
        self.waiting.append(then)

    def ring(self) -> None:
        self.waiting.pop(0)()


def test_many_refusals_of_one_address(lines: Callable[[], Lines]) -> None:
    """The number of lines per minute is limited; one further line counts the others."""
    timer = _Timer()
    refusals = Refusals(timer)
    for _ in range(1000):
        refusals.note(_access_request("192.0.2.1"), Refusal("no credential", "anonymous"), 403)
    refusals.note(_access_request("192.0.2.2"), Refusal("no credential", "anonymous"), 403)
    in_between = lines()
    timer.ring()
    counted = lines()
    refusals.note(_access_request("192.0.2.1"), Refusal("no credential", "anonymous"), 403)

    assert [MOST_LINES_OF_ADDRESS, 1] == [
        sum(line["address"] == address for line in in_between) for address in ("192.0.2.1", "192.0.2.2")
    ]
    more = 1000 - MOST_LINES_OF_ADDRESS
    assert [{"event": "more refusals", "address": "192.0.2.1", "refusals": more}] == counted
    assert 1 == len(lines())
    assert 1 == len(timer.waiting)


def test_refusals_of_many_addresses(lines: Callable[[], Lines]) -> None:
    """Neither the log nor the memory grows with the number of addresses, and the count is complete."""
    timer = _Timer()
    refusals = Refusals(timer)
    for number in range(5000):
        refusals.note(_access_request(f"2001:db8::{number:x}"), Refusal("no credential", "anonymous"), 403)
    told = lines()
    timer.ring()
    counted = lines()

    assert MOST_LINES == len(told)
    assert MOST_LINES + 1 == len(counted)
    assert 5000 == len(told) + sum(line["refusals"] for line in counted)
    assert 1 == sum(line["address"] == "others" for line in counted)


def test_the_count_is_logged_at_shutdown(own_server: LiveServer, lines: Callable[[], Lines]) -> None:
    """A server that stops logs the refusals it has not logged yet."""
    for _ in range(MOST_LINES_OF_ADDRESS + 3):
        own_server.ask("nonsense")
    lines()

    own_server.stop()

    assert [{"event": "more refusals", "address": "127.0.0.1", "refusals": 3}] == lines()
