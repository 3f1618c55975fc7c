"""Service tokens: which issuers are trusted, about what, and how often their keys are fetched."""

import asyncio
import gzip
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from access.conftest import Surroundings
from access.token_issuer import (
    ALGORITHMS,
    AUDIENCE,
    GITHUB_ACTIONS,
    actions_claims,
    key_set,
    private_jwk,
    private_key,
    public_jwk,
    resigned,
    signed,
)
from api.problem_documents import FORBIDDEN, problem
from builders import worked_example
from live_server import NO_LIMITS, LiveServer, live_server
from local_http import Reply
from mergecast.access.credential import read_credential
from mergecast.access.errors import Refusal
from mergecast.access.key_sets import KeySet, NoKeys, read_key_set
from mergecast.access.policy import Issuer, Policy
from mergecast.access.rights import Credential
from mergecast.access.service_tokens import ServiceTokens
from mergecast.errors import Unavailable
from mergecast.incoming.platform.fetch import Fetcher, NoAnswer

STATISTIC = "/v1/repos/{}/stats/queues"


@pytest.mark.parametrize("kid", ALGORITHMS)
def test_a_github_actions_job_reads_its_repository(server: LiveServer, kid: str) -> None:
    """With RS256, as GitHub signs, or ES256 or EdDSA; it cannot read the owner's other repositories."""
    token = signed(actions_claims(), kid)
    names = ("acme/widgets", "ACME/Widgets", "acme/gadgets", "acme-corp/widgets", "umbrella/secret")

    statuses = [server.ask(token, STATISTIC.format(name)).status_code for name in names]

    assert [200, 200, 403, 403, 403] == statuses


def test_a_token_about_an_owner(server: LiveServer) -> None:
    """It reads all repositories of the owner, unless it names one of them."""
    token = signed(actions_claims(repository=None, repository_owner="ACME"))
    names = ("acme/widgets", "acme/gadgets", "acme/nobody-knows", "acme-corp/widgets")

    assert [200, 200, 404, 403] == [server.ask(token, STATISTIC.format(name)).status_code for name in names]


def test_service_tokens_only_read(server: LiveServer) -> None:
    """They cannot send or delete anything."""
    token = signed(actions_claims())
    requests = [
        ("POST", "/v1/repos/acme/widgets/events"),
        ("DELETE", "/v1/repos/acme/widgets/events?source=api"),
        ("DELETE", "/v1/repos/acme/widgets"),
        ("GET", "/v1/keys"),
        ("GET", "/v1/admin/backup"),
    ]

    assert [FORBIDDEN] * 5 == [server.ask(token, path, method).json() for method, path in requests]


def test_the_list_with_a_service_token(server: LiveServer) -> None:
    """It has the one repository of the token."""
    listed = server.ask(signed(actions_claims()), "/v1/repos").json()["repositories"]

    assert ["Acme/Widgets"] == [f"{one['owner']}/{one['repository']}" for one in listed]


def test_keys_are_fetched_once(own_server: LiveServer, surroundings: Surroundings) -> None:
    """Many concurrent tokens cause one request; an unknown key is requested at most once per minute."""
    tokens = [signed(actions_claims(jti=str(number)), kid) for number in range(8) for kid in ALGORITHMS]
    with ThreadPoolExecutor(8) as clients:
        statuses = list(clients.map(lambda token: own_server.ask(token).status_code, tokens))
    unknown = [
        own_server.ask(
            resigned({"alg": "RS256", "kid": f"no-{number}"}, actions_claims(), "rsa-1")
        ).status_code
        for number in range(5)
    ]

    assert ([200] * 24, [403] * 5) == (statuses, unknown)
    assert ["/.well-known/jwks"] == [asked.path for asked in surroundings.jwks_server.asked]


def test_missing_keys_are_503(own_server: LiveServer, surroundings: Surroundings) -> None:
    """The server cannot check the token. A token that is invalid for other reasons is refused."""
    surroundings.jwks.reply = Reply(500)

    answers = [own_server.ask(signed(actions_claims())) for _ in range(3)]

    expected = problem(503, "the keys of the token's issuer cannot be read right now")
    assert [(503, expected, "5")] * 3 == [
        (answer.status_code, answer.json(), answer.headers["retry-after"]) for answer in answers
    ]
    assert 1 == len(surroundings.jwks_server.asked)
    assert 403 == own_server.ask(signed(actions_claims(aud="elsewhere"))).status_code


