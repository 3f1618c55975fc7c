"""Items of GitHub's history → what translation needs of them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mergecast.sources.github.observation import FINAL_STATES, Observation, Seen
from mergecast.sources.github.payload import check_run_name, instant, member, text
from mergecast.sources.github.workflow_runs import read_workflow_run
from mergecast.sources.numbers import is_number

TIMELINE, WORKFLOW_RUN, CHECK_RUN, STATUS = "timeline", "workflow_run", "check_run", "status"
QUEUED, ABSENT = "queued", "absent"  # the queue was read, and the pull request was in it or not
_QUEUE_ACCOUNTS = ("github-merge-queue[bot]", "github-merge-queue")
_ADDED, _REMOVED, _MERGED = "AddedToMergeQueueEvent", "RemovedFromMergeQueueEvent", "MergedEvent"

Body = Mapping[str, Any]


def read_history_item(kind: str, id: str, body: Body, received_at: int) -> tuple[Observation, ...]:
    """The observations in an item; none if it does not concern a queue."""
    read = _READERS.get(kind)
    return tuple(read(id, body, received_at)) if read is not None else ()


def _timeline(id: str, body: Body, received_at: int) -> Iterable[Observation]:
    node, number, base_ref = member(body, "node"), body.get("number"), text(body, "base_ref")
    at = instant(node, "createdAt")
    if not is_number(number) or base_ref is None or at is None:
        return
    kind = node.get("__typename")
    common: dict[str, Any] = {
        "id": id, "received_at": received_at, "at": at, "base_ref": base_ref, "number": number,
        "is_from_timeline": True,
    }  # fmt: skip
    if kind == _ADDED:
        yield Observation(seen=Seen.ENTERED, **common)
    elif kind == _REMOVED:
        yield Observation(seen=Seen.LEFT, reason=text(node, "reason"), **common)
        tested = text(member(node, "beforeCommit"), "oid")
        if tested is not None:
            yield Observation(seen=Seen.GROUP_SEEN, **{**common, "id": f"{id}/group"}, head_sha=tested)
    elif kind == _MERGED:
        by_queue = text(member(node, "actor"), "login") in _QUEUE_ACCOUNTS
        yield Observation(seen=Seen.CLOSED, is_merged=True, is_by_queue=by_queue, **common)


def _workflow_run(id: str, body: Body, received_at: int) -> Iterable[Observation]:
    return read_workflow_run(body, id, received_at)


def _check_run(id: str, body: Body, received_at: int) -> Iterable[Observation]:
    number, base_ref, head_sha = body.get("number"), text(body, "base_ref"), text(body, "head_sha")
    if not is_number(number) or base_ref is None or head_sha is None:
        return
    yield Observation(
        seen=Seen.CHECK,
        id=id,
        received_at=received_at,
        base_ref=base_ref,
        number=number,
        head_sha=head_sha,
        check=check_run_name(body),
        check_id=str(body.get("id")),
        started_at=instant(body, "started_at"),
        ended_at=instant(body, "completed_at"),
        conclusion=text(body, "conclusion"),
    )


def _status(id: str, body: Body, received_at: int) -> Iterable[Observation]:
    number, base_ref, head_sha = body.get("number"), text(body, "base_ref"), text(body, "head_sha")
    if not is_number(number) or base_ref is None or head_sha is None:
        return
    conclusion, at = FINAL_STATES.get(text(body, "state") or ""), instant(body, "created_at")
    yield Observation(
        seen=Seen.CHECK,
        id=id,
        received_at=received_at,
        base_ref=base_ref,
        number=number,
        head_sha=head_sha,
        check=f"status {text(body, 'context') or ''}",
        check_id=str(body.get("id")) if conclusion else None,
        started_at=None if conclusion else at,
        ended_at=at if conclusion else None,
        conclusion=conclusion,
    )


def _queued(id: str, body: Body, received_at: int) -> Iterable[Observation]:
    """A queue entry; its instant may differ by seconds from the one in the timeline."""
    number, base_ref, at = body.get("number"), text(body, "base_ref"), instant(body, "enqueued_at")
    if is_number(number) and base_ref is not None and at is not None:
        yield Observation(
            seen=Seen.QUEUED, id=id, received_at=received_at, at=at, base_ref=base_ref, number=number
        )


def _absent(id: str, body: Body, received_at: int) -> Iterable[Observation]:
    number, base_ref, at = body.get("number"), text(body, "base_ref"), instant(body, "at")
    if is_number(number) and base_ref is not None and at is not None:
        yield Observation(
            seen=Seen.ABSENT,
            id=id,
            received_at=received_at,
            at=at,
            base_ref=base_ref,
            number=number,
            last_seen_at=instant(body, "last_seen_at"),
        )


_READERS: Mapping[str, Callable[[str, Body, int], Iterable[Observation]]] = {
    TIMELINE: _timeline,
    WORKFLOW_RUN: _workflow_run,
    CHECK_RUN: _check_run,
    STATUS: _status,
    QUEUED: _queued,
    ABSENT: _absent,
}
