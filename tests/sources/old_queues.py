"""Queues that are three times as old as the window that an import reads, and who is in them now.

Some are queued every day, and many around the beginning of the window.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from mergecast.queues.model.instant import DAY
from sources.bors_queue import BorsQueue
from sources.faulty_server import Reply, Request
from sources.github_deliveries import clock, sha
from sources.platforms import ActivityLog, GitHubPlatform, GitLabPlatform, at

NOW = clock(600)
WINDOW = 90 * DAY
SINCE = NOW - WINDOW
_NOW, _DAY = 600.0, 24 * 60.0
_SINCE = _NOW - 90 * _DAY
WAITING, TESTED = 9000, 9001  # who is in the queue now, one of them since long before the window
_WAITING_SINCE = _SINCE - 17 * _DAY
_TESTED_SINCE = _NOW - 12
WAITING_SINCE, TESTED_SINCE = at(_WAITING_SINCE), at(_TESTED_SINCE)


class OldStay(NamedTuple):
    """A stay that is over; a pull request that fails is queued again later."""

    number: int
    entered: float  # in minutes, as platforms count
    left: float
    has_merged: bool


def old_stays() -> Iterator[OldStay]:
    """In the order in which they began."""
    daily = [_NOW - day * _DAY - 3 * 60 for day in range(269, 0, -1)]
    dense = [_SINCE + place * 37 for place in range(-120, 40)]
    failed: list[int] = []
    for number, entered in enumerate(sorted([*daily, *dense]), 1):
        if number % 5 == 0 and failed:
            yield OldStay(failed.pop(0), entered, entered + 30, has_merged=True)
            continue
        has_merged = number % 7 != 0
        failed += [] if has_merged else [number]
        yield OldStay(number, entered, entered + 30, has_merged=has_merged)


# Someone comments on these long after they have merged.
_COMMENTED = (3, 41, 131, 191)


def _github() -> GitHubPlatform:
    platform = GitHubPlatform(per_page=100)
    for place, stay in enumerate(old_stays()):
        commit = sha(f"group {place}")
        platform.added(stay.number, stay.entered)
        # CI goes on for some minutes after a person has removed the pull request.
        ended = stay.left + (-2 if stay.has_merged else 15)
        platform.run(
            stay.number, commit, stay.entered + 1, ended, "success" if stay.has_merged else "failure"
        )
        if stay.has_merged:
            platform.merged(stay.number, stay.left, commit)
        else:
            platform.removed(stay.number, stay.left, "failed_checks", commit)
    for number in _COMMENTED:
        platform.pulls[number]["updatedAt"] = at(_NOW - number)
    group = sha("group that is tested")
    platform.added(WAITING, _WAITING_SINCE)
    platform.enqueue(WAITING, _WAITING_SINCE)
    platform.added(TESTED, _TESTED_SINCE)
    platform.enqueue(TESTED, _TESTED_SINCE, group=(group, "0" * 40, _TESTED_SINCE + 1))
    return platform


def _gitlab() -> GitLabPlatform:
    platform = GitLabPlatform()
    for place, stay in enumerate(old_stays()):
        platform.note(10 * place, stay.number, stay.entered, "started a merge train")
        status = "success" if stay.has_merged else "failed"
        platform.pipeline(place, stay.number, stay.entered + 1, stay.left - 2, status)
        if stay.has_merged:
            platform.car(place, stay.number, stay.entered, stay.left)
            platform.requests[stay.number] |= {"state": "merged", "merged_at": at(stay.left)}
        else:
            words = "removed this merge request from the merge train because the pipeline did not succeed"
            platform.note(10 * place + 1, stay.number, stay.left, words)
    for number in _COMMENTED:
        platform.requests[number]["updated_at"] = at(_NOW - number)
    for number, entered in ((WAITING, _WAITING_SINCE), (TESTED, _TESTED_SINCE)):
        platform.note(10 * number, number, entered, "started a merge train")
        platform.car(number, number, entered)
    return platform


def _bors() -> BorsQueue:
    queue = BorsQueue(per_page=100)
    for stay in old_stays():
        queue.says(stay.number, stay.entered, "bors r+")
        queue.result(stay.left, "Build succeeded:" if stay.has_merged else "Build failed:", stay.number)
        if stay.has_merged:
            queue.closed(stay.number, stay.left + 0.1, by="bors")
    for number in _COMMENTED:
        queue.pulls[number]["updatedAt"] = at(_NOW - number)
    for number, entered in ((WAITING, _WAITING_SINCE), (TESTED, _TESTED_SINCE)):
        queue.says(number, entered, "bors r+")
    queue.pulls[WAITING]["updatedAt"] = at(_NOW - 5)  # only a pull request that changes is read
    return queue


def _activity_log() -> ActivityLog:
    written: list[tuple[float, str, int, dict[str, object]]] = []
    ways = ((stay, stay.entered, stay.left) for stay in old_stays())
    for stay, entered, left in ways:
        own: dict[str, object] = {"branch": "main", "queue_name": "default", "queued_at": at(entered)}
        own |= {"session_id": f"{stay.number}-{entered}", "batch_id": f"batch-{entered}"}
        checked = {"number": stay.number, "in_place": True, "pull_request_numbers": [stay.number]}
        code = "PR_MERGED" if stay.has_merged else "CHECKS_FAILED"
        written.append((entered, "enter", stay.number, own))
        written.append(
            (entered + 1, "checks_start", stay.number, {**own, "speculative_check_pull_request": checked})
        )
        ended = {"aborted": not stay.has_merged, "abort_code": None if stay.has_merged else code}
        written.append((left - 1, "checks_end", stay.number, {**own, **ended}))
        written.append((left, "leave", stay.number, {**own, "merged": stay.has_merged, "dequeue_code": code}))
    for number, entered in ((WAITING, _WAITING_SINCE), (TESTED, _TESTED_SINCE)):
        own = {"branch": "main", "queue_name": "default", "queued_at": at(entered)}
        own["session_id"] = str(number)
        written.append((entered, "enter", number, own))
        checked = {"number": number, "in_place": True, "pull_request_numbers": [number]}
        started = {**own, "batch_id": f"batch-{number}", "speculative_check_pull_request": checked}
        written.append((_TESTED_SINCE + 1, "checks_start", number, started))
    written.sort(key=lambda entry: entry[0])
    return ActivityLog(
        entries=[
            {
                "id": id, "type": f"action.queue.{type}", "received_at": at(minutes), "base_ref": "main",
                "pull_request": number, "metadata": metadata,
            }
            for id, (minutes, type, number, metadata) in enumerate(written, 1)
        ],
        per_page=100,
    )  # fmt: skip


OLD_QUEUES: dict[str, Callable[[], Callable[[Request], Reply]]] = {
    "github": _github, "activity-log": _activity_log, "gitlab": _gitlab, "bors": _bors,
}  # fmt: skip
