"""The state row of a repository."""

from collections.abc import Sequence
from typing import Any

from mergecast.model.repository import Repository
from mergecast.store.values import KnownRepository

STATE_COLUMNS = (
    "repository_id", "version", "events", "first_at", "last_at", "products", "snapshots", "recordings",
    "last_event", "last_subject", "last_group",
)  # fmt: skip


def from_row(repository: Repository, row: Sequence[Any]) -> KnownRepository:
    """The state from the columns of its row."""
    id, version, events, first_at, last_at, products, *numbers = row
    names = None if products is None else tuple(name for name in products.split(",") if name)
    return KnownRepository(id, repository, version, events, first_at, last_at, names, *numbers)


def to_row(state: KnownRepository) -> list[object]:
    products = None if state.products is None else ",".join(state.products)
    return [
        state.id, state.version, state.events, state.first_at, state.last_at, products, state.snapshots,
        state.recordings, state.last_event, state.last_subject, state.last_group,
    ]  # fmt: skip
