"""Attacks get the usual rejection and nothing else."""

import hmac
import json
import time
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

import pytest

from access.token_issuer import (
    ALGORITHMS,
    GITHUB_ACTIONS,
    actions_claims,
    key_set,
    private_key,
    public_jwk,
    public_pem,
    resigned,
    signed,
    written,
)
from api.problem_documents import FORBIDDEN
from api.raw_http import exchange, head_of
from live_server import TOKEN, LiveServer

pytestmark = pytest.mark.server

STATISTIC = "/v1/repos/acme/widgets/stats/queues"


def _header(**changes: Any) -> dict[str, Any]:
    header = {"typ": "JWT", "alg": "RS256", "kid": "rsa-1", **changes}
    return {name: value for name, value in header.items() if value is not None}


def _hmac(secret: bytes, **header: Any) -> str:
    """A token signed with a public value as its HMAC secret."""
    content = written(_header(alg="HS256", **header), actions_claims()).removesuffix(".")
    signature = hmac.digest(secret, content.encode(), "sha256")
    return f"{content}.{urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def _embedded() -> str:
    """A token signed with an attacker's key that is embedded in the token."""
    jwk = public_jwk("rsa-1", "EdDSA", private_key("ed-1"))
    return resigned(_header(alg="EdDSA", jwk=jwk), actions_claims(repository="umbrella/secret"), "ed-1")


def _tampered() -> str:
    """The claims of one token with the signature of another."""
    header, _, signature = signed(actions_claims()).split(".")
    claims = signed(actions_claims(repository="acme/widgets", sub="somebody else")).split(".")[1]
    return f"{header}.{claims}.{signature}"


def _with_claims(text: str, **changes: Any) -> str:
    """A correct signature over claims that no JSON library would write."""
    whole = json.dumps(actions_claims(**changes))
    return resigned(_header(), whole.replace('"iss"', f'{text}, "iss"', 1).encode(), "rsa-1")


def _claims(**changes: Any) -> str:
    return signed(actions_claims(**changes))


_NOW = int(time.time())  # tests run up to hours later
_DEEP = ("[" * 4000) + ("]" * 4000)

_DEEP_HEADER = written(_DEEP.encode(), b"").removesuffix("..")

