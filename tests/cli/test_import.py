"""`mergecast import github`, `activity-log` and `gitlab`, and `mergecast admin sources`."""

import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from cli.program import Ending, mergecast
from live_server import TOKEN, LiveServer
from mergecast.queues.model.instant import HOUR, SECOND, format_instant, parse_instant
from robustness.forked_process import ForkedProcess
from sources.activity_log_history import LogWriter
from sources.bors_queue import BorsQueue
from sources.faulty_server import Failure, FaultyServer, Reply, Request, faulty_server
from sources.github_deliveries import clock, sha
from sources.platforms import ActivityLog, GitHubPlatform, GitLabPlatform, at
from waiting import MOST_SECONDS, wait_until

TOKENS = {
    "MERGECAST_GITHUB_TOKEN": "ghp_reader",
    "MERGECAST_ACTIVITY_LOG_TOKEN": "log-key",
    "MERGECAST_GITLAB_TOKEN": "glpat-reader",
    "MERGECAST_BORS_TOKEN": "ghp_reader",
}
# The stories of the platforms are in September 2026.
_LONG_AGO = ("--since", f"{(time.time_ns() // 1000 - clock(0)) // (24 * HOUR) + 2}d")


def _now() -> int:
    return time.time_ns() // 1000


def _run(server: LiveServer, *arguments: str | Path, **environment: str) -> Ending:
    settings: Any = {"MERGECAST_URL": server.url, "MERGECAST_TOKEN": TOKEN, **TOKENS, **environment}
    return mergecast(*arguments, data=server.folder / "none", **settings)


def _last_line(ended: Ending) -> str:
    return ended.out.splitlines()[-1]


def _said(ended: Ending) -> str:
    """What the command printed to standard error; the server of the test writes its log there, too."""
    return "".join(line for line in ended.err.splitlines(keepends=True) if not line.startswith("{"))


def _types(server: LiveServer, repository: str) -> Counter[str]:
    lines = server.http.get(f"/v1/repos/{repository}/events").text.splitlines()
    return Counter(json.loads(line)["type"] for line in lines)


def _log(stays: int, per_page: int = 100) -> ActivityLog:
    return ActivityLog("acme/web", LogWriter(5, "acme/web").entries(stays, _now() - HOUR), per_page)


def test_the_activity_log(server: LiveServer) -> None:
    """Everything is read once; a second import finds nothing, and a third one what is new or older."""
    log = _log(60)
    newest = [{**entry, "received_at": format_instant(_now())} for entry in log.entries[-20:]]
    oldest = {**log.entries[0], "id": 1, "received_at": format_instant(_now() - 31 * 24 * HOUR)}
    log.entries = [oldest, *log.entries[:-20]]
    with faulty_server(log) as platform:
        command = ("import", "activity-log", "acme/web", "--from-url", platform.url, "--since", "30d")
        first, second = _run(server, *command), _run(server, *command)
        log.entries += newest
        # The URL may be that of the API, with its version.
        third = _run(server, *command, "--since", "32d", "--from-url", f"{platform.url}/v1")

    stored = len(log.entries) - 21
    assert (0, f"{stored} new reports, 0 already known") == (first.code, _last_line(first))
    assert (0, "0 new reports, 0 already known") == (second.code, _last_line(second))
    assert (0, "21 new reports, 0 already known") == (third.code, _last_line(third))
    left = sum(entry["type"] == "action.queue.leave" for entry in log.entries)
    assert left == _types(server, "acme/web")["queue_left"]


