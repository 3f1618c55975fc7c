"""A channel is told once when a pull request merges or is removed."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from builders import entered, left
from live_server import LiveServer
from mergecast.queues.model.instant import DAY, SECOND, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.channel_rows import read_channels
from mergecast.signals.notices.channel import from_row
from mergecast.signals.notices.subscriptions import MOST_OF_REPOSITORY
from mergecast.signals.removals.removals import Removals
from notices.receivers import CHANNELS, Clock, Receiver, listed, make_channel, serving
from waiting import wait_for, wait_until

pytestmark = pytest.mark.server
_WIDGETS, _GADGETS = Repository("acme", "widgets"), Repository("acme", "gadgets")
_NO_RULES: list[Any] = []


def _path(number: int, id: str = "") -> str:
    return f"/v1/repos/acme/widgets/pulls/{number}/subscriptions" + (f"/{id}" if id else "")


def _enter(server: LiveServer, clock: Clock, number: int, session: str) -> None:
    server.send([entered(format_instant(clock.now), session, number)]).raise_for_status()


def _leave(server: LiveServer, clock: Clock, number: int, session: str, reason: str = "PR_MERGED") -> None:
    server.send([left(format_instant(clock.now), session, number, reason)]).raise_for_status()


def _subscribed(server: LiveServer, number: int) -> list[str]:
    return [one["name"] for one in server.http.get(_path(number)).json()["subscribed"]]


def _advice(server: LiveServer, number: int) -> Any:
    verdict = server.http.get(f"/v1/repos/acme/widgets/pulls/{number}/verdict").raise_for_status().json()
    return {name: verdict[name] for name in ("cause", "certainty", "act", "sentence")}


def _sentences(receiver: Receiver) -> list[str]:
    return [json.loads(asked.body)["sentence"] for asked in receiver.asked]


def test_one_message_when_it_merges_or_is_removed(tmp_path: Path) -> None:
    """What happened before the subscription is no news, and what happens after the message neither."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url, name="me", rules=_NO_RULES)
        _enter(server, clock, 7, "before")
        _leave(server, clock, 7, "before", "CHECKS_FAILED")
        clock.pass_seconds(60)
        for number in (7, 8):
            _enter(server, clock, number, f"stay {number}")
            for _ in range(2):
                assert 200 == server.http.put(_path(number, "me")).status_code
        assert [["me"], ["me"]] == [_subscribed(server, number) for number in (7, 8)]
        clock.pass_seconds(60)
        _leave(server, clock, 7, "stay 7")
        wait_for(["#7 was merged."], lambda: _sentences(webhook))
        _leave(server, clock, 8, "stay 8", "CHECKS_FAILED")
        assert ["me"] == _subscribed(server, 8)
        clock.pass_seconds(16)
        wait_for(2, lambda: len(webhook.asked))
        wait_for([[], []], lambda: [_subscribed(server, number) for number in (7, 8)])
        advice = _advice(server, 8)
        _enter(server, clock, 8, "again")
        clock.pass_seconds(60)
        _leave(server, clock, 8, "again")
        server.http.put(_path(9, "me"))
        _enter(server, clock, 9, "last")
        server.http.put(_path(9, "me")).raise_for_status()
        _leave(server, clock, 9, "last")
        wait_for(3, lambda: len(webhook.asked))

    assert ["#7 was merged.", "#8 left the queue without being merged: checks failed.", "#9 was merged."] == (
        _sentences(webhook)
    )
    details = [json.loads(asked.body)["details"] for asked in webhook.asked[1:]]
    assert details == [
        {"pull_request": 8, "is_merged": False, "verdict": advice},
        {"pull_request": 9, "is_merged": True, "verdict": None},
    ]


