"""The figures of many repositories for a list: the last 7 days of each, its queue now, and its state."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from mergecast.queues.answers.repositories import RowFigures
from mergecast.queues.answers.summary import Figure
from mergecast.queues.model.instant import DAY, WEEK, Window
from mergecast.queues.stats.summary import (
    Values,
    before,
    comparable_figures,
    compared,
    counted_value,
    observed_before,
    percentile_value,
    ratio_value,
)
from mergecast.queues.store.alerts import is_examined
from mergecast.queues.store.present_stays import Queue, queues_of_groups
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.thresholds import read_thresholds
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.state.comparison import LONG, Compared, Figures, judged_by
from mergecast.signals.state.exceeded import exceeded, shown_thresholds
from mergecast.signals.state.judgement import Period, state_of
from mergecast.signals.state.standing import Standing, read_standings

_DAYS = WEEK // DAY
_SHOWN = ("merged", "failure_rate", "time_in_queue_p50", "time_in_queue_p95")
_UNKNOWN = Figure(None, None, None, 0)

Counts = Sequence[Any]


class _Counted:
    """The rows of one repository."""

    def __init__(self) -> None:
        self.whole: dict[bool, Counts] = {}
        self.groups: dict[int, Counts] = {}
        self.days: dict[int, Counts] = {}

    def add(self, counts: Counts, *, is_now: bool, group: int | None, day: int | None) -> None:
        if group is not None:
            if is_now:
                self.groups[group] = counts
        elif day is None:
            self.whole[is_now] = counts
        else:
            self.days[day] = counts


def read_rows(
    reader: Reader, repositories: Iterable[KnownRepository], at: int, looking: Collection[int] = ()
) -> dict[int, RowFigures]:
    """The figures of repositories that the reader sees together, with a few statements for all of them.

    `looking` has those that this server has not looked at yet.
    """
    known = {one.id: one for one in repositories}
    ids, window = list(known), Window(at - WEEK, at)
    counted = _count(reader, ids, window)
    own = {id: _compared(counted[id], one, window) for id, one in known.items()}
    few = [id for id, one in own.items() if one.is_few]
    counted_long = _count(reader, few, Window(at - LONG, at))
    queues = {id: queues_of_groups(reader, id) for id in ids}
    thresholds = read_thresholds(reader, ids)
    standings = read_standings(reader, queues, thresholds, at)
    found = {}
    for id, one in known.items():
        figures = own[id].figures
        judged = judged_by(own[id], partial(_compared, counted_long[id], one))
        over = exceeded(shown_thresholds(thresholds.get(id, ()), queues[id].values(), figures))
        period = Period(own[id], judged, _by_queue(counted[id].groups, queues[id]), over)
        is_looking = id in looking and not is_examined(reader, id)
        standing = Standing(at, standings[id], one.first_at, one.last_at, is_looking)
        said = state_of(period, standing)
        shown = {name: figures[name] for name in _SHOWN}
        found[id] = RowFigures(
            said.name, said.sentence, standing.waiting, **shown, trend=_trend(counted[id].days)
        )
    return found


def _count(reader: Reader, ids: Sequence[int], window: Window) -> defaultdict[int, _Counted]:
    """What left in a window and in one as long before it."""
    counted: defaultdict[int, _Counted] = defaultdict(_Counted)
    asked = [ids, *window, before(window).start, DAY]
    for id, is_now, group, day, *counts in reader.rows("repository_figures", asked) if ids else ():
        counted[id].add(counts, is_now=is_now, group=group, day=day)
    return counted


def _compared(counted: _Counted, known: KnownRepository, window: Window) -> Compared:
    earlier = observed_before(window, known.first_at)
    comparable = comparable_figures(window, earlier, known.first_at, known.kept_since)
    now, then = (_values(counted.whole.get(is_now)) for is_now in (True, False))
    # Runs are not read for a list: a threshold for them shows on the repository's own pages.
    return Compared(window, earlier, {**compared(now, then, comparable), "ci_runs_per_merge": _UNKNOWN})


def _values(counts: Counts | None) -> Values:
    exits, failures, merged, stays, percentiles = counts or (0, 0, 0, 0, None)
    p50, p95 = (percentile_value(value, stays) for value in percentiles or (None, None))
    return {
        "merged": counted_value(merged),
        "failure_rate": ratio_value(failures, exits, exits),
        "time_in_queue_p50": p50,
        "time_in_queue_p95": p95,
    }


def _by_queue(groups: Mapping[int, Counts], queues: Mapping[int, Queue]) -> dict[Queue, Figures]:
    """How many left and merged in each queue, over all its priority rules."""
    sums: defaultdict[Queue, list[int]] = defaultdict(lambda: [0, 0])
    for group, (exits, _, merged, *_) in groups.items():
        of_queue = sums[queues[group]]
        of_queue[0] += exits
        of_queue[1] += merged
    return {
        queue: {
            "failure_rate": Figure(None, None, None, exits),
            "merged": Figure(merged, None, None, merged),
        }
        for queue, (exits, merged) in sums.items()
    }


def _trend(days: Mapping[int, Counts]) -> list[float | None]:
    return [_values(days.get(_DAYS + day))["time_in_queue_p50"].shown for day in range(_DAYS)]
