"""Signing in with GitHub: the web flow of a GitHub App or OAuth App."""

from urllib.parse import urlencode

import msgspec

from mergecast.access.credential import credential_of
from mergecast.access.errors import Refusal
from mergecast.access.rights import Credential, CredentialKind
from mergecast.access.web_sign_in import AppIdentity, Attempts, SignInAttempt
from mergecast.incoming.platform.fetch import Fetcher, NoAnswer, PlatformDown

_API_OF_GITHUB, _GITHUB = "https://api.github.com", "https://github.com"
_API_PATH = "/api/v3"  # of a GitHub Enterprise server
_HEADERS = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
_OK = 200


class _Answer(msgspec.Struct, frozen=True):
    access_token: str = ""
    error: str = ""


class GitHubApp:
    def __init__(self, identity: AppIdentity, platform_url: str, fetcher: Fetcher) -> None:
        self._identity, self._fetcher = identity, fetcher
        self._url = _GITHUB if platform_url == _API_OF_GITHUB else platform_url.removesuffix(_API_PATH)
        self.attempts = Attempts(identity.client_secret)

    async def address(self, attempt: SignInAttempt, return_to: str) -> str:
        query = {
            "client_id": self._identity.client_id,
            "redirect_uri": return_to,
            "state": attempt.state,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        }
        return f"{self._url}/login/oauth/authorize?{urlencode(query)}"

    async def credential(self, code: str, attempt: SignInAttempt, return_to: str) -> Credential:
        """The user's token; `Refusal` if GitHub does not accept the code."""
        form = {
            "client_id": self._identity.client_id,
            "client_secret": self._identity.client_secret,
            "code": code,
            "redirect_uri": return_to,
            "code_verifier": attempt.verifier,
        }
        url = f"{self._url}/login/oauth/access_token"
        try:
            answer = await self._fetcher.post(url, _HEADERS, urlencode(form).encode())
            read = msgspec.json.decode(answer.body, type=_Answer)
        except (NoAnswer, msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise PlatformDown(f"signing in with GitHub does not work: {error}") from None
        if answer.status != _OK or not read.access_token:
            raise Refusal(f"GitHub refuses the code: {read.error[:100]}", CredentialKind.PLATFORM)
        return credential_of(read.access_token.encode("ascii", "replace"))
