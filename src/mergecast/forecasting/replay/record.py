"""The result of a replay, in columns of numbers."""

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
    reason: Column  # index into REASONS
    batch: Column  # the batch that decided, NEVER when none did
    place: Column  # its position among those merged together, from 0


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
    outcome: Column  # index into OUTCOMES, UNFINISHED while it is running
    ahead: Column  # pull requests in its tree that are not members
    in_flight: Column  # runs in progress when it took its slot, including itself


class Splits(NamedTuple):
    """One row per split of a failed batch."""

    bisection: Column
    depth: Column  # 0 for the first split of a bisection
    at: Column
    batch: Column  # the batch that was split


class Bisections(NamedTuple):
    """One row per failed batch whose culprit was searched for."""

    batch: Column
    ended_at: Column  # NEVER while the search continues
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
