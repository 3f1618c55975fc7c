"""Finds the model that describes the mapping at a given path of the document."""

from collections.abc import Iterable, Iterator
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel

from mergecast.language.configuration.models.configuration import Configuration


def models_at(steps: Iterable[Any]) -> list[type[BaseModel]]:
    """The models of the mapping at these steps; any step enters a list or a mapping with free keys."""
    kinds: list[Any] = [Configuration]
    for step in steps:
        kinds = [inner for kind in kinds for inner in _below(kind, step)]
    return [kind for kind in kinds if _is_model(kind)]


def known_keys(steps: Iterable[Any]) -> tuple[str, ...]:
    """The keys that are allowed in the mapping at these steps."""
    return tuple(key for model in models_at(steps) for key in _keys(model))


def excluded_by(key: str, steps: Iterable[Any]) -> frozenset[str]:
    """The keys that no alternative of the mapping at these steps has together with this one."""
    alternatives = [frozenset(_keys(model)) for model in models_at(steps)]
    together = (keys for keys in alternatives if key in keys)
    return frozenset().union(*alternatives).difference(*together)


def _keys(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(field.alias or name for name, field in model.model_fields.items())


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _below(kind: Any, step: Any) -> Iterator[Any]:
    if not _is_model(kind):
        for argument in get_args(kind):
            yield from _plain(argument)
        return
    for name, field in kind.model_fields.items():
        if step == (field.alias or name):
            yield from _plain(field.annotation)


def _plain(annotation: Any) -> Iterator[Any]:
    """The alternatives of an annotation, without metadata."""
    if hasattr(annotation, "__metadata__"):
        yield from _plain(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, UnionType):
        for argument in get_args(annotation):
            yield from _plain(argument)
    else:
        yield annotation
