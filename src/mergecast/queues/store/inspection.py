"""What a store says about itself to a program that only looks at it."""

from typing import NamedTuple

# How many repositories and events there are.
COUNT_ALL = "select count(*), cast(coalesce(sum(events), 0) as bigint) from repository_state"


class Worker(NamedTuple):
    """A worker of a Citus cluster."""

    address: str
    answers: bool


class Inspection(NamedTuple):
    software: str  # the database and its version
    schema: int  # the last migration; 0: there is no store yet
    known_schema: int  # the last migration that this program knows
    repositories: int = 0
    events: int = 0
    encoding: str | None = None
    ahead_seconds: float | None = None  # how far the clock of the database is ahead of this one
    last_change_at: int | None = None
    has_citus: bool = False
    workers: tuple[Worker, ...] = ()
