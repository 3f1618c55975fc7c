"""The state of a repository as a row of the table `repository_state`."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from mergecast.model.repository import Repository
from mergecast.store.values import KnownRepository

_NAMES = [field.name for field in fields(KnownRepository) if field.name != "repository"]
_LISTS = ("products", "former_names")  # joined by commas
_TYPES = {"id": "integer", "last_group": "integer", "products": "text", "former_names": "text"}
# The columns and their types, in the order of the row.
STATE_COLUMNS = {"repository_id" if name == "id" else name: _TYPES.get(name, "bigint") for name in _NAMES}


def state_from_row(repository: Repository, row: Sequence[Any]) -> KnownRepository:
    """The state from the columns of its row."""
    values = dict(zip(_NAMES, row, strict=True))
    for name in _LISTS:
        if values[name] is not None:
            values[name] = tuple(part for part in values[name].split(",") if part)
    return KnownRepository(repository=repository, **values)


def state_to_row(state: KnownRepository) -> list[object]:
    values = {name: getattr(state, name) for name in _NAMES}
    for name in _LISTS:
        if values[name] is not None:
            values[name] = ",".join(values[name])
    return list(values.values())