def test_github(server: LiveServer) -> None:
    """Stays, checks and exits from timelines and runs; a stay without an exit stays open."""
    platform = GitHubPlatform("acme/web")
    for number in (1, 2):
        platform.added(number, number * 10)
        platform.run(number, sha(f"group {number}"), number * 10 + 1, number * 10 + 8)
        platform.merged(number, number * 10 + 9, sha(f"group {number}"))
    platform.added(3, 40)
    platform.enqueue(3, 40)
    with faulty_server(platform) as github:
        ended = _run(server, "import", "github", "acme/web", "--from-url", github.url, *_LONG_AGO)

    told = (
        "acme/web has 3 entries into the queue and 2 merges on 2026-09-14\n10 new reports, 0 already known\n"
    )
    assert (0, told) == (ended.code, ended.out)
    expected = {"queue_entered": 3, "checks_started": 2, "checks_ended": 2, "queue_left": 2}
    assert expected == _types(server, "acme/web")
    (queue,) = server.http.get("/v1/repos/acme/web/queue").json()["queues"]
    (entry,) = queue["entries"]
    assert (3, "Change 3", "ines") == (entry["pull_request"], entry["title"], entry["author"])


def test_a_group_that_is_tested_outside_of_github_actions(server: LiveServer) -> None:
    """The queue says which commit is being tested, and the import shows it as building."""
    platform = GitHubPlatform("acme/web")
    platform.added(3, 40)
    platform.enqueue(3, 40, group=(sha("group 3"), sha("base"), 41))
    platform.added(4, 42)
    platform.enqueue(4, 42)
    command = ("import", "github", "acme/web", *_LONG_AGO, "--from-url")
    with faulty_server(platform) as github:
        _run(server, *command, github.url)
        (before,) = server.http.get("/v1/repos/acme/web/queue").json()["queues"]
        platform.merged(3, 60, sha("group 3"))
        platform.dequeue(3)
        platform.statuses[sha("group 3")] = [
            {"id": 9, "state": "success", "context": "farm", "created_at": at(58)}
        ]
        _run(server, *command, github.url)
    (after,) = server.http.get("/v1/repos/acme/web/queue").json()["queues"]

    batch = {"batch_id": sha("group 3"), "attempt": 1, "started_at": at(41), "pull_requests": [3]}
    assert [batch] == before["batches"]
    assert [(3, sha("group 3")), (4, None)] == [
        (entry["pull_request"], entry["batch_id"]) for entry in before["entries"]
    ]
    assert ([], [4]) == (after["batches"], [entry["pull_request"] for entry in after["entries"]])
    expected = {"queue_entered": 2, "checks_started": 1, "checks_ended": 1, "queue_left": 1}
    assert {**expected, "ci_check_reported": 1} == _types(server, "acme/web")


def test_a_redirect_is_not_followed(server: LiveServer) -> None:
    """The message says where it leads."""
    moved = Reply({}, 302, {"Location": "https://login.acme.example/saml?next=/v1"})
    with faulty_server(lambda _: moved) as platform:
        ended = _run(server, "import", "activity-log", "acme/web", "--from-url", platform.url)

    where = "redirects to https://login.acme.example; redirects are not followed, use the final URL"
    problem = f"{platform.url}/v1/repos/acme/web/logs: it answered 302 and {where}"
    assert f"mergecast: {problem}\n" == _said(ended)


def test_gitlab_with_another_name(server: LiveServer) -> None:
    """A project in subgroups gets a name of two parts; the URL may be that of the API."""
    platform = GitLabPlatform("orbit/space/lander")
    platform.note(1, 7, 0, "started a merge train")
    platform.car(5001, 7, 0, 9)
    platform.pipeline(201, 7, 1, 8, "success")
    with faulty_server(platform) as gitlab:
        ended = _run(
            server, "import", "gitlab", "orbit/space/lander", "--as", "orbit/lander",
            "--from-url", f"{gitlab.url}/api/v4", *_LONG_AGO,
        )  # fmt: skip

    assert (0, "3 new reports, 0 already known") == (ended.code, _last_line(ended))
    expected = {"queue_entered": 1, "checks_started": 1, "checks_ended": 1, "queue_left": 1}
    assert expected == _types(server, "orbit/lander")


