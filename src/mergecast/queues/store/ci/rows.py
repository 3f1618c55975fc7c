"""The tables of CI checks. A row type is the only list of a table's columns.

Names, runners, base branches and queues repeat in every run, so they are kept once, as numbered texts.
"""

from typing import NamedTuple

# A year has 26 blocks, and at most 26 days at its edges that are not in a whole block.
DAYS_PER_BLOCK = 14


def first_day_of_block(day: int) -> int:
    return day - day % DAYS_PER_BLOCK


class CiTextRow(NamedTuple):
    repository_id: int
    number: int
    text: str


class CiRunRow(NamedTuple):
    """A CI run with reports, and what they say about it; the key is that of the run among the subjects."""

    repository_id: int
    run: int
    key_high: int
    key_low: int
    attempt: int
    executions: int
    base_ref: int
    queue_name: int
    placed_at: int
    failed_name: int | None
    failed_runner: int | None
    failed_at: int | None
    critical_name: int | None
    critical_runner: int | None
    critical_bucket: int | None  # how much earlier the run would have ended without that check
    seconds: int
    waited: int
    seconds_by_runner: str  # the number of each label and microseconds, such as `3:120000000,0:5000000`
    recovered: str  # the numbers of checks that failed and passed in the same run, joined by commas
    batch_id: str


class CiCheckRow(NamedTuple):
    """One execution of a check, as the report that counts says."""

    repository_id: int
    name: int
    base_ref: int
    queue_name: int
    runner: int  # 0 if its label is not known
    seconds_bucket: int | None  # of executions with a verdict
    waited_bucket: int | None
    run: int
    happened_at: int
    queued_at: int | None
    started_at: int | None
    ended_at: int | None
    placed_at: int
    thread: int | None  # what it was translated from; None for a report that a client sent
    is_required: bool | None
    conclusion: str | None
    check_id: str
    id: str
    source: str
    url: str | None


class CiDayRow(NamedTuple):
    """A day with executions; its sums hold until one of its executions changes."""

    repository_id: int
    day: int  # days since the epoch
    is_summed: bool
    changed_at: int


class CiDaySumRow(NamedTuple):
    """The executions of one check on one kind of machine in one queue on one day.

    Buckets and their counts are lists joined by commas.
    """

    repository_id: int
    day: int
    base_ref: int
    queue_name: int
    name: int
    runner: int  # 0 if its label is not known
    runs: int
    failed: int
    seconds: int
    waited: int
    seconds_buckets: str
    seconds_counts: str
    waited_buckets: str
    waited_counts: str


class CiBlockSumRow(NamedTuple):
    """The days of a block, added up. Days share most of their buckets, so its lists are not much longer."""

    repository_id: int
    first_day: int  # days since the epoch, a multiple of `DAYS_PER_BLOCK`
    days_changed_at: int  # the sum of `changed_at` of its days; if it differs now, a day has changed since
    base_ref: int
    queue_name: int
    name: int
    runner: int  # 0 if its label is not known
    runs: int
    failed: int
    seconds: int
    waited: int
    seconds_buckets: str
    seconds_counts: str
    waited_buckets: str
    waited_counts: str


class CiPriceRow(NamedTuple):
    """What a minute of CI costs, as JSON."""

    repository_id: int
    document: str
