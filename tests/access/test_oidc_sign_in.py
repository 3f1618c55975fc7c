"""Signing in with an OpenID Connect provider, against an imitation of one."""

import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from access.oidc_provider import APP, OidcProvider, fields_of, oidc_provider, settings_of
from access.token_issuer import private_key, public_pem, resigned, signed, written
from builders import worked_example
from live_server import NO_LIMITS, LiveServer, live_server
from local_client import get, local_client
from local_http import Reply
from logged_secrets import LOGGED
from mergecast.access.address import parse_networks
from mergecast.access.errors import Refusal
from mergecast.access.oidc_settings import OidcSettings
from mergecast.access.oidc_users import OidcUsers
from mergecast.access.policy import Policy
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.instant import HOUR, SECOND

pytestmark = pytest.mark.server

_START = "/v1/session/oidc"
_FAILED, _UNAVAILABLE = "/#sign-in=failed&with=oidc", "/#sign-in=unavailable&with=oidc"
_ISSUER = "https://login.acme.example"
_PROXIES = parse_networks("127.0.0.1")
_ADDRESSES = count(1)


def _policy(provider: OidcProvider, **changes: Any) -> Policy:
    return replace(NO_LIMITS, oidc=settings_of(provider.url), trusted_proxies=_PROXIES, **changes)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[OidcProvider, LiveServer]]:
    with oidc_provider() as provider, live_server(tmp_path_factory.mktemp("oidc"), _policy(provider)) as live:
        for repository in ("Acme/Widgets", "umbrella/secret", "other/thing"):
            live.send(worked_example(), repository).raise_for_status()
        yield provider, live


@pytest.fixture
def provider(shared: tuple[OidcProvider, LiveServer]) -> Iterator[OidcProvider]:
    """The provider of `server`, which is as at first again after the test."""
    yield shared[0]
    vars(shared[0]).update(vars(OidcProvider(shared[0].url)))


@pytest.fixture
def server(shared: tuple[OidcProvider, LiveServer]) -> LiveServer:
    return shared[1]


@contextmanager
def _browser(server: LiveServer) -> Iterator[httpx.Client]:
    """A browser with an address of its own: refusals are logged only ten times a minute for one address."""
    number = next(_ADDRESSES)
    headers = {"Origin": server.url, "X-Forwarded-For": f"192.0.2.{number}"}
    with local_client(server.url, headers=headers) as browser:
        yield browser


def _way_back(browser: httpx.Client) -> str:
    """Where the provider sends the browser after consent."""
    return str(get(browser.get(_START).headers["location"]).headers["location"])


def _sign_in(browser: httpx.Client) -> str:
    """Where the browser ends after signing in."""
    return str(browser.get(_way_back(browser)).headers["location"])


def _refusals(before: int) -> list[str]:
    """The reasons in the audit log since then."""
    lines = map(json.loads, LOGGED.getvalue()[before:].splitlines())
    return [line["reason"] for line in lines if line["event"] == "refused"]


def test_to_the_provider_and_back(server: LiveServer, provider: OidcProvider) -> None:
    """People are signed in under their name, with the rights that their groups give."""
    with _browser(server) as browser:
        offered = browser.get("/v1/session").json()["oidc"]
        start = browser.get(_START)
        query = fields_of(urlsplit(start.headers["location"]).query)
        back = browser.get(get(start.headers["location"]).headers["location"])
        shown = browser.get("/v1/session").json()
        listed = [one["repository"] for one in browser.get("/v1/repos").json()["repositories"]]
        products = [
            browser.put(f"/v1/repos/{name}/products", json={"products": []}).status_code
            for name in ("Acme/Widgets", "umbrella/secret")
        ]

    assert {"name": "Acme", "contact": "platform@acme.example"} == offered
    assert f"{server.url}/v1/session/oidc/return" == query["redirect_uri"]
    assert "openid profile email" == query["scope"]
    assert start.headers["set-cookie"].endswith("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax")
    assert (303, "/") == (back.status_code, back.headers["location"])
    assert any(
        "mergecast_session=" in one and "SameSite=Strict" in one
        for one in back.headers.get_list("set-cookie")
    )
    assert ("OIDC user", "Ada Lovelace") == (shown["kind"], shown["name"])
    assert ["list", "read", "products", "settings", "channels"] == shown["rights"]
    assert ["Widgets"] == listed
    assert [200, 403] == products
    assert 1 == provider.exchanges


