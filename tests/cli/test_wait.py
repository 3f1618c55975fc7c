"""`mergecast wait`, with a real server behind a door that tests close."""

import asyncio
import io
import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from builders import ended, entered, left, reported, started
from cli.door import door
from cli.program import mergecast
from live_server import NO_LIMITS, TOKEN, LiveServer, live_server
from local_http import Asked, Reply, local_server, refusing_url
from mergecast.cli import wait_run
from mergecast.cli.main import run
from mergecast.client import pull_watch
from mergecast.client.client import Client
from waiting import MOST_SECONDS, wait_until

pytestmark = pytest.mark.server
_MANY = 100  # commands that wait with one key
_NUMBERS = count(1)
_UNKNOWN = {
    "pull_request": 7,
    "state": "unknown",
    **dict.fromkeys(("since", "position", "waiting_for", "expected_merge", "expected_merges", "removal")),
}


def _at(minutes: float = 0) -> str:
    return (datetime.now(UTC) + timedelta(minutes=minutes)).isoformat()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("wait")) as live:
        yield live


@pytest.fixture
def name() -> str:
    """A repository that no other test uses."""
    return f"acme/wait-{next(_NUMBERS)}"


class Running:
    """A command in another thread. Only one runs at a time: it has the standard streams."""

    def __init__(self, *arguments: str, url: str, token: str = TOKEN) -> None:
        self._arguments = [*arguments, "--url", url, "--token", token]
        self._out, self._err = io.StringIO(), io.StringIO()
        self.code: int | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        environment = {"COLUMNS": "200", "TZ": "UTC"}
        with patch.dict(os.environ, environment), redirect_stdout(self._out), redirect_stderr(self._err):
            self.code = run(self._arguments)

    def said(self) -> list[str]:
        """What it has told so far, without the times."""
        return [line[9:] for line in self._err.getvalue().splitlines()]

    def says(self, text: str) -> None:
        """Wait until it has said this."""
        wait_until(lambda: any(text in line for line in self.said()), f"the line `{text}`")

    def end(self) -> tuple[int | None, str]:
        """The exit code and the line on standard output."""
        self._thread.join(MOST_SECONDS)
        return self.code, self._out.getvalue().rstrip("\n")


@contextmanager
def _waiting(*arguments: str, url: str, **more: str) -> Iterator[Running]:
    """A command that ends before the block does, even if the test fails."""
    running = Running("wait", *arguments, url=url, **more)
    try:
        yield running
    finally:
        running.end()


def _merged_at(name: str) -> str:
    return f"{name}#7 was merged at {datetime.now(UTC):%Y-%m-%d}"


def test_it_tells_each_change_and_ends_when_it_is_merged(server: LiveServer, name: str) -> None:
    with door(server.url) as opened:
        server.send([entered(_at(-30), "a", 1), entered(_at(-20), "b", 7)], name)
        with _waiting(f"{name}#7", "--timeout", "20m", url=opened.url) as running:
            running.says("Second in `default`; its CI has not started")
            server.send([started(_at(), "b", 7, "X", [7, 8])], name)
            running.says("Second in `default`; CI has run for ")
            server.send(
                [ended(_at(), "b", 7, "X", "CHECKS_FAILED"), reported(_at(), "X", "types", "failure")], name
            )
            server.send([started(_at(), "b", 7, "Y", [7])], name)
            running.says("its batch of 2 failed `types`; being tested alone now; CI has run for ")
            server.send([left(_at(), "a", 1)], name)
            running.says("First in `default`")
            server.send([left(_at(), "b", 7)], name)
            code, out = running.end()

    assert (0, True) == (code, out.startswith(_merged_at(name)))


def test_it_subscribes_first_and_looks_only_when_something_changed(server: LiveServer, name: str) -> None:
    server.send([entered(_at(-20), "b", 7)], name)
    with (
        door(server.url) as opened,
        _waiting(name, "7", "--timeout", "20m", url=opened.url) as running,
    ):
        running.says("First in `default`")
        server.send([entered(_at(-20), "other", 7)], "acme/elsewhere")
        server.send([left(_at(), "b", 7)], name)
        assert 0 == running.end()[0]

    paths = [path.rpartition("/")[2] for path in opened.asked]
    assert ["live", "state", "state"] == paths


def test_a_pull_request_that_is_merged_ends_it_at_once(server: LiveServer, name: str) -> None:
    server.send([entered(_at(-20), "b", 7), left(_at(-9), "b", 7)], name)

    with _waiting(f"https://github.com/{name}/pull/7", "--json", url=server.url) as running:
        code, out = running.end()

    answer = json.loads(out)
    assert (0, []) == (code, running.said())
    assert answer.pop("sentence").startswith(_merged_at(name))
    named = {"repository": name, "pull_request": 7, "outcome": "merged"}
    assert {**named, "server_answers": True, "verdict": None} == {
        key: value for key, value in answer.items() if key != "state"
    }
    assert server.http.get(f"/v1/repos/{name}/pulls/7/state").json() == answer["state"]