def test_saved_pages(server: LiveServer, tmp_path: Path) -> None:
    """In any order, twice, as pages or as a plain list, with one --file or several; no token is needed."""
    entries = _log(30).entries
    pages = [{"size": 50, "per_page": 50, "events": entries[:50]}, entries[50:]]
    files = [tmp_path / "1.json", tmp_path / "2.json"]
    for file, page in zip(files, pages, strict=True):
        file.write_text(json.dumps(page))
    options = [option for file in reversed(files) for option in ("--file", str(file))]
    first = _run(server, "import", "activity-log", "acme/web", *options, MERGECAST_ACTIVITY_LOG_TOKEN="")
    listed = ("--file", *map(str, files))
    again = _run(server, "import", "activity-log", "acme/web", *listed, MERGECAST_ACTIVITY_LOG_TOKEN="")

    assert (0, f"{len(entries)} new reports, 0 already known") == (first.code, _last_line(first))
    assert (0, f"0 new reports, {len(entries)} already known") == (again.code, _last_line(again))


_ALL_OTHER = (
    "2 entries of acme/api, not of acme/web; nothing is imported. "
    "Write `mergecast import activity-log acme/api --file {file}`, "
    "and add `--as acme/web` if it is the same repository under another name"
)
_SOME_OTHER = (
    "1 entry of acme/api, not of acme/web; nothing is imported. "
    "Save the entries of each repository to a file of its own"
)


@pytest.mark.parametrize(
    ("repositories", "message"),
    [(["acme/api", "acme/api"], _ALL_OTHER), (["acme/web", "acme/api"], _SOME_OTHER)],
)
def test_saved_pages_of_another_repository(
    repositories: list[str], message: str, server: LiveServer, tmp_path: Path
) -> None:
    """Nothing is imported from the other files either."""
    entries = _log(10).entries
    right, wrong = tmp_path / "right.json", tmp_path / "wrong.json"
    right.write_text(json.dumps(entries))
    mixed = [{**entry, "repository": name} for entry, name in zip(entries, repositories, strict=False)]
    wrong.write_text(json.dumps({"events": mixed}))
    ended = _run(server, "import", "activity-log", "acme/web", "--file", right, wrong)

    assert (1, f"mergecast: {wrong}: {message.format(file=wrong)}\n") == (ended.code, _said(ended))
    assert 404 == server.http.get("/v1/repos/acme/web/events").status_code


def test_saved_pages_are_compared_with_the_name_in_the_log(server: LiveServer, tmp_path: Path) -> None:
    """In any case; --as names it here. Entries without a repository are accepted."""
    first, *others = _log(10).entries
    file = tmp_path / "page.json"
    file.write_text(
        json.dumps([{**first, "repository": "Acme/Web"}, *({**one, "repository": None} for one in others)])
    )
    ended = _run(server, "import", "activity-log", "acme/web", "--as", "acme/here", "--file", file)

    assert (0, f"{len(others) + 1} new reports, 0 already known") == (ended.code, _last_line(ended))
    assert _types(server, "acme/here")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[", "this is not valid JSON: Input data was truncated; nothing is imported"),
        (
            '{"size": 1}',
            "a page of the activity log is an object with a list of `events`; nothing is imported",
        ),
        ("[1]", "a page of the activity log is an object with a list of `events`; nothing is imported"),
    ],
)
def test_a_file_that_is_no_page(tmp_path: Path, content: str, message: str) -> None:
    """The message names the file and says what a page looks like."""
    file = tmp_path / "page.json"
    file.write_text(content)
    ended = mergecast("import", "activity-log", "acme/web", "--file", file, data=tmp_path / "data")

    assert (1, f"mergecast: {file}: {message}\n") == (ended.code, _said(ended))