_BAD_ENDPOINTS = {
    "redirect": Reply(302, headers={"Location": "/other"}),
    "not JSON": Reply(200, b"<html>"),
    "no keys": Reply(200, b'{"keys": []}'),
    "without end": Reply(200, b" " * (2 << 20)),
    "deep": Reply(200, b"[" * 100_000),
    "packed": Reply(200, gzip.compress(key_set()), {"Content-Encoding": "gzip"}),
    "a bomb": Reply(200, gzip.compress(b" " * (64 << 20), 1), {"Content-Encoding": "gzip"}),
    "cut short": Reply(200, key_set(), {"Content-Length": "1000000"}),
}


@pytest.mark.parametrize("reply", _BAD_ENDPOINTS.values(), ids=_BAD_ENDPOINTS.keys())
def test_failing_endpoints(own_server: LiveServer, surroundings: Surroundings, reply: Reply) -> None:
    """The server gets no keys from them, and continues."""
    surroundings.jwks.reply = reply

    answer = own_server.ask(signed(actions_claims()))

    assert 503 == answer.status_code
    assert ["/.well-known/jwks"] == [asked.path for asked in surroundings.jwks_server.asked]
    assert 200 == own_server.http.get("/v1/repos").status_code


def test_keys_from_a_file(tmp_path: Path) -> None:
    """This serves networks without access to the issuer."""
    file = tmp_path / "jwks.json"
    file.write_bytes(key_set("ec-1"))
    policy = Policy(issuers=(Issuer(GITHUB_ACTIONS, AUDIENCE, str(file)),))
    with live_server(tmp_path / "data", policy) as server:
        server.send(worked_example()).raise_for_status()

        statuses = [server.ask(signed(actions_claims(), kid)).status_code for kid in ("ec-1", "rsa-1")]

    assert [200, 403] == statuses


def test_without_issuers_no_token_is_accepted(tmp_path: Path) -> None:
    """The server requests no keys."""
    with live_server(tmp_path, NO_LIMITS) as server:
        assert FORBIDDEN == server.ask(signed(actions_claims())).json()


class _Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.seconds = time.time()

    def __call__(self) -> int:
        return int(self.seconds * 1_000_000)


def _credential(token: str) -> Credential:
    credential = read_credential([b"Bearer " + token.encode()])
    assert credential is not None
    return credential


def _refused(tokens: ServiceTokens, token: str, now: Callable[[], int]) -> str | None:
    async def ask() -> str | None:
        credential = _credential(token)
        try:
            if tokens.remembered(credential, now()) is None:
                await tokens.caller(credential)
        except Refusal as refusal:
            return refusal.reason
        except Unavailable as error:
            return str(error)
        return None

    return asyncio.run(ask())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "jwks.json"
    file.write_bytes(key_set("rsa-1"))
    return file


def _tokens(file: Path, now: Callable[[], int]) -> ServiceTokens:
    return ServiceTokens([Issuer(GITHUB_ACTIONS, AUDIENCE, str(file))], Fetcher(), now)


def test_a_cached_token_expires(file: Path) -> None:
    """It expires to the second, although it is not verified again until then."""
    clock = _Clock()
    tokens = _tokens(file, clock)
    start = clock.seconds
    token = signed(actions_claims(exp=int(start) + 100))

    refused = {}
    for seconds in (0, 50, 99, 101, 102):
        clock.seconds = int(start) + seconds
        refused[seconds] = _refused(tokens, token, clock)

    assert {0: None, 50: None, 99: None, 101: "expired", 102: "expired"} == refused