@pytest.mark.parametrize(
    ("user", "rights", "repositories"),
    [
        ({"groups": "everyone"}, ["list", "read"], ["Widgets", "secret"]),
        ({"groups": ["auditors"]}, ["list", "read"], ["Widgets", "thing", "secret"]),
        (
            {"groups": ["auditors", "platform"]},
            ["list", "read", "products", "settings", "channels"],
            ["Widgets", "thing", "secret"],
        ),
        ({"email": "ci@acme.example", "email_verified": True}, ["list", "read", "ingest"], ["Widgets"]),
    ],
)
def test_what_claims_give(
    server: LiveServer,
    provider: OidcProvider,
    user: dict[str, Any],
    rights: list[str],
    repositories: list[str],
) -> None:
    """One value or a list of them; what several give is added up, and each right is for its owners alone."""
    provider.user = user
    with _browser(server) as browser:
        assert "/" == _sign_in(browser)
        listed = [one["repository"] for one in browser.get("/v1/repos").json()["repositories"]]
        assert rights == browser.get("/v1/session").json()["rights"]
        allowed = browser.put("/v1/repos/other/thing/products", json={"products": []}).status_code

    assert repositories == listed
    assert 403 == allowed


@pytest.mark.parametrize(
    ("user", "reason"),
    [
        ({}, "groups is missing, email is missing"),
        ({"groups": ["chess club"]}, "groups has no mapped value, email is missing"),
        ({"groups": {"platform": True}}, "groups has no mapped value, email is missing"),
        ({"email": "ci@acme.example"}, "groups is missing, email is not verified"),
        ({"email": "ci@acme.example", "email_verified": "true"}, "groups is missing, email is not verified"),
    ],
)
def test_without_a_mapped_claim(
    server: LiveServer, provider: OidcProvider, user: dict[str, Any], reason: str
) -> None:
    """The page says so, and the log names the claims. Anyone can enter an address that is not verified."""
    provider.user, before = user, len(LOGGED.getvalue())
    with _browser(server) as browser:
        assert "/#sign-in=no-access&with=oidc" == _sign_in(browser)
        assert browser.get("/v1/session").json()["kind"] is None

    assert [f"no claim gives access: {reason}"] == _refusals(before)


def _unsigned(claims: dict[str, Any]) -> str:
    return written({"alg": "none", "kid": "ec-1"}, claims)


