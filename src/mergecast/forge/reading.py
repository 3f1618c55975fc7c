"""Reads one pull request: the pull request first, then its parts concurrently."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from mergecast.forge.part_readers import READERS, Parts, read_reviews
from mergecast.forge.session import NotGiven, Pull, Session, run_all, run_both
from mergecast.model.instant import format_instant
from mergecast.model.snapshot import Needs, Part

_REVIEWERS = frozenset({Part.REVIEWS.key, Part.PERMISSIONS.key})


@dataclass(frozen=True, slots=True)
class Read:
    pull: Pull
    raw: bytes  # the JSON of the pull request
    parts: Mapping[str, object]

    def document(self, now: int) -> bytes:
        """The record."""
        return msgspec.json.encode(
            {"pull": msgspec.Raw(self.raw), **self.parts, "recorded_at": format_instant(now)}
        )


async def read(session: Session, number: int, needs: Needs) -> Read:
    """Read in two rounds of requests; parts that the platform does not provide are left out."""
    # Permissions are fetched for reviewers, so reviews are needed in the first round.
    if needs.parts >= _REVIEWERS:
        (pull, raw), _ = await run_both(session.pull(number), _reviews(session, number))
    else:
        pull, raw = await session.pull(number)
    parts = Parts(session, pull, needs)
    found = await run_all([_part(parts, key) for key in READERS if key in needs.parts])
    return Read(pull, raw, {key: value for given in found for key, value in given})


async def _reviews(session: Session, number: int) -> None:
    """Fetch the reviews into the memory of the session."""
    with suppress(NotGiven):
        await read_reviews(session, number)


async def _part(parts: Parts, key: str) -> tuple[tuple[str, object], ...]:
    """The part with its key, or nothing, because null would be a value."""
    try:
        return ((key, await READERS[key](parts)),)
    except NotGiven:
        return ()
