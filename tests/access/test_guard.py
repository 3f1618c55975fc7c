"""The whole guard: limits over HTTP, timing, and what its refusals reveal."""

import asyncio
import gc
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.responses import Response

from access.hosting_platform import READER
from access.token_issuer import AUDIENCE, GITHUB_ACTIONS, key_set, resigned, written
from api.problem_documents import FORBIDDEN, problem
from asgi import UNDESCRIBED, ask
from builders import worked_example
from live_server import NO_LIMITS, TOKEN, LiveServer, live_server
from local_client import QuickClient, get
from mergecast.access.address import parse_networks
from mergecast.access.application_keys import ApplicationKeys, WantedKey
from mergecast.access.credential import read_credential
from mergecast.access.errors import Forbidden, TooManyRequests, WeakToken
from mergecast.access.guard import Guard, GuardContext
from mergecast.access.policy import Issuer, Policy
from mergecast.access.rights import AccessRequest, Right
from mergecast.api.application import Application
from mergecast.api.routing import Route
from mergecast.api.services import Services
from mergecast.app import Serving, services_of
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.credentials import ApplicationKey
from mergecast.queues.model.instant import DAY, SECOND
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import FILE_NAME, open_store
from mergecast.queues.store.sqlite.store import SQLiteStore
from mergecast.queues.store.store import Store

WIDGETS = Repository("acme", "widgets")


@contextmanager
def _served(folder: Path, **policy: Any) -> Iterator[LiveServer]:
    # No time passes: what a limit allows does not depend on how busy the machine is.
    with live_server(folder, replace(NO_LIMITS, **policy), passed=lambda: 0) as server:
        server.send(worked_example()).raise_for_status()
        yield server


def test_the_limit_per_credential(tmp_path: Path) -> None:
    """After the burst, 429 has Retry-After; another key and the operator are not affected."""
    with _served(tmp_path, requests_per_second=0.5, requests_burst=3) as server:
        first, second = (server.key()["key"] for _ in range(2))
        answers = [server.ask(first) for _ in range(5)]
        others = [server.ask(second).status_code, *(server.ask(TOKEN).status_code for _ in range(20))]

    assert [200, 200, 200, 429, 429] == [answer.status_code for answer in answers]
    assert problem(429, "too many requests; send the next one in 2 s") == answers[-1].json()
    assert "2" == answers[-1].headers["retry-after"]
    assert {200} == set(others)


def test_429_comes_before_403(tmp_path: Path) -> None:
    """A valid credential over its limit gets 429, even where it has no rights."""
    with _served(tmp_path, requests_per_second=0.1, requests_burst=1) as server:
        key = server.key()["key"]
        path = "/v1/repos/umbrella/secret/stats/queues"

        assert [403, 429] == [server.ask(key, path).status_code for _ in range(2)]


def test_the_limit_of_failures_per_address(tmp_path: Path) -> None:
    """Too many refusals lead to 429; a caller with a valid credential is not locked out."""
    with _served(tmp_path, failed_credentials_per_minute=4) as server:
        key = server.key()["key"]
        wrong = [server.ask(f"wrong-{number}") for number in range(7)]
        right = [server.ask(token).status_code for token in (key, TOKEN)]

    assert [403] * 4 + [429] * 3 == [answer.status_code for answer in wrong]
    assert FORBIDDEN == wrong[0].json()
    detail = "too many refused requests from this address; try again in 15 s"
    assert (problem(429, detail), "15") == (wrong[-1].json(), wrong[-1].headers["retry-after"])
    assert [200, 200] == right


def _wrong_from(server: LiveServer, address: str) -> int:
    headers = {"Authorization": "Bearer nonsense", "X-Forwarded-For": address}
    return get(f"{server.url}/v1/repos", headers=headers).status_code


def test_addresses_behind_a_trusted_proxy(tmp_path: Path) -> None:
    """The limit of failures is per client; an IPv6 /64 counts as one client."""
    trusted = parse_networks("127.0.0.1")
    with _served(tmp_path, failed_credentials_per_minute=1, trusted_proxies=trusted) as server:
        addresses = [
            "192.0.2.1",
            "192.0.2.1",
            "192.0.2.2",
            "2001:db8::1",
            "2001:db8::2",
            "9.9.9.9, 192.0.2.1",
        ]
        statuses = [_wrong_from(server, address) for address in addresses]

    assert [403, 429, 403, 403, 429, 429] == statuses


