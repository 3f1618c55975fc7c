"""Runs of a replay stand still while CI did, whatever the settings."""

from collections.abc import Sequence
from typing import Any, Final

from mergecast.forecasting.history.seconds import microseconds
from mergecast.forecasting.history.standstills import Span
from mergecast.forecasting.replay.values import Oracle, RunStart, RunStartFields

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
