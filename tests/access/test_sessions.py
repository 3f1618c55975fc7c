"""Signing in: a cookie stands for a credential, for twelve hours at most and no longer than it is valid."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from access.hosting_platform import READER
from access.token_issuer import actions_claims, signed
from api.problem_documents import FORBIDDEN
from builders import worked_example
from live_server import NO_LIMITS, TOKEN, LiveServer, live_server
from local_client import local_client
from mergecast.access.credential import credential_of
from mergecast.access.rights import Caller, CredentialKind
from mergecast.access.sessions import Sessions
from mergecast.queues.model.instant import HOUR, MINUTE, parse_instant
from mergecast.queues.store.opening import open_store

_SESSION = "/v1/session"
_STATS = "/v1/repos/Acme/Widgets/stats/queues"
_EITHER = "the body must contain either token, a credential of any kind, or code, a one-time code"
_TEXT = "must be a string of 1 to 16384 ASCII characters"
_NOBODY: dict[str, object] = {
    "kind": None, "name": None, "rights": [], "expires_at": None, "github": False, "oidc": None,
}  # fmt: skip
_OPERATOR = ["list", "read", "ingest", "products", "settings", "channels", "sources", "operate"]


class Clock:
    """The server's time, which a test moves."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.now = parse_instant("2026-11-15T09:00:00Z")

    def __call__(self) -> int:
        return self.now


@pytest.fixture(scope="module")
def moved_clock() -> Clock:
    return Clock()


@pytest.fixture(autouse=True)
def clock(moved_clock: Clock) -> Clock:
    """Every test starts at the same time."""
    moved_clock.reset()
    return moved_clock


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory, moved_clock: Clock) -> Iterator[LiveServer]:
    """A server whose clock stands still; a test uses only the sessions, keys and codes that it makes."""
    with live_server(tmp_path_factory.mktemp("sessions"), now=moved_clock) as live:
        live.send(worked_example(), "Acme/Widgets").raise_for_status()
        yield live


def _browser(server: LiveServer) -> httpx.Client:
    """A client that keeps cookies and sends the origin of the server's own pages."""
    return local_client(server.url, headers={"Origin": server.url})


def _sign_in(browser: httpx.Client, **secret: str) -> Any:
    answer = browser.post(_SESSION, json=secret)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize(
    ("kind", "rights"),
    [
        ("admin token", _OPERATOR),
        ("application key", ["list", "read", "ingest"]),
        ("service token", ["list", "read"]),
        ("platform token", ["list", "read"]),
    ],
)
def test_every_kind_of_credential_signs_in(server: LiveServer, kind: str, rights: list[str]) -> None:
    """The cookie may do what the credential may do, and nothing after signing out."""
    tokens = {
        "admin token": TOKEN,
        "application key": server.key("acme", scopes=["ingest"])["key"],
        "service token": signed(actions_claims(repository="acme/widgets")),
        "platform token": READER,
    }
    with _browser(server) as browser:
        shown = _sign_in(browser, token=tokens[kind])
        again = browser.get(_SESSION).json()
        read = browser.get(_STATS)
        other = browser.get("/v1/repos/umbrella/secret/stats/queues")
        signed_out = browser.delete(_SESSION)
        afterwards = browser.get(_SESSION).json()

    assert (kind, rights) == (shown["kind"], shown["rights"])
    assert shown == again
    assert 200 == read.status_code
    assert (200 if kind == "admin token" else 403) == other.status_code
    assert (204, _NOBODY) == (signed_out.status_code, afterwards)


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(own_server: LiveServer) -> None:
    """It is secure only behind https, because browsers would not send it to the service otherwise."""
    with _browser(own_server) as browser:
        cookie = browser.post(_SESSION, json={"token": TOKEN}).headers["set-cookie"]

    name, *attributes = cookie.split("; ")
    assert name.startswith("mergecast_session=")
    assert ["Path=/", "Max-Age=43200", "HttpOnly", "SameSite=Strict"] == attributes


def test_behind_https_and_a_prefix(tmp_path: Path) -> None:
    """The cookie goes to this service only; the public origin counts as our own."""
    url = "https://queue.example/stats"
    with live_server(tmp_path, prefix="/stats", public_url=url) as server, server.anonymous() as http:
        headers = {"Origin": "https://queue.example"}
        answer = http.post(f"/stats{_SESSION}", json={"token": TOKEN}, headers=headers)
        cookie = answer.headers["set-cookie"]
        pair = cookie.partition(";")[0]
        made = http.post("/stats/v1/session/codes", headers={**headers, "Cookie": pair})

        assert cookie.endswith("; Path=/stats; Max-Age=43200; HttpOnly; SameSite=Strict; Secure")
        assert 201 == made.status_code
        assert made.json()["url"].startswith("https://queue.example/stats/#code=")


