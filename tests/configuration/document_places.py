"""Places in plain documents, and documents as text."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import yaml

Place = tuple[str | int, ...]

# Mappings whose keys are free.
_OPEN = {"shared", "inputs", "users", "teams", "users_from_teams", "files", "capacities"}
_REQUIRED = {
    ("pull_request_rules", "*"): ("name", "conditions", "actions"),
    ("pull_request_rules", "*", "disabled"): ("reason",),
    ("queue_rules", "*"): ("name",),
    ("queue_rules", "*", "batch_size"): ("min", "max"),
    ("defaults", "queue_rule", "batch_size"): ("min", "max"),
    ("priority_rules", "*"): ("name", "conditions"),
    ("merge_protections", "*"): ("name", "if", "success_conditions"),
    ("scopes", "barrier_files"): ("include",),
    ("scopes", "source"): ("files", "manual"),
    ("pull_request_rules", "*", "actions", "github_actions"): ("workflow",),
    ("pull_request_rules", "*", "actions", "github_actions", "workflow", "dispatch", "*"): ("workflow",),
}


class _WithoutAliases:
    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


class _Fast(_WithoutAliases, yaml.CSafeDumper):
    pass


class _Tagging(_WithoutAliases, yaml.SafeDumper):
    """Also tags what would become a text in quotes."""


def dumped(document: Any, **style: Any) -> str:
    text: str = yaml.dump(document, **{"Dumper": _Fast, "sort_keys": False, "allow_unicode": True, **style})
    return text


STYLES: dict[str, Callable[[Any], str]] = {
    "block": dumped,
    "flow": lambda document: dumped(document, default_flow_style=True, width=10_000),
    "mixed": lambda document: dumped(document, default_flow_style=None, width=30),
    "indented": lambda document: dumped(document, indent=6, explicit_start=True, explicit_end=True),
    "double quotes": lambda document: dumped(document, Dumper=_Tagging, default_style='"'),
    "aliases": yaml.safe_dump,
    "windows": lambda document: dumped(document).replace("\n", "\r\n"),
    "json": json.dumps,
}


def mappings(value: Any, place: Place = ()) -> Iterator[Place]:
    """The places of all mappings that have known keys only."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from mappings(item, (*place, index))
    elif isinstance(value, dict):
        if not (place and place[-1] in _OPEN):
            yield place
        for key, item in value.items():
            if key != "shared":
                yield from mappings(item, (*place, key))


def required_fields(document: Any) -> list[Place]:
    """Places of all fields that may not be left out."""
    return [
        (*place, name)
        for place in mappings(document)
        for name in _REQUIRED.get(tuple("*" if isinstance(step, int) else str(step) for step in place), ())
        if name in at(document, place)
    ]


def at(document: Any, place: Place) -> Any:
    for step in place:
        document = document[step]
    return document


def without(document: Any, place: Place) -> Any:
    result = deepcopy(document)
    del at(result, place[:-1])[place[-1]]
    return result


def with_value(document: Any, place: Place, value: Any) -> Any:
    result = deepcopy(document)
    at(result, place[:-1])[place[-1]] = value
    return result


def shuffled(value: Any, chance: Random, place: Place = ()) -> Any:
    """The same with another order of known keys."""
    if isinstance(value, list):
        return [shuffled(item, chance) for item in value]
    if not isinstance(value, dict):
        return value
    keys = list(value)
    if not (place and place[-1] in _OPEN):
        chance.shuffle(keys)
    return {key: shuffled(value[key], chance, (*place, key)) for key in keys}


def as_path(place: Place) -> tuple[str, ...]:
    return tuple(map(str, place))
