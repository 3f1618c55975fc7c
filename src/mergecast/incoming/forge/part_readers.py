"""Reads the parts of a pull request, one method per part; also members of teams and permissions of people."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import msgspec

from mergecast.incoming.forge.conversation import read_conversation
from mergecast.incoming.forge.session import Account, Item, NotGiven, Pull, Session, converted, segment
from mergecast.incoming.platform.github import OK, decoded
from mergecast.process.concurrently import run_all
from mergecast.queues.model.instant import NotAnInstant, format_instant, parse_instant
from mergecast.queues.model.repository import Repository, dependencies_in
from mergecast.queues.model.snapshot import PERMISSIONS, Needs, Part

MOST_TEAMS = 100
MOST_PEOPLE = 200


class _Team(msgspec.Struct, frozen=True):
    slug: str


class _Permission(msgspec.Struct, frozen=True):
    permission: str
    role_name: str = ""

    @property
    def level(self) -> str:
        """The role is more precise, unless it is a custom role of an organization."""
        return self.role_name if self.role_name in PERMISSIONS else self.permission


async def teams(session: Session, wanted: frozenset[str] | None) -> dict[str, list[str]]:
    """Members of the wanted teams that exist; None means every team with access to the repository."""
    names = await _teams_with_access(session) if wanted is None else _own(session, wanted)
    if len(names) > MOST_TEAMS:
        raise NotGiven("the document names too many teams")
    members = await run_all([_members(session, name) for name in names])
    return {name: logins for name, logins in zip(names, members, strict=True) if logins is not None}


def _own(session: Session, wanted: frozenset[str]) -> list[str]:
    """The wanted teams of this organization: documents may not read others, even if the token could."""
    owner = session.repository.owner.lower()
    return sorted(name for name in wanted if name.partition("/")[0].lower() == owner)


async def _teams_with_access(session: Session) -> list[str]:
    found = await session.every(f"{session.path}/teams", list[_Team])
    return [f"{session.repository.owner}/{team.slug}" for team in found]


async def _members(session: Session, name: str) -> list[str] | None:
    owner, _, slug = name.partition("/")
    path = f"/orgs/{segment(owner)}/teams/{segment(slug)}/members"
    try:
        members = await session.once(path, lambda: session.every(path, list[Account]))
    except NotGiven as error:
        if not error.is_missing:
            raise
        # A team that does not exist and a hidden one look the same, unless other teams are visible.
        await session.once(owner, lambda: _check_teams_are_shown(session, owner))
        return None
    return [member.login for member in members]


async def _check_teams_are_shown(session: Session, owner: str) -> None:
    if not await session.item(f"/orgs/{segment(owner)}/teams?per_page=1", list[_Team]):
        raise NotGiven(f"the platform shows no teams of {owner}")


async def permissions(session: Session, logins: tuple[str, ...]) -> dict[str, str]:
    """The permission of everyone who is a user of the platform."""
    if len(logins) > MOST_PEOPLE:
        raise NotGiven("too many people are involved")
    levels = await run_all([_permission(session, login) for login in logins])
    return {login: level for login, level in zip(logins, levels, strict=True) if level is not None}


async def _permission(session: Session, login: str) -> str | None:
    path = f"{session.path}/collaborators/{segment(login)}/permission"
    try:
        return (await session.once(path, lambda: session.item(path, _Permission))).level
    except NotGiven as error:
        if not error.is_missing:
            raise
        return None


_PUSHES = ("push", "force_push", "pr_merge")


class Push(msgspec.Struct, frozen=True):
    before: str
    after: str
    timestamp: str
    activity_type: str

    @property
    def at(self) -> int:
        return _instant(self.timestamp)


async def pushes_since(pages: AsyncIterator[list[Push]], opened_at: str) -> list[Push]:
    """Pushes to the branch since then, newest first, as the platform lists them."""
    opened = _instant(opened_at)
    found: list[Push] = []
    async for page in pages:
        found += [push for push in page if push.at > opened]
        if page and page[-1].at <= opened:
            break
    return found


def former_heads(pushes: list[Push], opened_at: str, closed_at: str | None) -> list[dict[str, str]]:
    """Each head that was replaced while the pull request was open, with the instant it became the head."""
    closed = _instant(closed_at) if closed_at is not None else None
    changes = sorted(
        (push for push in pushes if push.activity_type in _PUSHES and (closed is None or push.at <= closed)),
        key=lambda push: push.at,
    )
    since = [_instant(opened_at), *(push.at for push in changes)]
    return [{"sha": push.before, "at": format_instant(at)} for push, at in zip(changes, since, strict=False)]


def _instant(text: str) -> int:
    try:
        return parse_instant(text)
    except NotAnInstant as error:
        raise NotGiven(f"the platform's history has an invalid time: {error}") from None


_MOST_DEPENDENCIES = 50
_NOT_PROTECTED = "Branch not protected"
_NOT_FOUND = 404


class _Problem(msgspec.Struct, frozen=True):
    message: str = ""


class _Review(msgspec.Struct, frozen=True):
    user: Account | None = None


class _Deployment(msgspec.Struct, frozen=True):
    id: int


class _Status(msgspec.Struct, frozen=True):
    state: str


class _Compared(msgspec.Struct, frozen=True):
    behind_by: int


class _Dependency(msgspec.Struct, frozen=True):
    state: str
    merged_at: str | None = None


@dataclass(frozen=True, slots=True)
class Parts:
    session: Session
    pull: Pull
    needs: Needs

    @property
    def _path(self) -> str:
        return f"{self.session.path}/pulls/{self.pull.number}"

    @property
    def _commit(self) -> str:
        return f"{self.session.path}/commits/{segment(self.pull.head.sha)}"

    async def files(self) -> list[Item]:
        # No condition uses the changed lines, which are most of the answer.
        return [
            _without(item, "patch") for item in await self.session.every(f"{self._path}/files", list[Item])
        ]

    async def commits(self) -> list[Item]:
        return await self.session.every(f"{self._path}/commits", list[Item])

    async def reviews(self) -> list[Item]:
        return await read_reviews(self.session, self.pull.number)

    async def review_threads(self) -> list[Item]:
        return (await read_conversation(self.session, self.pull.number)).threads

    async def review_decision(self) -> str | None:
        return (await read_conversation(self.session, self.pull.number)).decision

    async def check_runs(self) -> list[Item]:
        runs = await self.session.every(f"{self._commit}/check-runs", list[Item], "check_runs")
        return [_without(run, "output") for run in runs]  # whole reports, which nothing uses

    async def statuses(self) -> list[Item]:
        return await self.session.every(f"{self._commit}/status", list[Item], "statuses")

    async def branch_protection(self) -> Item | None:
        path = f"{self.session.path}/branches/{segment(self.pull.base.ref)}/protection"
        return await self.session.once(path, lambda: _protection(self.session, path))

    async def rules(self) -> list[Item]:
        path = f"{self.session.path}/rules/branches/{segment(self.pull.base.ref)}"
        return await self.session.once(path, lambda: self.session.every(path, list[Item]))

    async def teams(self) -> dict[str, list[str]]:
        return await teams(self.session, self.needs.teams)

    async def permissions(self) -> dict[str, str]:
        logins = [account.login for account in self.pull.requested_reviewers if not account.is_bot]
        if Part.REVIEWS.key in self.needs.parts:
            reviews = converted(await self.reviews(), list[_Review])
            logins += [review.user.login for review in reviews if review.user and not review.user.is_bot]
        return await permissions(self.session, tuple(dict.fromkeys(logins)))

    async def dependencies(self) -> dict[str, str]:
        references = dependencies_in(self.pull.body or "", self.session.repository, self.pull.number)
        if len(references) > _MOST_DEPENDENCIES:
            raise NotGiven("the description names too many pull requests")
        states = await run_all([self._dependency(reference) for reference in references])
        return {reference: state for reference, state in zip(references, states, strict=True) if state}

    async def _dependency(self, reference: str) -> str | None:
        place, _, number = reference.partition("#")
        owner, _, name = place.partition("/")
        other = Repository(owner, name)
        if other != self.session.repository and not self.session.may_read(other):
            return None
        try:
            path = f"/repos/{segment(owner)}/{segment(name)}/pulls/{number}"
            found = await self.session.once(path, lambda: self.session.item(path, _Dependency))
        except NotGiven:
            return None
        return "merged" if found.merged_at else found.state

    async def behind(self) -> int:
        # The second page has the counts but, unlike the first, not the whole diff.
        pair = f"{segment(self.pull.base.ref)}...{segment(self.pull.head.sha)}"
        path = f"{self.session.path}/compare/{pair}?per_page=1&page=2"
        return (await self.session.item(path, _Compared)).behind_by

    async def deployments(self) -> list[Item]:
        path = f"{self.session.path}/deployments"
        found = await self.session.every(f"{path}?sha={segment(self.pull.head.sha)}", list[Item])
        ids = [deployment.id for deployment in converted(found, list[_Deployment])]
        states = await run_all([self._deployment_state(f"{path}/{id}") for id in ids])
        return [{**item, "state": state} for item, state in zip(found, states, strict=True)]

    async def _deployment_state(self, path: str) -> str | None:
        """The newest status is listed first."""
        statuses = await self.session.item(f"{path}/statuses?per_page=1", list[_Status])
        return statuses[0].state if statuses else None

    async def head_history(self) -> list[Item]:
        if self.pull.head.repo is None:
            raise NotGiven("the repository of the head was deleted")
        owner, _, name = self.pull.head.repo.full_name.partition("/")
        branch = segment(f"refs/heads/{self.pull.head.ref}")
        path = f"/repos/{segment(owner)}/{segment(name)}/activity?ref={branch}"
        pushes = await pushes_since(self.session.pages(path, list[Push]), self.pull.created_at)
        return former_heads(pushes, self.pull.created_at, self.pull.closed_at)


Reader = Callable[[Parts], Awaitable[object]]

READERS: dict[str, Reader] = {
    Part.FILES.key: Parts.files,
    Part.COMMITS.key: Parts.commits,
    Part.REVIEWS.key: Parts.reviews,
    Part.REVIEW_THREADS.key: Parts.review_threads,
    Part.CHECK_RUNS.key: Parts.check_runs,
    Part.STATUSES.key: Parts.statuses,
    Part.BRANCH_PROTECTION.key: Parts.branch_protection,
    Part.TEAMS.key: Parts.teams,
    Part.PERMISSIONS.key: Parts.permissions,
    Part.DEPENDENCIES.key: Parts.dependencies,
    Part.BEHIND.key: Parts.behind,
    Part.DEPLOYMENTS.key: Parts.deployments,
    Part.REVIEW_DECISION.key: Parts.review_decision,
    Part.RULES.key: Parts.rules,
    Part.HEAD_HISTORY.key: Parts.head_history,
}
# Fetched once for all pull requests of a branch, repository or organization.
SHARED = frozenset(
    part.key for part in (Part.BRANCH_PROTECTION, Part.RULES, Part.TEAMS, Part.PERMISSIONS, Part.DEPENDENCIES)
)


async def read_reviews(session: Session, number: int) -> list[Item]:
    path = f"{session.path}/pulls/{number}/reviews"
    return await session.once(path, lambda: session.every(path, list[Item]))


async def _protection(session: Session, path: str) -> Item | None:
    """Only the message distinguishes a branch without protection from one that the token may not read."""
    answer = await session.github.get(path, session.caller)
    if answer.status == OK:
        return decoded(answer, Item)
    if answer.status == _NOT_FOUND and decoded(answer, _Problem).message == _NOT_PROTECTED:
        return None
    raise NotGiven(f"the platform answered {answer.status} to {path}")


def _without(item: Item, key: str) -> Item:
    return {name: value for name, value in item.items() if name != key}
