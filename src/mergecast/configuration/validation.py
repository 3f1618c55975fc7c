"""A loaded document against the models: the typed configuration, or what is wrong and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from mergecast.configuration.deprecations import Deprecated
from mergecast.configuration.errors import DocumentError
from mergecast.configuration.model_lookup import known_keys
from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.models.options import TAG
from mergecast.configuration.paths import actual_steps, as_place, as_text, key_mark, value_mark
from mergecast.configuration.problems import InvalidField, Phase, Problem, ReadContext
from mergecast.configuration.removed import removed_option
from mergecast.configuration.wording import found, mutually_exclusive, reason, unknown_key
from mergecast.configuration.yaml.load import Mark, YamlMapping

# The older spelling of a key, and the newer one that makes it superfluous.
RENAMED = {"conditions": "merge_conditions", "routing_conditions": "queue_conditions"}
# Nobody reads more, and putting an error into words can cost more than finding it.
MOST_ERRORS = 1000
_KEY = "[key]"


@dataclass(frozen=True, slots=True)
class LocatedProblem:
    """An error with the phase in which it shows."""

    error: DocumentError
    phase: Phase
    deprecated: Deprecated | None = None


def validate(document: YamlMapping, terms: ReadContext) -> Configuration | list[LocatedProblem]:
    """The configuration, or the first thousand errors."""
    try:
        return Configuration.model_validate(document, context=terms)
    except ValidationError as error:
        rows = error.errors(include_url=False)[:MOST_ERRORS]
        return [wrong for row in rows for wrong in _wrongs(document, row)]


def _wrongs(document: YamlMapping, row: Any) -> Iterator[LocatedProblem]:
    told = [step for step in row["loc"] if not str(step).startswith(TAG)]
    at_key = told[-1:] == [_KEY]
    steps = actual_steps(document, told[:-1] if at_key else told)
    cause = row.get("ctx", {}).get("error")
    if isinstance(cause, InvalidField):
        for refusal in cause.refusals:
            yield _refused(document, steps, refusal, at_key=at_key or refusal.at_key)
    else:
        yield LocatedProblem(_error(document, steps, row, at_key=at_key), Phase.SHAPE)


def _refused(
    document: YamlMapping, steps: tuple[Any, ...], refusal: Problem, *, at_key: bool
) -> LocatedProblem:
    place = (*steps, *refusal.steps)
    mark = key_mark(document, place) if at_key else value_mark(document, place)
    return LocatedProblem(_at(document, place, refusal.message, mark), refusal.phase, refusal.deprecated)


def _at(document: YamlMapping, steps: tuple[Any, ...], message: str, mark: Mark) -> DocumentError:
    return DocumentError(message, as_place(document, steps), *mark)


def _error(document: YamlMapping, steps: tuple[Any, ...], row: Any, *, at_key: bool) -> DocumentError:
    kind, value = row["type"], row["input"]
    if kind == "missing":
        message = f"Field required: `{steps[-1]}` is missing here"
        return _at(document, steps, message, value_mark(document, steps[:-1]))
    if kind == "invalid_key":
        return _unknown(document, (*steps[:-1], value))
    if kind == "extra_forbidden":
        return _unknown(document, steps)
    if at_key:
        message = f"A key should be a text, {found(value)}; put it in quotes"
        return _at(document, steps, message, key_mark(document, steps))
    keys = known_keys(steps) if kind == "model_type" else ()
    message = reason(kind, value, row.get("ctx", {}), row["msg"], keys)
    return _at(document, steps, message, value_mark(document, steps))


def _unknown(document: YamlMapping, steps: tuple[Any, ...]) -> DocumentError:
    """A key that does not belong there: a removed option, an older spelling beside the newer, or a slip."""
    *holder, key = steps
    pattern = ".".join("*" if isinstance(step, int) else str(step) for step in holder)
    name, mark = as_text(key), key_mark(document, steps)
    if removed := removed_option(pattern, name):
        return _at(document, steps, removed.message(name), mark)
    if name in RENAMED and pattern in ("queue_rules.*", "defaults.queue_rule"):
        message = f"{name} and {RENAMED[name]} can't be used together; keep `{RENAMED[name]}`"
        return _at(document, tuple(holder), message, value_mark(document, holder))
    known = known_keys(holder)
    message = mutually_exclusive(name, known) if name in known else unknown_key(name, known, key)
    return _at(document, steps, message, mark)
