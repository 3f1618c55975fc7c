"""Reports about CI checks: what one execution of a named check in a CI run came to.

They are events too, but nothing that is derived from the other events depends on them.
"""

from typing import NamedTuple

from mergecast.queues.model.event import Event

CI_CHECK_REPORTED = "ci_check_reported"

SUCCESS = "success"
FAILURE = "failure"
TIMED_OUT = "timed_out"
CANCELLED = "cancelled"
SKIPPED = "skipped"
NEUTRAL = "neutral"
CONCLUSIONS = (SUCCESS, FAILURE, TIMED_OUT, CANCELLED, SKIPPED, NEUTRAL)
FAILURES = (FAILURE, TIMED_OUT)
VERDICTS = (SUCCESS, *FAILURES)
# A required check that is cancelled in a run that ends so, and in which none failed, is why it ended.
REMOVING = ("CHECKS_FAILED", "CHECKS_TIMEOUT")


class CiCheckReport(NamedTuple):
    """One report. `batch_id` and `attempt` name the CI run, `check_id` one execution in it."""

    id: str
    happened_at: int
    base_ref: str
    queue_name: str
    batch_id: str
    check_id: str
    name: str
    conclusion: str | None = None  # None while it runs
    attempt: int = 1
    queued_at: int | None = None
    started_at: int | None = None
    ended_at: int | None = None
    url: str | None = None
    runner: str | None = None  # the label of the machine that it runs on
    is_required: bool | None = None  # None: not known, counted as required
    source: str = "api"

    @property
    def type(self) -> str:
        return CI_CHECK_REPORTED


AnyEvent = Event | CiCheckReport