def test_behind_https_no_other_host_can_set_the_cookie(tmp_path: Path) -> None:
    """A page of another subdomain could otherwise plant its own session."""
    url = "https://queue.example"
    with live_server(tmp_path, public_url=url) as server, server.anonymous() as http:
        answer = http.post(_SESSION, json={"token": TOKEN}, headers={"Origin": url})
        name, _, rest = answer.headers["set-cookie"].partition("=")
        secret, *attributes = rest.split("; ")
        server.send(worked_example(), "Acme/Widgets")
        statuses = [
            http.get(_STATS, headers={"Cookie": f"{prefix}mergecast_session={secret}"}).status_code
            for prefix in ("__Host-", "")
        ]

    assert "__Host-mergecast_session" == name
    assert ["Path=/", "Max-Age=43200", "HttpOnly", "SameSite=Strict", "Secure"] == attributes
    assert [200, 403] == statuses


def test_two_different_cookies_sign_no_one_in(own_server: LiveServer) -> None:
    """Another host may have set one of them, and the server cannot tell which."""
    with _browser(own_server) as browser:
        _sign_in(browser, token=TOKEN)
        own = f"mergecast_session={browser.cookies['mergecast_session']}"
    with own_server.anonymous() as http:
        cookies = [
            own,
            f"{own}; {own}",
            f"{own}; mergecast_session=planted",
            f"mergecast_session=planted; {own}",
        ]
        statuses = [http.get(_STATS, headers={"Cookie": cookie}).status_code for cookie in cookies]
        shown = http.get(_SESSION, headers={"Cookie": cookies[-1]})

    assert [200, 200, 403, 403] == statuses
    assert _NOBODY == shown.json()
    assert "Max-Age=0" in shown.headers["set-cookie"]


@pytest.mark.parametrize(
    ("public_url", "origin", "forwarded", "status"),
    [
        (None, "http://queue.example", None, 200),
        (None, "http://queue.example", "https", 403),  # a proxy says that clients use https
        (None, "https://queue.example", None, 200),  # behind a proxy of which the server knows nothing
        (None, "ftp://queue.example", None, 403),
        ("https://queue.example", "https://queue.example", None, 200),
        ("https://queue.example", "http://queue.example", None, 403),
        ("https://elsewhere.example", "http://queue.example", None, 403),
    ],
)
def test_the_scheme_of_a_page_counts(
    tmp_path: Path, public_url: str | None, origin: str, forwarded: str | None, status: int
) -> None:
    """Anyone on the network can change a page without https, so it may not act for one with https."""
    headers = {"Host": "queue.example", "Origin": origin}
    if forwarded is not None:
        headers["X-Forwarded-Proto"] = forwarded
    with live_server(tmp_path, public_url=public_url) as server, server.anonymous() as http:
        assert status == http.post(_SESSION, json={"token": TOKEN}, headers=headers).status_code


def test_a_session_ends_after_twelve_hours(own_server: LiveServer, clock: Clock) -> None:
    """However often it is used."""
    with _browser(own_server) as browser:
        shown = _sign_in(browser, token=TOKEN)
        clock.now += 12 * HOUR - 1
        before = browser.get(_STATS).status_code
        clock.now += 1
        after = browser.get(_STATS).status_code

        assert ("2026-11-15T21:00:00Z", 200, 403) == (shown["expires_at"], before, after)
        assert _NOBODY == browser.get(_SESSION).json()


def test_a_session_ends_with_its_credential(own_server: LiveServer) -> None:
    """A key that is revoked signs out all browsers that use it, at once."""
    key = own_server.key("acme")
    with _browser(own_server) as browser:
        shown = _sign_in(browser, token=key["key"])
        before = browser.get(_STATS).status_code
        own_server.http.delete(f"/v1/keys/{key['id']}")
        after = browser.get(_STATS).status_code
        answer = browser.get(_SESSION)

    assert ("application key", "a test") == (shown["kind"], shown["name"])
    assert (200, 403, _NOBODY) == (before, after, answer.json())
    assert "Max-Age=0" in answer.headers["set-cookie"]


