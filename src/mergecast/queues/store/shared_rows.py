"""Rows that belong to no repository, during a transaction that changes them."""

from typing import Any, Protocol


class SharedRows(Protocol):
    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        """The rows of a statement of `queues/store/sql`."""

    def change(self, statement: str, *parameters: object) -> int:
        """Run a statement of `queues/store/sql` that changes rows; returns how many it changed."""
