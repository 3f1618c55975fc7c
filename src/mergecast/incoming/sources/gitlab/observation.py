"""Items of GitLab's history, read as observations: the few fields that translation needs."""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct

from mergecast.incoming.sources.ci_check_parts import link, runner_of
from mergecast.incoming.sources.commits import commit_of
from mergecast.incoming.sources.payload import Payload, instant, is_number, member, text
from mergecast.queues.model.instant import SECOND

CAR, PIPELINE, NOTE, ABSENT = "car", "pipeline", "note", "absent"  # the kinds of items
JOB, LANDED = "job", "merged"
_TRAIN_REF = re.compile(r"refs/merge-requests/([0-9]{1,18})/train")
_ENTERED = ("started a merge train", "added this merge request to the merge train")
_LEFT = (
    "removed this merge request from the merge train",
    "aborted this merge request from the merge train",  # of older versions
)
_LONGEST_STATUS, _LONGEST_REASON, _LONGEST_NAME = 60, 500, 300
_LONGEST_WAIT_SECONDS = 1e9
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")  # in Markdown


class Seen(StrEnum):
    CAR = "car"  # the place of a merge request on a train
    PIPELINE = "pipeline"
    JOB = "job"  # of a pipeline
    ENTERED = "entered"  # a system note
    LEFT = "left"  # a system note
    MERGED = "merged"  # as the merge request says itself: the car of an old ride is not read
    ABSENT = "absent"  # the train was read, and the merge request was not on it


class Observation(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One observation of a merge request on a train. Instants are microseconds since the epoch."""

    seen: Seen
    id: int  # of the car, the pipeline, the job or the note
    number: int
    at: int  # when the car, pipeline or note was created; when the absence was seen
    base_ref: str = ""
    status: str | None = None
    ended_at: int | None = None  # merged, or the pipeline finished
    reason: str | None = None  # the text of a note after `because`; why a job failed
    last_seen_at: int | None = None  # of an absence: when the merge request was last seen on the train
    # The last commit of the merge request at `at` and at `ended_at`; empty if the given one cannot be used.
    head_sha: str | None = None
    ended_head_sha: str | None = None
    # Of a job
    pipeline: int | None = None
    name: str | None = None
    queued_at: int | None = None
    started_at: int | None = None
    url: str | None = None  # empty if the given one cannot be used
    runner: str | None = None  # the tags of the machine, or its description
    may_fail: bool | None = None
    has_changed_title: bool = False  # characters were removed from the title that came with it


def read_history_item(kind: str, item: Payload) -> Observation | None:
    """The observation in an item; None if it does not concern a train."""
    read = _READERS.get(kind)
    return read(item) if read is not None else None


def _car(item: Payload) -> Observation | None:
    """One item of `GET …/merge_trains`."""
    number, id, at = member(item, "merge_request").get("iid"), item.get("id"), instant(item, "created_at")
    if not is_number(id) or not is_number(number) or at is None:
        return None
    return Observation(
        seen=Seen.CAR,
        id=id,
        number=number,
        at=at,
        base_ref=text(item, "target_branch") or "",
        status=(text(item, "status") or "")[:_LONGEST_STATUS],
        ended_at=instant(item, "merged_at"),
        head_sha=commit_of(text(item, "head_sha")),
        ended_head_sha=commit_of(text(item, "merged_head_sha")),
    )


def _pipeline(item: Payload) -> Observation | None:
    """A pipeline of a train; None for any other pipeline."""
    found = _TRAIN_REF.fullmatch(text(item, "ref") or "")
    id, created_at = item.get("id"), instant(item, "created_at")
    if found is None or not is_number(id) or created_at is None:
        return None
    return Observation(
        seen=Seen.PIPELINE,
        id=id,
        number=int(found[1]),
        at=instant(item, "started_at") or created_at,
        status=(text(item, "status") or "")[:_LONGEST_STATUS],
        ended_at=instant(item, "finished_at") or instant(item, "updated_at"),
    )


def is_train_pipeline(pipeline: Payload) -> bool:
    return _TRAIN_REF.fullmatch(text(pipeline, "ref") or "") is not None


def _job(item: Payload) -> Observation | None:
    """A job of a train's pipeline; None for any other job, and for one that waits for a person."""
    pipeline = member(item, "pipeline")
    found = _TRAIN_REF.fullmatch(text(pipeline, "ref") or text(item, "ref") or "")
    id, pipeline_id, created_at = item.get("id"), pipeline.get("id"), instant(item, "created_at")
    if found is None or not is_number(id) or not is_number(pipeline_id) or created_at is None:
        return None
    status, may_fail = (text(item, "status") or "")[:_LONGEST_STATUS], item.get("allow_failure")
    if status == "manual":
        return None
    started_at = instant(item, "started_at")
    return Observation(
        seen=Seen.JOB,
        id=id,
        number=int(found[1]),
        at=created_at,
        status=status,
        ended_at=instant(item, "finished_at"),
        reason=(text(item, "failure_reason") or "")[:_LONGEST_STATUS] or None,
        pipeline=pipeline_id,
        name=(text(item, "name") or "")[:_LONGEST_NAME],
        queued_at=_queued_at(item.get("queued_duration"), started_at),
        started_at=started_at,
        url=link(text(item, "web_url")),
        runner=runner_of(item.get("tag_list")) or runner_of([member(item, "runner").get("description")]),
        may_fail=may_fail if isinstance(may_fail, bool) else None,
    )


def _queued_at(seconds: object, started_at: int | None) -> int | None:
    """When a job began to wait for a machine: jobs of later stages are created long before that."""
    if started_at is None or isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    return started_at - round(seconds * SECOND) if 0 <= seconds <= _LONGEST_WAIT_SECONDS else None


def _merged(item: Payload) -> Observation | None:
    number, at, base_ref = item.get("number"), instant(item, "merged_at"), text(item, "target_branch")
    if not is_number(number) or at is None:
        return None
    return Observation(seen=Seen.MERGED, id=number, number=number, at=at, base_ref=base_ref or "")


def _note(item: Payload) -> Observation | None:
    """A system note about the train; None for any other note."""
    number, id, at = item.get("number"), item.get("id"), instant(item, "created_at")
    if not is_train_note(item) or not is_number(number) or not is_number(id) or at is None:
        return None
    _, _, reason = _words(item).partition(" because ")
    has_left = _words(item).startswith(_LEFT)
    return Observation(
        seen=Seen.LEFT if has_left else Seen.ENTERED,
        id=id,
        number=number,
        at=at,
        base_ref=text(item, "target_branch") or "",
        reason=(reason[:_LONGEST_REASON] or None) if has_left else None,
        head_sha=commit_of(text(item, "head_sha")),
    )


def is_train_note(note: Payload) -> bool:
    """Whether GitLab itself wrote the note, and it says that the merge request entered or left a train."""
    return note.get("system") is True and _words(note).startswith((*_ENTERED, *_LEFT))


def _words(note: Payload) -> str:
    return _LINK.sub(r"\1", text(note, "body") or "")


def _absent(item: Payload) -> Observation | None:
    number, at = item.get("number"), instant(item, "at")
    if not is_number(number) or at is None:
        return None
    return Observation(
        seen=Seen.ABSENT,
        id=0,
        number=number,
        at=at,
        base_ref=text(item, "target_branch") or "",
        last_seen_at=instant(item, "last_seen_at"),
    )


_READERS: Mapping[str, Callable[[Payload], Observation | None]] = {
    CAR: _car,
    PIPELINE: _pipeline,
    JOB: _job,
    NOTE: _note,
    ABSENT: _absent,
    LANDED: _merged,
}
