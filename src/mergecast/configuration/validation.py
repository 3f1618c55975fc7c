"""A loaded document against the models: the typed configuration, or what is wrong and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from mergecast.configuration.configuration import Configuration
from mergecast.configuration.deprecations import Deprecated
from mergecast.configuration.options import TAG
from mergecast.configuration.outline import known_keys
from mergecast.configuration.paths import as_path, as_text, key_mark, value_mark
from mergecast.configuration.refusals import Phase, Refusal, Refused, Terms
from mergecast.configuration.removed import removed_option
from mergecast.configuration.verdict import DocumentFault
from mergecast.configuration.wording import reason, unknown_key
from mergecast.configuration.yaml_text import YamlMapping

# The older spelling of a key, and the newer one that makes it superfluous.
RENAMED = {"conditions": "merge_conditions", "routing_conditions": "queue_conditions"}


@dataclass(frozen=True, slots=True)
class Wrong:
    """A fault with the phase in which it shows."""

    fault: DocumentFault
    phase: Phase
    deprecated: Deprecated | None = None


def validate(document: YamlMapping, terms: Terms) -> Configuration | list[Wrong]:
    try:
        return Configuration.model_validate(document, context=terms)
    except ValidationError as error:
        return [wrong for row in error.errors(include_url=False) for wrong in _wrongs(document, row)]


def _wrongs(document: YamlMapping, row: Any) -> Iterator[Wrong]:
    steps = tuple(step for step in row["loc"] if not str(step).startswith(TAG))
    cause = row.get("ctx", {}).get("error")
    if isinstance(cause, Refused):
        for refusal in cause.refusals:
            yield _refused(document, steps, refusal)
    else:
        yield Wrong(_fault(document, steps, row), Phase.SHAPE)


def _refused(document: YamlMapping, steps: tuple[Any, ...], refusal: Refusal) -> Wrong:
    at_key = refusal.at_key
    if steps and steps[-1] == "[key]":
        steps, at_key = steps[:-1], True
    place = (*steps, *refusal.steps)
    mark = key_mark(document, place) if at_key else value_mark(document, place)
    return Wrong(DocumentFault(refusal.message, as_path(place), *mark), refusal.phase, refusal.deprecated)


def _fault(document: YamlMapping, steps: tuple[Any, ...], row: Any) -> DocumentFault:
    kind, value = row["type"], row["input"]
    if kind == "missing":
        message = f"Field required: `{steps[-1]}` is missing here"
        return DocumentFault(message, as_path(steps), *value_mark(document, steps[:-1]))
    if kind in ("extra_forbidden", "invalid_key"):
        return _unknown(document, (*steps[:-1], value) if kind == "invalid_key" else steps)
    if steps and steps[-1] == "[key]":
        place = steps[:-1]
        return DocumentFault("A key should be a text", as_path(place), *value_mark(document, place))
    message = reason(kind, value, row.get("ctx", {}), row["msg"])
    return DocumentFault(message, as_path(steps), *value_mark(document, steps))


def _unknown(document: YamlMapping, steps: tuple[Any, ...]) -> DocumentFault:
    """A key that does not belong there: a removed option, an older spelling beside the newer, or a slip."""
    *holder, key = steps
    pattern = ".".join("*" if isinstance(step, int) else step for step in holder)
    name, mark = as_text(key), key_mark(document, steps)
    if removed := removed_option(pattern, name):
        return DocumentFault(removed.message(name), as_path(steps), *mark)
    if name in RENAMED and pattern in ("queue_rules.*", "defaults.queue_rule"):
        message = f"{name} and {RENAMED[name]} can't be used together; keep `{RENAMED[name]}`"
        return DocumentFault(message, as_path(holder), *value_mark(document, holder))
    return DocumentFault(unknown_key(name, known_keys(holder)), as_path(steps), *mark)
