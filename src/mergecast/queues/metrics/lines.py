"""The lines of metrics. Both text formats have the same ones, so they are made once and joined per metric."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

from mergecast.queues.model import queue_counts as names
from mergecast.queues.model.event import Group
from mergecast.queues.model.instant import SECOND
from mergecast.queues.model.queue_counts import BOUNDS, FIRST_REASONS, RUN_OUTCOMES, QueueCounts
from mergecast.queues.store.alerts import OpenAlert
from mergecast.queues.store.counting import numbers_of_queues, parse_counts
from mergecast.queues.store.present_stays import PresentStay, Queue, present_stays
from mergecast.queues.store.reader import Reader

# What metrics say about the queues of one repository: what was counted, and what is in them now.
#
# The statements are simpler than those of `queues/stats/queue_contents.py`, because a scrape asks them for
# many repositories. A test compares the two.


CountsOfQueues = Mapping[int, QueueCounts]  # by the number of the queue


class Contents(NamedTuple):
    """What is in a queue."""

    size: int = 0
    running: int = 0  # CI runs
    oldest_entered_at: int | None = None


class QueueFigures(NamedTuple):
    base_ref: str
    queue_name: str
    counts: QueueCounts
    contents: Contents


class RepositoryFigures(NamedTuple):
    queues: tuple[QueueFigures, ...]
    left_out: int  # queues beyond the limit


class _Read(NamedTuple):
    """What was read of one repository."""

    stays: Sequence[PresentStay]
    in_ci: Sequence[tuple[int, int]]  # stays and their CI runs in progress


def read_counts(reader: Reader, repository_ids: Sequence[int]) -> dict[int, CountsOfQueues]:
    """What was counted in the queues of each repository."""
    found: defaultdict[int, dict[int, QueueCounts]] = defaultdict(dict)
    for repository_id, queue, text in reader.rows("queue_counts", [list(repository_ids)]):
        found[repository_id][queue] = parse_counts(text)
    return dict(found)


def read_figures(
    reader: Reader, repository_ids: Sequence[int], counts: Mapping[int, CountsOfQueues], at: int
) -> dict[int, RepositoryFigures]:
    """The figures of some repositories that the reader sees together, each for its first queues."""
    parameters = [list(repository_ids), at]
    stays = present_stays(reader, repository_ids, at)
    in_ci: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for repository_id, number, run in reader.rows("stays_in_ci", parameters) if stays else ():
        in_ci[repository_id].append((number, run))
    return {
        id: _figures(reader.groups(id), counts.get(id, {}), _Read(stays.get(id, ()), in_ci[id]))
        for id in repository_ids
    }


def _figures(groups: Mapping[int, Group], counts: CountsOfQueues, read: _Read) -> RepositoryFigures:
    queues = {id: (group.base_ref, group.queue_name) for id, group in groups.items()}
    shown = sorted(set(numbers_of_queues({group: id for id, group in groups.items()}).values()))
    contents = _contents(read, queues)
    return RepositoryFigures(
        tuple(
            QueueFigures(*queues[first], counts.get(first, {}), contents.get(queues[first], Contents()))
            for first in shown
        ),
        len(set(queues.values())) - len(shown),
    )


def _contents(read: _Read, queues: Mapping[int, Queue]) -> dict[Queue, Contents]:
    """What is in each queue that holds a pull request."""
    queue_of = {stay.number: queues[stay.group] for stay in read.stays}
    runs: defaultdict[Queue, set[int]] = defaultdict(set)
    for stay, run in read.in_ci:
        if stay in queue_of:
            runs[queue_of[stay]].add(run)
    entered: defaultdict[Queue, list[int]] = defaultdict(list)
    for one in read.stays:
        entered[queues[one.group]].append(one.entered_at)
    return {queue: Contents(len(own), len(runs[queue]), min(own)) for queue, own in entered.items()}


class Kind(StrEnum):
    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Family(NamedTuple):
    """One metric; all its lines follow each other."""

    name: str  # of a counter, without `_total`
    kind: Kind
    help: str


ENTERED = Family("mergecast_queue_entered", Kind.COUNTER, "Pull requests that entered the queue")
LEFT = Family("mergecast_queue_left", Kind.COUNTER, "Pull requests that left the queue, by reason")
TIME = Family("mergecast_queue_time_seconds", Kind.HISTOGRAM, "Time in the queue of merged pull requests")
CI_RUNS = Family("mergecast_queue_ci_run_seconds", Kind.HISTOGRAM, "Length of CI runs, by outcome")
RETRIES = Family("mergecast_queue_retries", Kind.COUNTER, "CI runs that repeated an earlier one")
BISECTIONS = Family("mergecast_queue_bisections", Kind.COUNTER, "Bisections of failed batches")
SIZE = Family("mergecast_queue_size", Kind.GAUGE, "Pull requests in the queue")
RUNNING = Family("mergecast_queue_running_ci_runs", Kind.GAUGE, "CI runs in progress")
OLDEST = Family("mergecast_queue_oldest_seconds", Kind.GAUGE, "Longest wait of a pull request in the queue")
PROBLEM = Family("mergecast_queue_problem", Kind.GAUGE, "Whether the queue has this problem")
ALERT = Family("mergecast_queue_alert", Kind.GAUGE, "Open alerts, by figure and origin")
SOURCE_AGE = Family(
    "mergecast_source_age_seconds", Kind.GAUGE, "Time since the source last delivered something"
)
SOURCE_UNTRANSLATED = Family(
    "mergecast_source_untranslated", Kind.GAUGE, "Deliveries of the source that could not be translated"
)
SOURCE_PROBLEM = Family(
    "mergecast_source_problem", Kind.GAUGE, "Whether following fails, or the webhook reports no queue"
)
LEFT_OUT = Family(
    "mergecast_queues_left_out", Kind.GAUGE, "Queues beyond the first 100, which have no metrics"
)

# In the order in which they are shown.
FAMILIES = (
    *(ENTERED, LEFT, TIME, CI_RUNS, RETRIES, BISECTIONS, SIZE, RUNNING, OLDEST, PROBLEM, ALERT),
    *(SOURCE_AGE, SOURCE_UNTRANSLATED, SOURCE_PROBLEM, LEFT_OUT),
)


PLAIN = "text/plain; version=0.0.4; charset=utf-8"
OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"

Lines = Mapping[Family, bytes]
Labels = Mapping[str, str]

_OTHERS = 7  # lines of each queue that change with time: its longest wait, and six problems
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})
_BUCKETS = [*(f"{bound}.0" for bound in BOUNDS), "+Inf"]


class LabelledQueue(NamedTuple):
    """What is needed to write the lines that change with time."""

    queue: Queue
    labels: str
    oldest_entered_at: int | None


class QueueLines(NamedTuple):
    """The lines about the queues of one repository, except those that change with time alone."""

    lines: Lines
    queues: tuple[LabelledQueue, ...]
    series: int  # of all lines about these queues

    @property
    def bytes(self) -> int:
        return sum(map(len, self.lines.values()))


def labels_of(labels: Labels) -> str:
    r"""The labels of a series, without the braces.

    >>> print(labels_of({"repository": "o/r", "base_ref": 'a"b\\c'}))
    repository="o/r",base_ref="a\"b\\c"
    """
    return ",".join(f'{name}="{value.translate(_ESCAPES)}"' for name, value in labels.items())


def queue_lines(repository: str, figures: RepositoryFigures) -> QueueLines:
    """The lines about the queues of a repository that stay the same until its data changes."""
    lines: dict[Family, list[str]] = {family: [] for family in FAMILIES}
    queues = []
    for queue in figures.queues:
        labels = labels_of(
            {"repository": repository, "base_ref": queue.base_ref, "queue_name": queue.queue_name}
        )
        for family, more in _lines_of_queue(labels, queue):
            lines[family] += more
        named = (queue.base_ref, queue.queue_name)
        queues.append(LabelledQueue(named, labels, queue.contents.oldest_entered_at))
    lines[LEFT_OUT].append(_line(LEFT_OUT.name, labels_of({"repository": repository}), figures.left_out))
    series = sum(map(len, lines.values())) + _OTHERS * len(queues)
    joined = {family: "".join(own).encode() for family, own in lines.items() if own}
    return QueueLines(joined, tuple(queues), series)


def _lines_of_queue(labels: str, queue: QueueFigures) -> Iterator[tuple[Family, list[str]]]:
    counts, contents = queue.counts, queue.contents
    yield ENTERED, [_line(f"{ENTERED.name}_total", labels, counts.get(names.ENTERED, 0))]
    yield LEFT, [_left(labels, reason, counts) for reason in _reasons(counts)]
    yield TIME, _histogram(TIME.name, labels, names.TIME, counts)
    for outcome in RUN_OUTCOMES:
        with_outcome = f'{labels},outcome="{outcome}"'
        yield CI_RUNS, _histogram(CI_RUNS.name, with_outcome, names.run_name(outcome), counts)
    yield RETRIES, [_line(f"{RETRIES.name}_total", labels, counts.get(names.RETRIES, 0))]
    yield BISECTIONS, [_line(f"{BISECTIONS.name}_total", labels, counts.get(names.BISECTIONS, 0))]
    yield SIZE, [_line(SIZE.name, labels, contents.size)]
    yield RUNNING, [_line(RUNNING.name, labels, contents.running)]


def _reasons(counts: QueueCounts) -> list[str]:
    """The reasons that every queue shows, and those that occurred."""
    seen = (name.removeprefix(names.LEFT) for name in counts if name.startswith(names.LEFT))
    return list(dict.fromkeys((*FIRST_REASONS, *sorted(seen))))


def _left(labels: str, reason: str, counts: QueueCounts) -> str:
    return _line(f"{LEFT.name}_total", f'{labels},reason="{reason}"', counts.get(names.LEFT + reason, 0))


def _histogram(name: str, labels: str, histogram: str, counts: QueueCounts) -> list[str]:
    own = (counts.get(names.bucket_name(histogram, place), 0) for place in range(len(_BUCKETS)))
    totals = list(accumulate(own))
    return [
        *(
            _line(f"{name}_bucket", f'{labels},le="{bound}"', total)
            for bound, total in zip(_BUCKETS, totals, strict=True)
        ),
        _line(f"{name}_sum", labels, counts.get(names.sum_name(histogram), 0) / SECOND),
        _line(f"{name}_count", labels, totals[-1]),
    ]


def waiting_lines(queues: Iterable[LabelledQueue], at: int) -> bytes:
    """How long the oldest entry of each queue has waited."""
    return "".join(
        _line(OLDEST.name, labels, 0 if since is None else max(0, at - since) / SECOND)
        for _, labels, since in queues
    ).encode()


def problem_lines(
    queues: Iterable[LabelledQueue], problems: Collection[str], alerts: Collection[OpenAlert]
) -> bytes:
    """About which of these figures each queue has an alert, of any origin: 1 or 0."""
    held = {((alert.base_ref, alert.queue_name), alert.figure) for alert in alerts}
    return "".join(
        _line(PROBLEM.name, f'{labels},problem="{problem}"', int((queue, problem) in held))
        for queue, labels, _ in queues
        for problem in problems
    ).encode()


def alert_lines(queues: Iterable[LabelledQueue], alerts: Collection[OpenAlert]) -> Lines:
    """The alerts of each queue; nothing while there are none."""
    held = {((alert.base_ref, alert.queue_name), alert.figure, alert.origin) for alert in alerts}
    lines = [
        _line(ALERT.name, f'{labels},figure="{figure}",origin="{origin}"', 1)
        for queue, labels, _ in queues
        for of, figure, origin in sorted(held)
        if of == queue
    ]
    return {ALERT: "".join(lines).encode()} if lines else {}


def gauge_line(family: Family, labels: Labels, value: float) -> bytes:
    return _line(family.name, labels_of(labels), value).encode()


def _line(name: str, labels: str, value: float) -> str:
    return f"{name}{{{labels}}} {value}\n"


def document(parts: Sequence[Lines], *, is_open_metrics: bool) -> bytes:
    """The lines of all parts, those of each metric together below its description."""
    found: list[bytes] = []
    for family in FAMILIES:
        if lines := [part[family] for part in parts if family in part]:
            found.append(_head(family, is_open_metrics=is_open_metrics))
            found += lines
    if is_open_metrics:
        found.append(b"# EOF\n")
    return b"".join(found)


def _head(family: Family, *, is_open_metrics: bool) -> bytes:
    """The older format names a counter as its samples are named, OpenMetrics without the suffix."""
    is_suffixed = family.kind is Kind.COUNTER and not is_open_metrics
    name = f"{family.name}_total" if is_suffixed else family.name
    return f"# HELP {name} {family.help}\n# TYPE {name} {family.kind}\n".encode()