@pytest.mark.parametrize(("until", "code"), [("merged", 1), ("left", 0)])
def test_a_removal_ends_it_with_the_verdict(server: LiveServer, name: str, until: str, code: int) -> None:
    server.send([entered(_at(-20), "b", 7)], name)
    with door(server.url) as opened:
        waiting = (f"{name}#7", "--json", "--until", until, "--timeout", "20m")
        with _waiting(*waiting, url=opened.url) as running:
            wait_until(lambda: opened.count("/state"))
            server.send([left(_at(), "b", 7, "CONFLICT_WITH_BASE_BRANCH")], name)
            ending, out = running.end()

    answer = json.loads(out)
    assert (code, "removed", "removed") == (ending, answer["outcome"], answer["state"]["state"])
    verdict = server.http.get(f"/v1/repos/{name}/pulls/7/verdict").json()
    assert ("conflict", "fix", verdict["sentence"]) == (
        answer["verdict"]["cause"], answer["verdict"]["act"], answer["verdict"]["sentence"],
    )  # fmt: skip


def test_the_line_about_a_removal_has_the_sentence_of_the_verdict(server: LiveServer, name: str) -> None:
    server.send([entered(_at(-20), "b", 7)], name)
    with _waiting(f"{name}#7", "--timeout", "20m", url=server.url) as running:
        running.says("First in")
        server.send([left(_at(), "b", 7, "CONFLICT_WITH_BASE_BRANCH")], name)
        code, out = running.end()

    sentence = server.http.get(f"/v1/repos/{name}/pulls/7/verdict").json()["sentence"]
    assert 1 == code
    assert out.startswith(f"{name}#7 was removed at {datetime.now(UTC):%Y-%m-%d}")
    assert out.endswith(f": {sentence}")


def test_one_that_was_removed_before_is_said_at_once(server: LiveServer, name: str) -> None:
    server.send([entered(_at(-20), "a", 7), left(_at(-10), "a", 7, "PR_MANUALLY_DEQUEUED")], name)
    with _waiting(f"{name}#7", "--timeout", "20m", url=server.url) as running:
        code, out = running.end()

    assert (1, True) == (code, out.startswith(f"{name}#7 was removed at "))


def test_one_that_will_be_queued_again_is_waited_for(server: LiveServer, name: str) -> None:
    server.send([entered(_at(-20), "a", 7), left(_at(-10), "a", 7, "PR_MANUALLY_DEQUEUED")], name)
    with _waiting(f"{name}#7", "--again", "--timeout", "20m", url=server.url) as running:
        running.says("; waiting until it is queued again")
        server.send([entered(_at(), "b", 7)], name)
        running.says("First in `default`")
        server.send([left(_at(), "b", 7)], name)
        code, out = running.end()

    assert (0, True) == (code, out.startswith(_merged_at(name)))


def test_one_that_is_not_queued_yet_is_waited_for(server: LiveServer, name: str) -> None:
    server.send([entered(_at(-20), "a", 1)], name)
    with _waiting(f"{name}#7", "--timeout", "20m", url=server.url) as running:
        running.says("not in a queue yet; waiting until it is queued")
        server.send([entered(_at(), "b", 7)], name)
        running.says("Second in `default`")
        server.send([left(_at(), "b", 7)], name)
        assert 0 == running.end()[0]


