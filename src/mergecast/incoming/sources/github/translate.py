"""The stays of one pull request on one base branch → its events."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from mergecast.incoming.sources.github import NAME
from mergecast.incoming.sources.github.checks import Attempt, attempts
from mergecast.incoming.sources.github.ci_checks import CiOfBranch, ci_checks
from mergecast.incoming.sources.github.groups import DEQUEUED, INVALIDATED, MERGED
from mergecast.incoming.sources.github.stays.draft import GitHubStay
from mergecast.incoming.sources.github.surroundings import Surroundings, with_conflict_explained
from mergecast.incoming.sources.translation import Translation, Untranslated, unknown_reason
from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.event import CHECKS_ENDED, CHECKS_STARTED, QUEUE_ENTERED, QUEUE_LEFT, Event
from mergecast.queues.model.instant import format_instant

QUEUE = "default"  # GitHub's queues have no name
# Ids of stays and events have 200 characters at most, and a base branch may have more.
_LONGEST_BRANCH_IN_ID = 80
_DIGITS_OF_COMMIT_IN_ID = 16
_NOTHING_ELSE = CiOfBranch()
_KNOWN_ENDS = (DEQUEUED, INVALIDATED, MERGED, None)


def translate(
    base_ref: str,
    number: int,
    stays: Sequence[GitHubStay],
    around: Surroundings,
    ci: CiOfBranch = _NOTHING_ELSE,
) -> Translation:
    """The events of every stay of the pull request, and the CI checks of its groups."""
    explained = [with_conflict_explained(stay, around) for stay in stays]
    tested = [list(attempts(stay, around)) for stay in explained]
    told = list(zip(explained, tested, strict=True))
    events = (event for stay, runs in told for event in _events(base_ref, number, stay, runs))
    said = [one for stay, runs in told for one in _ci_checks(base_ref, number, stay, runs, ci)]
    return Translation(
        tuple(events),
        (*_unknown_reasons(stays), *(one for one in said if isinstance(one, Untranslated))),
        tuple(one for one in said if isinstance(one, CiCheckReport)),
    )


def _unknown_reasons(stays: Sequence[GitHubStay]) -> Iterator[Untranslated]:
    """Exits, and ends of groups, whose reason this version does not know."""
    for stay in stays:
        if stay.exit is not None and stay.exit.unknown_reason is not None:
            yield unknown_reason(stay.exit.unknown_reason, stay.exit.at)
        for group in stay.groups:
            if group.destroyed_reason not in _KNOWN_ENDS and group.destroyed_at is not None:
                yield unknown_reason(f"group {group.destroyed_reason}", group.destroyed_at)


def _ci_checks(
    base_ref: str, number: int, stay: GitHubStay, runs: Sequence[Attempt], ci: CiOfBranch
) -> Iterator[CiCheckReport | Untranslated]:
    for group in stay.groups:
        id = f"{NAME}:{_branch_in_id(base_ref)}#{number}/{group.head_sha[:_DIGITS_OF_COMMIT_IN_ID]}"
        shared = CiCheckReport(id, 0, base_ref, QUEUE, group.head_sha, "", "", source=NAME)
        own = [attempt for attempt in runs if attempt.head_sha == group.head_sha]
        yield from ci_checks(shared, group, own, ci)


def _events(base_ref: str, number: int, stay: GitHubStay, tested: Sequence[Attempt]) -> Iterator[Event]:
    session = _session(base_ref, number, stay)
    event = Event("", "", 0, base_ref, QUEUE, None, NAME, session_id=session, pull_request=number)
    if stay.entered_at is not None:
        yield event._replace(
            id=f"{session}/entered",
            type=QUEUE_ENTERED,
            happened_at=stay.entered_at,
            head_sha=stay.entered_sha,
        )
    for attempt in tested:
        yield from _check_events(event, attempt)
    if stay.exit is not None:
        yield event._replace(
            id=f"{session}/left",
            type=QUEUE_LEFT,
            happened_at=max(stay.exit.at, stay.entered_at or 0),  # the clocks of hosts differ by seconds
            reason=stay.exit.reason,
            batch_id=tested[-1].head_sha if tested else None,
            schedule_wait=0,
            freeze_wait=0,
            head_sha=stay.left_sha,
        )


def _check_events(event: Event, attempt: Attempt) -> Iterator[Event]:
    id = f"{event.session_id}/{attempt.head_sha[:_DIGITS_OF_COMMIT_IN_ID]}/{attempt.number}"
    run = event._replace(batch_id=attempt.head_sha, attempt=attempt.number)
    yield run._replace(
        id=f"{id}/started",
        type=CHECKS_STARTED,
        happened_at=attempt.started_at,
        batch_pull_requests=str(event.pull_request),
    )
    if attempt.ended_at is not None:
        yield run._replace(
            id=f"{id}/ended", type=CHECKS_ENDED, happened_at=attempt.ended_at, outcome=attempt.outcome
        )


def _session(base_ref: str, number: int, stay: GitHubStay) -> str:
    """Identifies a stay by the instant it began, or ended if its start is unknown."""
    instant = stay.entered_at if stay.entered_at is not None else (stay.exit.at if stay.exit else 0)
    return f"{NAME}:{_branch_in_id(base_ref)}#{number}@{format_instant(instant)}"


def _branch_in_id(base_ref: str) -> str:
    if len(base_ref) <= _LONGEST_BRANCH_IN_ID:
        return base_ref
    return f"{base_ref[: _LONGEST_BRANCH_IN_ID - 17]}~{sha256(base_ref.encode()).hexdigest()[:16]}"
