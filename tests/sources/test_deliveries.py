"""Webhooks and imported items as deliveries: what is kept of each, and what translation reads of it."""

import json
import time
from collections.abc import Callable
from typing import Any, get_args, get_origin

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.incoming.intake.loading import rules_of
from mergecast.incoming.sources.activity_log.entry import LogEntry
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.incoming.sources.github.observation import Observation
from mergecast.incoming.sources.gitlab.observation import Observation as TrainObservation
from mergecast.incoming.sources.registry import SOURCES
from mergecast.incoming.sources.translation import MOST_DELIVERIES, MOST_REPORTS, TooManyReports, Untranslated
from mergecast.incoming.sources.unreadable import within_limits
from mergecast.queues.model.instant import format_instant
from sources.activity_log_pages import LogStory
from sources.github_deliveries import Delivery, Story, clock

_NOW = clock(60)


def _last(tell: Callable[[Story], None]) -> Delivery:
    story = Story()
    tell(story)
    return story.deliveries[-1]


@pytest.mark.parametrize(
    ("tell", "thread", "is_about_queue"),
    [
        (lambda story: story.enqueued(0, 412), "#412", True),
        (lambda story: story.group(1, 412, "g", base="release/2.x"), "#412", True),
        (lambda story: story.check(2, 412, "g", "success", began=1), "#412", True),
        (lambda story: story.closed(3, 412, merged_by=None), "#412", False),
        (lambda story: story.closed(3, 412, merged_by="ines"), "#412", False),
        (lambda story: story.closed(3, 412), "#412", True),
        (lambda story: story.pushed_to(3, 412, "fix"), "#412", False),
        (lambda story: story.pushed(4, "ines"), "main#", False),
        (lambda story: story.pushed(4, "github-merge-queue[bot]"), None, False),
    ],
)
def test_a_webhook_belongs_to_a_thread(
    tell: Callable[[Story], None], thread: str | None, is_about_queue: object
) -> None:
    """Any pull request can be closed, and anything can be pushed to: that alone does not show a queue."""
    sent = _last(tell)

    _, delivery = webhook_delivery(sent.event, sent.id, sent.body, sent.received_at)

    assert (thread, is_about_queue) == (delivery.thread, delivery.is_about_queue)
    assert sent.body == delivery.body


def test_a_group_without_a_queue_branch_is_kept_and_counted() -> None:
    """It should have given events, so that it must not disappear."""
    sent = _last(lambda story: story.group(1, 412, "g"))
    payload = json.loads(sent.body)
    payload["merge_group"]["head_ref"] = "refs/heads/elsewhere"

    _, delivery = webhook_delivery(sent.event, sent.id, json.dumps(payload).encode(), _NOW)
    translation = rules_of("github", delivery.thread or "").read("", [delivery.fields]).translate([])

    assert (Untranslated("no queue branch for this group", _NOW),) == translation.untranslated


