"""Runs of a replay stand still while CI did, whatever the settings."""

from collections.abc import Sequence
from typing import Any, Final

from mergecast.forecasting.estimate.draws import generator
from mergecast.forecasting.estimate.estimate import Estimate
from mergecast.forecasting.history.seconds import WEEK, microseconds
from mergecast.forecasting.history.standstills import Span
from mergecast.forecasting.replay.values import Oracle, RunStart, RunStartFields

_LAST_WEEKS: Final = 4
_AT: Final = RunStart._fields.index("at")


def with_standstills(oracle: Oracle, spans: Sequence[Span]) -> Oracle:
    """The same oracle, with runs that take longer by the standstills they meet."""
    if not spans:
        return oracle
    known = [(microseconds(since), microseconds(until)) for since, until in sorted(spans)]

    def outcome(tables: Any, run: RunStartFields) -> tuple[int, int, int]:
        delay, length, verdict = oracle.outcome(tables, run)
        start = run[_AT] + delay
        end = start + length
        for since, until in known:
            if start < until and since < end:
                end += until - max(since, start)
        return delay, end - start, verdict

    return oracle._replace(outcome=outcome)


def standstills_of(estimate: Estimate, replicate: int) -> list[Span]:
    """The standstills of one replicate; each week after the record is like one of its last weeks."""
    recorded = estimate.rules.recorded
    known_until, end = estimate.known_until, recorded.history.length
    known = [span for span in recorded.standstills if span[0] < known_until]
    if not known or end <= known_until:
        return known
    chance = generator(estimate.seed, 6, replicate)
    weeks = int(min(_LAST_WEEKS, max(1.0, known_until // WEEK)))
    found = list(known)
    for ahead in range(int((end - known_until) // WEEK) + 1):
        week = known_until - WEEK * (1 + int(chance.integers(weeks)))
        later = known_until + ahead * WEEK - week
        found += [(since + later, until + later) for since, until in known if week <= since < week + WEEK]
    return found