TOKENS = {
    "alg none": written({"alg": "none", "typ": "JWT", "kid": "rsa-1"}, actions_claims()),
    "alg None": written({"alg": "None", "typ": "JWT", "kid": "rsa-1"}, actions_claims()),
    "alg none with a signature": written({"alg": "none", "kid": "rsa-1"}, actions_claims(), b"x"),
    "no alg": written({"kid": "rsa-1"}, actions_claims()),
    "alg is a list": written({"alg": ["RS256"], "kid": "rsa-1"}, actions_claims()),
    "HMAC with the public key": _hmac(public_pem(private_key("rsa-1"))),
    "HMAC with the key set": _hmac(key_set()),
    "HMAC with nothing": _hmac(b""),
    "RS512": resigned(_header(alg="RS512"), actions_claims(), "rsa-1"),
    "PS256": resigned(_header(alg="PS256"), actions_claims(), "rsa-1"),
    "ES256 with the kid of RSA": resigned(_header(alg="ES256"), actions_claims(), "ec-1"),
    "RS256 with the kid of EC": resigned(_header(kid="ec-1"), actions_claims(), "rsa-1"),
    "wrong audience": _claims(aud="https://elsewhere.example"),
    "an audience that begins like ours": _claims(aud="https://mergecast.example.evil.example"),
    "no audience": _claims(aud=None),
    "audiences without ours": _claims(aud=["a", "b"]),
    "audience is an object": _with_claims('"aud": {}'),
    "another issuer": _claims(iss="https://token.actions.githubusercontent.com/"),
    "issuer is a list": resigned(_header(), actions_claims() | {"iss": [GITHUB_ACTIONS]}, "rsa-1"),
    "no issuer": _claims(iss=None),
    "expired by a second": _claims(exp=_NOW - 1),
    "no expiry": _claims(exp=None),
    "expiry is a text": resigned(_header(), actions_claims() | {"exp": str(_NOW + 300)}, "rsa-1"),
    "expiry is true": resigned(_header(), actions_claims() | {"exp": True}, "rsa-1"),
    "expiry is not a number": _with_claims('"exp": NaN'),
    "expiry is infinite": _with_claims('"exp": Infinity'),
    "expiry is beyond all numbers": resigned(
        _header(), json.dumps(actions_claims(exp=1)).replace('"exp": 1', '"exp": 1e999').encode(), "rsa-1"
    ),
    "expiry is null": resigned(_header(), actions_claims() | {"exp": None}, "rsa-1"),
    "not valid yet": _claims(nbf=_NOW + 86_400, exp=_NOW + 90_000),
    "not before a text": resigned(_header(), actions_claims() | {"nbf": "0"}, "rsa-1"),
    "issued in the future": _claims(iat=_NOW + 86_400, exp=_NOW + 90_000),
    "the last of two expiries": _with_claims('"exp": 4102444800', exp=_NOW - 1),
    "kid is a path": resigned(
        _header(kid="../../../../dev/null"), actions_claims(), "rsa-1"
    ),
    "kid is a URL": resigned(_header(kid="https://evil.example/jwks.json"), actions_claims(), "rsa-1"),
    "kid is SQL": resigned(_header(kid="' or 1=1 --"), actions_claims(), "rsa-1"),
    "kid is a number": resigned(_header(kid=1), actions_claims(), "rsa-1"),
    "kid is empty": resigned(_header(kid=""), actions_claims(), "rsa-1"),
    "no kid": resigned(_header(kid=None), actions_claims(), "rsa-1"),
    "the key brought along": _embedded(),
    "the key elsewhere": resigned(
        _header(kid="x", jku="https://evil.example/jwks", x5u="https://evil.example/cert"),
        actions_claims(), "rsa-1",
    ),
    "crit": resigned(_header(crit=["exp"]), actions_claims(), "rsa-1"),
    "crit with b64": resigned(_header(crit=["b64"], b64=False), actions_claims(), "rsa-1"),
    "b64 without crit": resigned(_header(b64=False), actions_claims(), "rsa-1"),
    "a signature of another token": _tampered(),
    "no signature": signed(actions_claims()).rpartition(".")[0] + ".",
    "half a signature": signed(actions_claims())[:-20],
    "four parts": signed(actions_claims()) + ".e30",
    "two parts": signed(actions_claims()).rpartition(".")[0],
    "claims are a list": resigned(_header(), [], "rsa-1"),
    "claims are deep": _with_claims(f'"x": {_DEEP}'),
    "header is deep": resigned({}, actions_claims(), "rsa-1").replace("e30", _DEEP_HEADER, 1),
    "claims are not JSON": resigned(_header(), b"{", "rsa-1"),
    "claims are not UTF-8": resigned(_header(), b'{"iss": "\xff"}', "rsa-1"),
    "no claim names a repository or an owner": _claims(repository=None, repository_owner=None),
    "a repository without an owner": _claims(repository="widgets"),
    "a repository that is none": _claims(repository="acme/widgets/../.."),
    "a repository that is everything": _claims(repository="acme/*"),
    "a repository that looks alike": _claims(repository="\u0430cme/widgets"),
    "an owner that is none": _claims(repository=None, repository_owner="acme/widgets"),
    "an owner that is everything": _claims(repository=None, repository_owner="*"),
    "an owner that is empty": _claims(repository=None, repository_owner=""),
    "100 kB": signed(actions_claims(padding="x" * 75_000)),
    "100 kB of nothing": "x" * 100_000,
    "100 kB of a key": "mck_" + "0" * 100_000,
    "100 kB of a platform token": "ghp_" + "0" * 100_000,
    "Bearer twice": f"Bearer {TOKEN}",
    "a list": f"{TOKEN}, {TOKEN}",
    "a tab": f"\t{TOKEN}",
    "a blank inside": f"{TOKEN[:10]} {TOKEN[10:]}",
    "not ASCII": "\xe9" * 40,
    "the admin token in other case": TOKEN.upper(),
    "an empty key": "mck_",
    "a key without a secret": "mck_0123456789ab_",
    "a key of another shape": "mck_0123456789ab_" + "z" * 64,
    "an unknown key": "mck_0123456789ab_" + "0" * 64,
    "an odd platform token": "ghp_../../user",
}  # fmt: skip


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS.keys())
def test_forged_tokens(server: LiveServer, token: str) -> None:
    """Every one of them gets the same response."""
    head = head_of("GET", STATISTIC, f"Authorization: Bearer {token}")

    answer = exchange(server, head)

    _is_the_refusal(answer)


def _is_the_refusal(answer: bytes) -> None:
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = sorted(line.lower() for line in head.split(b"\r\n") if not line.lower().startswith(b"date:"))
    assert FORBIDDEN == json.loads(body)
    assert [
        b"cache-control: no-store",
        b"content-length: %d" % len(body),
        b"content-security-policy: default-src 'none'; frame-ancestors 'none'",
        b"content-type: application/problem+json",
        b"http/1.1 403 forbidden",
        b"www-authenticate: bearer",
        b"x-content-type-options: nosniff",
    ] == lines


