"""Tokens of the code-hosting platform: the platform is asked, and its answer kept for a minute."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mergecast.access.errors import Refusal
from mergecast.access.rights import Caller, Credential, CredentialKind, Right
from mergecast.errors import Conflict, FieldError
from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.platform.github import TokenChecker, TokenPermissions
from mergecast.process.concurrently import outlasting
from mergecast.process.lru import RecentEntries
from mergecast.queues.model.instant import SECOND, is_ahead
from mergecast.queues.model.repository import Repository

KEPT_SECONDS = 60
MOST_LISTED = 100
_KEPT = KEPT_SECONDS * SECOND
_MOST_KEPT = 10_000
_NAMED_DIGITS = 12

_READER = frozenset({Right.LIST, Right.READ})
_SENDER = _READER | {Right.INGEST}

# Tokens are kept as digests only. Without a repository: does the platform know the token at all?
_Question = tuple[bytes, Repository | None]


@dataclass(frozen=True, slots=True)
class _Kept:
    outcome: TokenPermissions | PlatformDown
    caller: Caller
    until: int


class PlatformTokens:
    def __init__(self, platform: TokenChecker, now: Callable[[], int]) -> None:
        self._platform, self._now = platform, now
        self._kept: RecentEntries[_Question, _Kept] = RecentEntries(_MOST_KEPT)
        self._under_way: dict[_Question, asyncio.Task[_Kept]] = {}

    def remembered(self, credential: Credential, repository: Repository | None, now: int) -> Caller | None:
        """The caller, if the platform answered about this token within the last minute."""
        kept = self._recall((credential.digest, repository), now)
        return None if kept is None else self._judge(kept, credential, repository)

    async def caller(self, credential: Credential, repository: Repository | None) -> Caller:
        """The caller with this token, for this repository; asks the platform if necessary."""
        return self._judge(await self._learn(credential, repository), credential, repository)

    async def reader_of(self, credential: Credential, known: Sequence[Repository]) -> Caller:
        """The caller, with the repositories that the token may read among the first `MOST_LISTED`."""
        await self.caller(credential, None)
        asked = list(known[:MOST_LISTED])
        learnt = await asyncio.gather(*(self._learn(credential, repository) for repository in asked))
        for kept in learnt:
            if isinstance(kept.outcome, PlatformDown):
                # An incomplete list would look complete.
                raise _again(kept.outcome)
        readable = {
            repository for repository, kept in zip(asked, learnt, strict=True) if _may_read(kept.outcome)
        }
        return _caller(credential, _READER, frozenset(readable))

    async def login(self, credential: Credential) -> str | None:
        """The name of the token's user; None for an app, or while the platform does not answer."""
        try:
            return await self._platform.login(credential.token.decode("ascii"), self._now())
        except PlatformDown:
            return None

    def _judge(self, kept: _Kept, credential: Credential, repository: Repository | None) -> Caller:
        outcome = kept.outcome
        if isinstance(outcome, PlatformDown):
            raise _again(outcome)
        if outcome.moved_to is not None:
            message = f"the repository {repository} has been renamed to {outcome.moved_to}; use that name"
            raise Conflict([FieldError("path", "repository", message)])
        if not outcome.may_read:
            raise Refusal("the platform denies access", _who(credential))
        return kept.caller

    def _recall(self, question: _Question, now: int) -> _Kept | None:
        kept = self._kept.get(question)
        if kept is None:
            return None
        if not is_ahead(kept.until, now, _KEPT):
            self._kept.pop(question)
            return None
        return kept

    async def _learn(self, credential: Credential, repository: Repository | None) -> _Kept:
        question = (credential.digest, repository)
        kept = self._recall(question, self._now())
        if kept is not None:
            return kept
        task = self._under_way.get(question)
        if task is None:
            task = asyncio.ensure_future(self._ask(credential, repository))
            self._under_way[question] = task
        # A client that stops waiting must not cancel the question for others.
        return await outlasting(task)

    async def _ask(self, credential: Credential, repository: Repository | None) -> _Kept:
        question = (credential.digest, repository)
        try:
            outcome = await self._outcome(credential.token.decode("ascii"), repository)
        finally:
            del self._under_way[question]
        seconds = outcome.retry_seconds if isinstance(outcome, PlatformDown) else KEPT_SECONDS
        rights = _SENDER if isinstance(outcome, TokenPermissions) and outcome.may_push else _READER
        about = frozenset() if repository is None else frozenset({repository})
        kept = _Kept(outcome, _caller(credential, rights, about), self._now() + seconds * SECOND)
        self._kept.put(question, kept)
        return kept

    async def _outcome(self, token: str, repository: Repository | None) -> TokenPermissions | PlatformDown:
        try:
            if repository is None:
                return TokenPermissions(may_read=await self._platform.knows(token, self._now()))
            return await self._platform.permissions(token, repository, self._now())
        except PlatformDown as down:
            return down


def _again(down: PlatformDown) -> PlatformDown:
    """A new exception each time: raising the same one again and again collects tracebacks."""
    return PlatformDown(str(down), down.retry_seconds)


def _may_read(outcome: TokenPermissions | PlatformDown) -> bool:
    return isinstance(outcome, TokenPermissions) and outcome.may_read


def _caller(credential: Credential, rights: frozenset[Right], about: frozenset[Repository]) -> Caller:
    return Caller(CredentialKind.PLATFORM, _name(credential), credential.digest, rights, repositories=about)


def _name(credential: Credential) -> str:
    """Tells tokens apart in the log. The start of a digest of a long random text reveals nothing."""
    return credential.digest.hex()[:_NAMED_DIGITS]


def _who(credential: Credential) -> str:
    return f"{CredentialKind.PLATFORM} {_name(credential)}"