def test_without_a_trusted_proxy_the_header_is_ignored(tmp_path: Path) -> None:
    """Forging another address does not avoid the limit."""
    with _served(tmp_path, failed_credentials_per_minute=1) as server:
        assert [403, 429, 429] == [_wrong_from(server, f"192.0.2.{number}") for number in range(3)]


def test_the_default_limits_allow_normal_use(tmp_path: Path) -> None:
    """One key can load a dashboard page many times over."""
    with live_server(tmp_path, Policy()) as server:
        server.send(worked_example())
        key = server.key(scopes=["ingest"])["key"]
        with closing(QuickClient(server.url, {"Authorization": f"Bearer {key}"})) as http:
            statuses = [http.get("/v1/repos/acme/widgets/stats/queues", {}).status_code for _ in range(600)]

    assert {200: 600} == Counter(statuses)


def _services(database: Store, folder: Path, policy: Policy) -> Services:
    serving = Serving(folder, TOKEN, "127.0.0.1", 0, log_requests=False, policy=policy)
    return services_of(database, serving, "", lambda: False)


def test_the_limit_of_concurrent_costly_requests(data_folder: Path) -> None:
    """It applies per credential, to the routes marked as costly; the operator is not limited."""
    database = open_store(data_folder)
    services = _services(database, data_folder, replace(NO_LIMITS, simulations_at_once=2))
    guard, keys = services.guard, services.guard.keys

    async def statuses() -> dict[str, list[int]]:
        gate, admitted = asyncio.Event(), []

        async def wait(_: object, __: object) -> Response:
            admitted.append(1)
            await gate.wait()
            return Response()

        route = Route(
            "POST", "/v1/repos/{owner}/{repository}/costly", Right.READ, wait, UNDESCRIBED, is_costly=True
        )
        application = Application(services, [route])
        _, secret = await keys.make(WantedKey("a test", "acme", frozenset(), None))
        asked = {
            name: [asyncio.ensure_future(_status(application, token)) for _ in range(4)]
            for name, token in (("key", secret), ("operator", TOKEN))
        }
        async with asyncio.timeout(60):
            for _ in count():
                if len(admitted) == 6 and sum(one.done() for one in asked["key"]) == 2:
                    break
                await asyncio.sleep(0.01)
        gate.set()
        found = {name: sorted(await asyncio.gather(*request)) for name, request in asked.items()}
        found["afterwards"] = [await _status(application, secret)]
        await guard.close()
        return found

    found = asyncio.run(statuses())
    database.close()

    assert {"key": [200, 200, 429, 429], "operator": [200] * 4, "afterwards": [200]} == found


def test_a_refusal_waits(data_folder: Path) -> None:
    """Others would bear the cost of refusals if clients that try again at once got them at once."""
    database = open_store(data_folder)
    services = _services(database, data_folder, NO_LIMITS)

    async def refuse(_: object, __: object) -> Response:
        raise TooManyRequests("too many", 1)

    async def refused() -> tuple[int, float]:
        route = Route("POST", "/v1/repos/{owner}/{repository}/costly", Right.READ, refuse, UNDESCRIBED)
        begun = time.monotonic()
        status = await _status(Application(services, [route]), TOKEN)
        await services.guard.close()
        return status, time.monotonic() - begun

    status, seconds = asyncio.run(refused())
    database.close()

    assert (429, True) == (status, seconds > 0.2)


async def _status(application: Application, token: str) -> int:
    return (await ask(application, "POST", "/v1/repos/acme/widgets/costly", token)).status


