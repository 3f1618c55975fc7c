"""Admits or refuses every request: credentials, rights and limits in one place."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest

from mergecast.access.address import address_of, is_in, limit_key
from mergecast.access.application_keys import ApplicationKeys
from mergecast.access.audit import Refusals
from mergecast.access.credential import KEY_PREFIX, OIDC_PREFIX, kind_of, read_credential
from mergecast.access.errors import Forbidden, Refusal, TooManyRequests, Unauthorized, WeakToken
from mergecast.access.limits import Buckets, ConcurrencyLimit
from mergecast.access.oidc import OidcSignIn
from mergecast.access.platform_tokens import PlatformTokens
from mergecast.access.policy import Policy
from mergecast.access.rights import (
    OPERATOR,
    AccessRequest,
    Admission,
    Caller,
    Credential,
    CredentialKind,
    Right,
    visitor,
)
from mergecast.access.service_tokens import ServiceTokens
from mergecast.access.sessions import Sessions
from mergecast.access.web_sign_in import GitHubApp
from mergecast.incoming.platform.fetch import Fetcher
from mergecast.incoming.platform.github import TokenChecker
from mergecast.process.clock import passed_in_microseconds
from mergecast.queues.model.instant import SECONDS_PER_MINUTE
from mergecast.queues.model.repository import Repository

SHORTEST_TOKEN = 32
_ANONYMOUS = "anonymous"
_OF_PLATFORM = frozenset({Right.LIST, Right.READ, Right.INGEST})


@dataclass(frozen=True, slots=True)
class GuardContext:
    """What the guard needs from the rest of the program."""

    repositories: Callable[[], Awaitable[Sequence[Repository]]]  # with the newest event first
    now: Callable[[], int]
    passed: Callable[[], int] = passed_in_microseconds  # for limits: it does not change when the clock is set


class Guard:
    def __init__(
        self, admin_token: str, policy: Policy, keys: ApplicationKeys, context: GuardContext
    ) -> None:
        if len(admin_token) < SHORTEST_TOKEN:
            raise WeakToken(
                f"the admin token needs at least {SHORTEST_TOKEN} characters; "
                "delete the file admin-token in the data folder to get a new one"
            )
        self._admin = sha256(admin_token.encode()).digest()
        self._policy, self._context = policy, context
        self.keys, self.sessions = keys, Sessions(keys.store, context.now)
        self._fetcher = Fetcher(policy.answer_seconds)
        self._services = ServiceTokens(policy.issuers, self._fetcher, context.now)
        self._platform: PlatformTokens | None = None
        if policy.platform_url is not None:
            self._platform = PlatformTokens(TokenChecker(policy.platform_url, self._fetcher), context.now)
        self.github: GitHubApp | None = None
        if policy.platform_url is not None and policy.github_app is not None:
            self.github = GitHubApp(policy.github_app, policy.platform_url, self._fetcher)
        self.oidc: OidcSignIn | None = None
        if policy.oidc is not None:
            self.oidc = OidcSignIn(policy.oidc, self._fetcher, context.now)
        self._requests = Buckets(policy.requests_per_second, policy.requests_burst)
        failures = policy.failed_credentials_per_minute
        self._failures = Buckets(failures / SECONDS_PER_MINUTE, failures)
        self._costly = ConcurrencyLimit(policy.simulations_at_once)
        self._refusals = Refusals(lambda *timer: asyncio.get_running_loop().call_later(*timer))

    def address(self, peer: str, headers: Sequence[tuple[bytes, bytes]]) -> str:
        """The address a request comes from, by its peer and its X-Forwarded-For headers."""
        trusted = self._policy.trusted_proxies
        if not trusted:
            return peer
        return address_of(peer, [value for name, value in headers if name == b"x-forwarded-for"], trusted)

    def is_proxy(self, peer: str) -> bool:
        """Whether connections of this address are those of many clients."""
        return is_in(peer, self._policy.trusted_proxies)

    async def admit(self, request: AccessRequest) -> Admission:
        """Let a request through, or raise the refusal."""
        now = self._context.now()
        if request.right is Right.BADGE:
            if request.repository in self._policy.public_badges:
                return self._let_visit(request)
            request = request._replace(right=Right.READ)
        try:
            caller, credential = await self._caller(request, now)
        except Refusal as refusal:
            raise self.refuse(request, refusal) from None
        if request.right is Right.TOOLS:
            self._check_rate(caller)
        else:
            self.count(caller)
        if not _may(caller, request):
            raise self.refuse(request, Refusal("no right to this", str(caller)))
        return Admission(caller, request.address, credential, request)

    async def still_admits(self, admission: Admission) -> bool:
        """Whether a request would still be admitted; this counts and logs nothing."""
        request = admission.request
        if request is None:
            return True
        try:
            caller, _ = await self._caller(request, self._context.now())
        except Refusal:
            return False
        return _may(caller, request)

    async def admit_again(self, admission: Admission) -> None:
        """Refuse a request that would not be admitted any more, for example because its key was revoked.

        This is cheap: an embedded store has keys and sessions in memory, and PostgreSQL versions its keys.
        """
        if admission.request is not None and not await self.still_admits(admission):
            refusal = Refusal("revoked while its body arrived", str(admission.caller))
            raise self.refuse(admission.request, refusal)

    async def _caller(self, request: AccessRequest, now: int) -> tuple[Caller, Credential]:
        credential = await self._credential(request)
        caller = await self._recognize(credential, request, now)
        if caller is None and request.right is Right.TOOLS and self._is_of_platform(credential):
            caller = visitor(limit_key(request.address))
        return caller or await self._authenticate(credential, request), credential

    def _is_of_platform(self, credential: Credential) -> bool:
        """Whether a credential has the form of a token that the platform may know."""
        return self._platform is not None and kind_of(credential.token) is CredentialKind.PLATFORM

    def _let_visit(self, request: AccessRequest) -> Admission:
        """Public data needs no credential, but requests are still limited per address."""
        caller = visitor(limit_key(request.address))
        self.count(caller)
        return Admission(caller, request.address)

    async def _credential(self, request: AccessRequest) -> Credential:
        """The credential of the request, or of its session cookie, which is no credential for tools."""
        if request.authorizations or request.cookie is None or request.right is Right.TOOLS:
            credential = read_credential(request.authorizations)
            if credential is None:
                raise _no_credential(request)
            return credential
        found = await self.sessions.find(request.cookie)
        if found is None:
            raise Refusal("no such session", _ANONYMOUS)
        session, credential = found
        if request.is_foreign:
            raise Refusal("a page of another origin", f"session of {session.kind} {session.name}")
        return credential

    async def identify(self, credential: Credential, request: AccessRequest) -> Caller:
        """The caller with this credential, whatever it may do; raises `Refusal`.

        The right of the request is `LIST`, and its repository is None.
        """
        known = await self._recognize(credential, request, self._context.now())
        if known is not None:
            return known
        if kind_of(credential.token) is CredentialKind.PLATFORM:
            return await self._known_to_platform(credential, request)
        return await self._authenticate(credential, request)

    async def sign_in(self, credential: Credential, request: AccessRequest) -> Caller:
        """The caller with this credential, or the refusal of the request."""
        try:
            caller = await self.identify(credential, request)
        except Refusal as refusal:
            raise self.refuse(request, refusal) from None
        self.count(caller)
        return caller

    async def _recognize(self, credential: Credential, request: AccessRequest, now: int) -> Caller | None:
        """The caller, if it can be recognized without asking another service."""
        # The admin token comes first: the operator may have chosen one of any form.
        if compare_digest(credential.digest, self._admin):
            return OPERATOR
        if credential.token.startswith(KEY_PREFIX):
            return await self.keys.caller(credential, now)
        if credential.token.startswith(OIDC_PREFIX) and self.oidc is not None:
            return self.oidc.users.caller(credential, now)
        known = self._services.remembered(credential, now)
        if known is None and self._platform is not None and request.right is not Right.LIST:
            known = self._platform.remembered(credential, request.repository, now)
        return known

    async def _authenticate(self, credential: Credential, request: AccessRequest) -> Caller:
        match kind_of(credential.token):
            case CredentialKind.SERVICE:
                return await self._services.caller(credential)
            case CredentialKind.PLATFORM:
                return await self._ask_platform(credential, request)
        raise Refusal("unknown credential", _ANONYMOUS)

    async def _ask_platform(self, credential: Credential, request: AccessRequest) -> Caller:
        """The caller as the platform sees it. The platform is asked only if its answer can matter."""
        repository = request.repository
        is_about_list = request.right is Right.LIST
        if self._platform is None or request.right not in _OF_PLATFORM:
            raise Refusal("platform tokens have no right to this", CredentialKind.PLATFORM)
        if repository is None and not is_about_list:
            raise Refusal("invalid repository name", CredentialKind.PLATFORM)
        if is_about_list:
            await self._known_to_platform(credential, request)
            return await self._platform.reader_of(credential, await self._context.repositories())
        self.spare_platform(request)
        return await self._platform.caller(credential, repository)

    async def _known_to_platform(self, credential: Credential, request: AccessRequest) -> Caller:
        """The caller with a token that the platform knows, whatever it may read there."""
        if self._platform is None:
            raise Refusal("platform tokens have no right to this", CredentialKind.PLATFORM)
        known = self._platform.remembered(credential, None, self._context.now())
        if known is not None:
            return known
        self.spare_platform(request)
        return await self._platform.caller(credential, None)

    def spare_platform(self, request: AccessRequest) -> None:
        """Invented tokens and codes must not become endless requests to the platform."""
        if self._failures.wait(limit_key(request.address), self._context.passed()):
            raise Refusal("too many failures from this address", CredentialKind.PLATFORM)

    async def login(self, credential: Credential) -> str | None:
        """The name of an OIDC user, or of the user of a platform token if the platform returns it."""
        if self.oidc is not None and kind_of(credential.token) is CredentialKind.OIDC:
            return self.oidc.users.name(credential)
        return None if self._platform is None else await self._platform.login(credential)

    def count(self, caller: Caller) -> None:
        """Count a request of this caller; refuse it if there are too many. The operator has no limit."""
        if caller is not OPERATOR:
            _refuse_more(self._requests.take(caller.identity, self._context.passed()))

    def _check_rate(self, caller: Caller) -> None:
        """Refuse what would be refused if it counted: the requests behind a tool count."""
        if caller is not OPERATOR:
            _refuse_more(self._requests.wait(caller.identity, self._context.passed()))

    def refuse(self, request: AccessRequest, refusal: Refusal) -> Forbidden | TooManyRequests:
        wait = self._failures.take(limit_key(request.address), self._context.passed())
        is_for_tools = request.right is Right.TOOLS
        self._refusals.note(request, refusal, 429 if wait else 401 if is_for_tools else 403)
        if wait:
            return TooManyRequests(
                f"too many refused requests from this address; try again in {wait} s", wait
            )
        return Unauthorized() if is_for_tools else Forbidden()

    def running(self, caller: Caller) -> AbstractContextManager[None]:
        """Count a costly request of this caller while it runs; refuse it if too many are running."""
        return nullcontext() if caller.is_operator else self._costly.running(caller.identity)

    async def close(self) -> None:
        self._refusals.tell()
        await self.keys.close()
        await self._fetcher.close()


def _may(caller: Caller, request: AccessRequest) -> bool:
    return request.right is Right.TOOLS or caller.may(request.right, request.repository, request.owner)


def _refuse_more(wait: int) -> None:
    if wait:
        raise TooManyRequests(f"too many requests; send the next one in {wait} s", wait)


def _no_credential(request: AccessRequest) -> Refusal:
    return Refusal("malformed credential" if request.authorizations else "no credential", _ANONYMOUS)
