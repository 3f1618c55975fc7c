"""The last commit of a pull request when it enters and leaves a queue, as each source tells it."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from mergecast.incoming.sources.activity_log.deliveries import item_delivery
from mergecast.incoming.sources.commits import BAD_COMMIT
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.incoming.sources.github.history.heads import Heads
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.event import QUEUE_ENTERED, QUEUE_LEFT
from mergecast.queues.model.instant import MINUTE
from sources.activity_log_pages import LogStory
from sources.bors_queue import BorsQueue
from sources.bors_queue import translations as bors_translations
from sources.bors_stories import FAILED, SUCCEEDED
from sources.ci_check_reports import reasons_of, translations_of
from sources.faulty_server import faulty_server
from sources.github_deliveries import Story, clock, sha
from sources.imports import Setup
from sources.platforms import GitHubPlatform, GitLabPlatform, at

A, B, C = sha("a"), sha("b"), sha("c")
_NAMES = {A: "a", B: "b", C: "c", None: "?"}
_STAYS = (QUEUE_ENTERED, QUEUE_LEFT)


def _commits(deliveries: Iterable[Delivery]) -> list[str]:
    """The commits of entries and exits, in their order, as letters."""
    events = [event for one in translations_of(deliveries).values() for event in one.events]
    ordered = sorted(events, key=lambda event: (event.happened_at, event.type))
    return [_NAMES[event.head_sha] for event in ordered if event.type in _STAYS]


def _story(head: str = "a") -> Story:
    return Story(heads={1: head})


def _received(story: Story) -> list[Delivery]:
    return [webhook_delivery(one.event, one.id, one.body, one.received_at)[1] for one in story.deliveries]


def _changed(story: Story, place: int, **head: Any) -> list[Delivery]:
    """What is received if a webhook names another commit, or none."""
    sent = story.deliveries[place]
    payload = json.loads(sent.body)
    payload["pull_request"]["head"] = head
    story.deliveries[place] = sent._replace(body=json.dumps(payload).encode())
    return _received(story)


def test_webhooks_name_the_commit_of_the_pull_request_and_not_that_of_its_group() -> None:
    story = _story()
    story.enqueued(0, 1)
    story.group(1, 1, "group")
    story.merged(20, 1)

    assert ["a", "a"] == _commits(_received(story))


def test_a_pull_request_that_was_pushed_to_comes_back_with_another_commit() -> None:
    story = _story()
    story.enqueued(0, 1)
    story.dequeued(20, 1, "CI_FAILURE")
    story.pushed_to(25, 1, "b")
    story.enqueued(30, 1)
    story.merged(50, 1)

    assert ["a", "a", "b", "b"] == _commits(_received(story))
    assert ["a", "a", "b", "b"] == _commits(reversed(_received(story)))


def test_a_push_to_a_queued_pull_request_changes_the_commit_that_it_leaves_with() -> None:
    """Also if the webhook about the exit is lost, and however late the one about the push comes."""
    story = _story()
    story.enqueued(0, 1)
    story.group(1, 1, "group")
    story.pushed_to(10, 1, "b")
    story.destroyed(11, 1, "group", "dequeued")
    late = story.deliveries[2]
    story.deliveries[2] = late._replace(received_at=late.received_at + 300 * MINUTE)

    assert ["a", "b"] == _commits(_received(story))


def test_a_push_names_the_commit_before_it_if_the_entry_was_not_reported() -> None:
    """Otherwise what was tested would seem to be the commit that it left with."""
    story = _story()
    story.group(1, 1, "group")
    story.pushed_to(10, 1, "b")
    story.dequeued(11, 1, "MANUAL")

    assert ["a", "b"] == _commits(_received(story))


def test_an_entry_that_was_not_reported_has_no_commit() -> None:
    """Whatever hid the entry may have hidden a push: the commit of the last exit proves nothing."""
    story = _story()
    story.enqueued(0, 1)
    story.dequeued(20, 1, "CI_FAILURE")
    story.group(40, 1, "group")

    assert ["a", "a", "?"] == _commits(_received(story))


def test_a_pull_request_that_is_closed_later_may_have_been_pushed_to_since_it_left() -> None:
    story = _story()
    story.enqueued(0, 1)
    story.group(1, 1, "group")
    story.destroyed(20, 1, "group", "dequeued")
    story.heads[1] = "b"
    story.closed(600, 1, merged_by=None)

    assert "a" == _commits(_received(story))[0]
    assert "a" not in _commits(_received(story))[1:]


def test_the_exit_before_names_no_commit_of_a_pull_request_that_entered_again_at_once() -> None:
    """It is closed while it is queued, and no webhook says that it left."""
    story = _story()
    story.enqueued(0, 1)
    story.dequeued(10, 1, "CI_FAILURE")
    story.pushed_to(10.2, 1, "b")
    story.enqueued(10.5, 1)
    story.closed(10.9, 1, merged_by=None)

    assert ["a", "a", "b", "b"] == _commits(_received(story))


def test_an_exit_without_an_entry_has_a_commit_of_its_own() -> None:
    """And the next stay does not take it."""
    story = _story()
    story.dequeued(0, 1, "CI_FAILURE")
    story.heads[1] = "b"
    story.enqueued(60, 1)
    story.closed(90, 1, merged_by=None)

    assert ["a", "b", "b"] == _commits(_received(story))


@pytest.mark.parametrize("given", ["0" * 40, "a" * 39, "main", "g" * 40, "f" * 41])
def test_what_is_no_commit_is_left_out_and_counted(given: str) -> None:
    """Once for each pull request; the webhook itself counts."""
    story = _story()
    story.enqueued(0, 1)
    story.merged(20, 1)
    received = _changed(story, 0, sha=given)

    assert ["?", "a"] == _commits(received)
    assert [BAD_COMMIT] == reasons_of(received)


@pytest.mark.parametrize("given", [None, 7, "", {}])
def test_a_webhook_without_a_commit_is_nothing_to_count(given: object) -> None:
    story = _story()
    story.enqueued(0, 1)
    received = _changed(story, 0, sha=given)

    assert (["?"], []) == (_commits(received), reasons_of(received))


def test_commits_are_written_in_lower_case() -> None:
    story = _story()
    story.enqueued(0, 1)

    assert ["a"] == _commits(_changed(story, 0, sha=A.upper()))


def test_a_bot_may_push_all_day() -> None:
    """A pull request with too many reports is not translated; pushes do not count among them."""
    story = _story()
    for push in range(1_500):
        story.pushed_to(push, 1, "b")
    story.enqueued(1_600, 1)

    assert (["b"], []) == (_commits(_received(story)), reasons_of(_received(story)))


def _pull(made: Sequence[tuple[float, str]], *forced: tuple[float, tuple[float, str], str]) -> dict[str, Any]:
    """A pull request with commits that were made at these minutes, and forced pushes."""
    platform = GitHubPlatform()
    platform.added(1, 0)
    platform.commits(1, *made)
    for minutes, before, after in forced:
        platform.force_pushed(1, minutes, before, after)
    return platform.pulls[1]


@pytest.mark.parametrize(
    ("pull", "expected"),
    [
        (_pull([(0, A), (20, B)]), "?aabb"),
        (_pull([(30, C)], (31, (0, A), C)), "?aaac"),
        # Between the two forced pushes, a commit was pushed that no longer exists.
        (_pull([(35, C)], (5, (0, A), B), (36, (25, "x"), C)), "?a??c"),
        # What was made before a forced push and is still there is part of it.
        (_pull([(0, A), (8, C)], (15, (2, B), C)), "?bbcc"),
        (_pull([(0, A), (50, C)], (15, (2, B), A)), "?bbaa"),
        ({"commits": None}, "?????"),
    ],
)
def test_the_last_commit_follows_from_when_commits_were_made(pull: dict[str, Any], expected: str) -> None:
    """A forced push has a date of its own, and names the commits before and after it."""
    heads = Heads(pull)

    assert expected == "".join(_NAMES[heads.at(clock(minutes))] for minutes in (-1, 3, 12, 22, 40))


def _imported(source: str, platform: Any) -> tuple[list[str], int]:
    """The commits that an import of a platform finds, and how many requests it takes."""
    with faulty_server(platform) as server:
        setup = Setup(source, server)
        setup.once()
        requests = len(server.requests)
    read = SOURCES[source].translator().read_item
    items = setup.sink.kept.values()
    return _commits(
        read(item.id, item.kind, json.dumps(item.body).encode(), setup.now) for item in items
    ), requests


def _github() -> GitHubPlatform:
    """It failed, was changed, and merged."""
    platform = GitHubPlatform()
    platform.added(1, 0)
    platform.removed(1, 20, "failed_checks", sha("group 1"))
    platform.added(1, 40)
    platform.merged(1, 60, sha("group 2"))
    return platform


def test_an_import_from_github_names_commits_with_the_same_requests() -> None:
    platform = _github()
    without, requests = _imported("github", platform)
    platform.commits(1, (-5, A), (30, B))

    assert (["?"] * 4, (["a", "a", "b", "b"], requests)) == (without, _imported("github", platform))


def test_an_import_from_github_knows_commits_that_a_forced_push_replaced() -> None:
    platform = _github()
    platform.commits(1, (29, C))
    platform.force_pushed(1, 30, (-5, A), C)

    assert ["a", "a", "c", "c"] == _imported("github", platform)[0]


def test_the_queue_names_the_commit_of_an_entry() -> None:
    platform = GitHubPlatform()
    platform.enqueue(1, 590, group=(sha("group"), sha("base"), 591), head=A)

    assert ["a"] == _imported("github", platform)[0]


def test_a_webhook_is_surer_than_an_import() -> None:
    """A commit that was made before the entry may have been pushed after it."""
    story = _story()
    story.enqueued(0, 1)
    item = {
        "number": 1, "base_ref": "main", "pull_sha": B,
        "node": {"__typename": "AddedToMergeQueueEvent", "id": "n", "createdAt": at(0)},
    }  # fmt: skip
    read = SOURCES["github"].translator().read_item
    imported = read("n", "timeline", json.dumps(item).encode(), clock(60))

    assert ["a"] == _commits([*_received(story), imported])
    assert ["b"] == _commits([imported])


def test_the_activity_log_names_the_commit_of_an_exit() -> None:
    """Since October 2025; in older entries it is missing."""
    story = LogStory()
    story.enter(0, 1, "a")
    story.leave(20, 1, "a", "CHECKS_FAILED", head=A)
    story.enter(30, 1, "b")
    story.leave(50, 1, "b", "CHECKS_FAILED", queued=30, head=None)
    story.enter(60, 1, "c")
    story.leave(80, 1, "c", "PR_MERGED", queued=60, head="0" * 40)
    received = [
        item_delivery(str(item["id"]), item["type"], json.dumps(item).encode(), clock(9000))
        for item in story.items
    ]

    assert ["?", "a", "?", "?", "?", "?"] == _commits(received)
    assert [BAD_COMMIT] == reasons_of(received)


def test_an_import_from_gitlab_names_the_commit_since_the_last_push() -> None:
    """GitLab lists the last commit with the merge request; what was before a push is not known."""
    platform = GitLabPlatform()
    platform.note(1, 7, 0, "started a merge train")
    platform.note(
        2, 7, 20, "removed this merge request from the merge train because the pipeline did not succeed"
    )
    platform.note(3, 7, 30, "added 1 commit\n\n<ul><li>bbbbbbbb - Fix</li></ul>")
    platform.car(5, 7, 40, 60)
    without, requests = _imported("gitlab", platform)
    platform.requests[7]["sha"] = B

    assert (["?"] * 4, (["?", "?", "b", "b"], requests)) == (without, _imported("gitlab", platform))


def test_an_import_from_gitlab_names_the_same_commit_for_an_unchanged_merge_request() -> None:
    platform = GitLabPlatform()
    platform.note(1, 7, -30, "added 3 commits")
    platform.note(2, 7, 0, "started a merge train")
    platform.note(
        3, 7, 20, "removed this merge request from the merge train because the pipeline did not succeed"
    )
    platform.car(5, 7, 40, 60)
    platform.requests[7]["sha"] = A

    assert ["a", "a", "a", "a"] == _imported("gitlab", platform)[0]


def test_bors_names_the_commit_at_the_command_and_at_the_reply() -> None:
    """A push while it is queued makes the bot cancel."""
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.result(20, FAILED, 7)
    queue.says(7, 40, "bors r+")
    queue.replies(50, "Canceled.", 7)
    queue.says(7, 60, "bors r+")
    queue.result(80, SUCCEEDED, 7)
    queue.commits(7)
    without, requests = _imported("bors", queue)
    queue.commits(7, (-5, A), (30, B), (49, C))

    expected = ["a", "a", "b", "c", "c", "c"]
    assert (["?"] * 6, (expected, requests)) == (without, _imported("bors", queue))


def test_a_commit_of_bors_that_cannot_be_used_is_counted() -> None:
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.commits(7, (-5, "main"))
    (translation,) = bors_translations(queue.items()).values()

    assert [BAD_COMMIT] == [one.reason for one in translation.untranslated]
    assert [None] == [event.head_sha for event in translation.events]