def test_a_changed_admin_token_ends_its_sessions(tmp_path: Path) -> None:
    """A session survives a restart, but not another token."""
    with live_server(tmp_path) as server:
        server.send(worked_example(), "Acme/Widgets")
        answer = server.http.post(_SESSION, json={"token": TOKEN})
        pair = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
    with live_server(tmp_path) as server, server.anonymous() as http:
        same = http.get(_STATS, headers=pair).status_code
    with live_server(tmp_path, admin_token="x" * 40) as server, server.anonymous() as http:
        other = http.get(_STATS, headers=pair).status_code

    assert (200, 403) == (same, other)


def test_a_code_signs_in_once(own_server: LiveServer, clock: Clock) -> None:
    """Within ten minutes; whoever comes second or later is refused like any wrong credential."""
    first, second = (own_server.http.post("/v1/session/codes").json() for _ in range(2))
    with _browser(own_server) as browser:
        shown = _sign_in(browser, code=first["code"])
        again = browser.post(_SESSION, json={"code": first["code"]})
        clock.now += 10 * MINUTE
        late = browser.post(_SESSION, json={"code": second["code"]})

    assert f"{own_server.url}/#code={first['code']}" == first["url"]
    assert "2026-11-15T09:10:00Z" == first["expires_at"]
    assert ("admin token", "", _OPERATOR) == (shown["kind"], shown["name"], shown["rights"])
    assert [(403, FORBIDDEN)] * 2 == [(answer.status_code, answer.json()) for answer in (again, late)]


def test_a_session_is_not_replaced_against_the_wish_of_the_browser(own_server: LiveServer) -> None:
    """It learns who it would become, and the code stays valid."""
    ada, bea = (own_server.key("acme", name=name)["key"] for name in ("Ada", "Bea"))
    code = own_server.ask(bea, "/v1/session/codes", "POST").json()["code"]
    with _browser(own_server) as browser:
        _sign_in(browser, token=ada)
        answers = [browser.post(_SESSION, json={"code": code, "replace": False}) for _ in range(2)]
        still = browser.get(_SESSION).json()["name"]
        wrong = browser.post(_SESSION, json={"code": "unknown", "replace": False})
        as_operator = browser.post(_SESSION, json={"token": TOKEN, "replace": False})
        became = _sign_in(browser, code=code)["name"]

    instead = "you are signed in as Ada (application key); this would sign you in as {} instead"
    assert [(409, instead.format("Bea (application key)"))] * 2 == [
        (answer.status_code, answer.json()["detail"]) for answer in answers
    ]
    assert instead.format("the operator (admin token)") == as_operator.json()["detail"]
    assert (403, FORBIDDEN) == (wrong.status_code, wrong.json())
    assert ("Ada", "Bea") == (still, became)


def test_a_session_that_need_not_be_protected_is_replaced(own_server: LiveServer) -> None:
    """No one is signed in, the same credential is, or a credential that was revoked."""
    key = own_server.key("acme")
    with _browser(own_server) as browser:
        for token in (TOKEN, TOKEN):
            answer = browser.post(_SESSION, json={"token": token, "replace": False})
            assert 200 == answer.status_code
        _sign_in(browser, token=key["key"])
        assert own_server.http.delete(f"/v1/keys/{key['id']}").is_success
        assert 200 == browser.post(_SESSION, json={"token": TOKEN, "replace": False}).status_code


@pytest.mark.parametrize("wish", ["no", 0, None])
def test_a_wish_that_is_neither_true_nor_false(own_server: LiveServer, wish: Any) -> None:
    """The error names the field."""
    with _browser(own_server) as browser:
        answer = browser.post(_SESSION, json={"token": TOKEN, "replace": wish})

    assert (422, "/replace: must be true or false") == (answer.status_code, answer.json()["detail"])


def test_a_code_has_the_rights_of_its_maker(own_server: LiveServer) -> None:
    """Anyone with a credential can make one; it is no cookie."""
    key = own_server.key("acme")["key"]
    code = own_server.ask(key, "/v1/session/codes", "POST").json()["code"]
    with _browser(own_server) as browser:
        as_cookie = browser.get(_STATS, headers={"Cookie": f"mergecast_session={code}"}).status_code
        shown = _sign_in(browser, code=code)

    assert 403 == as_cookie
    assert ("application key", ["list", "read"]) == (shown["kind"], shown["rights"])


