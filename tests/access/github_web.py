"""A fake GitHub with the pages and endpoints of its web flow, and those that say what a token may do."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_hex
from urllib.parse import parse_qs, urlencode, urlsplit

from access.hosting_platform import READER, HostingPlatform
from local_http import Asked, LocalServer, Reply
from mergecast.access.web_sign_in import AppIdentity

APP = AppIdentity("Iv1.0123456789abcdef", "the-secret-of-the-app-0123456789abcdef")
_JSON = {"Content-Type": "application/json"}


@dataclass
class GitHubWeb:
    """Its user consents at once, or refuses."""

    platform: HostingPlatform = field(
        default_factory=lambda: HostingPlatform(readable={READER: {"Acme/Widgets"}})
    )
    consents: bool = True
    token: str = READER
    exchanges: int = 0  # how often a code was presented
    challenges: dict[str, tuple[str, str]] = field(
        default_factory=dict
    )  # by code: the challenge, the address

    def answer(self, asked: Asked) -> Reply:
        parts = urlsplit(asked.path)
        if parts.path == "/login/oauth/authorize":
            return self._authorize({name: values[0] for name, values in parse_qs(parts.query).items()})
        if parts.path == "/login/oauth/access_token" and asked.method == "POST":
            form = {name: values[0] for name, values in parse_qs(asked.body.decode()).items()}
            return Reply(200, json.dumps(self._exchange(form)).encode(), _JSON)
        if parts.path == "/user":
            return Reply(200, b'{"login": "octocat"}', _JSON)
        return self.platform.answer(asked)

    def _authorize(self, query: dict[str, str]) -> Reply:
        """The way back to the application; a real user would see a page first."""
        assert (APP.client_id, "S256") == (query["client_id"], query["code_challenge_method"])
        back = {"state": query["state"]}
        if self.consents:
            code = token_hex(10)
            self.challenges[code] = (query["code_challenge"], query["redirect_uri"])
            back["code"] = code
        else:
            back["error"] = "access_denied"
        return Reply(302, b"", {"Location": f"{query['redirect_uri']}?{urlencode(back)}"})

    def _exchange(self, form: dict[str, str]) -> dict[str, str]:
        self.exchanges += 1
        challenge, address = self.challenges.pop(form["code"], ("", ""))
        proof = urlsafe_b64encode(sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        is_right = (form["client_id"], form["client_secret"]) == (APP.client_id, APP.client_secret)
        if not is_right or proof != challenge or form["redirect_uri"] != address:
            return {"error": "bad_verification_code"}
        return {"access_token": self.token, "token_type": "bearer", "scope": ""}


@contextmanager
def github_web() -> Iterator[tuple[GitHubWeb, str]]:
    web = GitHubWeb()
    with LocalServer(web.answer) as server:
        yield web, server.url
