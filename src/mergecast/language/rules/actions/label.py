"""`label`: add and remove labels. `toggle` also removes labels while the rule does not match."""

from collections.abc import Iterable

from mergecast.language.configuration.models.actions import Label
from mergecast.language.rules.actions.plan import Action, Case, Plan, acts, nothing
from mergecast.language.rules.sentence import Pieces, Sentence, first_listed, joined, listed, names, sentence
from mergecast.queues.model.words import plural


def _plan(options: Label, case: Case) -> Plan:
    current = _folded(case.context.pull.labels)
    wanted = _folded((*options.add, *options.toggle))
    added = [label for key, label in wanted.items() if key not in current]
    if options.remove_all:
        removed = [label for key, label in current.items() if key not in wanted]
    else:
        removed = _present(options.remove, current)
    sentences = [*_changes("add", added), *_changes("remove", removed)]
    return acts(*sentences) if sentences else nothing("Would not change the labels")


def _plan_unmatched(options: Label, case: Case) -> Plan | None:
    removed = _present(options.toggle, _folded(case.context.pull.labels))
    return acts(*_changes("remove", removed, " (toggle)")) if removed else None


def _folded(labels: Iterable[str]) -> dict[str, str]:
    """Labels on the platform are case-insensitive."""
    return {label.casefold(): label for label in labels}


def _present(labels: Iterable[str], current: dict[str, str]) -> list[str]:
    return [current[key] for key in _folded(labels) if key in current]


def _changes(verb: str, labels: list[str], suffix: str = "") -> tuple[Sentence, ...]:
    if not labels:
        return ()
    noun = plural(len(labels), "label")
    return (sentence(f"Would {verb} the {noun} ", *listed(names(sorted(labels))), suffix),)


def _describe(options: Label) -> Pieces:
    phrases = [*_described("adds", options.add)]
    phrases += [("removes every label",)] if options.remove_all else _described("removes", options.remove)
    return joined([*phrases, *_described("toggles", options.toggle)]) or ("changes no label",)


def _described(verb: str, labels: tuple[str, ...]) -> list[Pieces]:
    return [(f"{verb} the {plural(len(labels), 'label')} ", *first_listed(names(labels)))] if labels else []


ACTION = Action(_plan, _describe, plan_unmatched=_plan_unmatched)
