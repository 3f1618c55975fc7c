"""Reads documents and reports what was found in them."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple, TypeVar

import msgspec

from mergecast.errors import MOST_ERRORS
from mergecast.judge.messages import (
    LONGEST_DOCUMENT,
    ConfigurationAnswer,
    ConfigurationQuestion,
    DeprecationFound,
    HintFound,
    Position,
    ReportedError,
    UnusedSection,
)
from mergecast.language.configuration.inheritance import CannotRead, Loader, no_platform
from mergecast.language.configuration.models.configuration import unused_sections
from mergecast.language.configuration.read import DocumentReader, read_configuration
from mergecast.language.configuration.read_result import ReadResult
from mergecast.process.lru import RecentEntries

T = TypeVar("T")

# A live simulation asks about the same document several times: what it needs, then what it would do.
MOST_KEPT = 4
LONGEST_KEPT = 1 << 16


def read_text(text: msgspec.Raw) -> str:
    return msgspec.json.decode(text, type=str)


def too_long(text: str) -> tuple[ReportedError, ...]:
    """The only error of a text that is too long to be read, else nothing."""
    if len(text) <= LONGEST_DOCUMENT:
        return ()
    message = f"a document may have at most {LONGEST_DOCUMENT:,} characters; this one has {len(text):,}"
    return (ReportedError(message, message, (), 1, 1),)


def judge_configuration(question: ConfigurationQuestion) -> ConfigurationAnswer:
    text = read_text(question.text)
    if errors := too_long(text):
        return ConfigurationAnswer(errors=errors)
    load = no_platform if question.remotes is None else loader(question.owner, question.remotes)
    result = read_configuration(text, today=question.today, repository=question.repository, load=load)
    unused = None
    if question.products is not None:
        unused = _shared(unused_sections(result.sections, frozenset(question.products)), UnusedSection)
    return ConfigurationAnswer(
        errors=first_errors(result),
        more_errors=more_errors(result),
        deprecations=deprecations_found(result),
        deprecation_positions=_shared(result.deprecations, Position),
        hints=_shared(result.hints, HintFound),
        extends=result.configuration.extends if result.configuration else None,
        notes=result.notes,
        unused_sections=unused,
    )


def loader(owner: str, documents: Mapping[str, str], *, is_recorded: bool = False) -> Loader:
    """Loads documents of other repositories of the owner from a mapping by `owner/name`."""
    by_name = {name.lower(): text for name, text in documents.items()}
    reason = "it was not recorded" if is_recorded else "the platform shows no document of it"

    def load(name: str) -> str:
        text = by_name.get(f"{owner}/{name}".lower())
        if text is None:
            raise CannotRead(reason)
        return text

    return load


class RecentDocuments:
    """The documents that this process read last, with the documents that they extend."""

    def __init__(self) -> None:
        self._kept: RecentEntries[object, _Kept] = RecentEntries(MOST_KEPT)

    def read(self, text: str, today: date, repository: str, load: Loader) -> ReadResult:
        key = (text, today, repository)
        kept = self._kept.get(key)
        if kept is None:
            kept = _read(DocumentReader(text, today), repository, load)
        elif any(_try(load, name) != known for name, known in kept.loaded.items()):
            kept = _read(kept.reader, repository, load)
        if len(text) <= LONGEST_KEPT:
            self._kept.put(key, kept)
        return kept.result


class _Kept(NamedTuple):
    """The result of reading a document, and what was loaded for it or why not, by name."""

    reader: DocumentReader
    loaded: Mapping[str, tuple[bool, str]]
    result: ReadResult


def _read(reader: DocumentReader, repository: str, load: Loader) -> _Kept:
    loaded = {}

    def load_and_note(name: str) -> str:
        loaded[name] = _try(load, name)
        return load(name)

    result = reader.read(repository, load_and_note)
    return _Kept(reader, loaded, result)


def _try(load: Loader, name: str) -> tuple[bool, str]:
    """The text, or the reason why it cannot be loaded."""
    try:
        return True, load(name)
    except CannotRead as error:
        return False, str(error)


def first_errors(result: ReadResult) -> tuple[ReportedError, ...]:
    return _shared(result.errors[:MOST_ERRORS], ReportedError)


def more_errors(result: ReadResult) -> int:
    return max(0, len(result.errors) - MOST_ERRORS)


def deprecations_found(result: ReadResult) -> tuple[DeprecationFound, ...]:
    return _shared(result.deprecations, DeprecationFound)


def _shared(found: Sequence[object], type: type[T]) -> tuple[T, ...]:
    """What was found, as the type with the same names that both processes know."""
    return tuple(msgspec.convert(one, type, from_attributes=True) for one in found)