def test_the_guard_decides_before_the_store_is_read(data_folder: Path) -> None:
    """A closed store changes no refusal, with or without a repository in the path."""
    database = open_store(data_folder)
    guard = Guard(
        TOKEN,
        NO_LIMITS,
        ApplicationKeys(database, now_in_microseconds),
        GuardContext(_no_repositories, now_in_microseconds),
    )
    database.close()

    async def refused(token: str, right: Right, repository: Repository | None) -> bool:
        request = AccessRequest([f"Bearer {token}".encode()], right, repository, "a test", "192.0.2.1")
        try:
            await guard.admit(request)
        except Forbidden:
            return True
        return False

    for right in Right:
        for repository in (WIDGETS, None):
            for token in ("nonsense", f"mck_{'0' * 12}_{'0' * 64}", READER, "e30.e30.e30"):
                assert asyncio.run(refused(token, right, repository)), (right, token)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=5,
)
_NEARLY = st.sampled_from(
    ["rsa-1", "ec-1", "RS256", "none", GITHUB_ACTIONS, AUDIENCE, "acme/widgets", 2**31, 2**80]
)
_HEADERS = st.fixed_dictionaries({"alg": _NEARLY, "kid": _NEARLY}) | _JSON
_CLAIMS = (
    st.fixed_dictionaries(
        {"iss": st.just(GITHUB_ACTIONS), "aud": st.just(AUDIENCE), "exp": _NEARLY | _JSON},
        optional=dict.fromkeys(("nbf", "iat", "sub", "repository", "repository_owner"), _NEARLY | _JSON),
    )
    | _JSON
)
_TOKENS = (
    st.binary(max_size=100)
    | st.builds(written, _HEADERS, _CLAIMS, st.binary(max_size=64)).map(str.encode)
    | st.builds(
        lambda header, claims: resigned(header, claims, "rsa-1").encode(), st.just({}) | _HEADERS, _CLAIMS
    )
    | st.from_regex(rb"\A(mck_|ghp_|eyJ)[\w.-]{0,90}\Z")
)


@given(
    st.lists(st.just(b"Bearer ") | st.binary(max_size=10), min_size=1, max_size=2),
    _TOKENS,
    st.sampled_from(Right),
)
@settings(deadline=None, max_examples=300)
def test_arbitrary_credentials_are_refused(
    tmp_path_factory: pytest.TempPathFactory, schemes: list[bytes], token: bytes, right: Right
) -> None:
    """No generated credential is accepted, and none causes an internal error."""
    file = tmp_path_factory.getbasetemp() / "made-up-jwks.json"
    file.write_bytes(key_set("ec-1"))
    policy = replace(NO_LIMITS, issuers=(Issuer(GITHUB_ACTIONS, AUDIENCE, str(file)),))
    guard = Guard(TOKEN, policy, _NoKeys(), GuardContext(_no_repositories, now_in_microseconds))
    request = AccessRequest([scheme + token for scheme in schemes], right, WIDGETS, "a test", "192.0.2.1")

    with pytest.raises(Forbidden):
        asyncio.run(guard.admit(request))


async def _no_repositories() -> list[Repository]:
    return []


class _NoKeys(ApplicationKeys):
    """A store without application keys."""

    def __init__(self) -> None:
        super().__init__(cast("Any", self), now_in_microseconds)

    async def application_keys(self) -> dict[str, ApplicationKey]:
        return {}


def test_timing_does_not_reveal_key_ids(data_folder: Path) -> None:
    """Nor whether a repository exists: a refusal calls the same functions in the same order."""
    database = open_store(data_folder)
    keys = ApplicationKeys(database, now_in_microseconds)
    guard = Guard(TOKEN, NO_LIMITS, keys, GuardContext(_no_repositories, now_in_microseconds))

    async def calls() -> dict[str, list[str]]:
        key, secret = await keys.make(WantedKey("a test", "umbrella", frozenset(), None))
        cases = {
            "wrong": (f"mck_{key.id}_{'0' * 64}", WIDGETS),
            "unknown": (f"mck_{'0' * 12}_{'0' * 64}", WIDGETS),
            "not mine": (secret, WIDGETS),
            "not there": (secret, Repository("acme", "nobody-knows")),
        }
        # The first round reads what the guard remembers from then on.
        for _ in range(2):
            found = {
                name: await _calls_of_refusal(guard, token, repository)
                for name, (token, repository) in cases.items()
            }
        await guard.close()
        return found

    found = asyncio.run(calls())
    database.close()

    assert len(found["wrong"]) > 10
    assert found["wrong"] == found["unknown"]
    assert found["not mine"] == found["not there"]


async def _calls_of_refusal(guard: Guard, token: str, repository: Repository) -> list[str]:
    """The functions of Python and of C that the guard calls to refuse a request."""
    request = AccessRequest([f"Bearer {token}".encode()], Right.READ, repository, "a test", "192.0.2.1")
    called: list[str] = []

    def note(frame: FrameType, event: str, function: Any) -> None:
        if event == "call":
            called.append(frame.f_code.co_qualname)
        elif event == "c_call":
            called.append(function.__qualname__)

    gc.disable()  # it calls functions of its own, at any moment
    sys.setprofile(note)
    try:
        await guard.admit(request)
    except Forbidden:
        return called
    finally:
        sys.setprofile(None)
        gc.enable()
    raise AssertionError("the credential was accepted")


