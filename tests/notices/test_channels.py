"""Channels are created, listed, tried and deleted by those who may; their secrets are not shown."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from api.problem_documents import FORBIDDEN
from builders import entered
from live_server import LiveServer
from local_http import Reply
from logged_secrets import LOGGED
from mergecast.process.sealing import CannotDecrypt, Keys, Seal
from mergecast.queues.model.instant import SECOND, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.repository_names import RepositoryNames
from mergecast.queues.store.channel_rows import ChannelRow, add_channel, read_channels
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.sqlite.store import SQLiteStore
from mergecast.queues.store.store import QUERY_SECONDS
from mergecast.signals.notices.delivery import NoticeSettings, make_post
from mergecast.signals.notices.outbox import Outbox
from mergecast.signals.notices.sender import Sender
from notices.receivers import CHANNELS, Clock, Receiver, listed, make_channel, remove_pull_request, serving
from postgres.server import new_store
from waiting import wait_for, wait_until

pytestmark = pytest.mark.server

_URL = "https://hooks.slack.example/services/T0/B0/very-secret"
_SECRET = {"secret": "my-own-secret"}
_OWNER, _OF = "/v1/owners/acme/channels", "/v1/repos/acme"
_KEYS = ("first-key-of-at-least-32-characters", "second-key-of-at-least-32-characters")

_MOST_ADDED = 5
T = TypeVar("T")

_COLOUR = "is not a field of a channel; it takes kind, url, secret, to, name, rules or digest"
_QUEUE = "is not a field of a rule, did you mean queues? It takes what, figures, origins or queues"
_FIGURES = (
    "no_run_started, run_too_long, everyone_fails, going_round, nothing_merges, source_silent, runs_slow, "
    "forgotten, failure_rate, time_in_queue_p95, time_to_merge_p95, ci_runs_per_merge"
)
_ORIGINS = "built_in, learned, set, reference"
_DAYS = "monday, tuesday, wednesday, thursday, friday, saturday, sunday"


def _rule(what: str, **given: list[str]) -> dict[str, Any]:
    """As it is shown."""
    return {"what": what, "figures": None, "origins": None, "queues": None, **given}


def test_a_channel_is_shown_without_its_secrets(server: LiveServer) -> None:
    made = make_channel(
        server, "/v1/repos/acme/shown/channels", kind="webhook", url=_URL, secret="my-own-secret"
    )
    (shown,) = listed(server, "/v1/repos/acme/shown/channels")

    assert _SECRET == {"secret": made.pop("secret")}
    assert made == shown
    assert {
        "id": made["id"],
        "name": "webhook",
        "kind": "webhook",
        "target": "https://hooks.slack.example/…",
        "rules": [_rule("removed"), _rule("alert")],
        "digest": {"day": "monday", "hour": 9, "time_zone": "UTC"},
        "created_at": made["created_at"],
        "state": "ready",
        "waiting": 0,
        "last_result": None,
    } == shown


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, [("/kind", "is missing")]),
        ({"kind": "pager"}, [("/kind", "must be one of slack, teams, webhook, email, log")]),
        ({"kind": "log"}, [("/kind", "must be one of slack, teams, webhook, email")]),
        ({"kind": "slack"}, [("/url", "is missing; it is where messages are posted to")]),
        (
            {"kind": "slack", "url": "http://hooks.example.com/"},
            [("/url", "must begin with https://; the operator can allow others in MERGECAST_NOTICE_HOSTS")],
        ),
        (
            {"kind": "slack", "url": _URL, "secret": "x"},
            [("/secret", "belongs to channels of the kind webhook only")],
        ),
        (
            {"kind": "slack", "url": _URL, "to": ["a@b.c"]},
            [("/to", "belongs to channels of the kind email only")],
        ),
        (
            {
                "kind": "slack", "url": _URL, "name": "#", "colour": "red",
                "rules": [
                    {"what": "merged"},
                    {"what": "alert", "figures": ["run_to_long"], "origins": ["learnt"], "queues": []},
                    {"what": "alert", "figures": ["splits"], "origins": ["mine"]},
                    {"what": "removed", "figures": ["run_too_long"]},
                    {"what": "digest", "queues": ["default"]},
                    {"queue": "default"},
                    "alert",
                ],
            },
            [
                ("/colour", _COLOUR),
                ("/name", "must be 1 to 64 letters, digits or any of - _ . #, with a letter or digit"),
                ("/rules/0/what", "must be one of removed, alert, digest"),
                ("/rules/1/figures", "run_to_long is not a figure of alerts; did you mean run_too_long?"),
                ("/rules/1/origins", "learnt is not an origin of thresholds; did you mean learned?"),
                ("/rules/1/queues", "must be a list of 1 to 100 names of queues"),
                ("/rules/2/figures", f"splits is not a figure of alerts; choose from {_FIGURES}"),
                ("/rules/2/origins", f"mine is not an origin of thresholds; choose from {_ORIGINS}"),
                ("/rules/3/figures", "does not belong to a rule for removed"),
                ("/rules/4/queues", "does not belong to a rule for digest"),
                ("/rules/5/queue", _QUEUE),
                ("/rules/5/what", "is missing"),
                ("/rules/6", "must be an object with what, figures, origins and queues"),
            ],
        ),
        (
            {"kind": "slack", "url": _URL, "rules": [{"what": "alert"}] * 1000},
            [("/rules", "must be a list of at most 100 rules")],
        ),
        (
            {"kind": "slack", "url": _URL, "digest": {"time_zone": "Mars/Base"}},
            [("/digest", "time_zone must be the name of a time zone, such as Europe/Berlin")],
        ),
        (
            {"kind": "slack", "url": _URL, "digest": {"day": "today"}},
            [("/digest", f"day must be one of {_DAYS}")],
        ),
    ],
)  # fmt: skip
def test_a_wrong_channel_is_refused_with_what_would_be_right(
    server: LiveServer, body: dict[str, Any], errors: list[tuple[str, str]]
) -> None:
    answer = server.http.post("/v1/repos/acme/refused/channels", json=body)

    assert 422 == answer.status_code
    assert errors == [(error["name"], error["message"]) for error in answer.json()["errors"]]
    assert [] == listed(server, "/v1/repos/acme/refused/channels")


def test_a_name_belongs_to_one_channel_of_a_repository(server: LiveServer) -> None:
    """It is the kind unless another is given; case does not distinguish names."""
    path = "/v1/repos/acme/named/channels"
    made = [make_channel(server, path, kind="slack", url=_URL, **name) for name in ({}, {}, {"name": "#Ops"})]
    taken = server.http.post(path, json={"kind": "slack", "url": _URL, "name": "#OPS"})
    renamed = server.http.put(f"{path}/slack-2", json={"name": "#ops"})
    elsewhere = make_channel(server, _OWNER, kind="slack", url=_URL, name="#ops")

    message = "another channel here has the name {}; choose another one, or change that channel"
    assert ["slack", "slack-2", "#Ops"] == [channel["name"] for channel in made]
    assert [(409, message.format("#OPS")), (409, message.format("#ops"))] == [
        (answer.status_code, answer.json()["errors"][0]["message"]) for answer in (taken, renamed)
    ]
    assert ["slack", "slack-2", "#Ops"] == [channel["name"] for channel in listed(server, path)]
    server.http.delete(f"{_OWNER}/{elsewhere['id']}")


def test_name_rules_and_schedule_of_a_channel_are_changed(server: LiveServer) -> None:
    """By its id or its name; what a request leaves out stays, and so does the rest of the channel."""
    path = "/v1/repos/acme/changed/channels"
    made = make_channel(server, path, kind="slack", url=_URL)
    rules = [{"what": "alert", "figures": ["run_too_long"], "origins": ["learned"]}, {"what": "digest"}]

    first = server.http.put(f"{path}/{made['id']}", json={"name": "merge-queue", "rules": rules})
    second = server.http.put(f"{path}/Merge-Queue", json={"digest": {"day": "friday"}})
    unknown = server.http.put(f"{path}/slack", json={})
    wrong = server.http.put(f"{path}/merge-queue", json={"url": _URL})

    shown = [_rule("alert", figures=["run_too_long"], origins=["learned"]), _rule("digest")]
    changed = {**made, "name": "merge-queue", "rules": shown}
    assert (200, changed) == (first.status_code, first.json())
    friday = {"day": "friday", "hour": 9, "time_zone": "UTC"}
    assert (200, {**changed, "digest": friday}) == (second.status_code, second.json())
    assert (404, 422) == (unknown.status_code, wrong.status_code)
    assert (
        "is not a field of a change of a channel; it takes name, rules or digest"
        == (wrong.json()["errors"][0]["message"])
    )
    assert [second.json()] == listed(server, path)


def test_a_rule_of_a_repository_names_a_queue_that_it_has(server: LiveServer) -> None:
    """A repository without events may get any; a channel of an owner is for queues of all repositories."""
    path, rules = "/v1/repos/acme/queues/channels", [{"what": "removed", "queues": ["default", "defualt"]}]
    before = server.http.post(path, json={"kind": "slack", "url": _URL, "rules": rules})
    server.send([entered("2026-03-08T10:00:00Z", "s1", 1)], "acme/queues")
    after = server.http.post(path, json={"kind": "slack", "url": _URL, "rules": rules})
    changed = server.http.put(f"{path}/slack", json={"rules": rules})

    assert 201 == before.status_code
    message = ("/rules/0/queues", "there is no queue defualt; did you mean default?")
    for answer in (after, changed):
        assert 422 == answer.status_code
        assert [message] == [(error["name"], error["message"]) for error in answer.json()["errors"]]


def test_channels_of_the_owner_are_listed_for_a_repository(server: LiveServer) -> None:
    """But not among its own, and they cannot be changed there."""
    path = "/v1/repos/umbrella/listed/channels"
    own = make_channel(server, path, kind="slack", url=_URL)
    above = make_channel(server, "/v1/owners/umbrella/channels", kind="teams", url=_URL)

    answer = server.http.get(path).json()
    of_owner = server.http.get("/v1/owners/umbrella/channels").json()

    assert {"channels": [own], "owner_channels": [above]} == answer
    assert {"channels": [above]} == of_owner
    assert 404 == server.http.put(f"{path}/teams", json={}).status_code


def test_channels_need_the_scope_admin_of_the_same_owner(server: LiveServer) -> None:
    """For those of a repository and of an owner."""
    admin, other = server.key(scopes=["admin"])["key"], server.key("umbrella", scopes=["admin"])["key"]
    reader = server.key(scopes=["read", "ingest"])["key"]
    for path in (CHANNELS, _OWNER):
        assert 200 == server.ask(admin, path).status_code
        for token in (other, reader):
            answer = server.ask(token, path)
            assert (403, FORBIDDEN) == (answer.status_code, answer.json())


def test_a_channel_of_another_repository_is_not_found(server: LiveServer) -> None:
    id = make_channel(server, "/v1/repos/acme/one/channels", kind="slack", url=_URL)["id"]
    message = "there is no such channel here; GET …/channels lists them"
    for method, path in (("DELETE", f"/v1/repos/acme/two/channels/{id}"), ("POST", f"{_OWNER}/{id}/test")):
        answer = server.http.request(method, path)
        assert (404, message) == (answer.status_code, answer.json()["detail"])


def test_a_test_message_says_what_came_of_it_and_wakes_a_paused_channel(tmp_path: Path) -> None:
    with Receiver(Reply(404), Reply(200)) as receiver, serving(tmp_path, Clock(), receiver) as server:
        id = make_channel(server, kind="slack", url=receiver.url)["id"]
        path = f"{CHANNELS}/{id}/test"

        first, paused = server.http.post(path).json(), listed(server)[0]
        second, ready = server.http.post(path).json(), listed(server)[0]

        assert {"is_sent": False, "detail": "127.0.0.1 answered 404: the address no longer exists"} == first
        assert {"is_sent": True, "detail": "127.0.0.1 answered 200"} == second
        assert ("paused", "ready") == (paused["state"], ready["state"])
        blocks = json.loads(receiver.asked[1].body)["blocks"]
        assert "Test message · acme/widgets" == blocks[0]["text"]["text"]


def test_the_store_has_no_url_in_plain_text_and_a_backup_no_key(tmp_path: Path) -> None:
    with serving(tmp_path, Clock()) as server:
        make_channel(server, kind="slack", url=_URL)
        backup = server.http.get("/v1/admin/backup").content
        key = (tmp_path / "secret-key").read_bytes().strip()

    assert 0o600 == (tmp_path / "secret-key").stat().st_mode & 0o777
    assert b"hooks.slack.example" in backup
    for content in (backup, *(path.read_bytes() for path in tmp_path.glob("mergecast.sqlite*"))):
        assert b"very-secret" not in content
        assert key not in content


def _sealed(server: LiveServer) -> str:
    (channel,) = asyncio.run(read_channels(server.store))
    return channel.sealed


def test_a_key_can_be_replaced_by_another(tmp_path: Path) -> None:
    """While the server has both, it encrypts again; then the old one is not needed any more."""
    first, second = _KEYS
    with serving(tmp_path, Clock(), secret_keys=(first,)) as server:
        make_channel(server, kind="slack", url=_URL)
        before = _sealed(server)
    with serving(tmp_path, Clock(), secret_keys=(second, first)) as server:
        assert "ready" == listed(server)[0]["state"]
        wait_until(lambda: _sealed(server) != before)
    with serving(tmp_path, Clock(), secret_keys=(second,)) as server:
        assert "ready" == listed(server)[0]["state"]


def test_a_key_file_is_followed_by_a_setting(tmp_path: Path) -> None:
    """The channels that were encrypted with the file stay readable."""
    with serving(tmp_path, Clock(), key_folder=tmp_path) as server:
        make_channel(server, kind="slack", url=_URL)
    with serving(tmp_path, Clock(), key_folder=tmp_path, secret_keys=_KEYS[:1]) as server:
        assert "ready" == listed(server)[0]["state"]


_UNREADABLE = (
    "its target cannot be decrypted, because the key is missing: give the server the key that it was "
    "encrypted with, or delete the channel and create it again"
)


def test_messages_wait_for_a_key_that_is_missing(tmp_path: Path) -> None:
    """The channel says so, and gets its messages when the key is back."""
    first, second = _KEYS
    clock = Clock()
    with Receiver() as receiver:
        with serving(tmp_path, clock, receiver, secret_keys=(first,)) as server:
            id = make_channel(server, kind="slack", url=receiver.url)["id"]
        with serving(tmp_path, clock, receiver, secret_keys=(second,)) as server:
            assert "unreadable" == listed(server)[0]["state"]
            tried = server.http.post(f"{CHANNELS}/{id}/test").json()
            assert {"is_sent": False, "detail": _UNREADABLE} == tried
            remove_pull_request(server, clock, 7)
            clock.pass_seconds(16)
            expected = (1, f"{_UNREADABLE}; it is tried again")
            wait_for(
                expected, lambda: (listed(server)[0]["waiting"], listed(server)[0]["last_result"]["detail"])
            )
        clock.pass_seconds(60)
        with serving(tmp_path, clock, receiver, secret_keys=(first,)) as server:
            wait_until(lambda: receiver.asked)


@pytest.mark.parametrize("damaged", ["", "é", "not base64!", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
def test_a_damaged_target_is_unreadable(tmp_path: Path, damaged: str) -> None:
    """The other channels are listed all the same."""
    with serving(tmp_path, Clock()) as server:
        make_channel(server, kind="slack", url=_URL)
        row = ChannelRow(
            "bad", "acme", "widgets", "slack", damaged, '{"shown": "?", "name": "bad"}', 9, None, None, None
        )
        asyncio.run(add_channel(server.store, row))

        assert ["unreadable", "ready"] == [channel["state"] for channel in listed(server)]
        tried = server.http.post(f"{CHANNELS}/bad/test")
        assert (200, {"is_sent": False, "detail": _UNREADABLE}) == (tried.status_code, tried.json())


def test_a_target_of_another_form_is_unreadable(tmp_path: Path) -> None:
    """Such as one that a newer version has stored."""
    with serving(tmp_path, Clock(), secret_keys=_KEYS[:1]) as server:
        sealed = Seal(_KEYS[:1]).close(b'{"to": 7}', "bad")
        row = ChannelRow(
            "bad", "acme", "widgets", "email", sealed, '{"shown": "?", "name": "bad"}', 9, None, None, None
        )
        asyncio.run(add_channel(server.store, row))

        assert ["unreadable"] == [channel["state"] for channel in listed(server)]
        tried = server.http.post(f"{CHANNELS}/bad/test")
        assert (200, {"is_sent": False, "detail": _UNREADABLE}) == (tried.status_code, tried.json())


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff" * 40])
def test_a_damaged_key_file_encrypts_nothing(tmp_path: Path, content: bytes) -> None:
    """Above all not with an empty key, which anyone can guess."""
    with serving(tmp_path, Clock(), key_folder=tmp_path) as server:
        make_channel(server, kind="slack", url=_URL)
    (tmp_path / "secret-key").write_bytes(content)
    with serving(tmp_path, Clock(), key_folder=tmp_path) as server:
        assert ["unreadable"] == [channel["state"] for channel in listed(server)]
        answer = server.http.post(CHANNELS, json={"kind": "slack", "url": _URL})

    message = (
        "the server has no key to encrypt secrets with: the file secret-key of its data folder is damaged; "
        "restore it, or delete it to get a new key, which cannot decrypt the channels and sources that exist"
    )
    assert (422, message) == (answer.status_code, answer.json()["detail"])


def test_a_sealed_text_belongs_to_its_channel() -> None:
    seal = Seal(_KEYS)

    sealed = seal.close(b"content", "one")

    assert b"content" == Seal(_KEYS[:1]).open(sealed, "one")
    with pytest.raises(CannotDecrypt):
        seal.open(sealed, "another")


def test_on_postgresql_the_key_must_be_set(tmp_path: Path, database_server: str) -> None:
    """Servers of one database share no folder in which a key could be."""
    url = new_store(database_server)
    with serving(tmp_path, Clock(), database_url=url) as server:
        answer = server.http.post(CHANNELS, json={"kind": "slack", "url": _URL})
    message = "the server has no key to encrypt secrets with: set MERGECAST_SECRET_KEY"
    assert (422, message) == (answer.status_code, answer.json()["detail"])
    clock = Clock()
    with (
        Receiver() as receiver,
        serving(tmp_path, clock, receiver, database_url=url, secret_keys=_KEYS[:1]) as server,
    ):
        make_channel(server, kind="slack", url=receiver.url)
        remove_pull_request(server, clock, 7)
        clock.pass_seconds(16)

        wait_until(lambda: receiver.asked)


def test_on_postgresql_a_server_that_is_killed_delays_messages_by_15_seconds(
    tmp_path: Path, database_server: str
) -> None:
    """Its lease is that long, and is renewed while the server lives."""

    def until(server: LiveServer) -> int:
        return {lease.name: lease.until for lease in asyncio.run(server.store.leases())}.get("notices", 0)

    with serving(tmp_path, Clock(), database_url=new_store(database_server)) as server:
        wait_until(lambda: until(server))
        first = until(server)
        now = asyncio.run(server.store.shared_now(0))  # later than when the lease was taken
        assert first - now <= 15 * SECOND
        wait_until(lambda: until(server) > first)


def test_a_channel_of_the_demo_prints_to_the_log(tmp_path: Path) -> None:
    clock, before = Clock(), len(LOGGED.getvalue())
    with serving(tmp_path, clock) as server:
        make_channel(server, "/v1/repos/demo/harbor/channels", kind="log")
        remove_pull_request(server, clock, 7, repository="demo/harbor")
        clock.pass_seconds(16)
        wait_until(lambda: listed(server, "/v1/repos/demo/harbor/channels")[0]["last_result"])

    assert b"#7 left the queue default" in LOGGED.getvalue()[before:]


def test_a_renamed_repository_keeps_its_channels(tmp_path: Path) -> None:
    """With or without an announcement of the new name: they get messages, are listed, changed and deleted."""
    clock, gadgets, last = Clock(), Repository("acme", "gadgets"), Repository("acme", "gears")
    unannounced = RepositoryNames("acme/gears", ("acme/widgets",), ("acme/gadgets",))
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        server.send([entered(format_instant(clock.now), "stay", 7)]).raise_for_status()
        make_channel(server, kind="webhook", url=webhook.url, name="first")
        asyncio.run(server.store.rename(Repository("acme", "widgets"), gadgets, 700))
        taken = server.http.post(
            f"{_OF}/gadgets/channels", json={"kind": "slack", "url": _URL, "name": "first"}
        )
        clock.pass_seconds(1)
        make_channel(server, f"{_OF}/gadgets/channels", kind="webhook", url=webhook.url, name="second")
        asyncio.run(server.store.rename(gadgets, last, 700, unannounced))
        path = f"{_OF}/gears/channels"
        names = [channel["name"] for channel in listed(server, path)]
        settings = server.http.get(f"{_OF}/gears/settings").json()["notifications"]
        assert ["first", "second"] == names == [one["channel"] for one in settings]
        remove_pull_request(server, clock, 8, repository="acme/gears")
        clock.pass_seconds(16)
        wait_for(2, lambda: len(webhook.asked))
        changed = server.http.put(f"{path}/first", json={"name": "changed"})
        deleted = [server.http.delete(f"{path}/{name}").status_code for name in ("changed", "second")]

    assert (409, 200, [204, 204]) == (taken.status_code, changed.status_code, deleted)


def test_another_repository_or_owner_with_a_name_takes_over_no_channel(tmp_path: Path) -> None:
    clock, widgets = Clock(), Repository("acme", "widgets")
    with Receiver() as webhook, serving(tmp_path, clock, webhook) as server:
        for name in ("acme/widgets", "acme/doors"):
            server.send([entered(format_instant(clock.now), "stay", 7)], name).raise_for_status()
            make_channel(server, f"/v1/repos/{name}/channels", kind="webhook", url=webhook.url)
        asyncio.run(server.store.rename(widgets, Repository("acme", "gadgets"), 700))
        asyncio.run(server.store.set_products(widgets, ("merge_queue",)))
        asyncio.run(server.store.rename(Repository("acme", "doors"), Repository("other", "doors"), 701))
        found = [listed(server, f"/v1/repos/{name}/channels") for name in ("acme/gadgets", "other/doors")]

    assert [[], []] == found


def test_a_channel_works_after_the_clock_was_set_back(tmp_path: Path) -> None:
    """It was created later than now."""
    clock = Clock()
    with Receiver() as slack, serving(tmp_path, clock, slack) as server:
        make_channel(server, kind="slack", url=f"{slack.url}/services/T0/B0/x")
        clock.pass_seconds(-6 * 3600)
        remove_pull_request(server, clock, 7)
        clock.pass_seconds(16)
        wait_until(lambda: slack.asked)


class _AddingWhileReading(SQLiteStore):
    """A store to which somebody adds a channel, a second later, whenever rows of no repository are read."""

    clock: Clock
    added: list[ChannelRow]
    readings = 0

    async def read(
        self, repository_id: int | None, work: Callable[[Reader], T], *, seconds: float = QUERY_SECONDS
    ) -> T:
        if repository_id is None:
            self.readings += 1
            if len(self.added) < _MOST_ADDED:
                self.clock.pass_seconds(1)
                id = f"c{len(self.added)}"
                document = json.dumps({"shown": "?", "name": id})
                at = self.clock()
                row = ChannelRow(id, "acme", "widgets", "slack", "", document, at, None, None, at)
                self.added.append(row)
                await add_channel(self, row)
        return await super().read(repository_id, work, seconds=seconds)


def test_a_channel_that_is_created_while_channels_are_read_stays_as_it_is(tmp_path: Path) -> None:
    """It was not created later than now: the clock went on meanwhile."""
    clock = Clock()
    store = _AddingWhileReading(tmp_path / FILE_NAME, clock)
    store.clock, store.added, store.look_seconds = clock, [], 0.01

    async def run() -> list[ChannelRow]:
        settings = NoticeSettings(key_folder=tmp_path)
        sender = Sender(Outbox(store, clock, ""), make_post(settings), Keys((), tmp_path), "a test")
        sender.start()
        await asyncio.to_thread(wait_until, lambda: store.readings > 3 * _MOST_ADDED)
        await sender.close()
        return await read_channels(store)

    try:
        assert store.added == asyncio.run(run())
    finally:
        store.close()
