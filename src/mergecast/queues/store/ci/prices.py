"""Prices of CI in the store."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import msgspec

from mergecast.queues.model.ci_price import Prices
from mergecast.queues.store.ci.rows import CiPriceRow
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader


def read_prices(reader: Reader, repository_id: int) -> Prices | None:
    """The prices, if they were set."""
    return _read(reader.rows("ci_prices", [repository_id]))


def delete_prices(held: HeldRepository) -> int:
    """Delete the prices; returns how many there were. Without any, nothing changes."""
    prices = _read(held.rows("ci_prices"))
    if prices is None:
        return 0
    held.change_rows("delete_ci_prices")
    held.save(replace(held.state, ci_version=held.state.ci_version + 1))
    return 1 + len(prices.by_runner)


def put_prices(held: HeldRepository, prices: Prices) -> None:
    """Set the prices, in place of those that were set before."""
    held.change_rows("delete_ci_prices")
    held.insert([CiPriceRow(held.state.id, msgspec.json.encode(asdict(prices)).decode())])
    held.save(replace(held.state, ci_version=held.state.ci_version + 1))


def _read(rows: Sequence[tuple[Any, ...]]) -> Prices | None:
    return msgspec.json.decode(rows[0][0], type=Prices) if rows else None
