"""A pull request that leaves a queue without being merged becomes a message in the channels that want it."""

import hmac
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate  # type: ignore[import-untyped]

from builders import ended, entered, left, reported, started
from local_http import Reply
from mergecast.queues.model.instant import HOUR, MINUTE, format_instant
from notices.receivers import (
    CHANNELS,
    Clock,
    Receiver,
    listed,
    make_channel,
    remove_pull_request,
    serving,
)
from notices.schemas import SLACK, TEAMS
from waiting import wait_for, wait_until

pytestmark = pytest.mark.server
_NO_RUN = "Cannot tell whether it was this change. No failed run of it is recorded. Look at the log."


def test_the_message_says_which_pull_request_left_which_queue_and_why(tmp_path: Path) -> None:
    """Each kind of channel gets it in its own form, 15 seconds after the exit was stored."""
    clock = Clock()
    with (
        Receiver() as slack,
        Receiver() as teams,
        Receiver() as webhook,
        serving(tmp_path, clock, slack, teams, webhook) as server,
    ):
        make_channel(server, kind="slack", url=f"{slack.url}/services/T0/B0/x")
        make_channel(server, "/v1/owners/acme/channels", kind="teams", url=f"{teams.url}/workflows/1")
        secret = make_channel(server, kind="webhook", url=f"{webhook.url}/hook")["secret"]
        schema = server.http.get("/v1/openapi.json").json()["webhooks"]["notice"]["post"]["requestBody"]
        remove_pull_request(server, clock, 7)
        clock.pass_seconds(14)
        remove_pull_request(server, clock, 8, reason="PR_MERGED")
        assert [] == slack.asked + teams.asked + webhook.asked
        clock.pass_seconds(2)
        for receiver in (slack, teams, webhook):
            wait_until(lambda receiver=receiver: receiver.asked)  # type: ignore[misc]
        wait_for([0, 0], lambda: [channel["waiting"] for channel in listed(server)])

        in_slack, in_teams = json.loads(slack.asked[0].body), json.loads(teams.asked[0].body)
        body, headers = webhook.asked[0].body, webhook.asked[0].headers
        assert [1, 1, 1] == [len(receiver.asked) for receiver in (slack, teams, webhook)]
        validate(in_slack, SLACK)
        validate(in_teams, TEAMS)
        notice = json.loads(body)
        validate(notice, schema["content"]["application/json"]["schema"])
        assert [
            f"*#7*\nWhy: checks failed\n{_NO_RUN}\n*Look into it*\nIt left default (main) after 20m.",
        ] == [block["text"]["text"] for block in in_slack["blocks"] if block["type"] == "section"]
        assert ["#7", "Why: checks failed", _NO_RUN, "Look into it", "It left default (main) after 20m."] == [
            "".join(run["text"] for run in block["inlines"])
            for block in in_teams["attachments"][0]["content"]["body"][1:]
        ]
        assert "#7 left the queue default: checks failed." == notice["sentence"]
        assert (7, "CHECKS_FAILED", 1200.0, 0) == tuple(
            notice["removed"][0][name]
            for name in ("number", "reason", "seconds_in_queue", "earlier_removals")
        )
        assert (
            f"sha256={hmac.new(secret.encode(), body, sha256).hexdigest()}" == headers["Mergecast-Signature"]
        )
        assert notice["id"] == headers["Mergecast-Id"]


