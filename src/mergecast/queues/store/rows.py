"""The tables of a repository: the columns of each, and the rows that are written to them.

A row type is the only list of a table's columns. Its field names are the column names.
"""

from collections.abc import Sequence
from dataclasses import fields
from operator import itemgetter
from typing import Any, NamedTuple, get_args, get_type_hints

from mergecast.queues.model.cause import CauseName
from mergecast.queues.model.event import Event, Group
from mergecast.queues.model.facts import BisectionEnd, BisectionStart, Check, Run, Statement, Stay
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.ci.rows import (
    CiBlockSumRow,
    CiCheckRow,
    CiDayRow,
    CiDaySumRow,
    CiPriceRow,
    CiRunRow,
    CiTextRow,
)
from mergecast.queues.store.values import KnownRepository


class DeliveryRow(NamedTuple):
    """One delivery; translation reads `fields`, and only a version that sees more in it reads the body."""

    repository_id: int
    number: int
    thread: int
    source: str
    kind: str
    guid: str
    digest: bytes
    event: str
    action: str
    received_at: int
    happened_at: int
    is_about_queue: bool
    fields: bytes  # compressed observations
    body: bytes | None  # compressed; dropped when it is old
    dictionary: str | None  # what the body was compressed with


class DictionaryRow(NamedTuple):
    """A body that serves as the dictionary of later ones, which repeat most of it."""

    repository_id: int
    id: str
    made_at: int
    body: bytes


class ThreadRow(NamedTuple):
    """Deliveries that are translated together. Threads and subjects share their numbers."""

    repository_id: int
    number: int
    source: str
    name: str
    standing: str  # what other threads need to know about it, in JSON
    first_at: int
    last_at: int
    is_about_queue: bool
    translation: int | None = None  # the version that it was translated with last; None: never


class ThreadLinkRow(NamedTuple):
    """A name that a thread owns, or is built on."""

    repository_id: int
    thread: int
    is_owner: bool
    name: str


class WaitingThreadRow(NamedTuple):
    """A thread with untranslated deliveries, and when they happened. A thread may have several rows.

    A thread that is translated again without new deliveries has a row whose end is before its beginning.
    """

    repository_id: int
    thread: int
    first_at: int
    last_at: int


class UntranslatedRow(NamedTuple):
    """How often something in a thread could not be translated, and why."""

    repository_id: int
    thread: int
    source: str
    reason: str
    times: int
    last_at: int


class SkippedRow(NamedTuple):
    """How many deliveries were counted and not kept."""

    repository_id: int
    source: str
    event: str
    action: str
    times: int


class SourceRow(NamedTuple):
    """How many deliveries a source has, and when the first and the last were received."""

    repository_id: int
    source: str
    kind: str
    deliveries: int
    first_at: int
    last_at: int


class ExpiredRow(NamedTuple):
    """How much arrived from a source although it was older than what is kept."""

    repository_id: int
    source: str
    kind: str
    times: int


class CursorRow(NamedTuple):
    """Where an import resumes."""

    repository_id: int
    source: str
    position: str | None
    reached: int | None


class PullRequestRow(NamedTuple):
    """The newest title, author and URL of a pull request, and its position in the queue."""

    repository_id: int
    number: int
    title: str
    author: str
    url: str
    known_at: int
    position: int | None = None
    positioned_at: int | None = None


_STATE_FIELDS = [field.name for field in fields(KnownRepository) if field.name != "repository"]
_STATE_LISTS = ("products", "former_names")  # joined by commas
_STATE_TYPES = {
    "id": "integer",
    "last_group": "integer",
    "last_ci_text": "integer",
    "products": "text",
    "former_names": "text",
}
# The columns of `repository_state` and their types, in the order of the row.
STATE_COLUMNS = {
    "repository_id" if name == "id" else name: _STATE_TYPES.get(name, "bigint") for name in _STATE_FIELDS
}


class GroupRow(NamedTuple):
    repository_id: int
    group_id: int
    base_ref: str
    queue_name: str
    priority_rule_name: str | None


class SubjectRow(NamedTuple):
    """The number of a stay, CI run or bisection; the key is a digest of its name."""

    repository_id: int
    number: int
    key_high: int
    key_low: int