def test_a_renamed_repository_tells_only_its_owner(tmp_path: Path) -> None:
    """A former owner must not learn what happens at another one."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        me = make_channel(server, kind="webhook", url=webhook.url, name="me", rules=_NO_RULES)
        for number in (7, 8):
            _enter(server, clock, number, f"stay {number}")
            server.http.put(_path(number, "me")).raise_for_status()
        for number, name, new in ((7, _WIDGETS, _GADGETS), (8, _GADGETS, Repository("other", "gadgets"))):
            asyncio.run(server.store.rename(name, new, 700))
            clock.pass_seconds(60)
            exit = left(format_instant(clock.now), f"stay {number}", number)
            server.send([exit], str(new)).raise_for_status()
            wait_for(["#7 was merged."], lambda: _sentences(webhook))
        clock.pass_seconds(31 * DAY / SECOND)
        wait_for([], lambda: _waiting(server, me["id"]))

    assert ["#7 was merged."] == _sentences(webhook)
    assert "/r/acme/gadgets/pulls/7" in json.loads(webhook.asked[0].body)["url"]


def _waiting(server: LiveServer, id: str) -> list[int]:
    """The pull requests that a channel waits for."""
    rows = {row.id: row for row in asyncio.run(read_channels(server.store))}
    return [one.pull_request for one in from_row(rows[id]).options.subscriptions]


def test_a_removal_is_told_with_what_to_do(tmp_path: Path) -> None:
    """In Slack as well: the sentence of the verdict, and the act."""
    clock = Clock()
    with Receiver() as slack, serving(tmp_path, clock, slack) as server:
        make_channel(server, kind="slack", url=slack.url, name="me", rules=_NO_RULES)
        _enter(server, clock, 7, "stay")
        server.http.put(_path(7, "me")).raise_for_status()
        _leave(server, clock, 7, "stay", "MERGE_QUEUE_RESET")
        clock.pass_seconds(16)
        wait_until(lambda: slack.asked)

    blocks = json.loads(slack.asked[0].body)["blocks"]
    (section,) = [block["text"]["text"] for block in blocks if block["type"] == "section"]
    assert section.split("\n") == [
        "#7 left the queue without being merged: the queue was reset.",
        "The queue was reset; this was not about #7. Queue it again.",
        "*Queue it again*",
    ]


def test_a_removal_that_is_not_judged_is_told_after_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> None:
        """Nothing is judged."""

    monkeypatch.setattr(Removals, "_judge", never)
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url, name="me", rules=_NO_RULES)
        for number in (7, 8, 9):
            _enter(server, clock, number, f"stay {number}")
            server.http.put(_path(number, "me")).raise_for_status()
        _leave(server, clock, 7, "stay 7", "CHECKS_FAILED")
        clock.pass_seconds(16)
        _leave(server, clock, 8, "stay 8")
        wait_for(["#8 was merged."], lambda: _sentences(webhook))
        assert ["me"] == _subscribed(server, 7)
        clock.pass_seconds(61)
        _leave(server, clock, 9, "stay 9")
        wait_for(3, lambda: len(webhook.asked))

    told = "#7 left the queue without being merged: checks failed."
    assert {told, "#9 was merged."} == set(_sentences(webhook)[1:])
    (details,) = [json.loads(asked.body)["details"] for asked in webhook.asked if told.encode() in asked.body]
    assert {"pull_request": 7, "is_merged": False, "verdict": None} == details


def test_a_restart_sends_nothing_twice(tmp_path: Path) -> None:
    """What merged while no server ran is sent by the next one."""
    clock = Clock()
    with Receiver() as webhook:
        with serving(tmp_path, clock, webhook) as server:
            make_channel(server, kind="webhook", url=webhook.url, name="me", rules=_NO_RULES)
            for number in (7, 8):
                _enter(server, clock, number, f"stay {number}")
                server.http.put(_path(number, "me")).raise_for_status()
            _leave(server, clock, 7, "stay 7")
            wait_until(lambda: webhook.asked)
            wait_for([0], lambda: [channel["waiting"] for channel in listed(server)])
        clock.pass_seconds(600)
        with serving(tmp_path, clock, webhook) as server:
            assert ([], ["me"]) == (_subscribed(server, 7), _subscribed(server, 8))
            _leave(server, clock, 8, "stay 8")
            wait_for(2, lambda: len(webhook.asked))
            wait_for([0], lambda: [channel["waiting"] for channel in listed(server)])

    assert ["#7 was merged.", "#8 was merged."] == _sentences(webhook)


def test_cancelled_and_deleted_with_the_channel(tmp_path: Path) -> None:
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        made = [make_channel(server, kind="webhook", url=webhook.url, name=name) for name in ("one", "two")]
        _enter(server, clock, 7, "stay")
        for name in ("one", "two"):
            server.http.put(_path(7, name)).raise_for_status()
        assert 204 == server.http.delete(_path(7, "one")).status_code
        assert ["two"] == _subscribed(server, 7)
        assert 204 == server.http.delete(f"{CHANNELS}/{made[1]['id']}").status_code
        assert [] == _subscribed(server, 7)


def test_what_is_refused(tmp_path: Path) -> None:
    """A pull request that is unknown or merged, a channel that is not there, and one more than the limit."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url, name="me", rules=_NO_RULES)
        _enter(server, clock, 1, "merged")
        _leave(server, clock, 1, "merged")
        numbers = range(2, MOST_OF_REPOSITORY + 3)
        server.send([entered(format_instant(clock.now), f"s{number}", number) for number in numbers])

        def problem(number: int, name: str = "me") -> tuple[int, str]:
            answer = server.http.put(_path(number, name))
            found = answer.json()
            return answer.status_code, (found.get("errors") or [{"message": found["detail"]}])[0]["message"]

        unknown = "pull request 999 of acme/widgets has not been in a queue"
        assert (404, unknown) == problem(999)
        assert (409, "pull request 1 is merged already") == problem(1)
        assert (404, "there is no such channel here; GET …/channels lists them") == problem(2, "other")
        for number in numbers[:-1]:
            server.http.put(_path(number, "me")).raise_for_status()
        limit = "acme/widgets has 100 subscriptions already, which is the limit; delete one"
        assert (409, limit) == problem(numbers[-1])