def test_new_keys_are_found_and_old_ones_forgotten(file: Path) -> None:
    """A token with an unknown key causes a request, at most once per minute."""
    clock = _Clock()
    tokens = _tokens(file, clock)
    claims = actions_claims(exp=int(clock.seconds) + 86_400)
    first = _refused(tokens, signed(claims), clock)
    file.write_bytes(key_set("ec-1"))

    at_once = _refused(tokens, signed(claims, "ec-1"), clock)
    clock.seconds += 61
    later = _refused(tokens, signed(claims, "ec-1"), clock)
    another_of_old_key = _refused(tokens, signed(claims | {"jti": "another"}), clock)
    known = _refused(tokens, signed(claims), clock)

    missing = "unknown key"
    assert (None, missing, None) == (first, at_once, later)
    assert (missing, missing) == (another_of_old_key, known)


def test_a_withdrawn_key_is_refused_within_ten_minutes(file: Path) -> None:
    """Also for tokens that were verified before, and although no token names an unknown key."""
    clock = _Clock()
    tokens = _tokens(file, clock)
    start, claims = clock.seconds, actions_claims(exp=int(clock.seconds) + 86_400)
    refused = {}
    for seconds in (0, 590, 601):
        clock.seconds = start + seconds
        refused[seconds] = [
            _refused(tokens, signed(claims | {"jti": jti}), clock) for jti in ("known", str(seconds))
        ]
        file.write_bytes(key_set("ec-1"))

    assert {0: [None, None], 590: [None, None], 601: ["unknown key", "unknown key"]} == refused


def test_keys_that_cannot_be_read_again_count_for_an_hour(file: Path) -> None:
    """Then tokens are not refused, but the server cannot say whether they are valid."""
    clock = _Clock()
    tokens = _tokens(file, clock)
    start, claims = clock.seconds, actions_claims(exp=int(clock.seconds) + 86_400)
    assert None is _refused(tokens, signed(claims), clock)
    content = file.read_bytes()
    file.unlink()
    refused = {}
    for seconds in (601, 1_800, 3_599, 3_601, 7_200):
        clock.seconds = start + seconds
        refused[seconds] = _refused(tokens, signed(claims), clock)
    file.write_bytes(content)
    clock.seconds += 10

    unknown = "the keys of the token's issuer cannot be read right now"
    assert {601: None, 1_800: None, 3_599: None, 3_601: unknown, 7_200: unknown} == refused
    assert None is _refused(tokens, signed(claims), clock)


def test_an_issuer_that_does_not_answer_delays_known_keys_once() -> None:
    """The next attempts go on beside the requests."""
    clock, is_asked, may_answer = _Clock(), 0, asyncio.Event()

    async def read() -> bytes:
        nonlocal is_asked
        is_asked += 1
        if is_asked == 3:
            await may_answer.wait()
        if is_asked > 1:
            raise NoAnswer("no answer")
        return key_set("rsa-1")

    async def found() -> list[bool]:
        keys = KeySet("an issuer", read, clock)
        results = []
        for seconds in (0, 601, 61):
            clock.seconds += seconds
            results.append(await keys.find("rsa-1") is not None)
        await asyncio.sleep(0)
        may_answer.set()
        return results

    assert [True, True, True] == asyncio.run(found())
    assert 3 == is_asked


def test_known_keys_work_while_the_issuer_is_down(file: Path) -> None:
    """Unknown keys are refused."""
    clock = _Clock()
    tokens = _tokens(file, clock)
    claims = actions_claims(exp=int(clock.seconds) + 86_400)
    _refused(tokens, signed(claims), clock)
    file.unlink()
    clock.seconds += 61

    assert "unknown key" == _refused(tokens, signed(claims, "ec-1"), clock)
    assert None is _refused(tokens, signed(claims | {"jti": "another"}), clock)


def test_the_narrower_claim_counts(file: Path) -> None:
    """With a malformed repository, the server does not fall back to the owner."""
    clock = _Clock()
    token = signed(actions_claims(repository="nonsense"))

    assert "no claim names a repository or an owner" == _refused(_tokens(file, clock), token, clock)


def test_a_null_claim_is_malformed(file: Path) -> None:
    """A null repository must not turn a token for one repository into one for its owner."""
    clock = _Clock()
    tokens = _tokens(file, clock)
    for nulls in ({"repository": None}, {"repository": None, "repository_owner": None}):
        token = signed({**actions_claims(), **nulls})
        assert "malformed token" == _refused(tokens, token, clock)