def test_a_session_is_reported_once_and_merges_and_imports_never(tmp_path: Path) -> None:
    """Also if another exit of the same session is stored later."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        old, now = format_instant(clock.now - HOUR - MINUTE), format_instant(clock.now)
        server.send([
            entered(old, "imported", 1), left(old, "imported", 1, reason="CHECKS_FAILED"),
            entered(old, "by hand", 2), left(now, "by hand", 2, reason="PR_MANUALLY_MERGED"),
            entered(old, "failed", 3), left(now, "failed", 3, reason="CHECKS_FAILED"),
        ])  # fmt: skip
        clock.pass_seconds(16)
        wait_until(lambda: webhook.asked)
        server.send([left(format_instant(clock.now), "failed", 3, reason="PR_DEQUEUED")])
        clock.pass_seconds(16)
        remove_pull_request(server, clock, 4)
        clock.pass_seconds(16)

        wait_for([[3], [4]], lambda: [_numbers(asked.body) for asked in webhook.asked])


def test_what_is_known_when_the_message_is_due_counts(tmp_path: Path) -> None:
    """A session that turns out to be merged is not reported, and an earlier removal is."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        moment = format_instant(clock.now)
        server.send([entered(moment, "s", 5), left(moment, "s", 5, reason="PR_DEQUEUED")])
        earlier = format_instant(clock.now - 1_000_000)
        server.send([left(earlier, "s", 5, reason="PR_MERGED")])
        remove_pull_request(server, clock, 6)
        clock.pass_seconds(16)
        wait_for([[6]], lambda: [_numbers(asked.body) for asked in webhook.asked])
        clock.pass_seconds(HOUR / 1e6)
        remove_pull_request(server, clock, 6)
        clock.pass_seconds(16)

        wait_for([0, 1], lambda: [_removed(asked.body)[0]["earlier_removals"] for asked in webhook.asked])