_NAMES = "write it as OWNER/REPO, such as acme/widgets"
_TOKEN_FILE = "or pass its file with --from-token-file"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("github acme", f"`acme` is not a repository; {_NAMES}"),
        ("github acme/web --as x", f"`x` is not a repository; {_NAMES}"),
        (
            "gitlab orbit/a_1/lander",
            "`orbit/a_1/lander` is not a valid repository name here; choose another one, such as "  # noqa: ISC004
            "--as orbit/a-1-lander",
        ),
        (
            "github acme/web",
            f"GitHub needs a token: set MERGECAST_GITHUB_TOKEN, {_TOKEN_FILE}; for a GitHub App, "  # noqa: ISC004
            "set MERGECAST_GITHUB_APP_ID and MERGECAST_GITHUB_APP_KEY_FILE",
        ),
        ("gitlab acme/web", f"GitLab needs a token: set MERGECAST_GITLAB_TOKEN, {_TOKEN_FILE}"),
        ("activity-log acme/web --since 3y", "`3y` is not a length of time; write 90m, 12h, 7d or 4w"),
        (
            "activity-log acme/web --file x --follow",
            "--file imports whole files; it cannot be combined with --since or --follow",
        ),
        ("activity-log acme/web x.json", "write --file before the saved pages: --file x.json"),
        (
            "gitlab acme/web --from-url http://gitlab.test",
            "--from-url: `http://gitlab.test` must begin with https://; "  # noqa: ISC004
            "http:// is allowed for this machine only",
        ),
    ],
)
def test_wrong_usage_says_what_would_be_right(tmp_path: Path, command: str, message: str) -> None:
    """Before anything is read or created."""
    ended = mergecast("import", *command.split(), data=tmp_path / "data")

    assert (2, f"mergecast: {message}\n") == (ended.code, ended.err)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("source", "name", "platform", "message"),
    [
        (
            "github", "acme/none", GitHubPlatform("acme/web"),
            "{url}/repos/acme/none/actions/runs: GitHub does not know this repository, "  # noqa: ISC004
            "or the token may not see it",
        ),
        (
            "activity-log", "acme/none", ActivityLog("acme/web"),
            "{url}/v1/repos/acme/none/logs: the service does not know this repository",
        ),
        (
            "gitlab", "acme/none", GitLabPlatform("acme/web"),
            "{url}/api/v4/projects/acme%2Fnone/merge_trains: GitLab does not know this project, "  # noqa: ISC004
            "or the token may not see it",
        ),
    ],
)  # fmt: skip
def test_a_repository_that_the_platform_does_not_know(
    server: LiveServer, source: str, name: str, platform: Callable[[Request], Reply], message: str
) -> None:
    """The answer is no, and nothing is stored."""
    with faulty_server(platform) as other:
        ended = _run(server, "import", source, name, "--from-url", other.url)

        assert (1, f"mergecast: {message.format(url=other.url)}\n") == (ended.code, _said(ended))


@contextmanager
def _program(
    server: LiveServer, platform: FaultyServer, *more: str
) -> Iterator[tuple[ForkedProcess, Iterator[str]]]:
    """An import in another process, and the lines of its standard error."""
    command = ["import", "activity-log", "acme/web", "--from-url", platform.url, "--since", "30d", *more]
    environment = {**os.environ, "MERGECAST_URL": server.url, "MERGECAST_TOKEN": TOKEN, **TOKENS}
    ours, theirs = os.pipe()
    with os.fdopen(ours, encoding="utf-8") as lines:
        with os.fdopen(theirs, "wb") as errors, Path(os.devnull).open("wb") as nothing:
            process = ForkedProcess(nothing, errors, command=command, environment=environment)
        try:
            yield process, lines
        finally:
            process.kill()
            process.wait(MOST_SECONDS)


def test_an_import_that_was_killed_resumes(server: LiveServer) -> None:
    """It does not read again what was stored, and nothing is there twice."""
    log, is_killed = _log(300, per_page=20), threading.Event()

    def slowly(request: Request) -> Reply:
        time.sleep(0.4)  # items are stored when a second has passed since the last ones
        if len(platform.requests) > 30:
            is_killed.wait(MOST_SECONDS)  # more than enough is stored by now
        return log(request)

    with faulty_server(slowly) as platform:
        with _program(server, platform) as (process, _):
            wait_until(lambda: _deliveries(server) > 100)
            process.kill()
        is_killed.set()
        before, asked = _deliveries(server), len(platform.requests)
        platform.answer = log
        ended = _run(
            server, "import", "activity-log", "acme/web", "--from-url", platform.url, "--since", "30d"
        )

    assert before < len(log.entries)
    stored, known = (int(words.split()[0].replace(",", "")) for words in _last_line(ended).split(", "))
    assert (len(log.entries), known <= 100) == (_deliveries(server), True)
    assert stored >= len(log.entries) - before - 100
    assert len(platform.requests) - asked < len(log.entries) / 20 - before / 20 + 10


