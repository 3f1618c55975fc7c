"""Items of GitHub's history → what translation needs of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import structs

from mergecast.incoming.sources.commits import commit_of
from mergecast.incoming.sources.github.ci_reports import (
    check_run,
    commit_status,
    job,
    on_queue_branch,
    workflow_run,
)
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.payload import Payload, instant, is_number, member, text

TIMELINE, WORKFLOW_RUN, CHECK_RUN, STATUS = "timeline", "workflow_run", "check_run", "status"
IS_EARLY = "is_before_window"  # a field that an import adds to a run
JOB, REQUIRED_CHECKS, QUEUE_SETTINGS = "workflow_job", "required_checks", "queue_settings"
QUEUED, ABSENT = "queued", "absent"  # the queue was read, and the pull request was in it or not
GROUP = "group"  # what was being tested for a pull request when the queue was read
_QUEUE_ACCOUNTS = ("github-merge-queue[bot]", "github-merge-queue")
# The entries of timelines.
ADDED, REMOVED = "AddedToMergeQueueEvent", "RemovedFromMergeQueueEvent"
MERGED, CLOSED = "MergedEvent", "ClosedEvent"


def read_history_item(kind: str, id: str, body: Payload, received_at: int) -> tuple[Observation, ...]:
    """The observations in an item; none if it does not concern a queue."""
    read = _READERS.get(kind)
    return tuple(read(id, body, received_at)) if read is not None else ()


def _timeline(id: str, body: Payload, received_at: int) -> Iterable[Observation]:
    node, number, base_ref = member(body, "node"), body.get("number"), text(body, "base_ref")
    at = instant(node, "createdAt")
    if not is_number(number) or base_ref is None or at is None:
        return
    kind = node.get("__typename")
    common: dict[str, Any] = {
        "id": id, "received_at": received_at, "at": at, "base_ref": base_ref, "number": number,
        "is_from_timeline": True, "pull_sha": commit_of(text(body, "pull_sha")),
    }  # fmt: skip
    if kind == ADDED:
        yield Observation(seen=Seen.ENTERED, **common)
    elif kind == REMOVED:
        yield Observation(seen=Seen.LEFT, reason=text(node, "reason"), **common)
        tested = text(member(node, "beforeCommit"), "oid")
        if tested is not None:
            group = {**common, "id": f"{id}/group", "pull_sha": None, "head_sha": tested}
            yield Observation(seen=Seen.GROUP_SEEN, **group)
    elif kind == MERGED:
        by_queue = text(member(node, "actor"), "login") in _QUEUE_ACCOUNTS
        yield Observation(seen=Seen.CLOSED, is_merged=True, is_by_queue=by_queue, **common)
    elif kind == CLOSED:
        yield Observation(seen=Seen.CLOSED, **common)


def _workflow_run(id: str, body: Payload, received_at: int) -> Iterable[Observation]:
    runs = workflow_run(body, id, received_at)
    return (structs.replace(run, is_early=True) for run in runs) if body.get(IS_EARLY) is True else runs


def _job(id: str, body: Payload, received_at: int) -> Iterable[Observation]:
    ref, head_sha = text(body, "head_branch"), text(body, "head_sha")
    reports = on_queue_branch(ref, head_sha, id=id, received_at=received_at)
    return (seen for report in reports if (seen := job(body, report)) is not None)


def _required_checks(id: str, body: Payload, received_at: int) -> Iterable[Observation]:
    """The checks that the rules of a base branch required when they were read."""
    base_ref, at, names = text(body, "base_ref"), instant(body, "at"), body.get("names")
    if base_ref and at is not None and isinstance(names, list):
        yield Observation(
            seen=Seen.REQUIRED,
            id=id,
            received_at=received_at,
            at=at,
            base_ref=base_ref,
            names=tuple(sorted({name for name in names if isinstance(name, str)})),
        )


def _settings(id: str, body: Payload, received_at: int) -> Iterable[Observation]:
    """The settings of the queue of a base branch when they were read."""
    base_ref, at, given = text(body, "base_ref"), instant(body, "at"), member(body, "settings")
    values = tuple((name, value) for name, value in sorted(given.items()) if isinstance(value, int | str))
    if base_ref and at is not None and values:
        yield Observation(
            seen=Seen.SETTINGS, id=id, received_at=received_at, at=at, base_ref=base_ref, settings=values
        )


def _check_run(id: str, body: Payload, received_at: int) -> Iterable[Observation]:
    return (check_run(body, report) for report in _on_commit(id, body, received_at))


def _status(id: str, body: Payload, received_at: int) -> Iterable[Observation]:
    return (commit_status(body, report) for report in _on_commit(id, body, received_at))


def _of_pull(id: str, body: Payload, received_at: int, **seen: Any) -> Iterator[Observation]:
    """What was seen of a pull request, unless the item does not name it or its branch."""
    number, base_ref = body.get("number"), text(body, "base_ref")
    if is_number(number) and base_ref is not None:
        yield Observation(id=id, received_at=received_at, base_ref=base_ref, number=number, **seen)


def _on_commit(id: str, body: Payload, received_at: int) -> Iterator[Observation]:
    """A report about a commit; the import has added for which pull request it was built."""
    head_sha = text(body, "head_sha")
    if head_sha is not None:
        yield from _of_pull(id, body, received_at, seen=Seen.CHECK, head_sha=head_sha)


def _queued(id: str, body: Payload, received_at: int) -> Iterator[Observation]:
    """A queue entry; its instant may differ by seconds from the one in the timeline."""
    at, pull_sha = instant(body, "enqueued_at"), commit_of(text(body, "pull_sha"))
    if at is not None:
        yield from _of_pull(id, body, received_at, seen=Seen.QUEUED, at=at, pull_sha=pull_sha)


def _group(id: str, body: Payload, received_at: int) -> Iterator[Observation]:
    """A group in the queue. It is dated by its commit, as exactly as a timeline."""
    at, shas = instant(body, "built_at"), {name: text(body, name) for name in ("head_sha", "base_sha")}
    if shas["head_sha"] is not None:
        group = {"seen": Seen.GROUP_BUILT, "is_from_timeline": True, **shas}
        yield from _of_pull(id, body, received_at, at=at, **group)


def _absent(id: str, body: Payload, received_at: int) -> Iterator[Observation]:
    at, last_seen_at = instant(body, "at"), instant(body, "last_seen_at")
    if at is not None:
        yield from _of_pull(id, body, received_at, seen=Seen.ABSENT, at=at, last_seen_at=last_seen_at)


_READERS: Mapping[str, Callable[[str, Payload, int], Iterable[Observation]]] = {
    TIMELINE: _timeline,
    WORKFLOW_RUN: _workflow_run,
    JOB: _job,
    REQUIRED_CHECKS: _required_checks,
    QUEUE_SETTINGS: _settings,
    CHECK_RUN: _check_run,
    STATUS: _status,
    QUEUED: _queued,
    GROUP: _group,
    ABSENT: _absent,
}
