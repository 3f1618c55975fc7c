"""A held repository that notes which statements read from it."""

from typing import Any, cast

from mergecast.queues.store.held_repository import HeldRepository


class CountedRows:
    def __init__(self, held: HeldRepository) -> None:
        self._held = held
        self.read: list[str] = []

    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        self.read.append(statement)
        return self._held.rows(statement, *parameters)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._held, name)

    @property
    def held(self) -> HeldRepository:
        """This object, as a held repository: it passes on everything else."""
        return cast(HeldRepository, self)