_ODD_TITLE = "Fix \u202elogin\x1b[2J\nnow\U000e0041"
_TITLED = {
    "github": (
        "queued",
        {"number": 7, "base_ref": "main", "title": _ODD_TITLE, "enqueued_at": "2026-09-14T10:00:00Z"},
    ),
    "bors": (
        "comment",
        {
            "number": 7, "base_ref": "main", "title": _ODD_TITLE,
            "node": {"createdAt": "2026-09-14T10:00:00Z", "body": "bors r+\nbors p=1"},
        },
    ),
    "gitlab": (
        "car",
        {
            "id": 1, "created_at": "2026-09-14T10:00:00Z", "target_branch": "main",
            "merge_request": {"iid": 7, "title": _ODD_TITLE},
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("source", _TITLED)
def test_characters_that_hide_others_are_removed_from_titles_and_counted(source: str) -> None:
    """Once for each pull request, however often its title is reported."""
    kind, item = _TITLED[source]
    translator = SOURCES[source].translator()
    found = [translator.read_item(id, kind, json.dumps(item).encode(), _NOW) for id in ("a", "b")]
    stored = [within_limits(delivery) for delivery in found]

    thread = stored[0].thread or ""
    translation = translator.rules.read(thread, [delivery.fields for delivery in stored]).translate([])

    assert "Fix login[2J now" == (stored[0].about and stored[0].about.title)
    reason = "control, bidirectional or tag characters were removed from a title or the name of an author"
    assert [reason] == [one.reason for one in translation.untranslated]


def _untranslated(event: str, payload: dict[str, Any]) -> list[str]:
    """Why a webhook about a queue was not understood; nothing if it was, or if it is about no queue."""
    payload = {"repository": {"id": 1, "full_name": "acme/lander"}, **payload}
    _, delivery = webhook_delivery(event, "guid", json.dumps(payload).encode(), _NOW)
    if delivery.thread is None:
        return []
    read = rules_of("github", delivery.thread).read(delivery.thread, [delivery.fields])
    return [one.reason for one in read.translate([]).untranslated]


_ODD_BRANCH = "gh-readonly-queue/main/stack-7"
_GROUP_BRANCH = f"gh-readonly-queue/main/pr-7-{'0' * 40}"


@pytest.mark.parametrize(
    ("event", "payload", "reason"),
    [
        ("merge_group", {"action": "paused"}, "unknown action of a merge group: paused"),
        ("merge_group", {"action": "destroyed"}, "no queue branch for this group"),
        ("merge_queue_entry", {"action": "created"}, "unknown event: merge_queue_entry"),
        ("pull_request", {"action": "requeued"}, "unknown action: requeued"),
        ("pull_request", {"action": "enqueued"}, "no number or base branch for this entry or exit"),
        (
            "push",
            {"ref": f"refs/heads/{_ODD_BRANCH}", "after": "a" * 40},
            "no commit or pull request for this queue branch",
        ),
        (
            "check_suite",
            {"check_suite": {"head_branch": _GROUP_BRANCH}},
            "no commit or pull request for this queue branch",
        ),
        ("check_suite", {"check_suite": {"head_branch": "main"}}, None),
        ("workflow_job", {"action": "queued", "workflow_job": {"head_branch": _GROUP_BRANCH}}, None),
        ("pull_request", {"action": "labeled"}, None),
        ("issues", {"action": "opened"}, None),
    ],
)
def test_every_webhook_about_a_queue_that_is_not_understood_is_counted(
    event: str, payload: dict[str, Any], reason: str | None
) -> None:
    assert ([] if reason is None else [reason]) == _untranslated(event, payload)


@pytest.mark.parametrize("branch", ["b" * 700, "main\0"], ids=["too long", "NUL"])
def test_a_delivery_that_cannot_be_stored_is_kept_and_counted(branch: str) -> None:
    """With the reason; databases limit the length of names and do not store the character NUL."""
    sent = _last(lambda story: story.enqueued(0, 412, branch))
    payload = json.loads(sent.body)
    payload["pull_request"]["title"] = "T\0" * 900

    _, read = webhook_delivery("pull_request", "guid", json.dumps(payload).encode(), _NOW)
    delivery = within_limits(read)
    translation = rules_of("github", delivery.thread or "").read("", [delivery.fields]).translate([])

    reason = "a name is too long, or contains the character NUL"
    assert (Untranslated(reason, _NOW),) == translation.untranslated
    assert delivery.about is not None
    assert "T" * 500 == delivery.about.title


_LONG = "a" * 100_000
_AT = {"created_at": "2026-09-14T10:00:00Z"}
_CHECK = {"number": 7, "base_ref": "main", "head_sha": "c0ffee", "name": "unit"}
_CAR = {"id": 1, "merge_request": {"iid": 7}, "target_branch": "main", **_AT}
_METADATA = {"branch": "main", "queue_name": "default"}
_ENTRY = {"id": 1, "type": "action.queue.enter", "received_at": "2026-09-14T10:00:00Z", "pull_request": 7}
_TOO_LONG = "a report has texts or lists that are too long"
_UNSTORABLE = "a name is too long, or contains the character NUL"


@pytest.mark.parametrize(
    ("source", "kind", "item", "reason"),
    [
        ("github", "check_run", {**_CHECK, "head_sha": _LONG}, _TOO_LONG),
        ("github", "group", {**_CHECK, "base_sha": "a" * 65}, _TOO_LONG),
        ("github", "check_run", {**_CHECK, "base_ref": _LONG}, _UNSTORABLE),
        ("gitlab", "car", {**_CAR, "target_branch": _LONG}, _UNSTORABLE),
        ("activity-log", "enter", {**_ENTRY, "metadata": {**_METADATA, "queue_name": _LONG}}, _TOO_LONG),
        ("activity-log", "enter", {**_ENTRY, "metadata": {**_METADATA, "batch_id": _LONG}}, _TOO_LONG),
        (
            "activity-log",
            "enter",
            {**_ENTRY, "metadata": {**_METADATA, "original_batch_pr_numbers": list(range(20_000))}},
            _TOO_LONG,
        ),
        *(
            (source, "check_run", {**_CHECK, "output": "a" * (1 << 20)}, "the item is longer than 1 MiB")
            for source in SOURCES
        ),
    ],
)
def test_items_with_too_long_texts_are_counted(source: str, kind: str, item: Any, reason: str) -> None:
    """With the reason, and without the texts."""
    read = SOURCES[source].translator().read_item("1", kind, json.dumps(item).encode(), _NOW)
    delivery = within_limits(read)
    translation = rules_of(source, delivery.thread or "").read("", [delivery.fields]).translate([])

    assert (Untranslated(reason, _NOW),) == translation.untranslated
    assert len(delivery.fields) < 200


@pytest.mark.parametrize(
    ("source", "kind", "item"),
    [
        ("github", "check_run", {**_CHECK, "name": _LONG, "conclusion": _LONG, "id": {"a": _LONG}}),
        ("github", "timeline", {**_CHECK, "node": {
            "__typename": "RemovedFromMergeQueueEvent", "createdAt": _AT["created_at"], "reason": _LONG,
        }}),
        ("gitlab", "car", {**_CAR, "status": _LONG}),
        ("activity-log", "leave", {**_ENTRY, "metadata": {**_METADATA, "dequeue_code": _LONG}}),
    ],
)  # fmt: skip
def test_texts_that_may_be_shorter_are_shortened(source: str, kind: str, item: Any) -> None:
    """The item is translated nevertheless."""
    delivery = SOURCES[source].translator().read_item("1", kind, json.dumps(item).encode(), _NOW)

    assert delivery.thread in ("#7", "7")
    assert len(delivery.fields) < 2_000


def test_checks_with_long_names_stay_different() -> None:
    """Their names begin alike."""
    bodies = [json.dumps({**_CHECK, "name": _LONG + end}).encode() for end in ("1", "2")]

    read = SOURCES["github"].translator().read_item
    first, second = (read("1", "check_run", body, _NOW).fields for body in bodies)

    assert first != second


def test_an_entry_that_cannot_be_read_is_kept_and_counted() -> None:
    """With the reason."""
    story = LogStory()
    story.enter(0, 1, "a")
    body = json.dumps({**story.items[0], "metadata": None}).encode()

    delivery = SOURCES["activity-log"].translator().read_item("1", "action.queue.enter", body, _NOW)
    translation = rules_of("activity-log", delivery.thread or "").read("", [delivery.fields]).translate([])

    assert (Untranslated("the entry has no metadata", _NOW),) == translation.untranslated


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    "body",
    [
        *(b"{}", b"[]", b"null", b"1", b'{"metadata": 1, "node": 2}', b'{"node": 1e400}'),
        b'{"type": "action.queue.enter", "id": 1, "metadata": {"merged": 1e400}}',
        b'{"type": "action.queue.enter", "base_ref": "\xff"}',
    ],
)
def test_items_of_another_shape_are_not_kept_or_are_counted(source: str, body: bytes) -> None:
    """None of them raises."""
    delivery = SOURCES[source].translator().read_item("1", "car", body, _NOW)

    assert delivery.thread in (None, "")


_KINDS: dict[object, st.SearchStrategy[Any]] = {
    str: st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=5),
    int: st.integers(-(2**53), 2**53),
    tuple[int, ...]: st.lists(st.integers(0, 2**53), max_size=3).map(tuple),
}


def _values_of(kind: Any) -> st.SearchStrategy[Any]:
    options = [part for part in get_args(kind) if part not in (type(None), Ellipsis)]
    if kind in _KINDS:
        return _KINDS[kind]
    if get_origin(kind) is tuple:
        return st.lists(st.from_type(options[0]), max_size=3).map(tuple)
    return st.none() | _values_of(options[0]) if options else st.from_type(kind)


@pytest.mark.parametrize("shape", [Observation, LogEntry, TrainObservation])
@given(data=st.data())
def test_observations_survive_a_json_round_trip(shape: Any, data: st.DataObject) -> None:
    """The store keeps them as text."""
    fields = {field.name: _values_of(field.type) for field in msgspec.structs.fields(shape)}
    seen = data.draw(st.builds(shape, **fields))

    assert seen == msgspec.json.decode(msgspec.json.encode(seen), type=shape)


def _timeline(minutes: float, type: str) -> dict[str, Any]:
    return {"number": 7, "base_ref": "main", "node": {"__typename": type, "createdAt": _at(minutes)}}


def _at(minutes: float) -> str:
    return format_instant(clock(minutes))


def _tested(minutes: float, commit: str, id: int = 1) -> dict[str, Any]:
    times = {"started_at": _at(minutes), "completed_at": _at(minutes + 1), "conclusion": "success"}
    return {"number": 7, "base_ref": "main", "head_sha": commit, "id": id, "name": "unit", **times}


def _note(id: int) -> dict[str, Any]:
    said = {"system": True, "body": "started a merge train"}
    return {"id": id, "number": 7, "target_branch": "main", "created_at": _at(id), **said}


def _started(id: int) -> dict[str, Any]:
    story = LogStory()
    story.start(id, 7, "a", "X", checked=id)
    return {**story.items[0], "id": id}


@pytest.mark.parametrize(
    ("source", "kind", "item"),
    [
        ("github", "timeline", lambda n: _timeline(n, "AddedToMergeQueueEvent")),
        ("github", "check_run", lambda n: _tested(n, f"commit {n}")),
        ("gitlab", "note", _note),
        ("activity-log", "action.queue.checks_start", _started),
    ],
)
def test_a_pull_request_with_too_many_reports_is_not_translated(
    source: str, kind: str, item: Callable[[int], dict[str, Any]]
) -> None:
    """Translating it with each further report would delay everyone else."""
    read, numbers = SOURCES[source].translator().read_item, range(1, MOST_REPORTS + 2)
    told = [read(str(id), kind, json.dumps(item(id)).encode(), _NOW) for id in numbers]
    (thread,) = {one.thread or "" for one in told}
    rules, fields = rules_of(source, thread), [one.fields for one in told]

    assert rules.read(thread, fields[1:]).translate([]).events
    with pytest.raises(TooManyReports):
        rules.read(thread, fields).translate([])


def test_many_checks_of_one_commit_are_translated() -> None:
    """A group of a large repository has hundreds, and each can be repeated."""
    numbers = range(MOST_REPORTS + 1)
    told = [json.dumps(_tested(id, "one commit", id)).encode() for id in numbers]
    read = SOURCES["github"].translator().read_item
    fields = [read(str(i), "check_run", item, _NOW).fields for i, item in enumerate(told)]

    translation = rules_of("github", "#7").read("#7", fields).translate([])

    assert len(numbers) == len([one for one in translation.events if one.type == "checks_started"])


def test_a_pull_request_with_very_many_checks_is_not_translated() -> None:
    """Even those of one commit take long to load if there are tens of thousands."""
    item = json.dumps(_tested(1, "one commit")).encode()
    check = SOURCES["github"].translator().read_item("1", "check_run", item, _NOW)
    rules = rules_of("github", "main#7")

    assert rules.read("main#7", [check.fields] * MOST_DELIVERIES).translate([]).events
    with pytest.raises(TooManyReports, match=r"^more than 10,000 checks of one pull request$"):
        rules.read("main#7", [check.fields] * (MOST_DELIVERIES + 1)).translate([])


def test_hundreds_of_groups_whose_entries_were_not_reported_are_translated_quickly() -> None:
    """Each of them changes to which stay the reports of all others belong."""
    # About 5 times as long; 64 times if each group were compared with every pair of others.
    assert _cpu_time_of_translation(250) < 40 * _cpu_time_of_translation(62)


def _cpu_time_of_translation(groups: int) -> float:
    told = [
        item
        for i in range(groups)
        for item in (
            ("check_run", _tested(10 * i, f"commit {i}")),
            ("timeline", _timeline(10 * i + 5, "RemovedFromMergeQueueEvent")),
        )
    ]
    fields = [
        SOURCES["github"].translator().read_item(str(i), kind, json.dumps(item).encode(), _NOW).fields
        for i, (kind, item) in enumerate(told)
    ]
    began = time.thread_time()
    rules_of("github", "#7").read("#7", fields)
    return time.thread_time() - began
