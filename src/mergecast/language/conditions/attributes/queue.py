"""Attributes about the queue, the current time and the sender of a command."""

from mergecast.language.conditions.attribute import AllowedIn, Attribute, Count, ValueKind
from mergecast.language.conditions.attributes.rows import number, text, time
from mergecast.language.conditions.errors import NotRecorded
from mergecast.language.conditions.facts.snapshot_view import SnapshotView, recorded
from mergecast.language.conditions.values import Permission
from mergecast.queues.model.event import INTERRUPTIONS, MERGED_REASONS
from mergecast.queues.model.snapshot import Part

# Codes that the language has, but not the events of the API.
_ONLY_IN_CONDITIONS = ("GITHUB_WORKFLOWS_PERMISSION_MISSING", "BATCH_REBUILT", "BATCH_AHEAD_REBUILT")
DEQUEUE_REASONS = ("NONE", *MERGED_REASONS, *INTERRUPTIONS, *_ONLY_IN_CONDITIONS)


def _checks_started_at(view: SnapshotView) -> int | None:
    """Nothing has started outside a queue; inside one, the snapshot does not record the start."""
    if view.queue.name is None:
        return None
    raise NotRecorded("the start of the queue's checks is not recorded")


def _clock(_: SnapshotView) -> None:
    """The current time is not part of the pull request: the evaluator provides it."""


QUEUE: tuple[Attribute, ...] = (
    number(
        "queue-position",
        "Position in the queue; 0 is first, -1 means not queued.",
        lambda view: view.queue.position,
        Part.QUEUE,
    ),
    text(
        "queue-name",
        "Name of the queue that contains the pull request.",
        lambda view: view.queue.name,
        Part.QUEUE,
    ),
    Attribute(
        "queue-dequeue-reason",
        ValueKind.ENUMERATION,
        "Why the pull request last left the queue, such as `checks-failed`; `none` if it never did.",
        lambda view: recorded(view.snapshot.dequeue_reason, Part.DEQUEUE_REASON),
        frozenset({Part.DEQUEUE_REASON}),
        count=Count(),
        members=DEQUEUE_REASONS,
        is_folded=True,
    ),
    time(
        "queued-at", "When the pull request entered the queue.", lambda view: view.queue.queued_at, Part.QUEUE
    ),
    time(
        "queue-merge-started-at",
        "When the queue started checking the pull request.",
        _checks_started_at,
        Part.QUEUE,
    ),
)

CLOCK: tuple[Attribute, ...] = (
    Attribute(
        "current-datetime",
        ValueKind.PRESENT,
        "Current time, compared with a timestamp or an interval.",
        _clock,
        is_negatable=False,
    ),
    Attribute(
        "schedule",
        ValueKind.SCHEDULE,
        "Current time, compared with a weekly schedule.",
        _clock,
        is_negatable=False,
    ),
)

COMMAND: tuple[Attribute, ...] = (
    Attribute(
        "sender",
        ValueKind.LOGIN,
        "Login of the user who sent the command.",
        lambda view: view.sender,
        frozenset({Part.SENDER}),
        count=Count(),
        allowed_in=AllowedIn.COMMANDS,
    ),
    Attribute(
        "sender-permission",
        ValueKind.PERMISSION,
        "The sender's permission in the repository.",
        lambda view: view.permission(view.sender),
        frozenset({Part.SENDER, Part.PERMISSIONS}),
        allowed_in=AllowedIn.COMMANDS,
        members=tuple(level.value for level in Permission),
    ),
)
