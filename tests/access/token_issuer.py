"""An issuer of service tokens: real keys, a JWKS endpoint, and the claims of GitHub Actions."""

import json
import time
from base64 import urlsafe_b64encode
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from local_http import Asked, Reply

AUDIENCE = "https://mergecast.example"
GITHUB_ACTIONS = "https://token.actions.githubusercontent.com"

ALGORITHMS = {"rsa-1": "RS256", "ec-1": "ES256", "ed-1": "EdDSA"}  # of each key

_WRITERS: dict[str, Any] = {"RS256": RSAAlgorithm, "ES256": ECAlgorithm, "EdDSA": OKPAlgorithm}


@cache
def private_key(kid: str) -> Any:
    """Made when a test asks for it: an RSA key takes up to a second."""
    match ALGORITHMS[kid]:
        case "RS256":
            return rsa.generate_private_key(public_exponent=65537, key_size=2048)
        case "ES256":
            return ec.generate_private_key(ec.SECP256R1())
        case _:
            return ed25519.Ed25519PrivateKey.generate()


def public_jwk(kid: str, algorithm: str, key: Any) -> dict[str, Any]:
    jwk: dict[str, Any] = _WRITERS[algorithm].to_jwk(key.public_key(), as_dict=True)
    return {**jwk, "kid": kid, "use": "sig", "alg": algorithm}


def private_jwk(kid: str, algorithm: str, key: Any) -> dict[str, Any]:
    jwk: dict[str, Any] = _WRITERS[algorithm].to_jwk(key, as_dict=True)
    return {**jwk, "kid": kid}


def key_set(*ids: str) -> bytes:
    """The public keys with these ids, or all of them."""
    return json.dumps(
        {"keys": [public_jwk(kid, ALGORITHMS[kid], private_key(kid)) for kid in ids or ALGORITHMS]}
    ).encode()


def actions_claims(**changes: Any) -> dict[str, Any]:
    """The claims of a GitHub Actions job, by their real names; None omits a claim."""
    now = int(time.time())
    claims = {
        "jti": "3b6e6f2a-1f5c-4d52-9f3e-6c4b0d9f4a11",
        "sub": "repo:acme/widgets:ref:refs/heads/main",
        "aud": AUDIENCE,
        "ref": "refs/heads/main",
        "sha": "1f2e3d4c5b6a79888796a5b4c3d2e1f001122334",
        "repository": "acme/widgets",
        "repository_owner": "acme",
        "repository_owner_id": "65",
        "repository_id": "74",
        "repository_visibility": "private",
        "run_id": "14158526421",
        "run_number": "10",
        "run_attempt": "2",
        "actor": "octocat",
        "actor_id": "12",
        "workflow": "simulate",
        "head_ref": "",
        "base_ref": "",
        "event_name": "push",
        "ref_protected": "true",
        "ref_type": "branch",
        "workflow_ref": "acme/widgets/.github/workflows/simulate.yml@refs/heads/main",
        "job_workflow_ref": "acme/widgets/.github/workflows/simulate.yml@refs/heads/main",
        "runner_environment": "github-hosted",
        "iss": GITHUB_ACTIONS,
        "nbf": now - 600,
        "exp": now + 86_400,  # GitHub's last minutes; tests may run long after a token was made
        "iat": now,
        **changes,
    }
    return {name: value for name, value in claims.items() if value is not None}


def signed(claims: dict[str, Any], kid: str = "rsa-1", **header: Any) -> str:
    """A token with a valid signature, unless the header says otherwise."""
    return jwt.encode(
        claims,
        private_key(kid),
        ALGORITHMS[kid],
        {"x5t": "eBZ_cn3sXYAd0ch4THBKHIgOwOE", "kid": kid, **header},
    )


def written(header: object, claims: object, signature: bytes = b"") -> str:
    """Any header, claims and signature."""
    parts = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in (header, claims)]
    return ".".join(urlsafe_b64encode(part).rstrip(b"=").decode() for part in (*parts, signature))


def resigned(header: dict[str, Any], claims: object, kid: str) -> str:
    """Any header and claims, with a valid signature by this key."""
    content = written(header, claims).removesuffix(".")
    writer = jwt.get_algorithm_by_name(ALGORITHMS[kid])
    signature = writer.sign(content.encode(), writer.prepare_key(private_key(kid)))
    return f"{content}.{urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def public_pem(key: Any) -> bytes:
    pem: bytes = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return pem


class JwksEndpoint:
    """A JWKS endpoint whose response a test may change."""

    def __init__(self) -> None:
        self.reply = Reply(200, key_set())

    def answer(self, _: Asked) -> Reply:
        return self.reply