def test_more_than_ten_in_a_minute_become_one_message(tmp_path: Path) -> None:
    clock = Clock()
    with Receiver() as slack, Receiver() as webhook, serving(tmp_path, clock, slack, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        make_channel(server, kind="slack", url=slack.url)
        for number in range(1, 31):
            remove_pull_request(server, clock, number)
        clock.pass_seconds(16)
        wait_for([list(range(1, 31))], lambda: [_numbers(asked.body) for asked in webhook.asked])
        wait_until(lambda: slack.asked)
        validate(json.loads(slack.asked[0].body), SLACK)
        remove_pull_request(server, clock, 31)
        remove_pull_request(server, clock, 32)
        clock.pass_seconds(16)
        remove_pull_request(server, clock, 33)
        clock.pass_seconds(60)

        wait_for([30, 3], lambda: [len(_numbers(asked.body)) for asked in webhook.asked])


def test_a_channel_gets_only_what_it_wants(tmp_path: Path) -> None:
    """Other kinds, other queues and what happened before it was created are left out."""
    clock = Clock()
    with Receiver() as webhook, Receiver() as others, serving(tmp_path, clock, webhook, others) as server:
        hotfix, default = ([{"what": "removed", "queues": [name]}] for name in ("hotfix", "default"))
        server.send([entered(format_instant(clock.now), "h", 9, queue_name="hotfix")])
        remove_pull_request(server, clock, 1)
        clock.pass_seconds(1)
        make_channel(server, kind="webhook", url=others.url, rules=[{"what": "alert"}, {"what": "digest"}])
        make_channel(server, kind="webhook", url=others.url, rules=hotfix)
        make_channel(server, "/v1/repos/acme/gadgets/channels", kind="webhook", url=others.url)
        make_channel(server, "/v1/owners/umbrella/channels", kind="webhook", url=others.url)
        make_channel(server, kind="webhook", url=webhook.url, rules=default)
        remove_pull_request(server, clock, 2)
        clock.pass_seconds(16)

        wait_for([[2]], lambda: [_numbers(asked.body) for asked in webhook.asked])
        assert [] == others.asked


def test_the_text_of_pull_requests_is_escaped(tmp_path: Path) -> None:
    """The name of a queue is text of strangers too."""
    clock = Clock()
    with Receiver() as slack, serving(tmp_path, clock, slack) as server:
        make_channel(server, kind="slack", url=slack.url)
        name, moment = "<!channel> & <https://evil.example|x>", format_instant(clock.now)
        events = [
            entered(moment, "s", 5, queue_name=name),
            left(moment, "s", 5, "PR_DEQUEUED", queue_name=name),
        ]
        server.send(events)
        clock.pass_seconds(16)
        wait_until(lambda: slack.asked)

        text = json.loads(slack.asked[0].body)["blocks"][1]["text"]["text"]
        assert (
            "*#5*\nWhy: removed from the queue\n"
            "Cannot tell why it left: it may have been closed, made a draft or cancelled. "
            "Look at the pull request.\n*Look into it*\n"
            "It left &lt;!channel&gt; &amp; &lt;https://evil.example|x&gt; (main) after 0s."
        ) == text


@pytest.mark.parametrize(
    ("replies", "state"),
    [
        ([Reply(500), Reply(429, b"", {"Retry-After": "120"}), Reply(200)], "ready"),
        ([Reply(400)], "ready"),
        ([Reply(410)], "paused"),
        ([Reply(302, b"", {"Location": "http://127.0.0.1:1/"})], "ready"),
    ],
)
def test_a_message_is_tried_again_if_that_can_help(tmp_path: Path, replies: list[Reply], state: str) -> None:
    """The id stays the same; a receiver that no longer exists pauses its channel."""
    clock = Clock()
    with Receiver(*replies) as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        remove_pull_request(server, clock, 7)
        clock.pass_seconds(16)
        for reply in replies[:-1]:
            # The pause begins when the result is noted, so the clock must not move earlier.
            again = f"127.0.0.1 answered {reply.status}; it is tried again"
            wait_for(again, lambda: (listed(server)[0]["last_result"] or {}).get("detail"))
            assert 1 == listed(server)[0]["waiting"]
            clock.pass_seconds(130)
        wait_for(len(replies), lambda: len(webhook.asked))
        wait_for(0, lambda: listed(server)[0]["waiting"])

        assert state == listed(server)[0]["state"]
        assert 1 == len({asked.headers["Mergecast-Id"] for asked in webhook.asked})


def test_a_message_is_given_up_after_24_hours(tmp_path: Path) -> None:
    clock = Clock()
    with Receiver(*[Reply(503)] * 100) as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        remove_pull_request(server, clock, 7)
        clock.pass_seconds(16)
        wait_for(1, lambda: listed(server)[0]["waiting"])
        wait_until(lambda: webhook.asked)
        wait_until(lambda: listed(server)[0]["last_result"])
        clock.pass_seconds(24 * 3600)
        wait_for(0, lambda: listed(server)[0]["waiting"])

        assert 2 == len(webhook.asked)
        assert "127.0.0.1 answered 503" == listed(server)[0]["last_result"]["detail"]


def _removed(body: bytes) -> list[Any]:
    found: list[Any] = json.loads(body)["removed"]
    return found


def _numbers(body: bytes) -> list[int]:
    return [pull["number"] for pull in _removed(body)]


def test_a_deleted_channel_gets_nothing_more(tmp_path: Path) -> None:
    clock = Clock()
    with Receiver() as webhook, Receiver() as other, serving(tmp_path, clock, webhook, other) as server:
        id = make_channel(server, kind="webhook", url=webhook.url)["id"]
        make_channel(server, kind="webhook", url=other.url)
        remove_pull_request(server, clock, 7)
        assert 204 == server.http.delete(f"{CHANNELS}/{id}").status_code
        clock.pass_seconds(16)

        wait_until(lambda: other.asked)
        assert [] == webhook.asked


def test_the_check_that_failed_is_named_with_its_link(tmp_path: Path) -> None:
    """The first required check that failed in the last run of the pull request."""
    clock = Clock()
    with Receiver() as slack, Receiver() as webhook, serving(tmp_path, clock, slack, webhook) as server:
        make_channel(server, kind="slack", url=f"{slack.url}/services/T0/B0/x")
        make_channel(server, kind="webhook", url=f"{webhook.url}/hook")
        begun, failed, done = (format_instant(clock.now - minutes * MINUTE) for minutes in (20, 5, 0))
        url = "https://ci.example.com/7"
        run = [started(begun, "s", 7, "b7", [7]), ended(done, "s", 7, "b7", "CHECKS_FAILED")]
        reports = [
            reported(begun, "b7", "optional", "failure", is_required=False, ended_at=begun),
            reported(failed, "b7", "build <1>", "failure", url=url, ended_at=failed),
            reported(done, "b7", "later", "failure", ended_at=done),
        ]
        exit = left(done, "s", 7, reason="CHECKS_FAILED")
        server.send([entered(begun, "s", 7), *run, *reports, exit]).raise_for_status()
        clock.pass_seconds(16)
        for receiver in (slack, webhook):
            wait_until(lambda receiver=receiver: receiver.asked)  # type: ignore[misc]

    (removed,) = json.loads(webhook.asked[0].body)["removed"]
    assert {"name": "build <1>", "url": url} == removed["failed_check"]
    assert f"Why: the check *<{url}|build &lt;1&gt;>* failed" in slack.asked[0].body.decode()
