"""Commands for machines: `--json` everywhere, for answers, for what was done and for errors."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from builders import worked_example
from cli.program import Ending, mergecast
from cli.served_folder import served_folder
from local_http import Asked, Reply, local_server, refusing_url
from mergecast.cli.command_tree import program

pytestmark = pytest.mark.server


def _leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that can be run, with the words that name it."""
    found = getattr(command, "commands", None)
    if found is None:
        yield path, command
        return
    for name, one in found.items():
        yield from _leaves(one, (*path, name))


_COMMANDS = dict(_leaves(program()))
del _COMMANDS["mcp",]  # all that it prints are messages of a protocol


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data folder of a running server, with the events of the worked example."""
    with served_folder(tmp_path_factory.mktemp("json")) as folder:
        lines = "\n".join(map(json.dumps, worked_example())).encode()
        assert 0 == mergecast("import", "events", "acme/widgets", "-", data=folder, stdin=lines).code
        yield folder


def _printed(data: Path, *arguments: str) -> Any:
    ending = mergecast(*arguments, "--json", data=data)
    assert 0 == ending.code, ending
    return json.loads(ending.out)


def _error(ending: Ending) -> Any:
    (line,) = ending.err.splitlines()
    return json.loads(line)["error"]


def test_every_command_has_json() -> None:
    lacking = [
        " ".join(path)
        for path, command in _COMMANDS.items()
        if not any("--json" in option.opts for option in command.params)
    ]

    assert [] == lacking


@pytest.mark.parametrize("path", _COMMANDS, ids=" ".join)
def test_wrong_usage_of_every_command_is_json_too(tmp_path: Path, path: tuple[str, ...]) -> None:
    ending = mergecast(*path, "--json", "--no-such-option", data=tmp_path)

    error = _error(ending)
    assert (2, "") == (ending.code, ending.out)
    assert {"status", "title", "detail", "errors"} == error.keys()
    assert (None, "Wrong usage", []) == (error["status"], error["title"], error["errors"])
    assert error["detail"]


def test_what_was_done_is_json(data: Path, tmp_path: Path) -> None:
    repository, backup = "acme/widgets", tmp_path / "backup"

    assert ["merge_queue"] == _printed(data, "config", "products", "set", repository, "merge_queue")
    changed = _printed(data, "admin", "thresholds", "set", repository, "failure_rate=5%")
    assert ["thresholds: added failure_rate of all queues: above 5%"] == changed["changes"]
    assert [] == _printed(data, "admin", "thresholds", "delete", repository)["settings"]["thresholds"]
    assert [] == _printed(data, "admin", "settings", "show", repository)["thresholds"]
    key = _printed(data, "admin", "key", "make", "acme", "--name", "n")["id"]
    assert {"revoked": key} == _printed(data, "admin", "key", "revoke", key)
    assert {"repositories": 1} == _printed(data, "store", "rebuild")
    assert {"repositories": 1, "problems": []} == _printed(data, "store", "verify")
    copied = _printed(data, "store", "backup", str(backup))
    assert {"file": str(backup), "bytes": backup.stat().st_size} == copied
    assert {"status": "ready", "reason": None} == _printed(data, "admin", "ready")
    assert _printed(data, "open")["url"].startswith("http://127.0.0.1:")


def test_the_statistics_are_listed_as_json(data: Path) -> None:
    told = mergecast("stats", "acme/widgets", data=data).out.splitlines()
    listed = _printed(data, "stats", "acme/widgets")

    assert [line.split(maxsplit=1) for line in told] == [list(one) for one in listed.items()]


def test_files_are_named_as_json(data: Path, tmp_path: Path) -> None:
    events, page = tmp_path / "events.ndjson", tmp_path / "page.html"

    assert {"repository": "acme/widgets", "table": "events", "file": str(events)} == _printed(
        data, "store", "export", "acme/widgets", "--output", str(events)
    )
    assert {"repository": "acme/widgets", "file": str(page)} == _printed(
        data, "report", "acme/widgets", "--output", str(page), "--start", "2026-03-01", "--end", "2026-03-08"
    )
    assert {"stored": 0, "duplicates": 12, "expired": 0} == _printed(
        data, "import", "events", "acme/widgets", str(events)
    )


def test_an_error_of_the_server_keeps_its_status_and_its_fields(data: Path) -> None:
    unknown = mergecast("summary", "acme/nothing", "--json", data=data)
    invalid = mergecast("config", "products", "set", "acme/widgets", "nonsense", "--json", data=data)

    assert (1, 404, "Not found", []) == (
        unknown.code, _error(unknown)["status"], _error(unknown)["title"], _error(unknown)["errors"],
    )  # fmt: skip
    assert "the repository acme/nothing is not known here: it has no events" == _error(unknown)["detail"]
    error = _error(invalid)
    assert (2, 422, "Unprocessable entity") == (invalid.code, error["status"], error["title"])
    ((name, message),) = [one.values() for one in error["errors"]]
    assert name.startswith("/products")
    assert message in error["detail"]


def test_a_refused_credential_and_an_absent_server_differ(data: Path, tmp_path: Path) -> None:
    url = json.loads((data / "server.json").read_text(encoding="utf-8"))["url"]
    refused = mergecast("store", "repos", "--json", "--url", url, "--token", "wrong", data=tmp_path)
    with refusing_url() as nowhere:
        absent = mergecast("store", "repos", "--json", "--url", nowhere, "--token", "any", data=tmp_path)

    assert (2, 403, "Forbidden") == (refused.code, _error(refused)["status"], _error(refused)["title"])
    assert (3, None, "Unreachable") == (absent.code, _error(absent)["status"], _error(absent)["title"])


def test_a_server_that_cannot_answer_now_is_named_by_its_status(tmp_path: Path) -> None:
    def answer(_: Asked) -> Reply:
        return Reply(503, b'{"title": "Service unavailable", "detail": "later"}', {"Retry-After": "5"})

    with local_server(answer) as local:
        ending = mergecast("store", "repos", "--json", "--url", local.url, "--token", "any", data=tmp_path)

    assert 3 == ending.code
    assert {"status": 503, "title": "Service unavailable", "detail": "later", "errors": []} == _error(ending)


def test_a_health_check_follows_the_url_of_the_environment(data: Path, tmp_path: Path) -> None:
    """--data-dir takes precedence, as for other commands."""
    url = json.loads((data / "server.json").read_text(encoding="utf-8"))["url"]
    with refusing_url() as nowhere:
        by_url = mergecast("admin", "ready", data=tmp_path, MERGECAST_URL=url)
        by_folder = mergecast("admin", "ready", "--data-dir", data, data=tmp_path, MERGECAST_URL=nowhere)
        absent = mergecast("admin", "ready", data=data, MERGECAST_URL=nowhere)

    assert (0, 0, 3) == (by_url.code, by_folder.code, absent.code)


@pytest.mark.parametrize(
    "words",
    [
        ["acme/widgets#2"],
        ["acme/widgets", "2"],
        ["acme/widgets", "#2"],
        ["https://github.com/acme/widgets/pull/2"],
    ],
)
def test_a_pull_request_can_be_written_in_several_ways(data: Path, words: list[str]) -> None:
    assert 2 == _printed(data, "pull", *words)["pull_request"]


def test_more_than_one_number_is_refused(data: Path) -> None:
    ending = mergecast("pull", "acme/widgets", "2", "3", data=data)

    message = "`acme/widgets#2#3` is not a pull request; write OWNER/REPO#NUMBER, such as acme/widgets#42"
    assert (2, f"mergecast: {message}\n") == (ending.code, ending.err)