def test_a_short_admin_token_is_refused(data_folder: Path) -> None:
    """It would be easy to guess."""
    database = open_store(data_folder)
    keys = ApplicationKeys(database, now_in_microseconds)
    with pytest.raises(WeakToken) as refusal:
        Guard("x" * 31, NO_LIMITS, keys, GuardContext(_no_repositories, now_in_microseconds))
    database.close()

    assert (
        "the admin token needs at least 32 characters; "
        "delete the file admin-token in the data folder to get a new one"
    ) == str(refusal.value)


def test_uses_of_keys_are_written_at_most_once_per_minute(tmp_path: Path) -> None:
    """The first immediately; later ones together, after a minute or when the server stops."""
    written: list[dict[str, int]] = []

    class Noting(SQLiteStore):
        async def mark_as_used(self, uses: Any) -> None:
            written.append(dict(uses))
            await super().mark_as_used(uses)

    database = Noting(tmp_path / FILE_NAME)
    keys = ApplicationKeys(database, now_in_microseconds)
    guard = Guard(TOKEN, NO_LIMITS, keys, GuardContext(_no_repositories, now_in_microseconds))

    async def use() -> None:
        _, secret = await keys.make(WantedKey("a test", "acme", frozenset(), None))
        request = AccessRequest([f"Bearer {secret}".encode()], Right.READ, WIDGETS, "a test", "192.0.2.1")
        for _ in range(50):
            await guard.admit(request)
            await asyncio.sleep(0.002)
        assert 1 == len(written)
        await guard.close()

    asyncio.run(use())
    stored = dict(asyncio.run(database.application_keys()))
    database.close()

    assert 2 == len(written)
    assert {id: key.last_used_at for id, key in stored.items()} == written[-1]


def test_a_use_is_listed_while_it_is_written(tmp_path: Path) -> None:
    """Also if the list is asked for in the middle of that."""
    listed: list[int | None] = []

    class Asking(SQLiteStore):
        async def mark_as_used(self, uses: Any) -> None:
            listed.extend(key.last_used_at for key in await keys.listed())
            await super().mark_as_used(uses)

    database = Asking(tmp_path / FILE_NAME)
    keys = ApplicationKeys(database, lambda: SECOND)

    async def use() -> None:
        _, secret = await keys.make(WantedKey("a test", "acme", frozenset(), None))
        credential = read_credential([f"Bearer {secret}".encode()])
        assert credential is not None
        await keys.caller(credential, SECOND)
        await keys.close()

    asyncio.run(use())
    database.close()

    assert [SECOND] == listed


def test_limits_do_not_follow_a_clock_that_is_set(data_folder: Path) -> None:
    """A key that used up its requests while the clock was a day ahead gets new ones as time passes."""
    database = open_store(data_folder)
    wall, passed = [now_in_microseconds()], [0]
    keys = ApplicationKeys(database, lambda: wall[0])
    policy = replace(NO_LIMITS, requests_per_second=1, requests_burst=1, failed_credentials_per_minute=1)
    guard = Guard(TOKEN, policy, keys, GuardContext(_no_repositories, lambda: wall[0], lambda: passed[0]))

    async def admitted(secret: str) -> str:
        request = AccessRequest([f"Bearer {secret}".encode()], Right.READ, WIDGETS, "a test", "192.0.2.1")
        try:
            await guard.admit(request)
        except (Forbidden, TooManyRequests) as refusal:
            return type(refusal).__name__
        return "admitted"

    async def scenario() -> list[str]:
        _, secret = await keys.make(WantedKey("a test", "acme", frozenset(), None))
        found = []
        for step in (0, DAY, -DAY, 0):
            wall[0] += step
            found += [await admitted(secret), await admitted("unknown")]
        passed[0] += 60 * SECOND
        found += [await admitted(secret), await admitted("unknown")]
        await guard.close()
        return found

    found = asyncio.run(scenario())
    database.close()

    assert ["admitted", "Forbidden", *["TooManyRequests"] * 6, "admitted", "Forbidden"] == found
