"""Questions about a document that extends another one: asked again with that one."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from mergecast.errors import Conflict, NotFound
from mergecast.judge.messages import Answer, ConfigurationQuestion, Setting

Q = TypeVar("Q", Setting, ConfigurationQuestion)
A = TypeVar("A", bound=Answer)

Fetch = Callable[[str, str], Awaitable[dict[str, str]]]


async def with_extended(
    ask: Callable[[Q], Awaitable[A]], question: Q, answer: A, fetch: Fetch
) -> tuple[Q, A]:
    """If the document of the question extends another one, fetch that one and ask again.

    The child has validated the document by then and does not do so again.
    """
    if answer.extends is None:
        return question, answer
    fetched = await fetch(question.owner, answer.extends)
    question = msgspec.structs.replace(question, remotes={**(question.remotes or {}), **fetched})
    return question, await ask(question)


async def extended_document(
    read: Callable[[str, str], Awaitable[str | None]], owner: str, name: str
) -> dict[str, str]:
    """The document under its repository's name; empty if it cannot be read, which the simulation reports."""
    try:
        text = await read(owner, name)
    except (NotFound, Conflict):
        return {}
    return {} if text is None else {f"{owner}/{name}": text}
