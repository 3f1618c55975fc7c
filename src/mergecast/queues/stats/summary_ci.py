"""What a summary says about CI checks: waiting for machines, wasted time, and cost."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from mergecast.queues.model.ci_price import Prices, format_cost
from mergecast.queues.model.seconds import in_seconds
from mergecast.queues.stats.ci_check_cells import Asked
from mergecast.queues.stats.ci_check_days import WHOLE
from mergecast.queues.stats.question import Question
from mergecast.queues.store.ci.cost import CiTimesRow, cost_of_runs, read_ci_times
from mergecast.queues.store.ci.prices import read_prices
from mergecast.queues.store.reader import Reader

_KINDS = {1: "failed", 2: "repeated", 3: "superseded", 4: "stopped"}  # by the number in the statement


class Wasted(Struct, frozen=True):
    """Seconds that checks ran in CI runs which did not pass, by what came of the runs, and of all of them."""

    failed: float
    stopped: float
    superseded: float
    repeated: float
    sum: float


class Cost(Struct, frozen=True):
    """As decimal strings; `per_merge` is null without a merge."""

    currency: str
    total: str
    per_merge: str | None
    wasted: str


def ci_figures(reader: Reader, question: Question, merged: int) -> dict[str, object]:
    """The figures, if there are reports about CI runs of the window."""
    texts = dict(reader.rows("ci_texts", [question.repository_id]))
    if not texts:
        return {}
    prices = read_prices(reader, question.repository_id)
    asked = Asked.of(question, WHOLE, texts)
    kept = [asked.numbers(names) for names in (asked.filters.base_refs, asked.filters.queue_names)]
    rows = read_ci_times(reader, [asked.repository_id, *asked.window, *kept, prices is not None])
    if not rows:
        return {}
    ran, waited = sum(int(row.seconds) for row in rows), sum(int(row.waited) for row in rows)
    wasted: Counter[str] = Counter()
    for row in rows:
        if row.outcome in _KINDS:
            wasted[_KINDS[row.outcome]] += int(row.seconds)
    parts = {kind: in_seconds(wasted[kind]) for kind in _KINDS.values()}
    found: dict[str, object] = {
        "ci_wait_share": waited / (waited + ran) if waited + ran else None,
        "ci_seconds_wasted": Wasted(**parts, sum=in_seconds(wasted.total())),
    }
    return found if prices is None else {**found, "cost": _cost(prices, asked, rows, merged)}


def _cost(prices: Prices, asked: Asked, rows: Sequence[CiTimesRow], merged: int) -> Cost:
    total = cost_of_runs(prices, rows, asked.texts)
    wasted = cost_of_runs(prices, [row for row in rows if row.outcome in _KINDS], asked.texts)
    per_merge = format_cost(total, merged) if merged else None
    return Cost(prices.currency, format_cost(total), per_merge, format_cost(wasted))
