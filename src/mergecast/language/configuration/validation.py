"""Validate a loaded document with the models: the typed configuration, or every problem with its position."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from mergecast.language.configuration.deprecations import QUEUE_RULES, Deprecated
from mergecast.language.configuration.errors import DocumentError, as_text
from mergecast.language.configuration.models.configuration import Configuration
from mergecast.language.configuration.models.options import TAG
from mergecast.language.configuration.paths import actual_steps, as_place, key_mark, value_at, value_mark
from mergecast.language.configuration.problems import InvalidField, Problem, ReadContext, Steps
from mergecast.language.configuration.removed import removed_option
from mergecast.language.configuration.wording import found, mutually_exclusive, reason, unknown_key
from mergecast.language.configuration.yaml.values import Mark, YamlMapping


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


# Old names of options, and the new names with which they cannot be combined.
RENAMED = {"conditions": "merge_conditions", "routing_conditions": "queue_conditions"}
# More errors help no one, and writing a message can take longer than finding the error.
MOST_ERRORS = 1000
_KEY = "[key]"


@dataclass(frozen=True, slots=True)
class LocatedProblem:
    """A problem with its position; `steps` are the keys and indexes of what is wrong in the document."""

    error: DocumentError
    steps: Steps
    is_missing: bool = False  # the last step is a required key that the document lacks
    deprecated: Deprecated | None = None


def validate(document: YamlMapping, context: ReadContext) -> Configuration | list[LocatedProblem]:
    """The configuration, or the first thousand problems."""
    try:
        return Configuration.model_validate(document, context=context)
    except ValidationError as error:
        rows = error.errors(include_url=False)[:MOST_ERRORS]
        return list(islice((problem for row in rows for problem in _located(document, row)), MOST_ERRORS))


def _located(document: YamlMapping, row: Any) -> Iterator[LocatedProblem]:
    location = [step for step in row["loc"] if not str(step).startswith(TAG)]
    at_key = location[-1:] == [_KEY]
    steps = actual_steps(document, location[:-1] if at_key else location)
    cause = row.get("ctx", {}).get("error")
    if isinstance(cause, InvalidField):
        for problem in cause.problems:
            yield _from_validator(document, steps, problem, at_key=at_key or problem.at_key)
    else:
        if row["type"] == "invalid_key":
            steps = (*steps[:-1], row["input"])
        error = _error(document, steps, row, at_key=at_key)
        yield LocatedProblem(error, steps, is_missing=row["type"] == "missing")


def _from_validator(document: YamlMapping, steps: Steps, problem: Problem, *, at_key: bool) -> LocatedProblem:
    place = (*steps, *problem.steps)
    mark = key_mark(document, place) if at_key else value_mark(document, place)
    return LocatedProblem(_at(document, place, problem.message, mark), place, deprecated=problem.deprecated)


def _at(document: YamlMapping, steps: Steps, message: str, mark: Mark) -> DocumentError:
    return DocumentError(message, as_place(document, steps), *mark)


def _error(document: YamlMapping, steps: Steps, row: Any, *, at_key: bool) -> DocumentError:
    kind, value = row["type"], row["input"]
    if kind == "missing":
        message = f"Field required: `{steps[-1]}` is missing here"
        return _at(document, steps, message, value_mark(document, steps[:-1]))
    if kind in ("invalid_key", "extra_forbidden"):
        return _unknown(document, steps)
    if at_key:
        message = f"A key should be a string, {found(value)}; put it in quotes"
        return _at(document, steps, message, key_mark(document, steps))
    keys = known_keys(steps) if kind == "model_type" else ()
    message = reason(kind, value, row.get("ctx", {}), row["msg"], keys)
    return _at(document, steps, message, value_mark(document, steps))


def _unknown(document: YamlMapping, steps: Steps) -> DocumentError:
    """An unexpected key: a removed option, an old name next to the new one, or a typing mistake."""
    *parent, key = steps
    pattern = ".".join("*" if isinstance(step, int) else str(step) for step in parent)
    name, mark = as_text(key), key_mark(document, steps)
    if removed := removed_option(pattern, name):
        return _at(document, steps, removed.message(name), mark)
    if name in RENAMED and pattern in QUEUE_RULES:
        message = f"{name} and {RENAMED[name]} can't be used together; keep `{RENAMED[name]}`"
        return _at(document, tuple(parent), message, value_mark(document, parent))
    known = known_keys(parent)
    if name not in known:
        return _at(document, steps, unknown_key(name, known, key), mark)
    excluded = excluded_by(name, parent)
    present = [other for other in value_at(document, parent) if other in excluded]
    return _at(document, steps, mutually_exclusive(name, present), mark)
