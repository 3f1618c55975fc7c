"""How a document is read: YAML, validation, `extends`, defaults, rules between fields.

All errors are reported together, except those that may only follow from another error.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

from mergecast.language.conditions.attribute import Section
from mergecast.language.conditions.errors import excerpt
from mergecast.language.configuration.cross_field import FieldConflict, conflicts_in_defaults, field_conflicts
from mergecast.language.configuration.deprecations import deprecated_uses
from mergecast.language.configuration.errors import DocumentError, as_path, one_line
from mergecast.language.configuration.inheritance import (
    CannotRead,
    Loader,
    MergedDocument,
    merge,
    no_platform,
    unread_note,
    with_defaults,
)
from mergecast.language.configuration.models.condition_lists import parsed
from mergecast.language.configuration.models.configuration import SECTIONS, Configuration, fast_forwards
from mergecast.language.configuration.paths import find, key_mark, value_mark
from mergecast.language.configuration.problems import ReadContext
from mergecast.language.configuration.read_result import Deprecation, Hint, ReadResult
from mergecast.language.configuration.valid_part import ValidPart, valid_part
from mergecast.language.configuration.validation import validate
from mergecast.language.configuration.wording import found
from mergecast.language.configuration.yaml.load import load_yaml
from mergecast.language.configuration.yaml.values import InvalidYaml, YamlMapping

_LISTS = {
    "pull_request_rules.*": {"conditions"},
    "pull_request_rules.*.actions.post_check": {"success_conditions", "neutral_conditions"},
    "queue_rules.*": {"queue_conditions", "merge_conditions", "routing_conditions", "conditions"},
    "defaults.queue_rule": {"queue_conditions", "merge_conditions", "routing_conditions", "conditions"},
    "priority_rules.*": {"conditions"},
    "merge_protections.*": {"if", "success_conditions"},
    "merge_protections_settings": {"auto_merge_conditions"},
}
_LONGEST_MESSAGE = 900
IGNORED_SECTION = "partition_rules"
IGNORED_NOTE = (
    "The section `partition_rules` is ignored: partitions were removed on 2025-10-31; "
    "use `scopes` and queue conditions instead"
)


class InvalidDocument(Exception):
    """The document is invalid."""

    def __init__(self, errors: Iterable[DocumentError]) -> None:
        super().__init__()
        brief = {
            replace(error, message=one_line(excerpt(error.message, _LONGEST_MESSAGE))) for error in errors
        }
        self.errors = tuple(sorted(brief, key=lambda error: (error.line, error.column, error.text)))


def read_configuration(
    text: str, *, today: date, repository: str | None = None, load: Loader = no_platform
) -> ReadResult:
    """Read a document as if it were in effect today.

    `repository` is the name of its repository, without the owner; `load` returns the document of another
    repository of the same owner, or raises CannotRead.
    """
    return DocumentReader(text, today).read(repository, load)


class DocumentReader:
    """One document, to be read with and without the document that it extends; it is validated only once."""

    def __init__(self, text: str, today: date) -> None:
        self._today = today
        try:
            self._own: _Validated | InvalidDocument = _validate_alone(text, today)
        except InvalidDocument as error:
            self._own = error

    def read(self, repository: str | None, load: Loader) -> ReadResult:
        """The document with the one that it extends, as far as `load` finds it."""
        if isinstance(self._own, InvalidDocument):
            return ReadResult(errors=self._own.errors)
        try:
            return _Reader(self._today, repository, load).complete(self._own)
        except InvalidDocument as error:
            return ReadResult(errors=error.errors)


class _Validated(NamedTuple):
    """A document after YAML and validation, with the errors found so far."""

    document: YamlMapping
    valid: ValidPart
    context: ReadContext
    errors: tuple[DocumentError, ...]
    ignored: tuple[str, ...]


def _validate_alone(text: str, today: date) -> _Validated:
    document, errors, ignored = _loaded(text)
    context = ReadContext(today)
    valid = _validated(document, context, errors)
    return _Validated(document, valid, context, tuple(errors), ignored)


def _validated(document: YamlMapping, context: ReadContext, errors: list[DocumentError]) -> ValidPart:
    """The document, or the part of it that is valid; adds to the errors."""
    errors += (
        DocumentError(use.option.error_message(), use.found.place, *use.found.key)
        for use in deprecated_uses(document, context.has_expired)
    )
    result = validate(document, context)
    if not isinstance(result, list):
        return ValidPart(document, result)
    errors += (problem.error for problem in result)
    part = valid_part(document, result, context)
    if part is None:
        raise InvalidDocument(errors)
    return part


@dataclass(frozen=True, slots=True)
class _Reader:
    today: date
    repository: str | None
    load: Loader

    def complete(self, own: _Validated) -> ReadResult:
        document, context, errors = own.document, own.context, list(own.errors)
        extended = self._extended(own.valid, errors)
        configuration, more_notes = self._completed(own.valid, extended, errors)
        _raise_if_any(errors)
        deprecations = sorted(_deprecations(document, context), key=lambda use: (use.line, use.column))
        return ReadResult(
            deprecations=tuple(deprecations),
            notes=(*own.ignored, *extended.notes, *more_notes),
            hints=tuple(hints(document)) if context.slips else (),
            sections=tuple(one for one in SECTIONS if document.get(one) or extended.merged.document.get(one)),
            configuration=configuration,
        )

    def _extended(self, valid: ValidPart, errors: list[DocumentError]) -> "_Extended":
        """Merge the document with the one it extends; adds to the errors."""
        document, name = valid.document, valid.configuration.extends
        alone = MergedDocument(document, document)
        if name is None:
            return _Extended(alone, is_unresolved=valid.lacks(("extends",)))
        if self.repository and name.lower() == self.repository.lower():
            errors.append(_extends_error(document, "Configuration can't extend itself"))
        if errors:
            # The author has to fix this document first; the other one is not loaded for it.
            return _Extended(alone, is_unresolved=True)
        try:
            return _Extended(merge(self._remote(name), document))
        except InvalidDocument as error:
            reasons = "; ".join(error.text for error in error.errors[:3])
            errors.append(_extends_error(document, f"the configuration of {name} is invalid: {reasons}"))
            return _Extended(alone, is_unresolved=True)
        except CannotRead as error:
            return _Extended(alone, is_unresolved=True, notes=(unread_note(name, str(error)),))

    def _remote(self, name: str) -> YamlMapping:
        remote, errors, _ = _loaded(self.load(name))
        valid = _validated(remote, ReadContext(self.today), errors)
        self._completed(valid, _Extended(MergedDocument(valid.document, valid.document)), errors)
        _raise_if_any(errors)
        if remote.get("extends"):
            raise CannotRead("Extended configuration can't extend another configuration")
        return remote

    def _completed(
        self, valid: ValidPart, extended: "_Extended", errors: list[DocumentError]
    ) -> tuple[Configuration, tuple[str, ...]]:
        """The configuration with its defaults, after the rules between fields; adds to the errors."""
        merged = extended.merged
        completed = with_defaults(merged.document)
        configuration = self._with_defaults(valid, completed, errors)
        in_defaults = list(conflicts_in_defaults(valid.configuration))
        # A conflict in the defaults exists in every rule that uses them.
        reported = {conflict.message for conflict in in_defaults}
        conflicts = [
            conflict
            for conflict in field_conflicts(configuration)
            if not (extended.is_unresolved and conflict.may_be_elsewhere) and conflict.message not in reported
        ]
        if foreign := [conflict for conflict in conflicts if not merged.is_local(conflict.steps)]:
            note = unread_note(valid.document["extends"], foreign[0].message)
            alone = _Extended(MergedDocument(valid.document, valid.document), is_unresolved=True)
            configuration, more = self._completed(valid, alone, errors)
            return configuration, (note, *more)
        errors += _conflict_errors(completed, merged, valid, [*in_defaults, *conflicts])
        return configuration, tuple(notes(configuration))

    def _with_defaults(
        self, valid: ValidPart, completed: YamlMapping, errors: list[DocumentError]
    ) -> Configuration:
        if completed is valid.document:
            return valid.configuration
        result = validate(completed, ReadContext(self.today))
        if isinstance(result, list):
            raise InvalidDocument(errors or [problem.error for problem in result])
        return result


class _Extended(NamedTuple):
    """A document merged with the one it extends; `is_unresolved` if that one is missing."""

    merged: MergedDocument
    is_unresolved: bool = False
    notes: tuple[str, ...] = ()


def _raise_if_any(errors: list[DocumentError]) -> None:
    if errors:
        raise InvalidDocument(errors)


def _loaded(text: str) -> tuple[YamlMapping, list[DocumentError], tuple[str, ...]]:
    """The document without ignored sections, the errors in its YAML, and notes on what is ignored."""
    try:
        root, duplicate_keys = load_yaml(text)
    except InvalidYaml as error:
        raise InvalidDocument([error.error]) from None
    if root is None:
        root = YamlMapping(None)
    if not isinstance(root, YamlMapping):
        message = f"Input should be a valid mapping, expected a mapping at the top level, {found(root)}"
        raise InvalidDocument([*duplicate_keys, DocumentError(message, (), *value_mark(root, ()))])
    ignored = IGNORED_SECTION in root
    root.pop(IGNORED_SECTION, None)
    return root, list(duplicate_keys), (IGNORED_NOTE,) if ignored else ()


def _extends_error(document: YamlMapping, message: str) -> DocumentError:
    return DocumentError(message, ("extends",), *value_mark(document, ("extends",)))


def _deprecations(document: YamlMapping, context: ReadContext) -> Iterator[Deprecation]:
    for use in deprecated_uses(document, lambda _: True):
        message, place = use.option.message(context.today), as_path(use.found.place)
        yield Deprecation(message, use.option.deadline, place, *use.found.key)
    if context.deprecated_uses:
        listed = validate(document, ReadContext(context.today, lists_deprecated=True))
        for problem in listed if isinstance(listed, list) else ():
            if problem.deprecated is not None:
                error = problem.error
                yield Deprecation(
                    error.message, problem.deprecated.deadline, error.path, error.line, error.column
                )


def _conflict_errors(
    completed: YamlMapping, merged: MergedDocument, valid: ValidPart, conflicts: Iterable[FieldConflict]
) -> Iterator[DocumentError]:
    """Leaves out conflicts that may follow from an error at a place on which they depend."""
    for conflict in conflicts:
        decisive = (valid.original(merged.as_written(place)) for place in conflict.depends_on)
        if any(map(valid.lacks, decisive)):
            continue
        message = conflict.message
        if conflict.first is not None:
            message = f"{message}, first on line {value_mark(completed, conflict.first).line}"
        place = valid.original(merged.as_written(conflict.steps))
        mark = key_mark if conflict.is_at_key else value_mark
        yield DocumentError(message, place, *mark(completed, conflict.steps))


def hints(document: Any) -> Iterator[Hint]:
    """Probable mistakes in the conditions of a valid document, in document order."""
    found = [hint for parent, names in _LISTS.items() for hint in _of_lists(document, parent, names)]
    yield from sorted(found, key=lambda hint: (hint.line, hint.column))


def _of_lists(document: Any, parent: str, names: set[str]) -> Iterator[Hint]:
    for conditions in find(document, parent, names):
        for place, text in _leaves(conditions.value, conditions.place):
            result = parsed(text, Section.RULES)
            for slip in result[1] if isinstance(result, tuple) else ():
                yield Hint(slip, as_path(place), *value_mark(document, place))


def _leaves(value: Any, steps: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    if isinstance(value, str):
        yield steps, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*steps, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _leaves(inner, (*steps, index))


def notes(configuration: Configuration) -> Iterator[str]:
    """Options that are allowed but have no effect."""
    queue = configuration.merge_queue
    if queue.mode == "isolated" and queue.max_parallel_checks == 1:
        yield "merge_queue mode isolated has no effect while max_parallel_checks is 1"
    for rule in configuration.queue_rules:
        if fast_forwards(rule) and rule.commit_message_template:
            yield f"queue `{one_line(rule.name)}`: commit_message_template has no effect with fast-forward"
    for action in configuration.pull_request_rules:
        merge = action.actions.merge
        if merge is not None and merge.method == "fast-forward" and merge.commit_message_template:
            yield f"rule `{one_line(action.name)}`: commit_message_template has no effect with fast-forward"
