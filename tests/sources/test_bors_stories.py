"""Comments become the same events, in whatever order and however often they are read."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.incoming.sources.bors.commands import CommandKind, commands_in
from mergecast.incoming.sources.bors.deliveries import TRANSLATOR
from mergecast.incoming.sources.bors.observation import CLOSED, COMMENT, REPLY, STAGED, Observation
from mergecast.incoming.sources.bors.replies import Reply, read_reply
from mergecast.incoming.sources.page import Item
from mergecast.incoming.sources.translation import TooManyReports, Untranslated
from mergecast.queues.model.event import CHECKS_STARTED, Event
from mergecast.queues.model.instant import HOUR
from sources.bors_queue import BorsQueue, deliveries, events_of, translations
from sources.bors_stories import (
    FAILED,
    SPLIT,
    STORIES,
    SUCCEEDED,
    batch_of_three,
    batch_of_two_with_a_commit,
)
from sources.github_deliveries import clock
from sources.github_translation import as_line
from sources.golden_stories import golden

pytestmark = pytest.mark.thorough

_NOT_PUSHED = (
    "This PR was included in a batch that successfully built, but then failed to merge into main. "
    "It will not be retried."
)


def _told(items: Iterable[Item]) -> str:
    return "".join(f"{_line(event)}\n" for event in events_of(items))


def _line(event: Event) -> str:
    """Batches are named by the minute and the second at which they ended."""
    batch = (event.batch_id or "")[14:]
    derived = "derived" if event.id.endswith("/started-derived") else ""
    parts = (as_line(event._replace(batch_id=batch)), event.priority_rule_name or "", derived)
    return "  ".join(filter(None, parts))


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_a_story_gives_its_events(story: Callable[[], BorsQueue]) -> None:
    """The golden file holds the events, one per line."""
    told = _told(story().items())

    assert golden("bors", story.__name__, told) == told


def test_a_command_keeps_the_name_that_stored_deliveries_have() -> None:
    """Otherwise an upgraded server would lose every stay when it translates them again."""
    stored = '{"number":1,"base_ref":"main","at":5,"id":"c","told":"merge"}'

    assert CommandKind.MERGE is msgspec.json.decode(stored, type=Observation).command


@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_order_and_repetition_do_not_matter(data: st.DataObject) -> None:
    """Every poll lists again what the last one listed."""
    items = data.draw(st.sampled_from(STORIES))().items()
    repeated = data.draw(st.lists(st.sampled_from(items), max_size=5))

    assert events_of(items) == events_of(data.draw(st.permutations([*items, *repeated])))


def test_a_run_has_the_same_members_and_instants_for_all_of_them() -> None:
    """Each thread is translated on its own, and sees only what happened around it."""
    for story in STORIES:
        runs: dict[str, set[tuple[int, str | None]]] = {}
        for event in events_of(story().items()):
            if event.type == CHECKS_STARTED and event.batch_id is not None:
                seen = (event.happened_at, event.batch_pull_requests)
                runs.setdefault(event.batch_id, set()).add(seen)

        assert [1] * len(runs) == [len(seen) for seen in runs.values()], story.__name__


def test_only_starts_that_nothing_reports_are_marked_as_derived() -> None:
    ids = [
        [event.id for event in events_of(story().items()) if event.type == CHECKS_STARTED]
        for story in (batch_of_two_with_a_commit, batch_of_three)
    ]

    assert [{"started"}, {"started-derived"}] == [{id.rpartition("/")[2] for id in found} for found in ids]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("bors r+", ["merge"]),
        ("@bors: r+", []),
        ("bors: r+", ["merge"]),
        ("bors r=ines, tomas", ["merge"]),
        ("bors merge=ines p=3", ["priority", "merge"]),
        ("BORS merge", ["merge"]),
        ("bors p=-1", ["priority"]),
        ("bors r-\nbors d=tomas\nbors single on", ["cancel"]),
        ("bors merge-", ["cancel"]),
        ("bors cancel", ["cancel"]),
        ("bors retry", ["retry"]),
        ("bors try --full", ["try"]),
        ("bors try-", []),
        ("bors delegate+ p=5", []),
        ("bors ping", []),
        ("bors", []),
        ("borsr+", []),
        ("> bors r+", []),
        ("I will write bors r+ soon", []),
        ("bors p=" + "9" * 5000, []),
        ("bors r=", []),
        ("bors r= @", []),
        ("bors merge=", []),
        ("bors r=@ines", ["merge"]),
        ("bors r=ines, tomas p=3", ["priority", "merge"]),
        ("bors r=ines please p=3", ["merge"]),
        ("bors r+ please, p=3", ["merge"]),
        ("bors r+ p=3 please", ["priority", "merge"]),
        ("bors r+ p=soon", []),
        ("bors merge p=3", ["priority", "merge"]),
        ("bors r+\r\nbors p=1", ["merge", "priority"]),
        ("thanks\x0bbors r+", []),
        ("thanks\u2028bors r+", []),
        ("thanks\x85bors r+", []),
        ("thanks\rbors r+", []),
        ("bors\u00a0r+", []),
        ("bors r-\x0cbors r+", ["cancel"]),
    ],
)
def test_commands_are_lines_that_begin_with_the_name_of_the_bot(text: str, kinds: list[str]) -> None:
    assert kinds == [command.kind.value for command in commands_in(text)]


def test_the_priority_is_read_where_bors_reads_it() -> None:
    found = commands_in("bors r+ p=+7 now\nbors r=ines p = -2\nbors p=3x")

    assert [7, -2, 3] == [command.priority for command in found if command.kind is CommandKind.PRIORITY]


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Build succeeded!\n\n*And happy new year! 🎉*", Reply.SUCCEEDED),
        ("# Pull request successfully merged into master.", Reply.SUCCEEDED),
        ("## try\n\nBuild succeeded:", Reply.OTHER),
        ("Timed out (retrying...)", Reply.TIMED_OUT_SPLIT),
        ("Canceled (will resume)", Reply.INTERRUPTED),
        ("Merge conflict (retrying...)", Reply.OTHER),
        ("Bors build canceled because the PR branch was pushed to.", Reply.UPDATED),
        ("👎 Rejected by PR status", Reply.REFUSED),
        ("🕐 Waiting for PR status (GitHub check) to be set", Reply.WAITING),
        (":-1: `p=` takes an integer, e.g. `bors p=10`.", Reply.OTHER),
        ("Configuration problem:\nbors.toml: not found", Reply.MISCONFIGURED),
        (_NOT_PUSHED, Reply.PUSH_FAILED),
        (":pushpin: Commit 5e0a has been approved by `ines`", Reply.UNKNOWN),
        ("", Reply.UNKNOWN),
    ],
)  # fmt: skip
def test_replies_of_all_versions_are_understood(text: str, reply: Reply) -> None:
    assert reply == read_reply(text).reply


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("Configuration problem:\nbors.toml: not found", "UNPROCESSABLE_PULL_REQUEST"),
        ("Synchronization error: the pull request's head commit changed", "PULL_REQUEST_UPDATED"),
        (_NOT_PUSHED, "PR_UNEXPECTEDLY_FAILED_TO_MERGE"),
    ],
)  # fmt: skip
def test_a_reply_gives_the_reason_for_leaving(reply: str, reason: str) -> None:
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.replies(10, reply, 7)

    assert reason == events_of(queue.items())[-1].reason


def _bisections(queue: BorsQueue) -> list[tuple[str, int, bool | None]]:
    return [
        (event.type, event.happened_at, event.culprit_found)
        for event in events_of(queue.items())
        if event.batch_id and event.session_id is None
    ]


def test_a_bisection_ends_when_the_last_member_has_left() -> None:
    """The bot does not say so. Each half that fails is searched in turn, and the culprit fails alone."""
    queue = BorsQueue()
    for number in (1, 2, 3, 4):
        queue.says(number, number / 10, "bors r+")
    queue.result(20, SPLIT, 1, 2, 3, 4)
    queue.result(40, SUCCEEDED, 1, 2)
    queue.result(60, SPLIT, 3, 4)
    first, second = ("bisection_started", clock(20), None), ("bisection_started", clock(60), None)
    queue.result(80, FAILED, 3)
    assert [first, second] == _bisections(queue)

    queue.result(400, SUCCEEDED, 4)
    ended = ("bisection_ended", clock(400), True)
    assert [first, ended, second, ended] == _bisections(queue)


def test_a_bisection_after_which_all_merge_has_found_no_culprit() -> None:
    queue = BorsQueue()
    for number in (1, 2):
        queue.says(number, number / 10, "bors r+")
    queue.result(20, SPLIT, 1, 2)
    queue.result(40, SUCCEEDED, 1)
    queue.result(60, SUCCEEDED, 2)

    assert ("bisection_ended", clock(60), False) == _bisections(queue)[-1]


def test_a_merge_without_a_command_is_reported() -> None:
    """Someone may have told the bot where it is not read; a second reply about a merge is none."""
    queue = BorsQueue()
    queue.result(9, SUCCEEDED, 7)
    queue.says(8, 1, "bors r+")
    queue.result(9, SUCCEEDED, 8)
    queue.result(100, SUCCEEDED, 8)

    found = {number: translation.untranslated for number, translation in translations(queue.items()).items()}
    assert {"7": (Untranslated("merged, but no command to merge was read", clock(9)),), "8": ()} == found


def test_an_unknown_reply_is_reported() -> None:
    """It changes nothing else. Another bot of the same name would give many of them."""
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.replies(0.1, ":pushpin: Commit 5e0a\nhas been approved by `ines`", 7)

    translation = translations([*queue.items()] * 2)["7"]
    words = "unknown reply: :pushpin: Commit 5e0a has been approved by `ines`"
    assert (Untranslated(words, clock(0.1)),) == translation.untranslated
    assert ["queue_entered"] == [event.type for event in translation.events]


def test_more_commands_than_any_pull_request_has_are_not_translated() -> None:
    """Whoever may import could send any number of them in one comment."""
    node = {"createdAt": "2026-09-14T10:00:00Z", "body": "bors r+\n" * 1001}
    item = Item("x", COMMENT, {"number": 7, "base_ref": "main", "node": node})

    with pytest.raises(TooManyReports, match="more than 1,000 reports about one pull request"):
        events_of([item])


def test_a_stay_of_years_depends_on_the_last_months_only() -> None:
    """Each name that connects threads is a row in the store."""
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.replies(3 * 365 * 24 * 60, "Canceled.", 7)
    fields = [delivery.fields for delivery in deliveries(queue.items())]

    standing = TRANSLATOR.rules.read("7", fields).standing
    last = max(int(name.partition("@")[2]) for name in standing.owns)
    assert 1000 == len(standing.owns) == len(standing.built_on)
    assert clock(3 * 365 * 24 * 60) // (4 * HOUR) == last


_WRONG: list[dict[str, Any]] = [
    {}, {"number": "7"}, {"number": -1}, {"base_ref": 5}, {"node": None}, {"node": {"createdAt": "soon"}},
    {"node": {"createdAt": "2026-09-14T10:00:00Z", "body": 5}},
]  # fmt: skip


@pytest.mark.parametrize("kind", [COMMENT, REPLY, CLOSED, STAGED, "another"])
@pytest.mark.parametrize("wrong", _WRONG)
def test_items_of_another_shape_give_no_events(kind: str, wrong: dict[str, Any]) -> None:
    """They do not make the import fail, either."""
    body = {"number": 7, "base_ref": "main", "node": {"createdAt": "2026-09-14T10:00:00Z"}, **wrong}

    assert [] == events_of([Item("x", kind, body)])


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'"bors r+"', b"\xff", b"[" * 100_000])
def test_what_is_no_json_object_is_counted(body: bytes) -> None:
    delivery = TRANSLATOR.read_item("x", COMMENT, body, clock(0))

    assert ("", True) == (delivery.thread, delivery.is_about_queue)