def _with_public_key(claims: dict[str, Any]) -> str:
    """An HMAC with the public key, which everyone knows."""
    content = written({"alg": "HS256", "kid": "ec-1"}, claims).removesuffix(".")
    signature = hmac.digest(public_pem(private_key("ec-1")), content.encode(), "sha256")
    return f"{content}.{urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def _changed(claims: dict[str, Any]) -> str:
    header, _, signature = signed(claims, "ec-1").split(".")
    return f"{header}.{written({}, claims | {'sub': 'someone else'}).split('.')[1]}.{signature}"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"changes": {"nonce": "other"}}, "ID token: wrong nonce"),
        ({"changes": {"nonce": None}}, "ID token: wrong nonce"),
        ({"changes": {"aud": "other"}}, "ID token: wrong audience"),
        ({"changes": {"aud": ["other", APP.client_id]}}, "ID token: issued to another app"),
        ({"changes": {"azp": "other"}}, "ID token: issued to another app"),
        ({"changes": {"iss": "https://other.example"}}, "ID token: wrong issuer"),
        ({"changes": {"exp": 1_700_000_000}}, "ID token: expired"),
        ({"changes": {"nbf": 4_000_000_000}}, "ID token: not valid yet"),
        ({"changes": {"iat": 4_000_000_000}}, "ID token: issued in the future"),
        ({"changes": {"sub": ""}}, "ID token: no subject"),
        ({"changes": {"exp": "tomorrow"}}, "malformed ID token"),
        ({"changes": {"sub": 7}}, "malformed ID token"),
        ({"kid": "ed-1"}, "ID token: unknown key"),
        ({"sign": _unsigned}, "ID token: wrong algorithm for the key"),
        ({"sign": _with_public_key}, "ID token: wrong algorithm for the key"),
        ({"sign": _changed}, "ID token: wrong signature"),
        (
            {"sign": lambda claims: resigned({"alg": "ES256", "kid": "ec-1", "crit": ["x"]}, claims, "ec-1")},
            "ID token: unsupported extension",
        ),
        ({"sign": lambda _: "nonsense"}, "malformed ID token"),
        ({"sign": lambda _: "é.é.é"}, "malformed ID token"),
        ({"replies": {"/token": Reply(400, b'{"error": "invalid_grant"}')}},
         "the provider refuses the code: invalid_grant"),
        ({"replies": {"/token": Reply(200, b'{"access_token": "x"}')}},
         "the provider refuses the code: no ID token"),
    ],
)  # fmt: skip
def test_a_token_that_proves_nothing(
    server: LiveServer, provider: OidcProvider, change: dict[str, Any], reason: str
) -> None:
    """No session begins, and the log says why."""
    vars(provider).update(change)
    before = len(LOGGED.getvalue())
    with _browser(server) as browser:
        assert _FAILED == _sign_in(browser)
        assert browser.get("/v1/session").json()["kind"] is None

    assert [reason] == _refusals(before)


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply(503), "/token answered 503"),
        (Reply(429), "/token answered 429"),
        (Reply(200, b"<html>"), "/token answered 200, without a JSON object"),
        (Reply(200, b"[" * 100_000), "/token answered 200, without a JSON object"),
        (Reply(200, b" " * (2 << 20)), "the answer is larger than 1 MiB"),
        (Reply(307, b"{}", {"Location": "https://e.org/"}),
         "/token answered 307 and redirects to https://e.org; redirects are not followed, use the final URL"),
        (Reply(401, b'{"error": "invalid_client"}'),
         "it refuses MERGECAST_OIDC_CLIENT_ID or its secret: invalid_client"),
    ],
)  # fmt: skip
def test_a_provider_that_fails(server: LiveServer, provider: OidcProvider, reply: Reply, error: str) -> None:
    """The page asks to try again, and the log names the error. It is no failure of the person."""
    provider.replies, before = {"/token": reply}, len(LOGGED.getvalue())
    with _browser(server) as browser:
        assert _UNAVAILABLE == _sign_in(browser)

    assert [] == _refusals(before)
    lines = map(json.loads, LOGGED.getvalue()[before:].splitlines())
    logged = [line["error"] for line in lines if line["event"].startswith("the OIDC provider")]
    assert [error] == [one.removeprefix(provider.url) for one in logged]


def test_a_refusal_at_the_provider(server: LiveServer, provider: OidcProvider) -> None:
    """The page says that the person did not agree."""
    provider.consents = False
    with _browser(server) as browser:
        assert "/#sign-in=denied&with=oidc" == _sign_in(browser)


def test_a_return_that_this_browser_did_not_start(server: LiveServer, provider: OidcProvider) -> None:
    """An attacker could otherwise sign a victim in to the attacker's own account."""
    with _browser(server) as attacker, _browser(server) as victim:
        way = _way_back(attacker)
        fresh = victim.get(way)
        victim.get(_START)
        started = victim.get(way)

        assert [_FAILED] * 2 == [answer.headers["location"] for answer in (fresh, started)]
        assert victim.get("/v1/session").json()["kind"] is None
    assert 0 == provider.exchanges


