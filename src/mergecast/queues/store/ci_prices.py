"""Prices of CI in the store."""

from dataclasses import asdict, replace

import msgspec

from mergecast.queues.model.ci_price import Prices
from mergecast.queues.store.ci_rows import CiPriceRow
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader


def read_prices(reader: Reader, repository_id: int) -> Prices | None:
    """The prices, if they were set."""
    rows = reader.rows("ci_prices", [repository_id])
    return msgspec.json.decode(rows[0][0], type=Prices) if rows else None


def put_prices(held: HeldRepository, prices: Prices) -> None:
    """Set the prices, in place of those that were set before."""
    held.change_rows("delete_ci_prices")
    held.insert([CiPriceRow(held.state.id, msgspec.json.encode(asdict(prices)).decode())])
    held.save(replace(held.state, ci_version=held.state.ci_version + 1))
