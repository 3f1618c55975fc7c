"""May this request go on? One place for all four credentials, the limits and the refusals."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest

from mergecast.access.address import address_of, neighbourhood
from mergecast.access.application_keys import ApplicationKeys
from mergecast.access.audit import Refusals
from mergecast.access.credential import KEY_PREFIX, Credential, kind_of, read_credential
from mergecast.access.errors import Forbidden, Refusal, TooManyRequests, WeakToken
from mergecast.access.limits import AtWork, Buckets
from mergecast.access.platform_tokens import PlatformTokens
from mergecast.access.policy import Policy
from mergecast.access.rights import OPERATOR, AccessRequest, Admission, Caller, CredentialKind, Right
from mergecast.access.service_tokens import ServiceTokens
from mergecast.model.repository import Repository
from mergecast.platform.fetch import Fetcher
from mergecast.platform.token_permissions import TokenChecker

SHORTEST_TOKEN = 32
_NOBODY = "nobody"
_MINUTE_SECONDS = 60
_OF_PLATFORM = frozenset({Right.LIST, Right.READ, Right.INGEST})


@dataclass(frozen=True, slots=True)
class Known:
    """What the guard has to know of the world."""

    repositories: Callable[[], Sequence[Repository]]  # with the newest event first
    now: Callable[[], int]


class Guard:
    def __init__(self, admin_token: str, policy: Policy, keys: ApplicationKeys, known: Known) -> None:
        if len(admin_token) < SHORTEST_TOKEN:
            raise WeakToken(
                f"the admin token needs at least {SHORTEST_TOKEN} characters; "
                "delete the file admin-token in the data folder to have a new one made"
            )
        self._admin = sha256(admin_token.encode()).digest()
        self._policy, self._known = policy, known
        self.keys = keys
        self._fetcher = Fetcher()
        self._services = ServiceTokens(policy.issuers, self._fetcher, known.now)
        self._platform: PlatformTokens | None = None
        if policy.platform_url is not None:
            self._platform = PlatformTokens(TokenChecker(policy.platform_url, self._fetcher), known.now)
        self._requests = Buckets(policy.requests_per_second, policy.requests_burst)
        failures = policy.failed_credentials_per_minute
        self._failures = Buckets(failures / _MINUTE_SECONDS, failures)
        self._at_work = AtWork(policy.simulations_at_once)
        self._refusals = Refusals(lambda *timer: asyncio.get_running_loop().call_later(*timer))

    def address(self, peer: str, headers: Sequence[tuple[bytes, bytes]]) -> str:
        """Where a request comes from, by its peer and what its headers say of proxies."""
        trusted = self._policy.trusted_proxies
        if not trusted:
            return peer
        return address_of(peer, [value for name, value in headers if name == b"x-forwarded-for"], trusted)

    async def admit(self, request: AccessRequest) -> Admission:
        """Let a request through, or raise what it gets instead."""
        now = self._known.now()
        try:
            credential = read_credential(request.authorizations)
            if credential is None:
                raise _no_credential(request)
            caller = self._recognised(credential, request, now)
            if caller is None:
                caller = await self._authenticate(credential, request)
        except Refusal as refusal:
            raise self._refuse(request, refusal) from None
        if caller is not OPERATOR:
            self._count(caller, now)
        if not caller.may(request.right, request.repository):
            raise self._refuse(request, Refusal("no right to this", str(caller)))
        return Admission(caller, request.address)

    def _recognised(self, credential: Credential, request: AccessRequest, now: int) -> Caller | None:
        """Whoever is known without request anybody, or checking anything that takes long."""
        # The admin token comes first, since the operator may have chosen one of any form.
        if compare_digest(credential.digest, self._admin):
            return OPERATOR
        if credential.token.startswith(KEY_PREFIX):
            return self.keys.caller(credential, now)
        known = self._services.remembered(credential, now)
        if known is None and self._platform is not None and request.right is not Right.LIST:
            known = self._platform.remembered(credential, request.repository, now)
        return known

    async def _authenticate(self, credential: Credential, request: AccessRequest) -> Caller:
        match kind_of(credential.token):
            case CredentialKind.SERVICE:
                return await self._services.caller(credential)
            case CredentialKind.PLATFORM:
                return await self._asked(credential, request)
        raise Refusal("an unknown credential", _NOBODY)

    async def _asked(self, credential: Credential, request: AccessRequest) -> Caller:
        """The caller as the platform sees it. It is not asked what no answer could allow."""
        repository = request.repository
        is_about_list = request.right is Right.LIST
        if self._platform is None or request.right not in _OF_PLATFORM:
            raise Refusal("a token of the platform does not count here", CredentialKind.PLATFORM)
        if repository is None and not is_about_list:
            raise Refusal("no repository can be called this", CredentialKind.PLATFORM)
        now = self._known.now()
        is_known = is_about_list and self._platform.remembered(credential, None, now) is not None
        if not is_known and self._failures.wait(neighbourhood(request.address), now):
            # Made-up tokens must not turn into questions without end.
            raise Refusal("too many failures before", CredentialKind.PLATFORM)
        if is_about_list:
            return await self._platform.reader_of(credential, self._known.repositories())
        return await self._platform.caller(credential, repository)

    def _count(self, caller: Caller, now: int) -> None:
        wait = self._requests.take(caller.identity, now)
        if wait:
            raise TooManyRequests(f"too many requests; send the next one in {wait} s", wait)

    def _refuse(self, request: AccessRequest, refusal: Refusal) -> Forbidden | TooManyRequests:
        wait = self._failures.take(neighbourhood(request.address), self._known.now())
        self._refusals.note(request, refusal, 429 if wait else 403)
        if wait:
            return TooManyRequests(
                f"too many refused requests from this address; try again in {wait} s", wait
            )
        return Forbidden()

    def at_work(self, caller: Caller) -> AbstractContextManager[None]:
        """While a costly request of this caller runs; raises when too many do."""
        return nullcontext() if caller.is_operator else self._at_work.one_more(caller.identity)

    async def close(self) -> None:
        self._refusals.tell()
        await self.keys.close()
        await self._fetcher.close()


def _no_credential(request: AccessRequest) -> Refusal:
    return Refusal("a malformed credential" if request.authorizations else "no credential", _NOBODY)
