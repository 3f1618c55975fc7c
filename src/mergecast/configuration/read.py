"""The way of a document: text, YAML, shape, conditions and templates, `extends`, defaults, cross-field rules.

All errors of the first phase that fails are reported together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

from mergecast.configuration.cross_field import FieldConflict, conflicts_in_defaults, field_conflicts, notes
from mergecast.configuration.defaults import with_defaults
from mergecast.configuration.deprecations import deprecated_uses
from mergecast.configuration.errors import DocumentError, as_path, one_line
from mergecast.configuration.extends import (
    CannotRead,
    Loader,
    MergedDocument,
    merge,
    no_platform,
    unread_note,
)
from mergecast.configuration.hints import hints
from mergecast.configuration.models.configuration import SECTIONS, Configuration
from mergecast.configuration.paths import value_mark
from mergecast.configuration.problems import Phase, ReadContext
from mergecast.configuration.read_result import Deprecation, ReadResult
from mergecast.configuration.validation import LocatedProblem, validate
from mergecast.configuration.wording import found
from mergecast.configuration.yaml.load import InvalidYaml, YamlMapping, load_yaml

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
        brief = (replace(error, message=one_line(_brief(error.message))) for error in errors)
        self.errors = tuple(sorted(brief, key=lambda error: (error.line, error.column, error.text)))


def _brief(message: str) -> str:
    return message if len(message) <= _LONGEST_MESSAGE else f"{message[:_LONGEST_MESSAGE]}…"


def read_configuration(
    text: str, *, today: date, repository: str | None = None, load: Loader = no_platform
) -> ReadResult:
    """The verdict on a document that would be in force today.

    `repository` is the bare name of the repository that it is for; `load` reads the document that another
    repository of the same owner has, or raises CannotRead.
    """
    try:
        return _read(text, today, repository, load)
    except InvalidDocument as faulty:
        return ReadResult(errors=faulty.errors)


def _read(text: str, today: date, repository: str | None, load: Loader) -> ReadResult:
    document, ignored = _without_ignored(_loaded(text))
    terms = ReadContext(today)
    candidate = _validated(document, terms)
    _refuse_own_name(document, candidate, repository)
    deprecations = sorted(_deprecations(document, terms), key=lambda use: (use.line, use.column))
    merged, unread = _extended(document, candidate, load, today)
    configuration, more_notes = _completed(document, candidate, merged, today, unread)
    return ReadResult(
        deprecations=tuple(deprecations),
        notes=(*ignored, *unread, *more_notes),
        hints=tuple(hints(document)) if terms.slips else (),
        sections=tuple(section for section in SECTIONS if document.get(section)),
        configuration=configuration,
    )


def _loaded(text: str) -> YamlMapping:
    try:
        root = load_yaml(text)
    except InvalidYaml as error:
        raise InvalidDocument([error.error]) from None
    if root is None:
        return YamlMapping(None)
    if not isinstance(root, YamlMapping):
        message = f"Input should be a valid mapping, expected a mapping at the top level, {found(root)}"
        raise InvalidDocument([DocumentError(message, (), *value_mark(root, ()))])
    return root


def _without_ignored(document: YamlMapping) -> tuple[YamlMapping, tuple[str, ...]]:
    if IGNORED_SECTION not in document:
        return document, ()
    del document[IGNORED_SECTION]
    return document, (IGNORED_NOTE,)


def _validated(document: YamlMapping, terms: ReadContext) -> Configuration:
    overdue = [
        LocatedProblem(DocumentError(use.option.refusal(), use.found.place, *use.found.key), Phase.SHAPE)
        for use in deprecated_uses(document, terms.over)
    ]
    result = validate(document, terms)
    wrongs = overdue + (result if isinstance(result, list) else [])
    if wrongs or isinstance(result, list):
        first = min(wrong.phase for wrong in wrongs)
        raise InvalidDocument(wrong.error for wrong in wrongs if wrong.phase == first)
    return result


def _refuse_own_name(document: YamlMapping, candidate: Configuration, repository: str | None) -> None:
    if candidate.extends and repository and candidate.extends.lower() == repository.lower():
        mark = value_mark(document, ("extends",))
        raise InvalidDocument([DocumentError("Configuration can't extend itself", ("extends",), *mark)])


def _deprecations(document: YamlMapping, terms: ReadContext) -> Iterator[Deprecation]:
    for use in deprecated_uses(document, lambda _: True):
        yield Deprecation(use.option.message(), use.option.deadline, as_path(use.found.place), *use.found.key)
    if terms.deprecated_uses:
        listed = validate(document, ReadContext(terms.today, listing=True))
        for wrong in listed if isinstance(listed, list) else ():
            if wrong.deprecated is not None:
                error = wrong.error
                yield Deprecation(
                    error.message, wrong.deprecated.deadline, error.path, error.line, error.column
                )


def _extended(
    document: YamlMapping, candidate: Configuration, load: Loader, today: date
) -> tuple[MergedDocument, tuple[str, ...]]:
    """The document with what it extends, or alone with a note that says why."""
    name = candidate.extends
    if name is None:
        return MergedDocument(document, document), ()
    try:
        return merge(_remote(document, name, load(name), today), document), ()
    except CannotRead as error:
        return MergedDocument(document, document), (unread_note(name, str(error)),)


def _remote(document: YamlMapping, name: str, text: str, today: date) -> YamlMapping:
    try:
        remote, _ = _without_ignored(_loaded(text))
        candidate = _validated(remote, ReadContext(today))
        _completed(remote, candidate, MergedDocument(remote, remote), today, ())
    except InvalidDocument as faulty:
        reasons = "; ".join(error.text for error in faulty.errors[:3])
        message = f"the configuration of {name} is invalid: {reasons}"
        raise InvalidDocument(
            [DocumentError(message, ("extends",), *value_mark(document, ("extends",)))]
        ) from None
    if remote.get("extends"):
        raise CannotRead("Extended configuration can't extend another configuration")
    return remote


def _completed(
    document: YamlMapping,
    candidate: Configuration,
    merged: MergedDocument,
    today: date,
    unread: tuple[str, ...],
) -> tuple[Configuration, tuple[str, ...]]:
    """The configuration with its defaults filled in, after the rules between fields."""
    if wrong := list(conflicts_in_defaults(candidate)):
        raise InvalidDocument(_clash_error(document, merged, clash) for clash in wrong)
    completed = with_defaults(merged.document)
    configuration = candidate if completed is document else _validated(completed, ReadContext(today))
    wrong = [clash for clash in field_conflicts(configuration) if not (unread and clash.may_be_elsewhere)]
    foreign = [clash for clash in wrong if not merged.is_local(clash.steps)]
    if foreign:
        note = unread_note(document["extends"], foreign[0].message)
        alone, more = _completed(document, candidate, MergedDocument(document, document), today, (note,))
        return alone, (note, *more)
    if wrong:
        raise InvalidDocument(_clash_error(completed, merged, clash) for clash in wrong)
    return configuration, tuple(notes(configuration))


def _clash_error(completed: YamlMapping, merged: MergedDocument, clash: FieldConflict) -> DocumentError:
    mark = value_mark(completed, clash.steps)
    return DocumentError(clash.message, merged.as_written(clash.steps), *mark)
