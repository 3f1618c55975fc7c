"""An alert: a figure of a queue is beyond its threshold."""

from dataclasses import dataclass
from typing import Final

from mergecast.queues.model.failed_check import FailedCheck
from mergecast.queues.model.figures import FIGURES

# Why an alert ended.
RECOVERED: Final = "recovered"
NO_DATA: Final = "no_data"  # the figure could not be computed for a long time
CHANGED: Final = "threshold_changed"  # a person changed or deleted the threshold, or switched it off
REPLACED: Final = "reference_replaced"  # another period was pinned under the same name
DELETED: Final = "reference_deleted"
END_REASONS: Final = (RECOVERED, NO_DATA, CHANGED, REPLACED, DELETED)

_FEW: Final = 5  # pull requests that a sentence names


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an alert concerns: pull requests, batches, a source, and the check that failed in all of them."""

    pull_requests: tuple[int, ...] = ()
    runs: tuple[str, ...] = ()  # ids of batches
    source: str | None = None
    check: FailedCheck | None = None
    unlisted: int = 0  # how many more pull requests it concerns than it lists
    queues: tuple[str, ...] = ()  # in which they are, if an alert concerns several queues of a branch

    @property
    def concerned(self) -> int:
        """How many pull requests it concerns."""
        return len(self.pull_requests) + self.unlisted

    @property
    def named(self) -> str:
        """The first few pull requests by number, and how many more there are.

        >>> [Evidence(numbers).named for numbers in ((7,), (7, 9), (1, 2, 3, 4, 5, 6, 7))]
        ['#7', '#7 and #9', '#1, #2, #3, #4, #5 and 2 more']
        >>> Evidence((1, 2, 3, 4, 5, 6, 7), unlisted=90).named
        '#1, #2, #3, #4, #5 and 92 more'
        """
        shown = [f"#{number}" for number in self.pull_requests[:_FEW]]
        if more := self.concerned - len(shown):
            shown.append(f"{more} more")
        return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


@dataclass(frozen=True, slots=True)
class Compared:
    """How a figure compares with a reference period, when the alert began."""

    name: str  # of the reference period
    value: float  # of the figure, in that period
    ratio: float | None  # None: the figure was zero then
    limit: float  # of the ratio


@dataclass(frozen=True, slots=True)
class Alert:
    """It keeps the value, the threshold and the words of its beginning."""

    id: str
    figure: str
    origin: str
    base_ref: str
    queue_name: str
    since: int  # when the figure passed its threshold, which is before that was found
    found_at: int
    value: float
    threshold: float
    sentence: str
    advice: str
    evidence: Evidence = Evidence()
    compared: Compared | None = None  # of the origin `reference` only
    ended_at: int | None = None
    end_reason: str | None = None
    unit: str = ""  # of the value and the threshold; empty: that of the figure
    below_since: int | None = None  # since when the figure has been low enough to end it
    seen_at: int | None = None  # when the figure could last be computed
    median: float | None = None  # of the figure in the last weeks; only for run_too_long
    waiting: int = 0  # how many other pull requests were in the queue; only for run_too_long

    @property
    def queues(self) -> tuple[str, ...]:
        """The queues that it concerns; `queue_name` is that of the pull request that has waited longest."""
        return self.evidence.queues or (self.queue_name,)

    @property
    def unit_words(self) -> str:
        return self.unit or FIGURES[self.figure].unit_words

    @property
    def place(self) -> tuple[str, str, str, str, str | None]:
        """A queue has at most one open alert for each."""
        name = self.compared.name if self.compared else None
        return self.base_ref, self.queue_name, self.figure, self.origin, name


def alert_id(found_at: int, base_ref: str, queue_name: str, figure: str) -> str:
    """The id of an alert that is not about a reference period; no branch has a colon in its name."""
    return f"{found_at}:{base_ref}:{queue_name}:{figure}"
