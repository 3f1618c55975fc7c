"""What is known about a base branch: pushes past the queue, required checks, and its queue's settings."""

from collections.abc import Sequence

import msgspec

from mergecast.incoming.sources.github import TITLE
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.translation import Standing
from mergecast.queues.model.queue_settings import SettingsInForce

_MOST_PUSHES = 10_000  # the newest ones
_MOST_RULES = 100  # the newest ones


class RequiredChecks(msgspec.Struct, frozen=True, array_like=True):
    """The names of the checks that a branch requires, and since when that is known."""

    since: int
    names: tuple[str, ...]


class StandingOfBranch(msgspec.Struct, frozen=True, array_like=True):
    """When a base branch was pushed to past the queue, and which checks it requires."""

    base_ref: str
    pushes: tuple[int, ...] = ()
    required: tuple[RequiredChecks, ...] = ()


def standing_of_settings(seen: Sequence[Observation]) -> Standing | None:
    """The standing of a thread about the settings of a queue; no other thread depends on it."""
    told = [report for report in seen if report.seen is Seen.SETTINGS]
    if not told:
        return None
    last = max(told, key=lambda report: (report.instant, report.id))
    settings = SettingsInForce(TITLE, last.instant, dict(last.settings))
    return Standing(msgspec.json.encode(settings).decode())


def standing_of_branch(seen: Sequence[Observation]) -> Standing | None:
    """The standing of a thread about a base branch; None for a thread about a pull request."""
    pushes = sorted({push.instant for push in seen if push.seen is Seen.BASE_PUSHED})
    required = _required(seen)
    if not pushes and not required:
        return None
    base_ref, newest = seen[0].base_ref, pushes[-_MOST_PUSHES:]
    # Without rules the text is the one of earlier versions, so that nothing is translated again.
    parts = (base_ref, newest, required[-_MOST_RULES:]) if required else (base_ref, newest)
    return Standing(msgspec.json.encode(parts).decode(), frozenset({f"{base_ref}#"}))


def _required(seen: Sequence[Observation]) -> list[RequiredChecks]:
    """The rules in their order, without those that only repeat what the rules before said."""
    found: list[RequiredChecks] = []
    rules = (report for report in seen if report.seen is Seen.REQUIRED)
    for report in sorted(rules, key=lambda report: (report.instant, report.names)):
        if not found or found[-1].names != report.names:
            found.append(RequiredChecks(report.instant, report.names))
    return found