def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each is kept, whoever subscribes at the same time."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url, name="me", rules=_NO_RULES)
        numbers = range(1, 21)
        server.send([entered(format_instant(clock.now), f"s{number}", number) for number in numbers])
        with ThreadPoolExecutor(5) as pool:
            found = list(pool.map(lambda number: server.http.put(_path(number, "me")).status_code, numbers))
        assert [200] * 20 == found
        server.send([left(format_instant(clock.now), f"s{number}", number) for number in numbers])
        wait_for(20, lambda: len(webhook.asked))
        wait_for([0], lambda: [channel["waiting"] for channel in listed(server)])

    assert {f"#{number} was merged." for number in numbers} == set(_sentences(webhook))


def test_a_subscription_ends_after_thirty_days(tmp_path: Path) -> None:
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url, name="me", rules=_NO_RULES)
        _enter(server, clock, 7, "stay")
        server.http.put(_path(7, "me")).raise_for_status()
        clock.pass_seconds(30 * DAY / 1_000_000 + 1)
        wait_for([], lambda: _subscribed(server, 7))

    assert [] == webhook.asked


def test_a_rename_leaves_subscriptions_in_the_hands_of_those_who_made_them(tmp_path: Path) -> None:
    """With the channels of the repository; each is listed, not made twice and deleted under the new name."""
    clock = Clock()
    moved = "/v1/repos/acme/gadgets/pulls/7/subscriptions"
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url, name="own", rules=_NO_RULES)
        make_channel(server, "/v1/owners/acme/channels", kind="webhook", url=webhook.url, name="all")
        _enter(server, clock, 7, "stay")
        for name in ("own", "all"):
            server.http.put(_path(7, name)).raise_for_status()
        asyncio.run(server.store.rename(_WIDGETS, _GADGETS, 700))

        found = server.http.get(moved).raise_for_status().json()
        again = server.http.put(f"{moved}/own")
        deleted = [server.http.delete(f"{moved}/{name}").status_code for name in ("own", "all")]
        left_over = server.http.get(moved).json()

    assert [["own", "all"]] * 2 == [[one["name"] for one in found[key]] for key in ("channels", "subscribed")]
    assert (200, [204, 204], []) == (again.status_code, deleted, left_over["subscribed"])


def test_what_changes_nothing_is_not_in_the_audit_log(tmp_path: Path) -> None:
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url, name="me", rules=_NO_RULES)
        _enter(server, clock, 7, "stay")
        for _ in range(2):
            server.http.put(_path(7, "me")).raise_for_status()
        for _ in range(2):
            assert 204 == server.http.delete(_path(7, "me")).status_code
        lines = server.http.get("/v1/log").raise_for_status().json()["lines"]

    events = [line["event"] for line in lines if "subscription" in line["event"]]
    assert ["subscription added", "subscription deleted"] == sorted(events)
