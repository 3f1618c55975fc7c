"""The documents of a simulation: the submitted one, the current one, and those that they extend."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from msgspec.structs import replace

from mergecast.errors import MergecastError
from mergecast.judge.messages import (
    LONGEST_DOCUMENT,
    NEEDS,
    Answer,
    ConfigurationQuestion,
    NeedsAnswer,
    Setting,
    json_text,
)
from mergecast.queues.model.snapshot import Needs
from mergecast.sandbox.errors import LimitReached
from mergecast.simulation.ports import AskChild, Live


class DocumentRefused(MergecastError):
    """The submitted document is invalid. Only the first errors are listed."""

    def __init__(self, answer: Answer) -> None:
        super().__init__("; ".join(error.text for error in answer.errors))
        self.errors, self.more = answer.errors, answer.more_errors


class CurrentDocumentTooLong(MergecastError):
    """The current document is longer than any document that is read."""

    def __init__(self) -> None:
        super().__init__(f"the current document has more than {LONGEST_DOCUMENT:,} characters")


Q = TypeVar("Q", Setting, ConfigurationQuestion)
A = TypeVar("A", bound=Answer)

_BEYOND_LIMITS = "The current document exceeds the limits, so there is no comparison with it"


@dataclass(frozen=True, slots=True)
class CurrentDocument:
    """The document that the repository uses now; no text if there is none or it exceeds a limit."""

    text: str | None = None
    needs: Needs = field(default_factory=lambda: Needs(frozenset()))
    remotes: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def accepted(answer: A) -> A:
    """The answer, if the document is valid. Raises DocumentRefused otherwise."""
    if answer.errors:
        raise DocumentRefused(answer)
    return answer


async def with_extended(ask: Callable[[Q], Awaitable[A]], question: Q, answer: A, live: Live) -> tuple[Q, A]:
    """If the document of the question extends another one, fetch that one and ask again.

    The child has validated the document by then and does not do so again.
    """
    if answer.extends is None:
        return question, answer
    fetched = await live.extended_document(question.owner, answer.extends)
    question = replace(question, remotes={**(question.remotes or {}), **fetched})
    return question, await ask(question)


async def read_needs(ask: AskChild, setting: Setting) -> NeedsAnswer:
    """What the simulation of the document needs, as far as this document alone says. It may be invalid."""
    return await ask(NEEDS, setting, NeedsAnswer)


async def extended_documents(ask: AskChild, setting: Setting, live: Live) -> dict[str, str]:
    """The document that this one extends, by `owner/name`; empty if there is none or it cannot be read."""
    found = await read_needs(ask, setting)
    return {} if found.extends is None else await live.extended_document(setting.owner, found.extends)


async def current_text(live: Live) -> str | None:
    """The current document; None if there is none. Raises CurrentDocumentTooLong."""
    text = await live.current_document()
    if text is not None and len(text) > LONGEST_DOCUMENT:
        raise CurrentDocumentTooLong
    return text


async def read_current(ask: AskChild, setting: Setting, live: Live) -> CurrentDocument:
    """The current document and what its simulation needs: facts for both documents are read together."""

    async def needs_of(setting: Setting) -> NeedsAnswer:
        return await read_needs(ask, setting)

    try:
        text = await current_text(live)
        if text is None:
            return CurrentDocument()
        own = replace(setting, text=json_text(text), remotes={})
        # An invalid document needs nothing; the simulation reports that it is invalid.
        own, found = await with_extended(needs_of, own, await needs_of(own), live)
    except (CurrentDocumentTooLong, LimitReached):
        # In one task with the submitted document, the submitted one would be blamed.
        return CurrentDocument(remarks=(_BEYOND_LIMITS,))
    return CurrentDocument(text, Needs(found.parts, found.teams), own.remotes)