class EventRow(NamedTuple):
    """An event; the names of its group are in `groups`."""

    repository_id: int
    number: int
    key_high: int
    key_low: int
    group_id: int
    stay: int | None
    run: int | None
    thread: int | None  # what it was translated from; None for an event that a client sent
    batch_size: int | None
    id: str
    type: str
    happened_at: int
    source: str
    session_id: str | None
    pull_request: int | None
    batch_id: str | None
    attempt: int | None
    batch_pull_requests: str | None
    reason: str | None
    outcome: str | None
    schedule_wait: int | None
    freeze_wait: int | None
    depth: int | None
    culprit_found: bool | None
    max_failures_reached: bool | None
    head_sha: str | None


class QueueCountsRow(NamedTuple):
    """What was counted in a queue, as JSON; its number is that of its first group."""

    repository_id: int
    queue: int
    counts: str


class WithdrawnEndRow(NamedTuple):
    """An entry or end whose event was deleted."""

    repository_id: int
    subject: int
    type: str


class SnapshotRow(NamedTuple):
    """What was recorded of one pull request, as JSON."""

    repository_id: int
    number: int
    is_open: bool
    document: str


class CauseRow(NamedTuple):
    """A cause of notices, when it was stored, when it is due, and when it was sent on or dropped.

    For the beginning of an alert, `announced` has the incident that it belongs to in each channel that it was
    sent to, in JSON; null if an earlier version has sent it.
    """

    repository_id: int
    kind: str
    key: str
    phase: str
    happened_at: int
    base_ref: str | None
    queue_name: str | None
    document: str
    stored_at: int
    due_at: int
    done_at: int | None
    announced: str | None = None

    @property
    def name(self) -> CauseName:
        return self.kind, self.key, self.phase


class SetUpRow(NamedTuple):
    """How a base branch of a repository on GitHub was set up when that was last read."""

    repository_id: int
    base_ref: str
    read_at: int
    document: bytes  # compressed


class ReferencePeriodRow(NamedTuple):
    """A reference period; documents are in JSON."""

    repository_id: int
    name: str
    document: str
    hours: str  # what was pinned
    compared_at: int | None  # the hour up to which it was last compared
    comparison: str | None


class AlertRow(NamedTuple):
    """An alert; the document has all of it, in JSON."""

    repository_id: int
    id: str
    figure: str
    origin: str
    base_ref: str
    queue_name: str
    since: int
    found_at: int
    ended_at: int | None
    document: str


class ThresholdRow(NamedTuple):
    """A threshold that was set; empty names mean all branches and all queues."""

    repository_id: int
    figure: str
    base_ref: str
    queue_name: str
    millionths: int | None  # null: the figure raises no alerts there
    alert: bool


class LookedBackRow(NamedTuple):
    repository_id: int
    until: int


class RecommendationRow(NamedTuple):
    """What was recommended for a base branch last; the document is in JSON."""

    repository_id: int
    base_ref: str
    computed_at: int
    settings_version: str  # which settings it is about
    document: str


class VerdictRow(NamedTuple):
    """Why a pull request was removed from a queue; the document has the rest of the verdict, in JSON."""

    repository_id: int
    stay: int
    left_at: int
    pull_request: int
    judged_at: int
    revision: int
    base_ref: str
    queue_name: str
    session_id: str
    cause: str
    act: str
    said_act: str  # the act before a bad time was over
    document: str


class VerdictStateRow(NamedTuple):
    """What was known about a queue at the beginning of a day, as `signals/verdict` writes it."""

    repository_id: int
    day: int  # days since the epoch
    base_ref: str
    queue_name: str
    document: bytes


Row = (
    GroupRow | SubjectRow | EventRow | SnapshotRow | Stay | Check | Run | BisectionStart | BisectionEnd
    | DeliveryRow | DictionaryRow | ThreadRow | ThreadLinkRow | WaitingThreadRow | UntranslatedRow
    | SkippedRow | SourceRow | ExpiredRow | CursorRow | PullRequestRow | CauseRow
    | QueueCountsRow | WithdrawnEndRow | ReferencePeriodRow | SetUpRow | AlertRow
    | ThresholdRow | LookedBackRow | RecommendationRow
    | CiTextRow | CiRunRow | CiCheckRow | CiDayRow | CiDaySumRow | CiBlockSumRow
    | CiPriceRow | VerdictRow | VerdictStateRow
)  # fmt: skip

