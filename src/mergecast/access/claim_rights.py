"""Which rights the claims of a person give: the operator maps values of claims to owners."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mergecast.access.rights import ANY_OWNER, RIGHTS_OF_SCOPE, Right
from mergecast.queues.model.repository import is_owner

ANY_VALUE = "*"  # everyone who has the claim
_EXAMPLE = '{"groups": {"platform": {"owners": ["acme"], "rights": "admin"}}}'
_FIELDS = ["owners", "rights"]
_READ = RIGHTS_OF_SCOPE["read"]

# By claim: the mapped values that a person has.
MatchedClaims = Mapping[str, Iterable[str]]


@dataclass(frozen=True, slots=True)
class Grant:
    """What a value of a claim gives."""

    owners: frozenset[str]  # in lower case, or `ANY_OWNER`
    rights: frozenset[Right]


@dataclass(frozen=True, slots=True)
class ClaimRights:
    """Grants by claim and value."""

    grants: Mapping[str, Mapping[str, Grant]]

    def matched(self, claims: Mapping[str, Any]) -> dict[str, list[str]]:
        """The values in these claims that are mapped, by claim; empty if the person has no rights here."""
        found = {}
        for claim, grants in self.grants.items():
            values = _values(claims, claim)
            mapped = [value for value in dict.fromkeys(values) if value in grants]
            if values and ANY_VALUE in grants and ANY_VALUE not in mapped:
                mapped.append(ANY_VALUE)
            if mapped:
                found[claim] = mapped
        return found

    def by_owner(self, matched: MatchedClaims) -> dict[str, frozenset[Right]]:
        """The rights on each owner; a value that is no longer mapped gives none."""
        rights: dict[str, frozenset[Right]] = {}
        for claim, values in matched.items():
            grants = self.grants.get(claim, {})
            for grant in (grants[value] for value in values if value in grants):
                for owner in grant.owners:
                    rights[owner] = rights.get(owner, frozenset()) | grant.rights
        return rights

    def why_none(self, claims: Mapping[str, Any]) -> str:
        """Why these claims give no right, for the operator: it names claims, and no value.

        >>> grant = Grant(frozenset({"acme"}), frozenset())
        >>> ClaimRights({"groups": {"platform": grant}}).why_none({"email": "ada@acme.example"})
        'no claim gives access: groups is missing'
        """
        reasons = []
        for claim in self.grants:
            if claim in claims and claim == "email" and not _values(claims, claim):
                reasons.append("email is not verified")
            else:
                reasons.append(f"{claim} {'has no mapped value' if claim in claims else 'is missing'}")
        return f"no claim gives access: {', '.join(reasons)}"


def _values(claims: Mapping[str, Any], claim: str) -> list[str]:
    """The texts of a claim. An address counts only if the provider has verified it: people can enter any."""
    value = claims.get(claim)
    if claim == "email" and claims.get("email_verified") is not True:
        return []
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str) and text]


def parse_rights(text: str) -> ClaimRights | None:
    """Parse the operator's mapping; empty text means none."""
    if not text.strip():
        return None
    try:
        content = json.loads(text, object_pairs_hook=_once)
    except (json.JSONDecodeError, RecursionError):
        content = None
    if not isinstance(content, dict) or not content:
        raise ValueError(f"must be a JSON object such as {_EXAMPLE}")
    return ClaimRights({claim: _grants(claim, values) for claim, values in content.items()})


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for name, value in pairs:
        if name in content:
            raise ValueError(f"`{name}` occurs twice; list it once, with everything")
        content[name] = value
    return content


def _grants(claim: str, values: Any) -> dict[str, Grant]:
    if not isinstance(values, dict) or not values:
        message = "must map values of this claim, or * for everyone who has it, to owners and rights"
        raise ValueError(f"{claim}: {message}: {_EXAMPLE}")
    return {value: _grant(f"{claim}, {value}", given) for value, given in values.items()}


def _grant(place: str, given: Any) -> Grant:
    if not isinstance(given, dict) or sorted(given) != _FIELDS:
        raise ValueError(
            f'{place}: must have exactly owners and rights: {{"owners": ["acme"], "rights": "read"}}'
        )
    owners, rights = given["owners"], given["rights"]
    if not isinstance(owners, list) or not owners:
        raise ValueError(f'{place}, owners: must be a list such as ["acme"], or ["*"] for all owners')
    for owner in owners:
        if not isinstance(owner, str) or not (owner == ANY_OWNER or is_owner(owner)):
            shown = owner if isinstance(owner, str) else json.dumps(owner)
            raise ValueError(f"{place}, owners: `{shown}` is not the name of an owner; * means all owners")
    if not isinstance(rights, str) or rights not in RIGHTS_OF_SCOPE:
        shown = rights if isinstance(rights, str) else json.dumps(rights)
        raise ValueError(f"{place}, rights: must be one of {', '.join(RIGHTS_OF_SCOPE)}, not `{shown}`")
    if rights == "sources" and owners != [ANY_OWNER]:
        raise ValueError(f'{place}, owners: must be ["*"] with the rights sources, which belong to no owner')
    return Grant(frozenset(owner.lower() for owner in owners), _READ | RIGHTS_OF_SCOPE[rights])
