"""One pull request: itself first, then what hangs on it, all at once."""

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
    raw: bytes  # the pull request as it came
    parts: Mapping[str, object]

    def document(self, now: int) -> bytes:
        """The recorded document."""
        return msgspec.json.encode(
            {"pull": msgspec.Raw(self.raw), **self.parts, "recorded_at": format_instant(now)}
        )


async def read(session: Session, number: int, needs: Needs) -> Read:
    """In two rounds of questions; what the platform does not give is left out."""
    # Who reviewed must be known before anybody's permission is asked for: it is asked in the first round.
    if needs.parts >= _REVIEWERS:
        (pull, raw), _ = await run_both(session.pull(number), _reviews(session, number))
    else:
        pull, raw = await session.pull(number)
    parts = Parts(session, pull, needs)
    found = await run_all([_part(parts, key) for key in READERS if key in needs.parts])
    return Read(pull, raw, {key: value for given in found for key, value in given})


async def _reviews(session: Session, number: int) -> None:
    """For the memory of the session."""
    with suppress(NotGiven):
        await read_reviews(session, number)


async def _part(parts: Parts, key: str) -> tuple[tuple[str, object], ...]:
    """The part with its key, or nothing: null would be a value."""
    try:
        return ((key, await READERS[key](parts)),)
    except NotGiven:
        return ()
