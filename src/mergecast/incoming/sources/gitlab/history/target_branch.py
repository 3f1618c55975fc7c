"""The target branch that a merge request had at an earlier time, according to its system notes."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from mergecast.incoming.sources.payload import Payload, instant, is_number, text

# A person changed the branch, or GitLab did when someone deleted the old one.
_CHANGE = re.compile(
    r"changed target branch from `([^`]+)` to `"
    r"|deleted the `([^`]+)` branch\. This merge request now targets the `"
)


class TargetChange(NamedTuple):
    at: int
    id: int  # of the note
    before: str


def target_changes(notes: Iterable[Payload]) -> list[TargetChange]:
    """Every change of the target branch, oldest first."""
    found = []
    for note in notes:
        changed = _CHANGE.match(text(note, "body") or "") if note.get("system") is True else None
        at, id = instant(note, "created_at"), note.get("id")
        if changed is not None and at is not None and is_number(id):
            found.append(TargetChange(at, id, changed[1] or changed[2]))
    return sorted(found)


def target_at(note: Payload, changes: Iterable[TargetChange], current: str) -> str:
    """The target branch when a note was written: the one before the next change."""
    written = (instant(note, "created_at") or 0, note.get("id") or 0)
    return next((change.before for change in changes if (change.at, change.id) > written), current)