def test_a_code_works_once(server: LiveServer, provider: OidcProvider) -> None:
    """Neither the same browser nor one that has copied its cookie can use it again."""
    with _browser(server) as browser, _browser(server) as copy:
        way = _way_back(browser)
        copy.cookies.update(browser.cookies)
        places = [client.get(way).headers["location"] for client in (browser, browser, copy)]

        assert ["/", _FAILED, _FAILED] == places
        assert copy.get("/v1/session").json()["kind"] is None
    assert 2 == provider.exchanges


def test_a_code_is_of_no_use_without_the_verifier(server: LiveServer, provider: OidcProvider) -> None:
    """A code that was stolen on its way back belongs to another challenge."""
    with _browser(server) as browser, _browser(server) as thief:
        stolen = fields_of(urlsplit(_way_back(browser)).query)["code"]
        own = fields_of(urlsplit(_way_back(thief)).query)
        answer = thief.get(f"{_START}/return", params={**own, "code": stolen})

    assert _FAILED == answer.headers["location"]
    assert 1 == provider.exchanges


def test_invented_attempts_are_not_passed_on(server: LiveServer, provider: OidcProvider) -> None:
    """Only a state that this server has signed, for this verifier, leads to a request to the provider."""
    with _browser(server) as browser, server.anonymous() as http:
        browser.get(_START)
        state, _, verifier = browser.cookies["mergecast_oidc"].partition(".")
        for cookie in ("state.verifier", f"{state}.other", f"1{state}.{verifier}"):
            way = f"{_START}/return?code=made-up&state={cookie.partition('.')[0]}"
            answer = http.get(way, headers={"Cookie": f"mergecast_oidc={cookie}"})
            assert _FAILED == answer.headers["location"]

    assert 0 == provider.exchanges


def test_invented_codes_are_limited_by_address(tmp_path: Path) -> None:
    """Refused codes count like refused tokens, however many are sent at the same time."""
    with oidc_provider() as provider:
        policy = _policy(provider, failed_credentials_per_minute=3)
        with (
            live_server(tmp_path, policy, passed=lambda: 0) as server,
            _browser(server) as browser,
            ThreadPoolExecutor(8) as pool,
        ):
            browser.get(_START)
            cookie = browser.cookies["mergecast_oidc"]
            way = f"{server.url}{_START}/return?code=made-up&state={cookie.partition('.')[0]}"
            answers = pool.map(lambda _: get(way, headers={"Cookie": f"mergecast_oidc={cookie}"}), range(24))
            places = {answer.headers["location"] for answer in answers}

    assert {_FAILED} == places
    # As many as are asked at once are asked before the first is refused.
    assert 3 <= provider.exchanges <= 3 + 8


def test_the_way_back_is_always_to_this_server(server: LiveServer, provider: OidcProvider) -> None:
    """No parameter can name another place, before or after signing in."""
    with _browser(server) as browser:
        asked = {"redirect_uri": "https://evil.example/", "next": "//evil.example"}
        start = browser.get(_START, params=asked)
        way = get(start.headers["location"]).headers["location"]
        back = browser.get(f"{way}&redirect_uri=https://evil.example&next=//evil.example")

    assert way.startswith(f"{server.url}/v1/session/oidc/return?")
    assert "/" == back.headers["location"]
    assert 1 == provider.exchanges


