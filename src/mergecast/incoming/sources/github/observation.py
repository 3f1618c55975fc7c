"""The few fields of a delivery that translation reads."""

from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from msgspec import Struct, structs

# The text that identifies a check begins with one of these.
_SUITE, _CHECK_RUN, _STATUS = "check_suite ", "check_run ", "status "


class CheckRunName(NamedTuple):
    """What identifies a check run on a commit.

    Jobs of different workflows can have the same name; each workflow has a suite of its own.
    """

    app: str
    name: str
    suite: str

    @property
    def text(self) -> str:
        return f"{_CHECK_RUN}{self.app} {self.name} {self.suite}"

    @classmethod
    def read(cls, text: str) -> "CheckRunName":
        app, rest = text.removeprefix(_CHECK_RUN).split(" ", 1)
        name, _, suite = rest.rpartition(" ")
        is_whole = suite.isdecimal() or suite == "None"  # otherwise a long text ends with its digest
        return cls(app, name, suite) if is_whole else cls(app, rest, "")


def suite_text(id: object) -> str:
    return f"{_SUITE}{id}"


def status_text(context: str) -> str:
    return f"{_STATUS}{context}"


class Seen(StrEnum):
    """What a delivery says happened."""

    ENTERED = "entered"
    QUEUED = "queued"  # the queue was read, and says when the pull request entered
    LEFT = "left"
    CLOSED = "closed"
    GROUP_BUILT = "group_built"
    GROUP_DESTROYED = "group_destroyed"
    GROUP_SEEN = "group_seen"  # a commit that was being tested, built at some earlier instant
    CHECK = "check"
    JOB = "job"  # of a workflow: more about a check run, which has the same id
    REQUIRED = "required"  # the checks that the rules of a base branch require
    SETTINGS = "settings"  # of the queue of a base branch
    BASE_PUSHED = "base_pushed"
    ABSENT = "absent"  # the queue was read, and the pull request was not in it
    PUSHED = "pushed"  # someone pushed to the branch of the pull request


class Observation(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One thing that GitHub reported. Instants are microseconds since the epoch."""

    seen: Seen
    id: str  # orders and distinguishes observations of the same instant
    received_at: int
    at: int | None = None  # the instant GitHub gives, where it gives one
    base_ref: str = ""
    number: int | None = None
    is_from_timeline: bool = False  # the timeline's times are exact, a webhook's are not
    reason: str | None = None  # why it left, or why a group was destroyed
    is_merged: bool = False
    is_by_queue: bool = False  # the queue's own account did it
    head_sha: str | None = None  # of a merge group
    base_sha: str | None = None
    pull_sha: str | None = None  # the last commit of the pull request; empty if the given one cannot be used
    pull_sha_before: str | None = None  # the same before a push
    check: str | None = None  # what identifies a check on a commit, the same for each attempt
    check_id: str | None = None  # one run of it; None for a pending status, which has no id
    attempt: int | None = None  # as the platform counts, where it does
    started_at: int | None = None
    ended_at: int | None = None
    conclusion: str | None = None
    last_seen_at: int | None = None  # of an absence: when the pull request was last seen in the queue
    # Of an entry or exit without `at`: when the pull request last changed, which may be this very change
    # if the webhook came late.
    changed_at: int | None = None
    # What follows only says more about CI checks: the events of queues do not depend on it.
    is_waiting: bool = False  # the check has not begun, and `started_at` is when it was requested
    queued_at: int | None = None
    url: str | None = None  # empty if the given one cannot be used
    runner: str | None = None  # the labels of the machine
    workflow: str | None = None  # the name of a job's or a suite's workflow
    suite: int | None = None  # the check suite of a workflow run
    names: tuple[str, ...] = ()  # of required checks
    has_changed_title: bool = False  # characters were removed from the title that came with it
    settings: tuple[tuple[str, int | str], ...] = ()  # of a queue, by the names that forecasts use
    is_early: bool = False  # a run from before the imported window, which does not show that a stay is open

    @property
    def is_check_run(self) -> bool:
        return (self.check or "").startswith(_CHECK_RUN)

    @property
    def is_suite(self) -> bool:
        """Whether it sums up check runs, and counts only where none was seen."""
        return (self.check or "").startswith(_SUITE)

    @property
    def status_context(self) -> str | None:
        """The context of a commit status; None for anything else."""
        check = self.check or ""
        return check.removeprefix(_STATUS) if check.startswith(_STATUS) else None

    @property
    def instant(self) -> int:
        """When it happened, as exactly as is known."""
        return self.received_at if self.at is None else self.at


class Overlong(NamedTuple):
    """A field with more characters than it may have."""

    name: str
    longest: int


LONGEST_COMMIT = 64  # of SHA-256
_LONGEST_TEXT = 400  # the words of a reason or a conclusion, and what identifies a check or its run


def shortened(observation: Observation) -> Observation:
    """The observation with shorter texts where that changes nothing; GitHub sends texts of any length."""
    longest = _LONGEST_TEXT
    if (
        len(observation.check or "") <= longest
        and len(observation.check_id or "") <= longest
        and len(observation.reason or "") <= longest
        and len(observation.conclusion or "") <= longest
    ):
        return observation
    return structs.replace(
        observation,
        reason=observation.reason and observation.reason[:longest],
        conclusion=observation.conclusion and observation.conclusion[:longest],
        check=observation.check and _distinct(observation.check),
        check_id=observation.check_id and _distinct(observation.check_id),
    )


def _distinct(name: str) -> str:
    """A long name with a digest in place of its end: different names stay different."""
    if len(name) <= _LONGEST_TEXT:
        return name
    digest = sha256(name.encode()).hexdigest()
    return f"{name[: _LONGEST_TEXT - len(digest)]}{digest}"


def overlong_field(observation: Observation) -> Overlong | None:
    """A field without which the observation means nothing, and that no platform makes so long."""
    if len(observation.head_sha or "") > LONGEST_COMMIT:
        return Overlong("head_sha", LONGEST_COMMIT)
    if len(observation.base_sha or "") > LONGEST_COMMIT:
        return Overlong("base_sha", LONGEST_COMMIT)
    return None
