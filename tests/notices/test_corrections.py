"""What a notice advises about a removal is corrected, once, if it changes soon."""

import json
from pathlib import Path
from typing import Any

import pytest

from builders import Wire, ended, entered, left, reported, started
from live_server import LiveServer
from mergecast.queues.model.instant import MINUTE, format_instant
from notices.receivers import Clock, Receiver, listed, make_channel, serving
from waiting import wait_for, wait_until

pytestmark = pytest.mark.server
_VERDICT = "/v1/repos/acme/widgets/pulls/7/verdict"


def _failed(now: int, number: int, minutes: int) -> list[Wire]:
    """A pull request that was tested alone, failed the check `build`, and left so many minutes ago."""
    session, batch = f"s{number}", f"b{number}"
    begun, over = format_instant(now - (minutes + 2) * MINUTE), format_instant(now - minutes * MINUTE)
    return [
        entered(begun, session, number, head_sha=f"{number:040x}"),
        started(begun, session, number, batch, [number]),
        reported(over, batch, "build", "failure", started_at=begun, ended_at=over),
        ended(over, session, number, batch, "CHECKS_FAILED"),
        left(over, session, number, "CHECKS_FAILED"),
    ]


def _act(server: LiveServer) -> str:
    return str(server.http.get(_VERDICT).raise_for_status().json()["act"])


def _notices(webhook: Receiver) -> list[Any]:
    return [json.loads(asked.body) for asked in webhook.asked]


def _settled(server: LiveServer) -> None:
    wait_for(0, lambda: listed(server)[0]["waiting"])


def test_an_act_that_changes_soon_is_corrected_once(tmp_path: Path) -> None:
    """Others failed the same check in the hour before, but their events arrive later."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        server.send(_failed(clock.now, 7, 0))
        clock.pass_seconds(16)
        wait_until(lambda: webhook.asked)
        _settled(server)
        (first,) = _notices(webhook)
        assert "look" == first["removed"][0]["verdict"]["act"]

        server.send([event for number in range(11, 17) for event in _failed(clock.now, number, 3 * number)])
        clock.pass_seconds(3)
        wait_for("wait", lambda: _act(server))
        wait_for(2, lambda: sum(one["removed"][0]["number"] == 7 for one in _notices(webhook)))

        found = next(one for one in _notices(webhook) if one["phase"] == "correction")
        assert (first["id"], "wait", "removed") == (
            found["corrects"],
            found["removed"][0]["verdict"]["act"],
            found["kind"],
        )
        assert first["id"] != found["id"]
        assert found["removed"][0]["verdict"]["sentence"] == found["sentence"]


def test_a_change_before_the_notice_is_no_correction(tmp_path: Path) -> None:
    """The notice says what is known when it is made."""
    clock = Clock()
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        make_channel(server, kind="webhook", url=webhook.url)
        server.send(_failed(clock.now, 7, 0))
        wait_for("look", lambda: _act(server))
        server.send([event for number in range(11, 17) for event in _failed(clock.now, number, 3 * number)])
        clock.pass_seconds(3)
        wait_for("wait", lambda: _act(server))
        clock.pass_seconds(16)
        wait_for(1, lambda: sum(one["removed"][0]["number"] == 7 for one in _notices(webhook)))
        _settled(server)

        (found,) = [one for one in _notices(webhook) if one["removed"][0]["number"] == 7]
        assert ("once", None, "wait") == (
            found["phase"],
            found["corrects"],
            found["removed"][0]["verdict"]["act"],
        )
