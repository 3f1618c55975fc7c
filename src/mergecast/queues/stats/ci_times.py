"""How long CI ran in vain in a period, and what it cost by the prices of the repository, by queue and check.

Costs are compared with another period. They are divided and rounded once, at the end.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from msgspec import Struct

from mergecast.queues.answers.summary import CheckCost, Cost, QueueCost
from mergecast.queues.model.ci_price import Prices, format_cost
from mergecast.queues.model.instant import DAY, Window
from mergecast.queues.model.ratio import Ratio, relative_change
from mergecast.queues.model.seconds import in_seconds
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.ci_check_cells import WHOLE, Asked, running_times
from mergecast.queues.store.ci.prices import CiTimesRow, cost_of_runs, read_ci_times, read_prices
from mergecast.queues.store.reader import Reader

_KINDS = {1: "failed", 2: "repeated", 3: "superseded", 4: "stopped"}  # by the number in the statement
MOST_CHECKS: Final = 100

Queue = tuple[str, str]  # its base branch and its name


class Wasted(Struct, frozen=True):
    """Seconds that checks ran in CI runs which did not pass, by what came of the runs, and of all of them."""

    failed: float
    stopped: float
    superseded: float
    repeated: float
    sum: float


class Merges(NamedTuple):
    """How many pull requests merged in a period, in all and in each queue."""

    all: int
    by_queue: Mapping[Queue, int]


class Before(NamedTuple):
    """The period that costs are compared with, and whether sums and ratios of both can be."""

    window: Window
    merges: Merges
    has_sums: bool
    has_ratios: bool


def ci_figures(reader: Reader, question: Question, merges: Merges, before: Before) -> dict[str, object]:
    """The figures, if there are reports about CI runs of the window."""
    texts = dict(reader.rows("ci_texts", [question.repository_id]))
    if not texts:
        return {}
    prices, asked = read_prices(reader, question.repository_id), Asked.of(question, WHOLE, texts)
    rows = _rows(reader, asked, has_prices=prices is not None)
    if not rows:
        return {}
    ran, waited = sum(int(row.seconds) for row in rows), sum(int(row.waited) for row in rows)
    found: dict[str, object] = {
        "ci_wait_share": waited / (waited + ran) if waited + ran else None,
        "ci_seconds_wasted": _wasted(rows),
    }
    if prices is None:
        return found
    earlier = replace(asked, window=before.window)
    then = _Period(earlier, _rows(reader, earlier, has_prices=True), before.merges)
    # Costs before the first report are not known.
    days = reader.rows("ci_days_between", [question.repository_id, 0, before.window.start // DAY])
    comparing = _Comparing(prices, texts, bool(days) and before.has_sums, bool(days) and before.has_ratios)
    return {**found, "cost": comparing.cost(reader, _Period(asked, rows, merges), then)}


def _rows(reader: Reader, asked: Asked, *, has_prices: bool) -> list[CiTimesRow]:
    kept = [asked.numbers(names) for names in (asked.filters.base_refs, asked.filters.queue_names)]
    return read_ci_times(reader, [asked.repository_id, *asked.window, *kept, has_prices])


def _wasted(rows: Sequence[CiTimesRow]) -> Wasted:
    times: Counter[str] = Counter()
    for row in rows:
        if row.outcome in _KINDS:
            times[_KINDS[row.outcome]] += int(row.seconds)
    return Wasted(
        **{kind: in_seconds(times[kind]) for kind in _KINDS.values()}, sum=in_seconds(times.total())
    )


class _Period(NamedTuple):
    asked: Asked
    rows: Sequence[CiTimesRow]
    merges: Merges


@dataclass(frozen=True, slots=True)
class _Comparing:
    prices: Prices
    texts: Mapping[int, str]
    has_sums: bool
    has_ratios: bool

    def cost(self, reader: Reader, now: _Period, then: _Period) -> Cost:
        wasted = [row for row in now.rows if row.outcome in _KINDS]
        return Cost(
            **self._compared(now.rows, now.merges.all, then.rows, then.merges.all),
            currency=self.prices.currency,
            wasted=format_cost(cost_of_runs(self.prices, wasted, self.texts)),
            queues=self._queues(now, then),
            checks=self._checks(reader, now.asked, then.asked),
        )

    def _compared(
        self, rows: Sequence[CiTimesRow], merged: int, rows_before: Sequence[CiTimesRow], merged_before: int
    ) -> dict[str, Any]:
        """The fields of `ComparedCost`."""
        now, then = (cost_of_runs(self.prices, part, self.texts) for part in (rows, rows_before))
        each, each_before = (
            Ratio(cost, count) if count else None for cost, count in ((now, merged), (then, merged_before))
        )
        return {
            "total": format_cost(now),
            "total_before": format_cost(then),
            "total_change": self._change(now, then),
            "per_merge": each and format_cost(*each),
            "per_merge_before": each_before and format_cost(*each_before),
            "per_merge_change": relative_change(each, each_before) if self.has_ratios else None,
        }

    def _change(self, now: int, then: int) -> float | None:
        return relative_change(Ratio(now), Ratio(then)) if self.has_sums else None

    def _queues(self, now: _Period, then: _Period) -> list[QueueCost]:
        rows, rows_before = self._by_queue(now.rows), self._by_queue(then.rows)
        found = []
        for base_ref, queue_name in {*rows, *rows_before}:
            queue = base_ref, queue_name
            merged, merged_before = (period.merges.by_queue.get(queue, 0) for period in (now, then))
            fields = self._compared(rows[queue], merged, rows_before[queue], merged_before)
            found.append(QueueCost(**fields, base_ref=base_ref, queue_name=queue_name))
        return sorted(found, key=lambda one: (-float(one.total), one.base_ref, one.queue_name))

    def _by_queue(self, rows: Sequence[CiTimesRow]) -> defaultdict[Queue, list[CiTimesRow]]:
        found: defaultdict[Queue, list[CiTimesRow]] = defaultdict(list)
        for row in rows:
            found[self.texts[row.base_ref], self.texts[row.queue_name]].append(row)
        return found

    def _checks(self, reader: Reader, asked: Asked, before: Asked) -> list[CheckCost]:
        now, then = self._by_check(reader, asked), self._by_check(reader, before)
        names = sorted(now.keys() | then.keys(), key=lambda name: (-now[name], -then[name], name))
        return [
            CheckCost(
                name,
                format_cost(now[name]),
                format_cost(then[name]),
                self._change(now[name], then[name]),
            )
            for name in names[:MOST_CHECKS]
        ]

    def _by_check(self, reader: Reader, asked: Asked) -> Counter[str]:
        """Not divided yet."""
        found: Counter[str] = Counter()
        for key, time in running_times(reader, asked).items():
            found[self.texts[key.name]] += self.prices.cost({self.texts.get(key.runner): time})
        return found
