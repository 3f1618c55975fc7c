"""The tables that can be exported, and what their columns hold. `docs/export.md` lists the same columns."""

from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple, get_args, get_type_hints

from mergecast.queues.model.event import WIRE_NAMES, Event


class Kind(Enum):
    """The values of a column. Any of them may be missing, which is None."""

    TEXT = auto()
    INTEGER = auto()
    INSTANT = auto()  # microseconds since the epoch
    DURATION = auto()  # microseconds; exported as seconds
    BOOLEAN = auto()


class Column(NamedTuple):
    name: str
    kind: Kind
    meaning: str


class Table(NamedTuple):
    """A table of a repository: what one row is, and its columns after the name of the repository."""

    name: str
    meaning: str
    columns: tuple[Column, ...]


REPOSITORY = Column("repository", Kind.TEXT, "owner and name")


def _group(prefix: str, of: str) -> tuple[Column, ...]:
    return (
        Column(f"{prefix}base_ref", Kind.TEXT, f"branch {of}"),
        Column(f"{prefix}queue_name", Kind.TEXT, f"queue {of}"),
        Column(f"{prefix}priority_rule_name", Kind.TEXT, f"priority rule {of}; empty if none matched"),
    )


_SESSION = Column("session_id", Kind.TEXT, "the stay")
_BATCH = Column("batch_id", Kind.TEXT, "the batch")
_ATTEMPT = Column("attempt", Kind.INTEGER, "which attempt at this batch, from 1")

STAYS = Table(
    "stays",
    "one pull request in one queue, from entering to leaving",
    (
        Column("session_id", Kind.TEXT, "the stay; unique in a repository"),
        Column("pull_request", Kind.INTEGER, "number of the pull request"),
        Column("entered_at", Kind.INSTANT, "when it entered; empty if that was not reported"),
        *_group("entered_", "when it entered"),
        Column("left_at", Kind.INSTANT, "when it left; empty while it is in the queue"),
        *_group("left_", "when it left"),
        Column("reason", Kind.TEXT, "why it left, such as `PR_MERGED`"),
        Column("is_merged", Kind.BOOLEAN, "whether the queue merged it; empty while it is in the queue"),
        Column("batch_id", Kind.TEXT, "the batch it left with, if the event names one"),
        Column("retries", Kind.INTEGER, "how many of its checks ended with `CHECKS_RETRIED`"),
        Column("time_in_queue_seconds", Kind.DURATION, "from entering to leaving"),
        Column("ci_seconds", Kind.DURATION, "part of it in which a check ran"),
        Column("capacity_wait_seconds", Kind.DURATION, "the rest: waiting for capacity"),
        Column("schedule_wait_seconds", Kind.DURATION, "waiting for the schedule, as reported"),
        Column("freeze_wait_seconds", Kind.DURATION, "waiting for the end of a freeze, as reported"),
        Column("head_sha", Kind.TEXT, "last commit of the pull request; empty if unknown or if it changed"),
    ),
)
CHECKS = Table(
    "checks",
    "one CI run as seen by one stay",
    (
        _SESSION,
        _BATCH,
        _ATTEMPT,
        Column("started_at", Kind.INSTANT, "when it started; empty if that was not reported"),
        *_group("started_", "when it started"),
        Column("batch_size", Kind.INTEGER, "pull requests in the batch"),
        Column("ended_at", Kind.INSTANT, "when it ended; empty while it runs"),
        *_group("ended_", "when it ended"),
        Column("outcome", Kind.TEXT, "how it ended, such as `SUCCESS`"),
        Column("runtime_seconds", Kind.DURATION, "from its start to its end"),
    ),
)
RUNS = Table(
    "runs",
    "one CI run in one group; a run whose pull requests are in several groups has a row in each",
    (
        _BATCH,
        _ATTEMPT,
        *_group("", "of the group"),
        Column("started_in_group", Kind.BOOLEAN, "whether a check of this group started with it"),
        Column("verdict_in_group", Kind.BOOLEAN, "whether a check of this group ended with a verdict"),
        Column("started_at", Kind.INSTANT, "start of the whole run, in any group"),
        Column("ended_at", Kind.INSTANT, "end of the whole run, in any group"),
        Column("runtime_seconds", Kind.DURATION, "from the start to the end of the whole run"),
        Column("batch_size", Kind.INTEGER, "pull requests in the batch"),
    ),
)
BISECTIONS = Table(
    "bisections",
    "one split of a failed batch, or the end of its bisection",
    (
        _BATCH,
        Column("step", Kind.TEXT, "`started` for a split, `ended` for the end"),
        Column("at", Kind.INSTANT, "when"),
        *_group("", "of the bisection"),
        Column("depth", Kind.INTEGER, "of a split: how many came before it"),
        Column("batch_size", Kind.INTEGER, "of a split: pull requests before it"),
        Column("culprit_found", Kind.BOOLEAN, "of an end: whether it found what breaks the batch"),
        Column("max_failures_reached", Kind.BOOLEAN, "of an end: whether it stopped after too many failures"),
    ),
)
_KINDS = {str: Kind.TEXT, int: Kind.INTEGER, bool: Kind.BOOLEAN}
_TIMES = {"happened_at": Kind.INSTANT, "schedule_wait": Kind.DURATION, "freeze_wait": Kind.DURATION}


def _event_columns() -> Iterator[Column]:
    """The fields of events, by the names that they have in the API."""
    for name, hint in get_type_hints(Event, include_extras=True).items():
        described, meaning = get_args(hint)
        (plain, *_) = get_args(described) or (described,)
        yield Column(WIRE_NAMES.get(name, name), _TIMES.get(name) or _KINDS[plain], meaning)


EVENTS = Table(
    "events",
    "one stored event, as `POST …/events` takes it; fields that its type does not have are empty",
    tuple(_event_columns()),
)
CI_CHECKS = Table(
    "ci_checks",
    "one execution of a CI check, from the report that counts",
    (
        Column("id", Kind.TEXT, "of the report"),
        Column("at", Kind.INSTANT, "when what it reports happened"),
        Column("base_ref", Kind.TEXT, "branch of the CI run"),
        Column("queue_name", Kind.TEXT, "queue of the CI run"),
        _BATCH,
        Column("check_id", Kind.TEXT, "the execution; unique in a CI run"),
        Column("name", Kind.TEXT, "name of the check"),
        Column("conclusion", Kind.TEXT, "how it ended, such as `success`; empty while it runs"),
        _ATTEMPT,
        Column("queued_at", Kind.INSTANT, "when it was requested; empty if that was not reported"),
        Column("started_at", Kind.INSTANT, "when a machine started it; empty if that was not reported"),
        Column("ended_at", Kind.INSTANT, "when it ended; empty while it runs"),
        Column("url", Kind.TEXT, "where people see it"),
        Column("runner", Kind.TEXT, "label of the machine"),
        Column("is_required", Kind.BOOLEAN, "whether it is required; empty if that is not known"),
        Column("source", Kind.TEXT, "who reported it, such as `api` or `github`"),
    ),
)
TABLES = {table.name: table for table in (STAYS, CHECKS, RUNS, BISECTIONS, EVENTS, CI_CHECKS)}