@pytest.mark.parametrize(
    "make",
    [
        lambda: private_jwk("a", "RS256", private_key("rsa-1")),
        lambda: public_jwk("a", "RS256", rsa.generate_private_key(65537, 1024)),
        lambda: {"kty": "oct", "k": "c2VjcmV0", "kid": "a", "alg": "HS256"},
        lambda: {**public_jwk("a", "RS256", private_key("rsa-1")), "use": "enc"},
        lambda: {**public_jwk("a", "RS256", private_key("rsa-1")), "alg": "RS512"},
        lambda: {**public_jwk("a", "ES256", private_key("ec-1")), "alg": "RS256"},
        lambda: {**public_jwk("a", "ES256", private_key("ec-1")), "crv": "P-384"},
        lambda: {**public_jwk("a", "ES256", private_key("ec-1")), "x": "AA"},
        lambda: {**public_jwk("a", "RS256", private_key("rsa-1")), "kid": 1},
        lambda: {**public_jwk("a", "RS256", private_key("rsa-1")), "n": None},
        lambda: {"kid": "a"},
        list,
    ],
    ids=["private", "1024 bits", "secret", "encryption", "RS512", "wrong algorithm", "wrong curve",
         "not on the curve", "kid", "no modulus", "no type", "list"],
)  # fmt: skip
def test_unusable_keys(make: Callable[[], Any]) -> None:
    """The server ignores them and uses the other keys of the set."""
    key = make()
    good = public_jwk("good", "RS256", private_key("rsa-1"))

    assert ["good"] == list(read_key_set(json.dumps({"keys": [key, good]}).encode()))
    with pytest.raises(NoKeys) as refusal:
        read_key_set(json.dumps({"keys": [key]}).encode())
    assert "contains no public key with a `kid` for RS256, ES256 or EdDSA" == str(refusal.value)


_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def test_a_signature_has_one_spelling(server: LiveServer) -> None:
    """The last character has unused bits; a token with other values there is refused."""
    token = signed(actions_claims(), "rsa-1")
    place = _ALPHABET.index(token[-1])
    same_bits = [letter for letter in _ALPHABET if _ALPHABET.index(letter) // 16 == place // 16]

    statuses = {
        letter: server.ask(token[:-1] + letter, STATISTIC.format("acme/widgets")).status_code
        for letter in same_bits
    }

    assert {letter: 200 if letter == token[-1] else 403 for letter in same_bits} == statuses


def test_tokens_of_one_issuer_and_owner_share_a_limit(file: Path) -> None:
    """However many tokens a job requests, and for whichever repositories of the owner."""
    now = time.time_ns() // 1000
    tokens = _tokens(file, lambda: now)

    async def identities(*changes: dict[str, Any]) -> list[object]:
        claims = (actions_claims(**one) for one in changes)
        return [(await tokens.caller(_credential(signed(one)))).identity for one in claims]

    same = asyncio.run(
        identities(
            {"jti": "1"},
            {"jti": "2"},
            {"repository": "ACME/gadgets"},
            {"repository": None, "repository_owner": "Acme"},
            {"repository": "umbrella/secret", "repository_owner": "umbrella"},
        )
    )

    assert 1 == len(set(same[:4]))
    assert same[4] != same[0]


def test_keys_are_read_again_after_the_clock_was_set_back(file: Path) -> None:
    """A minute is never longer because of that, nor is the hour for which a token is remembered."""
    clock = _Clock()
    tokens = _tokens(file, clock)
    claims = actions_claims(exp=int(clock.seconds) + 30 * 86_400)
    clock.seconds += 20 * 86_400
    ahead = [_refused(tokens, signed(claims, key), clock) for key in ("rsa-1", "ec-1")]
    clock.seconds -= 20 * 86_400
    file.write_bytes(key_set("ec-1"))

    assert [None, "unknown key"] == ahead
    assert _refused(tokens, signed(claims, "ec-1"), clock) is None
    assert "unknown key" == _refused(tokens, signed(claims), clock)
