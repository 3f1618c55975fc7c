"""What is given to a store and what it returns."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple

from mergecast.queues.model.ci_check import AnyEvent
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.instant import DAY, HOUR, MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.repository_names import RepositoryNames

MOST_SESSIONS_PER_CREDENTIAL = 100
# How long changes wait for the next removal, to be judged with it.
TOGETHER = HOUR
# How long a history of more events waits until all of it has arrived.
SETTLING = 2 * MINUTE
FEW_EVENTS = 2_000


class Health(NamedTuple):
    """How much of a store works."""

    status: str
    reason: str | None = None


READY = Health("ready")
WITHOUT_A_PART = Health(
    "degraded", "a part of the database does not answer: some repositories cannot be read or changed"
)
DISK_FULL = Health("degraded", "the disk of the store is full: nothing can be stored until there is room")


@dataclass(frozen=True, slots=True)
class KnownRepository:
    """The state of a repository that has events, products or snapshots, or that was renamed.

    Numbers belong to the repository and are never used twice; an id is never used for another repository.
    """

    id: int
    repository: Repository
    version: int = 0  # raised by every change of its events, and when alerts begin or end
    events: int = 0
    first_at: int | None = None
    last_at: int | None = None
    products: tuple[str, ...] | None = None  # None: never set
    snapshots: int = 0
    recordings: int = 0  # raised by every change of its snapshots
    last_event: int = 0  # the last number of each kind that was given out
    last_subject: int = 0
    last_group: int = 0
    deliveries: int = 0
    last_delivery: int = 0
    platform_id: int | None = None  # the platform's own id, which survives a rename
    former_names: tuple[str, ...] | None = None  # as `RepositoryNames` stores them
    ci_version: int = 0  # raised by every change of its CI checks and prices
    ci_checks: int = 0  # executions of CI checks
    last_ci_run: int = 0
    last_ci_text: int = 0
    kept_since: int | None = None  # what ended before may have been deleted because of its age; None: nothing
    # Since which instant something changed that verdicts do not take into account yet, and when they must.
    judge_from: int | None = None
    judge_by: int | None = None
    judging_from: int | None = None  # since which instant verdicts are being judged again
    verdict_version: int = 0  # raised by every change of its verdicts

    def is_being_judged(self, left_at: int) -> bool:
        """Whether a verdict about a removal at this instant is still to come, or may change."""
        waiting = [since for since in (self.judge_from, self.judging_from) if since is not None]
        return bool(waiting) and min(waiting) <= left_at

    def to_judge(self, since: int | None, now: int, *, is_removal: bool = False) -> "KnownRepository":
        """The state after a change of what happened at an instant and later.

        A removal is judged at once, and other changes with it; so is a history, as long as it is short. While
        a long one is imported, verdicts wait until no old events have arrived for a while: each page of it
        would change them all.
        """
        if since is None:
            return self
        judge_from = since if self.judge_from is None else min(self.judge_from, since)
        by = now if is_removal else now + TOGETHER
        judge_by: int | None = now
        if since < now - DAY and self.events > FEW_EVENTS:
            is_due = self.judge_by is not None and self.judge_by <= now
            judge_by = self.judge_by if is_due else now + SETTLING
        elif since >= now - DAY:
            judge_by = by if self.judge_by is None else min(self.judge_by, by)
        return replace(self, judge_from=judge_from, judge_by=judge_by)

    @property
    def is_empty(self) -> bool:
        """Whether the repository has nothing left that would keep it."""
        return not (self.deliveries or self.former_names or self.ci_checks or self.is_listed)

    @property
    def has_only_ci_checks(self) -> bool:
        """Whether reports about CI checks are all that is known, which no statistic sees."""
        return bool(self.ci_checks) and replace(self, ci_checks=0).is_empty

    @property
    def is_listed(self) -> bool:
        """Whether lists show the repository. Deliveries alone are not enough: perhaps none concerns a queue.

        Neither are former names: any repository can be renamed. One whose events were all deleted because of
        their age is still known.
        """
        has_content = bool(self.events or self.snapshots)
        return has_content or self.products is not None or self.kept_since is not None

    @property
    def complete_since(self) -> int | None:
        """Since when everything is known: since the first event, unless earlier ones were deleted."""
        if self.first_at is None or self.kept_since is None:
            return self.first_at
        return max(self.first_at, self.kept_since)

    @property
    def names(self) -> RepositoryNames:
        """The present name of the repository and its earlier ones."""
        return RepositoryNames.read(str(self.repository), self.former_names or ())


def by_name(known: KnownRepository) -> tuple[str, str]:
    """The order in which repositories are listed."""
    return known.repository.owner, known.repository.name


class Cursor(NamedTuple):
    """Where the import of a source resumes, and the instant it has reached."""

    source: str
    position: str | None
    reached: int | None


class PackedDelivery(NamedTuple):
    """A delivery with its body as it is stored."""

    delivery: Delivery
    body: bytes | None  # None: it was dropped
    dictionary: str | None = None  # what the body was compressed with
    new_dictionary: bytes | None = None  # the text of the dictionary, if it is not stored yet


class Deliveries(NamedTuple):
    """What is stored together: deliveries, and the cursor of their import."""

    packed: Sequence[PackedDelivery]
    cursor: Cursor | None = None
    platform_id: int | None = None
    keep_from: int | None = None  # what is older need not be kept
    # The repository that they are for; None if any that has the name will do. Its name was looked up before,
    # and another one may have the name by now.
    repository_id: int | None = None


class DeliveryReceipt(NamedTuple):
    """How many deliveries were stored, were duplicates, were not kept, or were too old to be stored again."""

    stored: int
    duplicates: int
    not_kept: int
    expired: int = 0


class Lease(NamedTuple):
    """Which server follows a source, until when, and the error that it met last."""

    name: str
    holder: str
    until: int  # by the clock that all servers of the store share
    next_at: int | None = None
    error: str | None = None


class Receipt(NamedTuple):
    """How many events of a delivery were stored, were duplicates, or were too old to be stored again."""

    stored: int
    duplicates: int
    expired: int = 0


class Sent(NamedTuple):
    """A delivery of a client."""

    events: Sequence[AnyEvent]
    keep_from: int | None = None  # what is older need not be kept
    repository_id: int | None = None  # as in `Deliveries`


@dataclass(frozen=True, slots=True)
class Selection:
    """Which events of a repository; None does not restrict."""

    repository: Repository
    source: str | None = None
    start: int | None = None
    end: int | None = None

    @property
    def parameters(self) -> tuple[str | None, int | None, int | None]:
        """For statements about what is selected of a repository."""
        return self.source, self.start, self.end


@dataclass(frozen=True, slots=True)
class RecordedSnapshot:
    """The recorded document of one pull request, in JSON."""

    number: int
    is_open: bool
    document: str


@dataclass(frozen=True, slots=True)
class OpenSnapshots:
    """The recorded documents of open pull requests, newest first, and how many were left out."""

    records: tuple[tuple[int, bytes], ...]
    not_looked_at: int


def count_fitting(sizes: Iterable[int], limit: int) -> int:
    """How many of the first sizes fit into the limit together."""
    return sum(total <= limit for total in accumulate(sizes))