TABLES: dict[type[Row], str] = {
    GroupRow: "groups",
    SubjectRow: "subjects",
    EventRow: "events",
    SnapshotRow: "snapshots",
    Stay: "stays",
    Check: "checks",
    Run: "runs",
    BisectionStart: "bisection_starts",
    BisectionEnd: "bisection_ends",
    DeliveryRow: "deliveries",
    DictionaryRow: "dictionaries",
    ThreadRow: "threads",
    ThreadLinkRow: "thread_links",
    WaitingThreadRow: "waiting_threads",
    UntranslatedRow: "untranslated",
    SkippedRow: "skipped_deliveries",
    SourceRow: "sources",
    ExpiredRow: "expired",
    CursorRow: "cursors",
    PullRequestRow: "pull_requests",
    CauseRow: "causes",
    QueueCountsRow: "queue_counts",
    WithdrawnEndRow: "withdrawn_ends",
    ReferencePeriodRow: "reference_periods",
    SetUpRow: "set_ups",
    AlertRow: "alerts",
    ThresholdRow: "thresholds",
    LookedBackRow: "looked_back",
    RecommendationRow: "recommendations",
    CiTextRow: "ci_texts",
    CiRunRow: "ci_runs",
    CiCheckRow: "ci_checks",
    CiDayRow: "ci_days",
    CiDaySumRow: "ci_day_sums",
    CiBlockSumRow: "ci_block_sums",
    CiPriceRow: "ci_prices",
    VerdictRow: "verdicts",
    VerdictStateRow: "verdict_states",
}

# Which column of each table of facts holds the number of the subject that a row belongs to. It is called
# like the kind of these subjects.
SUBJECT_COLUMNS: dict[str, str] = {
    "stays": "stay",
    "checks": "stay",
    "runs": "run",
    "bisection_starts": "bisection",
    "bisection_ends": "bisection",
}

_content = itemgetter(*(Event._fields.index(name) for name in EventRow._fields if name in Event._fields))
# Equal to the group, and made in a tenth of the time.
group_names = itemgetter(*(Event._fields.index(name) for name in Group._fields))
_statement = itemgetter(*(EventRow._fields.index(name) for name in Statement._fields))


def _plain(hint: Any) -> type:
    plain: type = next(iter(get_args(hint)), hint)
    return plain


_COLUMN_TYPES = {
    row_type: {name: _plain(hint) for name, hint in get_type_hints(row_type).items()} for row_type in TABLES
}


def column_types(row_type: type[Row]) -> dict[str, type]:
    """The columns of a table in the order of the row's fields, each with int, str, bool or bytes."""
    return _COLUMN_TYPES[row_type]


def fact_tables(kind: str | None) -> list[str]:
    """The tables with facts of subjects of a kind, or of any kind."""
    return [table for table, column in SUBJECT_COLUMNS.items() if kind in (None, column)]


def event_row(numbers: tuple[int | None, ...], event: Event) -> EventRow:
    """The row of an event; `numbers` are the fields before `batch_size`, which the store adds."""
    batch = event.batch_pull_requests
    batch_size = None if batch is None else batch.count(",") + 1
    return EventRow._make((*numbers, batch_size, *_content(event)))


def statement_of(row: EventRow) -> Statement:
    return Statement._make(_statement(row))


def state_from_row(repository: Repository, row: Sequence[Any]) -> KnownRepository:
    """The state from the columns of its row."""
    values = dict(zip(_STATE_FIELDS, row, strict=True))
    for name in _STATE_LISTS:
        if values[name] is not None:
            values[name] = tuple(part for part in values[name].split(",") if part)
    return KnownRepository(repository=repository, **values)


def state_to_row(state: KnownRepository) -> list[object]:
    values = {name: getattr(state, name) for name in _STATE_FIELDS}
    for name in _STATE_LISTS:
        if values[name] is not None:
            values[name] = ",".join(values[name])
    return list(values.values())
