"""What a reader wants to know of a pull request beside the pull request itself."""

from dataclasses import dataclass

from mergecast.model.snapshot import Part


@dataclass(frozen=True, slots=True)
class Needs:
    """Keys of the recorded document, and teams as `org/team`: those named, or all that the repository has."""

    parts: frozenset[str]
    teams: frozenset[str] | None = frozenset()


EVERYTHING = Needs(frozenset(part.key for part in Part), teams=None)


def either(one: Needs, other: Needs) -> Needs:
    """What is enough for both."""
    teams = None if one.teams is None or other.teams is None else one.teams | other.teams
    return Needs(one.parts | other.parts, teams)
