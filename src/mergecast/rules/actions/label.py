"""`label`: labels are added or removed; the only action that also acts while its rule does not match."""

from __future__ import annotations

from collections.abc import Iterable

from mergecast.configuration.models.actions import Label
from mergecast.rules.actions.plan import Case, Plan, acts, names, nothing
from mergecast.rules.sentence import Sentence, listed, sentence


def plan(options: Label, case: Case) -> Plan:
    current = _folded(case.context.pull.labels)
    wanted = _folded((*options.add, *options.toggle))
    added = [label for key, label in wanted.items() if key not in current]
    if options.remove_all:
        removed = [label for key, label in current.items() if key not in wanted]
    else:
        removed = _present(options.remove, current)
    sentences = [*_said("add", added), *_said("remove", removed)]
    return acts(*sentences) if sentences else nothing("Would not change the labels")


def plan_unmatched(options: Label, case: Case) -> Plan | None:
    removed = _present(options.toggle, _folded(case.context.pull.labels))
    return acts(*_said("remove", removed, " (toggle)")) if removed else None


def _folded(labels: Iterable[str]) -> dict[str, str]:
    """The platform does not tell labels apart by case."""
    return {label.casefold(): label for label in labels}


def _present(labels: Iterable[str], current: dict[str, str]) -> list[str]:
    return [current[key] for key in _folded(labels) if key in current]


def _said(verb: str, labels: list[str], suffix: str = "") -> tuple[Sentence, ...]:
    if not labels:
        return ()
    noun = "label" if len(labels) == 1 else "labels"
    return (sentence(f"Would {verb} the {noun} ", *listed(names(tuple(sorted(labels)))), suffix),)