def test_a_number_that_may_be_wrong_is_said(
    server: LiveServer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a minute; at the end too."""
    monkeypatch.setattr(wait_run, "DOUBT_SECONDS", 0.1)
    server.send([entered(_at(-20), "a", 1)], name)
    with _waiting(f"{name}#7", "--timeout", "20m", url=server.url) as running:
        running.says(f"{name}#7 has never been in a queue, as far as is known: is the number right?")
        server.send([entered(_at(), "b", 7), left(_at(), "b", 7)], name)
        assert 0 == running.end()[0]
    with _waiting(f"{name}#8", "--timeout", "1s", "--json", url=server.url) as running:
        code, out = running.end()

    said = f"{name}#8 is not merged after 1s: it has never been in a queue, as far as is known"
    assert (4, said) == (code, json.loads(out)["sentence"])


def test_a_credential_that_ends_meanwhile_has_words_of_its_own(
    server: LiveServer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pull_watch, "POLL_SECONDS", 0.1)
    server.send([entered(_at(-20), "a", 7)], name)
    key = server.key("acme", scopes=["read"])
    with _waiting(f"{name}#7", "--timeout", "20m", url=server.url, token=key["key"]) as running:
        running.says("First in `default`")
        server.http.delete(f"/v1/keys/{key['id']}").raise_for_status()
        server.send([entered(_at(), "b", 8)], name)
        code, _ = running.end()

    assert 5 == code
    assert " ".join(running._err.getvalue().split()).endswith(  # noqa: SLF001 - of this test
        f"mergecast: {server.url} no longer accepts the credential of this command: it was revoked, has "
        "expired or has lost its right; start the command again with another one"
    )


def test_a_new_credential_is_read_from_its_file() -> None:
    """A server that started again has another one in its data folder."""
    merged = {**_UNKNOWN, "state": "merged", "since": "2026-03-05T11:40:00Z"}

    def answer(asked: Asked) -> Reply:
        is_new = "Bearer new-token" in asked.headers.values()
        return Reply(200, json.dumps(merged).encode()) if is_new else Reply(401, b"{}")

    async def first(url: str) -> str:
        client = Client(url, "old-token")
        async with client.at_once() as http:
            watch = pull_watch.PullWatch(
                client, http, ("acme/widgets", 7), lambda _: None, lambda: "new-token"
            )
            async with aclosing(watch.states()) as states:
                return (await anext(states)).value.state

    with local_server(answer) as local:
        assert "merged" == asyncio.run(first(local.url))


def test_a_removal_is_noticed_although_it_was_queued_again(server: LiveServer, name: str) -> None:
    """Between two looks it left and came back."""
    server.send([entered(_at(-20), "a", 7)], name)
    with _waiting(f"{name}#7", "--timeout", "20m", url=server.url) as running:
        running.says("First in `default`")
        server.send([left(_at(), "a", 7, "PR_MANUALLY_DEQUEUED"), entered(_at(), "b", 7)], name)
        code, out = running.end()

    assert (1, True) == (code, out.startswith(f"{name}#7 was removed at "))


def test_it_goes_on_through_removals_if_asked_to(server: LiveServer, name: str) -> None:
    server.send([entered(_at(-20), "a", 7)], name)
    with _waiting(f"{name}#7", "--through-removals", "--timeout", "20m", url=server.url) as running:
        running.says("First in `default`")
        server.send([left(_at(), "a", 7, "PR_MANUALLY_DEQUEUED"), entered(_at(), "b", 7)], name)
        running.says("removed: ")
        server.send([left(_at(), "b", 7)], name)
        code, out = running.end()

    assert (0, True) == (code, out.startswith(_merged_at(name)))


def test_the_end_comes_although_the_server_is_silent(server: LiveServer, name: str) -> None:
    """No read outlasts the time: neither that of the stream, nor one that nothing answers."""
    server.send([entered(_at(-20), "b", 7)], name)
    with door(server.url) as opened:
        with _waiting(f"{name}#7", "--timeout", "3s", url=opened.url) as running:
            assert (4, True) == (
                running.end()[0], running.end()[1].startswith(f"{name}#7 is not merged after 3s: First in")
            )  # fmt: skip
        opened.fall_silent()
        with _waiting(f"{name}#7", "--timeout", "1s", "--json", url=opened.url) as running:
            code, out = running.end()

    answer = json.loads(out)
    assert (4, "timeout", None, False) == (
        code,
        *(answer[key] for key in ("outcome", "state", "server_answers")),
    )
    assert answer["sentence"].endswith("is not known to be merged after 1s: the server has not answered")


def test_streams_that_are_closed_are_opened_again(server: LiveServer, name: str) -> None:
    server.send([entered(_at(-20), "b", 7)], name)
    with door(server.url) as opened, _waiting(f"{name}#7", "--timeout", "20m", url=opened.url) as running:
        running.says("First in `default`")
        opened.close_connections()
        wait_until(lambda: opened.count("/live") > 1)
        server.send([left(_at(), "b", 7)], name)
        assert 0 == running.end()[0]


def test_a_server_that_is_away_for_a_while_is_waited_for(
    server: LiveServer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pull_watch, "POLL_SECONDS", 0.1)
    server.send([entered(_at(-20), "b", 7)], name)
    with door(server.url) as opened, _waiting(f"{name}#7", "--timeout", "20m", url=opened.url) as running:
        running.says("First in `default`")
        opened.close()
        running.says("; trying again")
        server.send([left(_at(), "b", 7)], name)
        opened.open()
        code, out = running.end()

    assert (0, True) == (code, out.startswith(_merged_at(name)))


def test_a_server_that_stays_away_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pull_watch, "UNREACHABLE_SECONDS", 0.5)
    with refusing_url() as url, _waiting("acme/widgets#7", url=url) as running:
        code, out = running.end()

    assert (3, "") == (code, out)
    assert f"no answer from {url}: " in running._err.getvalue()  # noqa: SLF001 - of this test


def test_nothing_is_said_about_a_pull_request_of_a_silent_server(tmp_path: Path) -> None:
    """It may be merged: nobody knows."""
    with refusing_url() as url:
        place = ("acme/widgets#7", "--url", url, "--token", TOKEN)
        ending = mergecast("wait", *place, "--timeout", "1s", data=tmp_path)

    said = "acme/widgets#7 is not known to be merged after 1s: the server has not answered\n"
    assert (4, said) == (ending.code, ending.out)


@pytest.mark.parametrize("status", [429, 503])
def test_it_asks_again_when_the_server_says(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a free stream too: then it looks at intervals."""
    monkeypatch.setattr(pull_watch, "POLL_SECONDS", 0.1)
    monkeypatch.setattr(pull_watch, "LOOK_SECONDS", 0.1)
    asked_at: list[datetime] = []

    def answer(asked: Asked) -> Reply:
        if asked.path.endswith("/live"):
            return Reply(429, b"{}", {"Retry-After": "60"})
        asked_at.append(datetime.now(UTC))
        if len(asked_at) == 2:
            return Reply(status, b'{"detail": "later"}', {"Retry-After": "1"})
        merged = {**_UNKNOWN, "state": "merged", "since": "2026-03-05T11:40:00Z"}
        return Reply(200, json.dumps(_UNKNOWN if len(asked_at) < 4 else merged).encode())

    with local_server(answer) as local, _waiting("acme/widgets#7", url=local.url) as running:
        code, out = running.end()

    assert (0, "acme/widgets#7 was merged at 2026-03-05 11:40") == (code, out)
    assert ["not in a queue yet; waiting until it is queued"] == running.said()
    assert 1 == sum(asked.path.endswith("/live") for asked in local.asked)
    assert asked_at[2] - asked_at[1] >= timedelta(seconds=1)


def test_many_can_wait_with_one_key(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten of them have a stream, the others look at intervals."""
    monkeypatch.setattr(pull_watch, "POLL_SECONDS", 0.5)
    with live_server(tmp_path, replace(NO_LIMITS, connections=200)) as server:
        key = server.key()["key"]
        server.send([entered(_at(-20), f"s{number}", number) for number in range(1, _MANY + 1)], name)

        def merge() -> None:
            server.send([left(_at(), f"s{number}", number) for number in range(1, _MANY + 1)], name)

        states = asyncio.run(_all_merged(Client(server.url, key), name, merge))

    assert _MANY * ["merged"] == states


async def _all_merged(client: Client, name: str, merge: Callable[[], None]) -> list[str]:
    looked = [asyncio.Event() for _ in range(_MANY)]

    async def follow(number: int, http: Any) -> str:
        watch = pull_watch.PullWatch(client, http, (name, number), lambda _: None)
        async with aclosing(watch.states()) as states:
            async for state in states:
                if state.value.state == "merged":
                    break
                looked[number - 1].set()
        return state.value.state

    async with client.at_once() as http, asyncio.TaskGroup() as group:
        tasks = [group.create_task(follow(number, http)) for number in range(1, _MANY + 1)]
        for event in looked:
            await event.wait()
        await asyncio.to_thread(merge)
    return [task.result() for task in tasks]


def test_an_unknown_repository_and_a_refused_credential_end_it(server: LiveServer) -> None:
    with _waiting("nowhere/nothing#7", url=server.url) as unknown:
        unknown.end()
    with _waiting("acme/widgets#7", url=server.url, token="x" * 40) as refused:
        refused.end()

    assert (2, 2) == (unknown.code, refused.code)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("acme/widgets",),
            "`acme/widgets` has no pull request number; write OWNER/REPO#NUMBER, such as acme/widgets#42",
        ),
        (
            ("acme/widgets#7", "--timeout", "soon"),
            "--timeout: `soon` is not a length of time; write 90s, 40m or 12h",
        ),
        (
            ("acme/widgets#7", "--until", "left", "--through-removals"),
            "--through-removals needs --until merged: with --until left, a removal ends the wait",
        ),
    ],
)
def test_wrong_usage_is_explained(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    ending = mergecast("wait", *arguments, data=tmp_path)

    assert (2, "", f"mergecast: {message}\n") == (ending.code, ending.out, ending.err)


def test_without_a_server_nothing_can_change(tmp_path: Path) -> None:
    ending = mergecast("wait", "acme/widgets#7", data=tmp_path)

    assert (2, "") == (ending.code, ending.out)
    assert (
        f"mergecast: no server is running on `{tmp_path}`, so nothing can change there; "
        "start `mergecast serve`, or name a server with --url\n"
    ) == ending.err