def test_the_unmodified_tokens_are_accepted(server: LiveServer) -> None:
    """This proves that the tokens above are rejected for the reason they name."""
    tokens = [
        *(signed(actions_claims(), kid) for kid in ALGORITHMS),
        resigned(_header(), actions_claims(), "rsa-1"),
        resigned(_header(jku="https://evil.example", x5u="https://evil.example"), actions_claims(), "rsa-1"),
        _with_claims('"x": [1]'),
        _claims(aud=["else", "https://mergecast.example"]),
        _claims(exp=int(time.time()) + 300.5),
        _claims(padding="x" * 8000),
        TOKEN,
    ]

    assert [200] * len(tokens) == [server.ask(token).status_code for token in tokens]


@pytest.mark.parametrize(
    "headers",
    [
        [f"Authorization: Bearer {TOKEN}", f"Authorization: Bearer {TOKEN}"],
        ["Authorization: Bearer nonsense", f"Authorization: Bearer {TOKEN}"],
        [f"Authorization: Bearer Bearer {TOKEN}"],
        [f"Authorization: Basic {TOKEN}"],
        [f"Authorization: Token {TOKEN}"],
        [f"Authorization: {TOKEN}"],
        [f"X-Authorization: Bearer {TOKEN}"],
        [f"Cookie: token={TOKEN}"],
    ],
    ids=["twice", "wrong and right", "scheme twice", "basic", "token", "no scheme", "other header", "cookie"],
)
def test_malformed_authorization_headers(server: LiveServer, headers: list[str]) -> None:
    """A credential counts only in its own header, and only once."""
    _is_the_refusal(exchange(server, head_of("GET", STATISTIC, *headers)))


def test_a_token_in_the_query_is_not_a_credential(server: LiveServer) -> None:
    """URLs end up in logs."""
    _is_the_refusal(exchange(server, head_of("GET", f"{STATISTIC}?access_token={TOKEN}")))


def test_a_known_key_id_with_a_wrong_secret(server: LiveServer) -> None:
    """Every character counts, and so does its case."""
    key = server.key()["key"]
    wrong = [
        key[:-1] + ("0" if key[-1] != "0" else "1"),
        key[:-1],
        key + "0",
        key.upper(),
        key.replace("mck_", "MCK_"),
        f"{key[:17]}{'0' * 64}",
        f"mck_{server.key()['id']}_{key[17:]}",
    ]

    for token in wrong:
        _is_the_refusal(exchange(server, head_of("GET", STATISTIC, f"Authorization: Bearer {token}")))


_OTHERS = [
    "acme-corp/widgets",
    "umbrella/secret",
    "umbrella/nobody-knows",
    "acme%2Fwidgets/x",
    "acme%2Facme/widgets",
    "acme/..%2Fumbrella%2Fsecret",
    "acme%2F..%2Fumbrella/secret",
    "acme/%2e%2e",
    "acme%00/widgets",
    "acme%0A/widgets",
    "%61cme-corp/widgets",
    "acme%20/widgets",
    "%D0%B0cme/widgets",  # a Cyrillic letter
    "%EF%BD%81cme/widgets",  # a full-width letter
    "ac%E2%80%8Bme/widgets",  # a zero-width space
    "acme/wid%C7%B5ets",  # a letter with an accent
    "acme/%E2%84%AAwidgets",  # the Kelvin sign, which is `k` in lower case
    "acme/wi%C4%B0dgets",  # a letter whose lower case is two
    "acme/%FF",
    "acme/widgets%2F",
    "acme/widgets%00",
    "acme%252Fx/widgets",
    "ACME-CORP/widgets",
    "*/widgets",
    "acme,umbrella/secret",
]


@pytest.mark.parametrize("repository", _OTHERS)
def test_forged_paths(server: LiveServer, repository: str) -> None:
    """A key for `acme` and a token for `acme/widgets` are rejected, however the path is disguised."""
    for token in (server.key("acme")["key"], signed(actions_claims())):
        if repository == "acme/%2e%2e" and token.startswith("mck_"):
            continue  # matches the pattern of a name, and belongs to acme
        for ending in ("stats/queues", "events"):
            head = head_of("GET", f"/v1/repos/{repository}/{ending}", f"Authorization: Bearer {token}")

            _is_the_refusal(exchange(server, head))


def test_the_operator_gets_the_error_of_an_invalid_path(server: LiveServer) -> None:
    """A caller who may read everything gets 422 for an invalid name."""
    odd = [one for one in _OTHERS if "%" in one and one not in ("acme/%2e%2e", "%61cme-corp/widgets")]

    statuses = {server.http.get(f"/v1/repos/{one}/stats/queues").status_code for one in odd}

    assert {422} == statuses


def test_a_digest_is_not_a_credential(server: LiveServer) -> None:
    """The stored digest of a key does not authenticate."""
    key = server.key()["key"]

    for token in (sha256(key.encode()).hexdigest(), f"mck_{key[4:16]}_{sha256(key.encode()).hexdigest()}"):
        _is_the_refusal(exchange(server, head_of("GET", STATISTIC, f"Authorization: Bearer {token}")))
