"""A fake OpenID Connect provider: discovery, a page that consents, the token endpoint and keys."""

import json
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_hex
from typing import Any
from urllib.parse import parse_qs, unquote_plus, urlencode, urlsplit

from access.token_issuer import key_set, signed
from local_http import Asked, LocalServer, Reply
from logged_secrets import remember
from mergecast.access.claim_rights import parse_rights
from mergecast.access.oidc_settings import OidcSettings
from mergecast.access.web_sign_in import AppIdentity

APP = AppIdentity("mergecast@acme", "the secret: of+the client/0123456789")
remember(APP.client_secret)
RIGHTS = json.dumps(
    {
        "groups": {
            "platform": {"owners": ["Acme"], "rights": "admin"},
            "everyone": {"owners": ["acme", "umbrella"], "rights": "read"},
            "auditors": {"owners": ["*"], "rights": "read"},
        },
        "email": {"ci@acme.example": {"owners": ["acme"], "rights": "ingest"}},
    }
)


def settings_of(issuer: str, rights: str = RIGHTS, **more: Any) -> OidcSettings:
    parsed = parse_rights(rights)
    assert parsed is not None
    return OidcSettings(issuer, APP, parsed, **{"name": "Acme", "contact": "platform@acme.example", **more})


def fields_of(text: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(text).items()}


@dataclass
class OidcProvider:
    """Its user consents at once, or refuses."""

    url: str = ""
    consents: bool = True
    user: dict[str, Any] = field(default_factory=lambda: {"groups": ["platform", "chess club"]})
    changes: dict[str, Any] = field(default_factory=dict)  # of the claims; None omits one
    document: dict[str, Any] = field(default_factory=dict)  # changes of the discovery document
    kid: str = "ec-1"
    kids: tuple[str, ...] = ("ec-1",)
    sign: Callable[[dict[str, Any]], str] | None = None  # in place of a signature by `kid`
    replies: dict[str, Reply] = field(default_factory=dict)  # by path, in place of the right ones
    codes: dict[str, dict[str, str]] = field(default_factory=dict)  # what the browser asked for
    asked: list[str] = field(default_factory=list)  # paths, in order

    @property
    def exchanges(self) -> int:
        """How often a code was presented."""
        return self.asked.count("/token")

    def answer(self, asked: Asked) -> Reply:
        parts = urlsplit(asked.path)
        self.asked.append(parts.path)
        if parts.path in self.replies:
            return self.replies[parts.path]
        match parts.path:
            case "/.well-known/openid-configuration":
                return _json(200, self._described())
            case "/authorize":
                return self._authorize(fields_of(parts.query))
            case "/token":
                return self._exchange(asked)
            case "/keys":
                return Reply(200, key_set(*self.kids))
        return Reply(404)

    def _described(self) -> dict[str, Any]:
        endpoints = {
            "authorization_endpoint": "authorize?tenant=1",
            "token_endpoint": "token",
            "jwks_uri": "keys",
        }
        urls = {name: f"{self.url}/{path}" for name, path in endpoints.items()}
        described = {"issuer": self.url, **urls, "response_types_supported": ["code"], **self.document}
        return {name: value for name, value in described.items() if value is not None}

    def _authorize(self, query: dict[str, str]) -> Reply:
        """The way back to the application; a real user would see a page first."""
        assert (APP.client_id, "code", "S256", "1") == (
            query["client_id"],
            query["response_type"],
            query["code_challenge_method"],
            query["tenant"],
        )
        assert "openid" in query["scope"].split()
        back = {"state": query["state"], "error": "access_denied"}
        if self.consents:
            back = {"state": query["state"], "code": token_hex(10), "session_state": "abc"}
            self.codes[back["code"]] = query
        return Reply(302, b"", {"Location": f"{query['redirect_uri']}?{urlencode(back)}"})

    def _exchange(self, asked: Asked) -> Reply:
        form = fields_of(asked.body.decode())
        scheme, _, pair = asked.headers.get("Authorization", "").partition(" ")
        client = tuple(map(unquote_plus, b64decode(pair).decode().split(":"))) if scheme else ()
        if (client or (form["client_id"], form["client_secret"])) != (APP.client_id, APP.client_secret):
            return _json(401, {"error": "invalid_client"})
        begun = self.codes.pop(form["code"], None)
        proof = urlsafe_b64encode(sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        is_right = begun is not None and form["grant_type"] == "authorization_code"
        if begun is None or not is_right or proof != begun["code_challenge"]:
            return _json(400, {"error": "invalid_grant"})
        if form["redirect_uri"] != begun["redirect_uri"]:
            return _json(400, {"error": "invalid_grant"})
        claims = self._claims(begun["nonce"])
        token = self.sign(claims) if self.sign is not None else signed(claims, self.kid)
        return _json(
            200, {"id_token": remember(token), "access_token": token_hex(10), "token_type": "Bearer"}
        )

    def _claims(self, nonce: str) -> dict[str, Any]:
        now = int(time.time())
        claims = {
            "iss": self.url,
            "sub": "248289761001",
            "aud": APP.client_id,
            "exp": now + 300,
            "iat": now,
            "nonce": nonce,
            "name": "Ada Lovelace",
            **self.user,
            **self.changes,
        }
        return {name: value for name, value in claims.items() if value is not None}


def _json(status: int, content: object) -> Reply:
    return Reply(status, json.dumps(content).encode(), {"Content-Type": "application/json"})


@contextmanager
def oidc_provider() -> Iterator[OidcProvider]:
    provider = OidcProvider()
    with LocalServer(provider.answer) as server:
        provider.url = server.url
        yield provider