def test_a_session_ends_and_changes_need_the_own_origin(server: LiveServer) -> None:
    """As with every other kind of credential."""
    with _browser(server) as browser:
        assert "/" == _sign_in(browser)
        foreign = {"Origin": "https://evil.example"}
        put = browser.put("/v1/repos/Acme/Widgets/products", json={"products": []}, headers=foreign)
        kept = browser.delete("/v1/session", headers=foreign)
        cookie = browser.cookies["mergecast_session"]
        gone = browser.delete("/v1/session")
        with server.anonymous() as http:
            after = http.get("/v1/repos", headers={"Cookie": f"mergecast_session={cookie}"})

    assert (403, 403, 204, 403) == (put.status_code, kept.status_code, gone.status_code, after.status_code)


def test_a_link_gives_no_more_time(tmp_path: Path) -> None:
    """Twelve hours after signing in at the provider, links that were made from the session end too."""
    now = now_in_microseconds()
    with (
        oidc_provider() as provider,
        live_server(tmp_path, _policy(provider), now=lambda: now) as server,
        _browser(server) as browser,
        _browser(server) as other,
    ):
        _sign_in(browser)
        now += 11 * HOUR
        code = browser.post("/v1/session/codes").json()["code"]
        first = other.post("/v1/session", json={"code": code}).json()
        now += HOUR
        later = other.get("/v1/session").json()

    assert ("OIDC user", "Ada Lovelace", None) == (first["kind"], first["name"], later["kind"])


def test_a_changed_mapping_applies_to_sessions(tmp_path: Path) -> None:
    """After a restart with another mapping, a session has what is allowed now."""
    umbrella = '{"groups": {"platform": {"owners": ["umbrella"], "rights": "read"}}}'
    with oidc_provider() as provider:
        policy = _policy(provider)
        with live_server(tmp_path, policy) as server, _browser(server) as browser:
            _sign_in(browser)
            cookie = {"Cookie": f"mergecast_session={browser.cookies['mergecast_session']}"}
        changed = replace(policy, oidc=settings_of(provider.url, umbrella))
        with live_server(tmp_path, changed) as server, server.anonymous() as http:
            paths = [f"/v1/repos/{owner}/x/queue" for owner in ("acme", "umbrella")]
            statuses = [http.get(path, headers=cookie).status_code for path in paths]

    assert [403, 404] == statuses


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (settings_of(_ISSUER, '{"groups": {"other": {"owners": ["acme"], "rights": "read"}}}'),
         "no claim gives access any longer"),
        (replace(settings_of(_ISSUER), app=replace(APP, client_secret="another")), "wrong signature"),
        (replace(settings_of(_ISSUER), app=replace(APP, client_id="another")), "wrong signature"),
        (settings_of("https://other.example"), "wrong signature"),
    ],
)  # fmt: skip
def test_settings_that_end_sessions(changed: OidcSettings, reason: str) -> None:
    """A statement about a person counts only for the provider and the client that it was made with."""
    credential = OidcUsers(settings_of(_ISSUER)).credential("1", {"groups": ["platform"]}, 0)

    with pytest.raises(Refusal) as raised:
        OidcUsers(changed).caller(credential, 0)

    assert reason == raised.value.reason


def test_new_keys_of_the_provider(tmp_path: Path) -> None:
    """Keys are read again for an unknown one, at most once a minute, and known ones need no request."""
    now = now_in_microseconds()
    with oidc_provider() as provider, live_server(tmp_path, _policy(provider), now=lambda: now) as server:
        reads, places = [], []
        for seconds, kid in ((0, "ec-1"), (1, "ed-1"), (1, "ed-1"), (60, "ed-1"), (1, "ed-1"), (1, "ec-1")):
            now += seconds * SECOND
            provider.kid, provider.kids = kid, (kid,)
            provider.changes = {"iat": now // SECOND, "exp": now // SECOND + 300}
            with _browser(server) as browser:
                places.append(_sign_in(browser))
            reads.append(provider.asked.count("/keys"))

    assert ["/", _FAILED, _FAILED, "/", "/", _FAILED] == places
    assert [1, 1, 1, 2, 2, 2] == reads
