"""Keeps an import current by polling, less often while nothing happens or after an error.

The operator lists what a server follows (`parse_followed`).
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from mergecast.errors import MergecastError
from mergecast.incoming.intake.importing.importer import Importer, OpenStay, Stored
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.model.instant import SECOND
from mergecast.queues.model.repository import Repository, is_name, is_owner
from mergecast.queues.model.setting_list import parse_list

_EXAMPLE = '[{"source": "github", "repository": "acme/web", "as": null}]'


class Followed(NamedTuple):
    """A repository at a source, and its name here."""

    source: str
    repository: str
    name: Repository


def parse_followed(text: str) -> tuple[Followed, ...]:
    """Parse a JSON list; empty text means nothing."""
    values = parse_list(text, _EXAMPLE)
    found = tuple(_followed(value, f"entry {place}") for place, value in enumerate(values, start=1))
    if len({(followed.source, followed.name) for followed in found}) < len(found):
        raise ValueError("lists a source twice for the same repository")
    return found


def _followed(value: Any, place: str) -> Followed:
    if not isinstance(value, dict) or not {"source", "repository"} <= value.keys() <= {
        "source",
        "repository",
        "as",
    }:
        raise ValueError(f"{place} must have the fields source and repository, and may have as")
    source, repository, name = value["source"], value["repository"], value.get("as")
    if source not in tuple(SOURCES):
        raise ValueError(f"{place}, source: must be one of {', '.join(SOURCES)}")
    if not isinstance(repository, str) or not repository.partition("/")[2]:
        raise ValueError(f"{place}, repository: must look like OWNER/REPO")
    field = "repository" if name is None else "as"
    here = name_here(repository if name is None else str(name))
    if here is None:
        hint = "; choose a name for it with `as`" if name is None else ""
        raise ValueError(f"{place}, {field}: must look like OWNER/REPO{hint}")
    return Followed(source, repository, here)


def name_here(text: str) -> Repository | None:
    """The repository of this name; None if no repository can be called so here."""
    owner, _, short = text.partition("/")
    return Repository(owner, short) if is_owner(owner) and is_name(short) else None


CONFIRM_SECONDS = 60.0  # a pull request that merges leaves the queue some seconds before it counts as merged


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between polls."""

    shortest: float = 60.0
    longest_quiet: float = 300.0
    longest_failing: float = 900.0

    def after(self, pause: float, stored: int | None) -> float:
        """The next pause; `stored` is None when the poll failed."""
        if stored is None:
            return min(max(pause, self.shortest) * 2, self.longest_failing)
        return self.shortest if stored else min(max(pause, self.shortest) * 1.5, self.longest_quiet)


@dataclass(frozen=True, slots=True)
class FollowState:
    """The result of a poll, for display."""

    polled_at: int
    next_at: int
    current_until: int | None  # everything up to here was read; None before the first successful poll
    stored: int = 0
    error: str | None = None


async def follow(
    importer: Importer,
    since: int,
    report: Callable[[FollowState], None],
    pace: Pace,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> None:
    """Poll until cancelled; errors are reported and retried."""
    pause, current_until = pace.shortest, None
    while True:
        at = importer.now()
        try:
            polled = await poll(importer, since)
            current_until, stored, error = at, polled.stored, None
        except MergecastError as failure:
            stored, error = None, str(failure)
        pause = pace.after(pause, stored)
        done = importer.now()
        report(FollowState(done, done + round(pause * SECOND), current_until, stored or 0, error))
        await sleep(pause)


async def poll(importer: Importer, since: int) -> Stored:
    stored = await importer.run(since)
    return stored.plus(await importer.check_queue())


async def import_once(
    importer: Importer,
    since: int,
    last_event: Callable[[OpenStay], Awaitable[int]],
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> Stored:
    """Import everything, then close stays whose pull requests have left the queue unnoticed.

    Only where the last event of a stay is recent, the platform may still say why it ended.
    """
    stored, now = await poll(importer, since), importer.now()
    left = {
        place: CONFIRM_SECONDS - max(0, now - await last_event(stay)) / SECOND
        for place, stay in importer.missing.items()
    }
    stored = stored.plus(await importer.close([place for place, seconds in left.items() if seconds <= 0]))
    if importer.missing:
        seconds = max(left.values())
        importer.wait_for(importer.missing, seconds)
        await sleep(seconds)
        stored = stored.plus(await importer.check_queue())
    return stored