def _deliveries(server: LiveServer) -> int:
    answer = server.http.get("/v1/repos/acme/web/sources")
    return sum(one["deliveries"] for one in answer.json().get("sources", ()))


def test_following_prints_its_state(server: LiveServer) -> None:
    """And ends when it is interrupted."""
    with faulty_server(_log(20)) as platform, _program(server, platform, "--follow") as (process, lines):
        line = next(line for line in lines if "next poll" in line)
        process.send_signal(signal.SIGINT)

        assert " 0 new items, next poll at 20" in line
        assert 130 == process.wait(MOST_SECONDS)


def test_following_begins_although_the_first_import_fails(server: LiveServer) -> None:
    """The command reports an error that may pass, and the next poll reads everything."""
    log, answered = _log(20), []

    def soon(request: Request) -> Reply:
        answered.append(request)
        return Reply({"events": "later"}) if len(answered) == 1 else log(request)

    with faulty_server(soon) as platform, _program(server, platform, "--follow") as (process, lines):
        first, second = islice(lines, 2)
        process.send_signal(signal.SIGINT)
        process.wait(MOST_SECONDS)

    assert "a page of the activity log is an object with a list of `events`; trying again\n" == first
    assert f" {len(log.entries)} new items, next poll at 20" in second


def test_following_waits_for_its_server(server: LiveServer) -> None:
    """Both may be started at the same time, and the server may be restarted."""
    absent = "http://127.0.0.1:1"
    with (
        faulty_server(_log(20)) as platform,
        _program(server, platform, "--follow", "--url", absent) as (process, lines),
    ):
        first, second = islice(lines, 2)
        process.send_signal(signal.SIGINT)
        process.wait(MOST_SECONDS)

    assert f"no answer from {absent}: Connection refused; trying again\n" == first
    assert second.endswith(f": no answer from {absent}: Connection refused\n")


def test_a_pipe_gets_lines_about_waiting(server: LiveServer) -> None:
    """A rate limit is waited for, and the user knows why nothing happens."""
    with faulty_server(_log(20)) as platform:
        platform.plan = [Failure.SECONDARY_LIMIT]
        ended = _run(server, "import", "activity-log", "acme/web", "--from-url", platform.url)

    first, *_ = _said(ended).splitlines()
    assert (0, "waiting 7s: the rate limit is used up") == (ended.code, first)


def test_a_bors_queue(server: LiveServer) -> None:
    """Its bot may have any name. `sources` says that the starts of runs are derived."""
    queue = BorsQueue(bot="merge-helper")
    for number in (1, 2):
        queue.says(number, 0, "bors r+")
    queue.result(20, "Build succeeded:", 1, 2)
    with faulty_server(queue) as platform:
        command = ("import", "bors", "acme-orbit/lander@merge-helper", "--from-url", platform.url, *_LONG_AGO)
        unnamed = _run(server, *command)
        first, second = (_run(server, *command, "--as", "acme/bors") for _ in range(2))
    listed = _run(server, "admin", "sources", "acme/bors")

    hint = "choose another one, such as --as acme-orbit/lander-merge-helper"
    wrong = f"mergecast: `acme-orbit/lander@merge-helper` is not a valid repository name here; {hint}\n"
    assert (2, wrong) == (unnamed.code, _said(unnamed))
    assert (0, "4 new reports, 0 already known") == (first.code, _last_line(first))
    assert (0, "0 new reports, 0 already known") == (second.code, _last_line(second))
    both = dict.fromkeys(("queue_entered", "checks_started", "checks_ended", "queue_left"), 2)
    assert {**both, "ci_check_reported": 1} == _types(server, "acme/bors")
    derived = "bors: the start of 1 CI run was derived, because the platform does not report it"
    assert derived == listed.out.splitlines()[-1]


