"""Prices of CI in the store, and what CI runs cost by them."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import msgspec

from mergecast.queues.model.ci_price import Prices
from mergecast.queues.store.ci.rows import CiPriceRow
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.stored_rows import ReadRows, delete_rows, of_repository, stored_rows

_prices = msgspec.json.Decoder(Prices)


def read_prices(reader: Reader, repository_id: int) -> Prices | None:
    """The prices, if they were set."""
    return prices_of(of_repository(reader, repository_id))


def delete_prices(held: HeldRepository) -> int:
    """Delete the prices; returns how many there were. Without any, nothing changes."""
    prices = prices_of(held.rows)
    if prices is None:
        return 0
    delete_rows(held, CiPriceRow)
    held.save(replace(held.state, ci_version=held.state.ci_version + 1))
    return 1 + len(prices.by_runner)


def put_prices(held: HeldRepository, prices: Prices) -> None:
    """Set the prices, in place of those that were set before."""
    delete_rows(held, CiPriceRow)
    held.insert([CiPriceRow(held.state.id, msgspec.json.encode(asdict(prices)).decode())])
    held.save(replace(held.state, ci_version=held.state.ci_version + 1))


def prices_of(read: ReadRows) -> Prices | None:
    """Those of one repository, also in a transaction that holds it."""
    rows = stored_rows(read, CiPriceRow)
    return _prices.decode(rows[0].document) if rows else None


class CiTimesRow(NamedTuple):
    """CI runs of a queue that came to the same and, if asked for, ran equally long on equal machines."""

    base_ref: int  # the number of a text, as the queue's name
    queue_name: int
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
