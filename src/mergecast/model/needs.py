"""What a reader wants to know of a pull request beside the pull request itself."""

from dataclasses import dataclass

from mergecast.model.snapshot import Part


@dataclass(frozen=True, slots=True)
class Needs:
    """Keys of the recorded document, and teams as `org/team`: those named, or all that the repository has."""

    parts: frozenset[str]
    teams: frozenset[str] | None = frozenset()

    def __or__(self, other: "Needs") -> "Needs":
        """Everything that at least one of the two needs."""
        teams = None if self.teams is None or other.teams is None else self.teams | other.teams
        return Needs(self.parts | other.parts, teams)


EVERYTHING = Needs(frozenset(part.key for part in Part), teams=None)