@pytest.mark.parametrize("origin", [None, "https://evil.example", "null", "http://127.0.0.1:1"])
def test_changes_need_our_own_origin(own_server: LiveServer, origin: str | None) -> None:
    """With a cookie. Reading needs none, and neither does a request with a token."""
    headers = {"Origin": origin} if origin else {}
    change = {"products": ["merge_queue"]}
    with _browser(own_server) as browser:
        _sign_in(browser, token=TOKEN)
        browser.headers.pop("Origin")
        path = "/v1/repos/acme/widgets/products"
        statuses = [
            browser.put(path, json=change, headers=headers).status_code,
            browser.delete(_SESSION, headers=headers).status_code,
            browser.get(_STATS, headers=headers).status_code,
            own_server.http.put(path, json=change, headers=headers).status_code,
            browser.put(path, json=change, headers={"Origin": own_server.url}).status_code,
        ]

    assert [403, 403, 200, 200, 200] == statuses


def test_no_other_site_signs_a_browser_in(own_server: LiveServer) -> None:
    """A page of another origin could otherwise sign people in to someone else's account."""
    answer = own_server.http.post(_SESSION, json={"token": TOKEN}, headers={"Origin": "https://evil.example"})

    assert (403, None) == (answer.status_code, answer.headers.get("set-cookie"))


def test_a_new_session_replaces_the_old_one(own_server: LiveServer) -> None:
    """The old cookie is worth nothing any more."""
    with _browser(own_server) as browser:
        _sign_in(browser, token=TOKEN)
        old = {"Cookie": f"mergecast_session={browser.cookies['mergecast_session']}"}
        _sign_in(browser, token=TOKEN)

    with own_server.anonymous() as http:
        assert 403 == http.get(_STATS, headers=old).status_code


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b'{"token": "nonsense"}', 403, None),
        (b'{"code": "nonsense"}', 403, None),
        (b"{}", 422, _EITHER),
        (
            b'{"token": "a", "code": "b"}',
            422,
            "the body must contain either token, a credential of any kind, or code, a one-time code",
        ),
        (b'{"token": 7}', 422, f"/token: {_TEXT}"),
        (b'{"token": "\xc3\xa4"}', 422, f"/token: {_TEXT}"),
        (
            b'{"kode": "x"}',
            422,
            "/kode: is not a field of this body; it takes token, code or replace",
        ),
        (b"[", 422, None),
    ],
)
def test_wrong_ways_to_sign_in(own_server: LiveServer, body: bytes, status: int, message: str | None) -> None:
    """The message says what would be right, but not what is wrong with a credential."""
    with _browser(own_server) as browser:
        answer = browser.post(_SESSION, content=body, headers={"Content-Type": "application/json"})

    assert (status, None) == (answer.status_code, answer.headers.get("set-cookie"))
    if message is not None:
        assert message == answer.json()["detail"]


def test_guessing_is_limited_by_address(tmp_path: Path) -> None:
    """Failures to sign in count like all other refusals."""
    policy = replace(NO_LIMITS, failed_credentials_per_minute=3)
    # No time passes: otherwise another guess would be allowed after a while.
    with live_server(tmp_path, policy, passed=lambda: 0) as server, _browser(server) as browser:
        statuses = [browser.post(_SESSION, json={"code": "x"}).status_code for _ in range(5)]

    assert [403, 403, 403, 429, 429] == statuses


def test_a_platform_token_is_used_for_the_platform(server: LiveServer) -> None:
    """The platform is asked with the token that the session keeps, not with the cookie."""
    with _browser(server) as browser:
        _sign_in(browser, token=READER)
        listed = browser.get("/v1/repos").json()["repositories"]

    assert [("Acme", "Widgets")] == [(one["owner"], one["repository"]) for one in listed]


def test_the_store_alone_reveals_no_token(data_folder: Path) -> None:
    """Neither the cookie nor the token is in the file, and another cookie does not decrypt it."""
    store = open_store(data_folder)
    sessions = Sessions(store, lambda: 0)
    caller = Caller(CredentialKind.PLATFORM, "name", "id", frozenset())

    async def keep() -> tuple[str, Any, Any]:
        secret, session = await sessions.begin(credential_of(READER.encode()), caller, "name")
        found = await sessions.find(secret.encode())
        await store.remove_session(session.digest)
        other, kept = await sessions.begin(credential_of(READER.encode()), caller, "name")
        await store.remove_session(kept.digest)
        await store.add_session(replace(kept, sealed=session.sealed))
        return secret, found, await sessions.find(other.encode())

    secret, found, swapped = asyncio.run(keep())
    store.close()
    content = b"".join(file.read_bytes() for file in data_folder.iterdir())

    assert READER.encode() == found[1].token
    assert b"" == swapped[1].token
    assert READER.encode() not in content
    assert secret.encode() not in content
