"""Members of teams, and permissions of people."""

import msgspec

from mergecast.incoming.forge.session import Account, NotGiven, Session, segment
from mergecast.process.concurrently import run_all
from mergecast.queues.model.snapshot import PERMISSIONS

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
