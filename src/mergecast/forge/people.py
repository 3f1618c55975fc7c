"""Who belongs to which team, and who may do what."""

import msgspec

from mergecast.forge.errors import NotGiven
from mergecast.forge.session import Account, Visit, segment
from mergecast.forge.together import together
from mergecast.model.permissions import PERMISSIONS

MOST_TEAMS = 100
MOST_PEOPLE = 200


class _Team(msgspec.Struct, frozen=True):
    slug: str


class _Permission(msgspec.Struct, frozen=True):
    permission: str
    role_name: str = ""

    @property
    def level(self) -> str:
        """The role says more, unless an organisation made it up."""
        return self.role_name if self.role_name in PERMISSIONS else self.permission


async def teams(visit: Visit, wanted: frozenset[str] | None) -> dict[str, list[str]]:
    """The members of the wanted teams that exist; None: of all that have access to the repository."""
    names = await _teams_with_access(visit) if wanted is None else _own(visit, wanted)
    if len(names) > MOST_TEAMS:
        raise NotGiven("too many teams are named to ask for each")
    members = await together([_members(visit, name) for name in names])
    return {name: logins for name, logins in zip(names, members, strict=True) if logins is not None}


def _own(visit: Visit, wanted: frozenset[str]) -> list[str]:
    """Teams of other organisations are none of a document's business, whatever our token could see."""
    owner = visit.repository.owner.lower()
    return sorted(name for name in wanted if name.partition("/")[0].lower() == owner)


async def _teams_with_access(visit: Visit) -> list[str]:
    found = await visit.every(f"{visit.path}/teams", list[_Team])
    return [f"{visit.repository.owner}/{team.slug}" for team in found]


async def _members(visit: Visit, name: str) -> list[str] | None:
    owner, _, slug = name.partition("/")
    path = f"/orgs/{segment(owner)}/teams/{segment(slug)}/members"
    try:
        members = await visit.once(path, lambda: visit.every(path, list[Account]))
    except NotGiven as error:
        if not error.is_missing:
            raise
        # Nothing tells a team that does not exist from one that is hidden, but that others are shown.
        await visit.once(owner, lambda: _check_teams_are_shown(visit, owner))
        return None
    return [member.login for member in members]


async def _check_teams_are_shown(visit: Visit, owner: str) -> None:
    if not await visit.one(f"/orgs/{segment(owner)}/teams?per_page=1", list[_Team]):
        raise NotGiven(f"the platform shows no teams of {owner}")


async def permissions(visit: Visit, logins: tuple[str, ...]) -> dict[str, str]:
    """Of everybody whom the platform knows as a user."""
    if len(logins) > MOST_PEOPLE:
        raise NotGiven("too many people are involved to ask for each")
    levels = await together([_permission(visit, login) for login in logins])
    return {login: level for login, level in zip(logins, levels, strict=True) if level is not None}


async def _permission(visit: Visit, login: str) -> str | None:
    path = f"{visit.path}/collaborators/{segment(login)}/permission"
    try:
        return (await visit.once(path, lambda: visit.one(path, _Permission))).level
    except NotGiven as error:
        if not error.is_missing:
            raise
        return None
