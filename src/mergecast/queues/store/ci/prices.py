"""Prices of CI in the store."""

from dataclasses import asdict, replace

import msgspec

from mergecast.queues.model.ci_price import Prices
from mergecast.queues.store.ci.rows import CiPriceRow
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.stored_rows import ReadRows, delete_rows, of_repository, stored_rows


def read_prices(reader: Reader, repository_id: int) -> Prices | None:
    """The prices, if they were set."""
    return _prices(of_repository(reader, repository_id))


def delete_prices(held: HeldRepository) -> int:
    """Delete the prices; returns how many there were. Without any, nothing changes."""
    prices = _prices(held.rows)
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


def _prices(read: ReadRows) -> Prices | None:
    rows = stored_rows(read, CiPriceRow)
    return msgspec.json.decode(rows[0].document, type=Prices) if rows else None
