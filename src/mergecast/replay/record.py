"""What comes out of a replay, in columns of numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

Column: TypeAlias = list[int]


class Stays(NamedTuple):
    """One row per stay, in the order of entering."""

    pull: Column  # row of the arrivals
    turn: Column
    entered_at: Column
    left_at: Column  # NEVER while it is in the queue
    reason: Column  # place in REASONS
    batch: Column  # the batch that decided, NEVER when none did
    place: Column  # how many left with it before it: 0 for the first of its landing


class Batches(NamedTuple):
    """One row per batch, in the order of forming; a part of a bisection is a batch too."""

    offset: Column  # its members are `members[offset : offset + size]`
    size: Column
    bisection: Column  # row of the bisection that it is a part of, NEVER otherwise
    rule: Column


class Runs(NamedTuple):
    """One row per run of CI, in the order of starting."""

    batch: Column
    attempt: Column
    formed_at: Column  # when it took its slot
    started_at: Column
    ended_at: Column  # NEVER while it is running
    outcome: Column  # place in OUTCOMES, UNFINISHED while it is running
    ahead: Column  # pull requests in its tree that are not members
    in_flight: Column  # runs going on when it took its slot, itself included


class Splits(NamedTuple):
    """One row per split of a failed batch."""

    bisection: Column
    depth: Column  # 0 for the first split of a bisection
    at: Column
    batch: Column  # the batch that was split


class Bisections(NamedTuple):
    """One row per failed batch whose culprit was searched for."""

    batch: Column
    ended_at: Column  # NEVER while the search goes on
    culprit_found: Column
    limit_reached: Column


@dataclass(frozen=True, slots=True)
class Record:
    """Everything that happened in one replay."""

    stays: Stays
    batches: Batches
    members: Column  # rows of the stays
    runs: Runs
    splits: Splits
    bisections: Bisections

    def members_of(self, batch: int) -> Iterator[int]:
        """Rows of the stays in a batch, in the order in which they merge."""
        offset = self.batches.offset[batch]
        return iter(self.members[offset : offset + self.batches.size[batch]])