def test_sources_are_listed_and_translated_again(server: LiveServer, tmp_path: Path) -> None:
    """With what could not be translated, and why, and what was not kept."""
    entries = _log(10).entries
    entries[0]["metadata"] = None
    entries += [{**entries[1], "id": None, "outcome": outcome} for outcome in ("success", "pending")]
    entries += [{**entries[1], "id": 1, "type": "action.label"}, {}]
    file = tmp_path / "page.json"
    file.write_text(json.dumps(entries))
    imported = _run(server, "import", "activity-log", "acme/web", "--file", file)
    before = _types(server, "acme/web")

    listed = _run(server, "admin", "sources", "acme/web")
    as_json: list[dict[str, Any]] = json.loads(_run(server, "admin", "sources", "acme/web", "--json").out)
    translated = _run(server, "admin", "sources", "translate", "acme/web")
    in_json = _run(server, "admin", "sources", "translate", "acme/web", "--json")
    nothing = _run(server, "admin", "sources", "acme/other")

    warning = "some items could not be translated; `mergecast admin sources acme/web` says why"
    assert (0, f"mergecast: warning: {warning}\n") == (imported.code, _said(imported))
    header, row, *reasons, not_kept = listed.out.splitlines()
    columns = "source by deliveries events history from to last received, UTC following"
    assert columns.split() == header.split()
    assert ["activity-log", "import", str(len(entries) - 2)] == row.split()[:3]
    events = server.http.get("/v1/repos/acme/web/events").text.splitlines()
    instants = sorted(json.loads(event)["at"] for event in events)
    shown = [f"{instant[:10]} {instant[11:16]}" for instant in (instants[0], instants[-1])]
    assert " ".join(shown) == " ".join(row.split()[4:8])
    assert {"from": instants[0], "to": instants[-1]} == as_json[0]["history"]
    assert [
        "activity-log: the entry has no id (2 times",
        "activity-log: the entry has no metadata (1 time",
    ] == [reason.partition(", last 20")[0] for reason in sorted(reasons)]
    why = "they say nothing about a stay in a queue"
    assert f"activity-log: not kept because {why}: action.label (1), no type (1)" == not_kept
    assert {"event": "action.label", "action": "", "count": 1} in as_json[0]["not_kept"]
    assert sum(before.values()) == as_json[0]["events"]
    assert f"activity-log: {sum(before.values())} events\n" == translated.out
    assert {"events": {"activity-log": sum(before.values())}} == json.loads(in_json.out)
    assert before == _types(server, "acme/web")
    assert 1 == nothing.code


def test_a_server_follows_by_itself(tmp_path: Path) -> None:
    """With MERGECAST_FOLLOW, one process is enough."""
    log = _log(20)
    followed = json.dumps([{"source": "activity-log", "repository": "acme/web", "as": "acme/here"}])
    with faulty_server(log) as platform:
        environment = {
            **os.environ, **TOKENS, "MERGECAST_DATA_DIR": str(tmp_path / "data"), "MERGECAST_PORT": "0",
            "MERGECAST_FOLLOW": followed, "MERGECAST_ACTIVITY_LOG_URL": platform.url,
        }  # fmt: skip
        begun = _now()
        with Path(os.devnull).open("wb") as nothing:
            process = ForkedProcess(nothing, command=["serve"], environment=environment)
        try:
            wait_until(lambda: "activity-log" in _listed(tmp_path / "data"))
            found = json.loads(_listed(tmp_path / "data"))
        finally:
            process.send_signal(signal.SIGTERM)
            assert 0 == process.wait(timeout=MOST_SECONDS)

    (one,) = found
    assert (len(log.entries), None) == (one["deliveries"], one["following"]["error"])
    assert 0 <= one["following"]["behind_seconds"] <= (_now() - begun) / SECOND
    assert begun <= parse_instant(one["following"]["next_at"]) <= _now() + HOUR


def _listed(data: Path) -> str:
    if not (data / "server.json").exists():
        return ""
    listed = mergecast("admin", "sources", "acme/here", "--json", data=data).out
    return listed if '"behind_seconds"' in listed and '"behind_seconds": null' not in listed else ""
