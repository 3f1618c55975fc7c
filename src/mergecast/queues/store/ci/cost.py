"""What CI runs of a window cost by given prices, and the same from single executions."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mergecast.queues.model.ci_price import Prices
from mergecast.queues.store.reader import Reader


class CiTimesRow(NamedTuple):
    """All CI runs of a window that came to the same and, if asked for, ran equally long on equal machines."""

    outcome: int | None
    by_runner: str  # of each run: the number of each label and microseconds
    seconds: int  # of all runs together
    waited: int
    runs: int


def read_ci_times(reader: Reader, parameters: list[object]) -> list[CiTimesRow]:
    """The rows of the statement `summary_ci`."""
    return [CiTimesRow(*row) for row in reader.rows("summary_ci", parameters)]


def cost_of_runs(prices: Prices, rows: Iterable[CiTimesRow], texts: Mapping[int, str]) -> int:
    """Not divided yet, as `Prices.cost`."""
    return sum(row.runs * prices.cost(_times(row.by_runner, texts)) for row in rows)


def cost_of_executions(prices: Prices, rows: Iterable[tuple[Any, ...]], texts: Mapping[int, str]) -> int:
    """The same, from the summed time of executions on each kind of runner (`ci_time_by_runner`)."""
    return prices.cost({texts.get(runner): int(time) for runner, time in rows})


def _times(by_runner: str, texts: Mapping[int, str]) -> dict[str | None, int]:
    pairs = (part.split(":") for part in by_runner.split(",") if part)
    return {texts.get(int(runner)): int(time) for runner, time in pairs}
