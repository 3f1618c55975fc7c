"""The rules of a channel, as requests give them: which alerts, removals and digests it receives."""

from collections.abc import Collection, Sequence
from typing import Any

from mergecast.errors import FieldError
from mergecast.inputs.field import Field, InvalidValue, object_schema, read_fields
from mergecast.inputs.json_object import unknown_fields
from mergecast.inputs.kinds import one_of, text
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.notification import ALERT, DIGEST, KINDS, REMOVED, Rule
from mergecast.queues.model.threshold import ORIGINS
from mergecast.signals.thresholds.judged import JUDGED

MOST_RULES = 100
_MOST_QUEUES = 100
FIGURES = tuple(
    figure for figure in JUDGED if figure != "splits"
)  # alerts because of splits are `going_round`


def texts(most: int, what: str, one: Field) -> Field:
    """A list of texts; one that comes twice counts once."""

    def read(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise InvalidValue(f"must be a list of 1 to {most} {what}")
        return tuple(dict.fromkeys(one.read(entry) for entry in value))

    return Field(read, {"type": "array", "items": one.schema, "minItems": 1, "maxItems": most})


def _known(known: Sequence[str], what: str) -> Field:
    """One of a few names; for another one, the message names the nearest."""

    def read(value: Any) -> str:
        name: str = text(255).read(value)
        if name not in known:
            raise InvalidValue(f"{name} is not {what}{meant(name, known)}")
        return name

    return Field(read, {"type": "string", "enum": list(known)})


def meant(name: str, known: Collection[str]) -> str:
    """What was probably meant instead, or everything that could be, for the end of a message."""
    near = nearest(name, known)
    return f"; did you mean {near}?" if near else f"; choose from {', '.join(known)}"


_FIELDS = {
    "what": one_of(*KINDS),
    "figures": texts(len(FIGURES), "figures", _known(FIGURES, "a figure of alerts"))
    .or_null()
    .described("Of alerts; null: all"),
    "origins": texts(len(ORIGINS), "origins", _known(ORIGINS, "an origin of thresholds"))
    .or_null()
    .described("Of the thresholds of alerts; null: all"),
    "queues": texts(_MOST_QUEUES, "names of queues", text(255))
    .or_null()
    .described("Of alerts and removals; null: all"),
}
_PLACES = {
    ALERT: ("figures", "origins", "queues"),
    REMOVED: ("queues",),
    DIGEST: (),
}  # what each kind may choose
RULES_SCHEMA = {"type": "array", "items": object_schema(_FIELDS), "maxItems": MOST_RULES}


def read_rules(value: Any, above: str) -> tuple[tuple[Rule, ...], list[FieldError]]:
    """The rules of one channel, each once, and every error in them; `above` points to their list."""
    if not isinstance(value, list) or len(value) > MOST_RULES:
        return (), [FieldError("body", above, f"must be a list of at most {MOST_RULES} rules")]
    rules: dict[Rule, None] = {}
    errors: list[FieldError] = []
    for place, given in enumerate(value):
        rule, wrong = _read_rule(given, f"{above}/{place}")
        errors += wrong
        if rule is not None:
            rules[rule] = None
    return tuple(rules), errors


def _read_rule(given: Any, above: str) -> tuple[Rule | None, list[FieldError]]:
    if not isinstance(given, dict):
        return None, [FieldError("body", above, "must be an object with what, figures, origins and queues")]
    values, errors = read_fields(_FIELDS, given, above)
    errors = unknown_fields(given, _FIELDS, "a rule", above) + errors
    if errors:
        return None, errors
    foreign = [
        FieldError("body", f"{above}/{name}", f"does not belong to a rule for {values['what']}")
        for name in ("figures", "origins", "queues")
        if values[name] is not None and name not in _PLACES[values["what"]]
    ]
    return Rule(**values), foreign


def unknown_queues(rules: Sequence[Rule], known: Collection[str], above: str) -> list[FieldError]:
    """An error for each queue in a rule that a repository does not have; it may have none yet."""
    return [
        FieldError("body", f"{above}/{place}/queues", f"there is no queue {queue}{meant(queue, known)}")
        for place, rule in enumerate(rules)
        for queue in rule.queues or ()
        if known and queue not in known
    ]
