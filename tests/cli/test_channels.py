"""`mergecast admin channels`, with a receiver on this machine."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.program import Ending, mergecast
from live_server import TOKEN, LiveServer, live_server
from local_http import LocalServer, Reply
from mergecast.signals.notices.delivery import NoticeSettings

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def receiver() -> Iterator[LocalServer]:
    with LocalServer(lambda asked: Reply(200 if asked.path.startswith("/good") else 400)) as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, receiver: LocalServer) -> Iterator[LiveServer]:
    allowed = frozenset({receiver.url.removeprefix("http://")})
    folder = tmp_path_factory.mktemp("channels")
    with live_server(folder, notices=NoticeSettings(hosts=allowed)) as live:
        yield live


def _run(server: LiveServer, *words: str, stdin: str = "") -> Ending:
    where = ("--url", server.url, "--token", TOKEN)
    ended = mergecast(
        "admin", "channels", *words, *where, data=Path("unused"), stdin=stdin.encode(errors="surrogateescape")
    )
    # Servers of this process log to the same place.
    said = "".join(line for line in ended.err.splitlines(keepends=True) if not line.startswith("{"))
    return Ending(ended.code, ended.out, said)


@pytest.mark.parametrize("scope", ["acme/widgets", "acme"])
def test_a_channel_is_added_tried_listed_and_deleted(
    server: LiveServer, receiver: LocalServer, scope: str
) -> None:
    """Its address is never printed."""
    empty = _run(server, "list", scope)
    secret = f"{receiver.url}/good/secret-part"
    added = _run(server, "add", scope, "slack", "--alerts", "--queue", "a", stdin=f"{secret}\n")
    (channel,) = json.loads(_run(server, "list", scope, "--json").out)
    tried = _run(server, "test", scope, channel["id"])
    listed = _run(server, "list", scope)
    deleted = _run(server, "delete", scope, channel["id"])
    unknown = [_run(server, action, scope, channel["id"]) for action in ("delete", "test")]

    assert (0, f"{scope} has no channels; add one with `mergecast admin channels add {scope} KIND`\n") == (
        empty.code, empty.out,
    )  # fmt: skip
    assert ("", f"added channel {channel['name']} (slack: {channel['target']}) to {scope}") == (
        added.out, added.err.splitlines()[0],
    )  # fmt: skip
    assert [{"what": "alert", "figures": None, "origins": None, "queues": ["a"]}] == channel["rules"]
    host = receiver.url.removeprefix("http://").partition(":")[0]
    assert (0, f"sent: {host} answered 200\n") == (tried.code, tried.out)
    assert re.fullmatch(
        rf"{channel['id']} +slack +slack +http://\S+ +alerts in a +ready +0 messages +\d{{4}}-.* "
        "answered 200 *",
        listed.out.splitlines()[1],
    )
    assert f"deleted channel {channel['id']} of {scope}\n" == deleted.out
    message = (
        f"{scope} has no channel `{channel['id']}`; `mergecast admin channels list {scope}` shows the ids"
    )
    assert [(1, f"mergecast: {message}\n")] * 2 == [(ended.code, ended.err) for ended in unknown]
    assert "secret-part" not in "".join(
        ended.out + ended.err for ended in (added, tried, listed, deleted, *unknown)
    )


def test_a_channel_that_the_operator_no_longer_allows_is_invalid(
    tmp_path: Path, receiver: LocalServer
) -> None:
    allowed = frozenset({receiver.url.removeprefix("http://")})
    with live_server(tmp_path, notices=NoticeSettings(hosts=allowed)) as before:
        _run(before, "add", "acme", "slack", stdin=f"{receiver.url}/good\n")
    with live_server(tmp_path) as server:
        listed = _run(server, "list", "acme")
        (channel,) = json.loads(_run(server, "list", "acme", "--json").out)
        tried = _run(server, "test", "acme", channel["id"])

    assert re.search(r" +removals; alerts +invalid +0 messages +- *$", listed.out.splitlines()[1])
    told = "the URL must begin with https://; the operator can allow others in MERGECAST_NOTICE_HOSTS"
    assert (1, f"not sent: {told}\n") == (tried.code, tried.out)


def test_a_sample_that_does_not_arrive(server: LiveServer, receiver: LocalServer) -> None:
    """The secret of a webhook is printed once, alone, so that a script can keep it."""
    added = _run(server, "add", "acme/bad", "webhook", stdin=f"{receiver.url}/bad")
    (channel,) = json.loads(_run(server, "list", "acme/bad", "--json").out)

    tried = _run(server, "test", "acme/bad", channel["id"])

    assert re.fullmatch(r"[\w-]{43}\n", added.out)
    assert (1, "not sent: ") == (tried.code, tried.out[:10])


@pytest.mark.parametrize(
    ("words", "stdin", "message"),
    [
        (("list", "a_b"), "", "`a_b` is neither a repository nor an owner; write acme/widgets or acme"),
        (("add", "acme", "slack"), "",
         ("the URL of the channel is read from standard input, which is empty; "
          "write `mergecast admin channels add OWNER/REPO slack < FILE`")),
        (("add", "acme", "slack"), "http://example.com/x",
         "the URL: must begin with https://; the operator can allow others in MERGECAST_NOTICE_HOSTS"),
        (("add", "acme", "slack"), "http://\udcff.example/x",
         "the URL: must be a URL of at most 2000 visible ASCII characters"),
        (("add", "acme", "slack", "--to", "a@example.com"), "https://example.com/x",
         "--to is only for channels of the kind email"),
        (("add", "acme", "email"), "",
         "--to is missing: a channel of the kind email needs at least one recipient"),
        (("add", "acme", "email", "--to", "a@example.com"), "",
         "KIND: this server sends no email: set MERGECAST_SMTP_URL and MERGECAST_MAIL_DOMAINS"),
        (("add", "acme", "teams", "--digest-at", "monday"), "https://example.com/x",
         '--digest-at: `monday` is not a day and an hour; write "monday 9 Europe/Berlin"'),
        (("add", "acme", "teams", "--digest-at", "monday 25"), "https://example.com/x",
         "--digest-at: hour must be an hour from 0 to 23"),
        (("delete", "acme", "../x"), "",
         "`../x` is not the id of a channel; `mergecast admin channels list acme` shows the ids"),
    ],
    ids=["scope", "no URL", "URL", "not text", "to", "no to", "email", "digest", "hour", "id"],
)  # fmt: skip
def test_wrong_usage(server: LiveServer, words: tuple[str, ...], stdin: str, message: str) -> None:
    ended = _run(server, *words, stdin=stdin)

    assert (2, f"mergecast: {message}\n") == (ended.code, ended.err)


def test_a_channel_is_changed_by_its_name(server: LiveServer, receiver: LocalServer) -> None:
    """Options that choose notices replace all rules; the schedule stays."""
    made = _run(
        server, "add", "acme/changed", "slack", "--name", "#Ops", "--digest-at", "friday 7",
        stdin=f"{receiver.url}/good",
    )  # fmt: skip
    figures = ("--figure", "run_too_long", "--figure", "runs_slow", "--origin", "learned")
    chosen = ("--removals", *figures, "--queue", "default", "--digest")
    changed = _run(server, "change", "acme/changed", "#ops", "--name", "merge-queue", *chosen)
    (channel,) = json.loads(_run(server, "list", "acme/changed", "--json").out)
    misspelt = _run(server, "delete", "acme/changed", "merge-queu")

    assert (
        "mergecast: acme/changed has no channel `merge-queu`; did you mean `merge-queue`?\n" == misspelt.err
    )
    assert "try it with `" in made.err
    assert made.err.splitlines()[1].endswith(" test acme/changed '#Ops'`")
    told = "removals in default; alerts (learned) about run_too_long, runs_slow in default; the digest"
    assert f"changed channel merge-queue of acme/changed; it receives {told}\n" == changed.out
    figures_and_queue = {
        "figures": ["run_too_long", "runs_slow"],
        "origins": ["learned"],
        "queues": ["default"],
    }
    assert [
        {"what": "removed", "figures": None, "origins": None, "queues": ["default"]},
        {"what": "alert", **figures_and_queue},
        {"what": "digest", "figures": None, "origins": None, "queues": None},
    ] == channel["rules"]
    assert ("merge-queue", "friday", 7) == (
        channel["name"], channel["digest"]["day"], channel["digest"]["hour"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nothing to change; give --name, --digest-at, or options that choose notices"),
        (("--figure", "run_to_long"),
         "--figure: run_to_long is not a figure of alerts; did you mean run_too_long?"),
        (("--origin", "mine"),
         "--origin: mine is not an origin of thresholds; choose from built_in, learned, set, reference"),
        (("--digest", "--queue", "default"),
         "--queue: a digest is about all queues; choose --alerts or --removals with it"),
        (("--name", "a b"),
         "--name: must be 1 to 64 letters, digits or any of - _ . #, with a letter or digit"),
    ],
    ids=["nothing", "figure", "origin", "queue", "name"],
)  # fmt: skip
def test_a_wrong_change_is_explained_in_terms_of_options(
    server: LiveServer, words: tuple[str, ...], message: str
) -> None:
    ended = _run(server, "change", "acme", "ops", *words)

    assert (2, f"mergecast: {message}\n") == (ended.code, ended.err)
