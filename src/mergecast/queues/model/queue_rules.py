"""How a queue works, as far as its history shows: what decides when a waiting pull request moves on."""

from dataclasses import dataclass
from typing import Literal

Closing = Literal["schedule", "freeze", "pause"]


@dataclass(frozen=True, slots=True)
class ClosedTime:
    """When a queue is closed, judged by earlier weeks or, for a pause, by what it stopped."""

    closing: Closing
    since: int
    until: int | None  # None if it is not known when it opens again
    stops_starts: bool  # CI runs do not start; otherwise they do, and nothing merges


@dataclass(frozen=True, slots=True)
class QueueRules:
    """What the history of one queue shows; None where it shows nothing. Lengths are in seconds."""

    queue_name: str
    shares_slots_with: tuple[str, ...] = ()  # all queues whose CI runs share its slots, with itself
    slots: int | None = None
    keeps_slot_until_merged: bool = False  # a batch that has passed still uses a slot
    batch_size: int | None = None
    batch_wait: float | None = None  # how long a batch waits to be filled
    has_one_priority: bool = False  # pull requests of different priorities are not batched together
    starts_at_once: tuple[str | None, ...] = ()  # priority rules whose batches do not wait
    usual_ci: tuple[float, float] | None = None  # eight of ten CI runs take so long
    closed: tuple[ClosedTime, ...] = ()  # now and in the next days
    has_runs: bool = True  # a CI run was seen in it
