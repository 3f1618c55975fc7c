"""The shape of the command line: panels, questions, and an example in each help that works."""

import shlex
import subprocess
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.begun_demo import recent_monday
from cli.program import Ending, mergecast
from cli.served_folder import served_folder
from mergecast.cli.command_tree import PANELS, program
from mergecast.cli.commands.demo import DOCUMENT
from mergecast.demo.history import demo_events

_EXAMPLE = "Example: mergecast "
# Their examples are parsed, and not run.
_NOT_RUN = {
    "serve": "it runs until it is interrupted",
    "explain": "it needs eight weeks of history",
    "import github": "it needs the platform",
    "import activity-log": "it needs the platform",
    "import gitlab": "it needs the platform",
    "import bors": "it needs the platform",
    "config comment": "it needs the platform",
    "config record": "it needs the platform",
    "store copy": "it needs a PostgreSQL database",
    "store distribute": "it needs a Citus cluster",
}
# Their examples name an id that only a reader's own server can have.
_UNKNOWN_IDS = {
    "admin key revoke": "there is no key `0123456789ab`",
}

_WITHOUT_JSON = {"mcp"}  # all that it prints are messages of a protocol


def _leaves(command: Any, *path: str) -> Iterator[tuple[str, Any]]:
    """Every command that can be run, after the words that name it."""
    if not hasattr(command, "commands"):
        yield " ".join(path), command
        return
    for name, one in command.commands.items():
        yield from _leaves(one, *path, name)


def _groups(command: Any) -> Iterator[Any]:
    for one in getattr(command, "commands", {}).values():
        if hasattr(one, "commands"):
            yield one
            yield from _groups(one)


_COMMANDS = dict(_leaves(program()))


def _example(help: str) -> list[str]:
    """The words of the example after `mergecast`; a file for standard input follows `<`."""
    last = help.rsplit("\n\n", 1)[-1]
    assert last.startswith(_EXAMPLE), help
    return shlex.split(last.removeprefix(_EXAMPLE))


def test_the_first_level_is_short_and_in_panels() -> None:
    shown = program().commands

    assert len(shown) <= 25
    assert [(name, panel) for panel, members in PANELS.items() for name in members] == [
        (name, command.rich_help_panel) for name, command in shown.items()
    ]


def test_every_help_begins_with_a_question() -> None:
    """In one line, also in the list of a terminal with 80 columns."""
    for found in [*_COMMANDS.values(), *_groups(program())]:
        first = found.help.split("\n\n")[0]
        question, sign, _ = first.partition("?")

        assert sign, first
        assert question[0].isupper(), first
        assert ". " not in question, first
        assert len(first) <= 65, first


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("stuck", "queue"),
        ("when will mine merge", "pull"),
        ("why was it removed", "pull"),
        ("check flaky", "ci-checks"),
        ("batch size 5", "forecast"),
        ("what was it at 3 am", "alerts"),
        ("file valid", "check"),
        ("import my history", "import"),
        ("keep it current", "import"),
        ("back it up", "store"),
        ("move it to postgresql", "store"),
    ],
)
def test_a_new_user_finds_the_command_in_the_help(tmp_path: Path, words: str, command: str) -> None:
    shown = mergecast("--help", data=tmp_path, COLUMNS="80").out

    assert [command] == [line.split()[1] for line in shown.splitlines() if words in line.lower()]


@pytest.mark.parametrize(
    ("question", "first", "then", "group"),
    [
        ("tell me when it is stuck", "gets a message", "when it is stuck", "channels"),
        ("tell me when p95 is above an hour", "thresholds", "above", "thresholds"),
        ("tell me when it is worse than in March", "gets a message", "worse than in", "reference"),
        ("only on Mondays a summary", "gets a message", "on mondays", "channels"),
        ("stop telling me about hotfix", "gets a message", "about hotfix", "channels"),
        ("what would that threshold have raised", "thresholds", "would it have raised", "thresholds"),
        ("who gets the message", "who gets", "who gets", "channels"),
        ("keep all that in git", "git", "git", "settings"),
        ("what does a minute of CI cost", "prices", "minute of ci cost", "settings"),
    ],
)
def test_a_new_user_finds_what_is_set_in_two_steps(
    tmp_path: Path, question: str, first: str, then: str, group: str
) -> None:
    """Some words of a question are in one line of the first help, and others in one line of the next."""
    found = []
    for words, asked in ((first, ["--help"]), (then, ["admin", "--help"])):
        shown = mergecast(*asked, data=tmp_path, COLUMNS="80").out.splitlines()
        rows = [line.split() for line in shown if line.startswith("│") and words in line.lower()]
        found.append([row[1] for row in rows])

    assert [["admin"], [group]] == found, question


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("backup", "file"), "No such command 'backup'. Did you mean 'store backup'?"),
        (("key", "make"), "No such command 'key'. Did you mean 'admin key'?"),
        (("distribute",), "No such command 'distribute'. Did you mean 'store distribute'?"),
        (("problems", "acme/web"), "No such command 'problems'. Did you mean 'alerts'?"),
        (("targets",), "No such command 'targets'. Did you mean 'admin thresholds'?"),
        (("baselines",), "No such command 'baselines'. Did you mean 'admin reference'?"),
        (("prices",), "No such command 'prices'. Did you mean 'admin settings'?"),
        (("queu",), "No such command 'queu'. Did you mean 'queue'?"),
        (("store", "bakup"), "No such command 'bakup'. Did you mean 'backup'?"),
        (("list",), "No such command 'list'."),
    ],
)
def test_an_unknown_name(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    """A command of a group is found on the first level too, if it has that name alone."""
    ending = mergecast(*words, data=tmp_path)

    assert (2, "", f"mergecast: {told}\n") == (ending.code, ending.out, ending.err)


@pytest.mark.parametrize("words", _COMMANDS)
def test_every_example_is_of_its_command_and_can_be_parsed(words: str) -> None:
    given = _example(_COMMANDS[words].help)
    named = words.split()
    arguments = given[: given.index("<")] if "<" in given else given
    command = _COMMANDS[words]

    assert named == arguments[: len(named)]
    command.parse_args(command.context_class(command), arguments[len(named) :])


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The data folder of a server with three weeks of the demo; examples find their files here."""
    monkeypatch.chdir(tmp_path)
    Path(".mergify.yml").write_bytes(DOCUMENT.read_bytes())
    Path("settings.yml").write_text("thresholds: []\n")
    Path("rules.json").write_text("[]")
    _commit_workflow(tmp_path)
    Path("slack-url.txt").write_text("https://hooks.slack.com/services/T0/B0/made-up\n")
    Path("events.ndjson").write_bytes(_history(recent_monday(weeks_ago=3)))
    with served_folder(tmp_path / "data") as folder:
        assert 0 == mergecast("import", "events", "demo/harbor", "events.ndjson", data=folder).code
        assert 0 == mergecast("demo", data=folder).code
        yield folder


def _commit_workflow(folder: Path) -> None:
    """Make the folder a clone with a workflow that runs on groups."""
    workflows = folder / ".github" / "workflows"
    workflows.mkdir(parents=True)
    (workflows / "ci.yml").write_text(
        "on: [pull_request, merge_group]\njobs: {test: {runs-on: ubuntu-latest}}\n"
    )
    author = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
    for words in (("init", "-q", "-b", "main"), ("add", ".github"), (*author, "commit", "-q", "-m", "CI")):
        subprocess.run(["git", *words], cwd=folder, check=True)


def _history(start: date) -> bytes:
    """With the CI checks of one day only: they are three quarters of all events."""
    until = datetime.now(UTC) - timedelta(minutes=10)
    return b"\n".join(
        map(msgspec.json.encode, demo_events(start, until, checks_since=until - timedelta(days=1)))
    )


@pytest.mark.server
def test_every_example_works_on_the_demo(demo: Path) -> None:
    """In the order of the help: what one command makes, the next can delete. All that they print is JSON."""
    assert _NOT_RUN.keys() | _UNKNOWN_IDS.keys() <= _COMMANDS.keys()
    failed: dict[str, Ending] = {}
    for words, command in _COMMANDS.items():
        if words in _NOT_RUN:
            continue
        arguments, stdin = _example(command.help), b""
        if "<" in arguments:
            *arguments, _, file = arguments
            stdin = Path(file).read_bytes()
        as_json = [] if words in _WITHOUT_JSON else ["--json"]
        ending = mergecast(*arguments, *as_json, data=demo, stdin=stdin, MERGECAST_GITHUB_URL="")
        message = _UNKNOWN_IDS.get(words)
        if (
            ending.code != (0 if message is None else 1)
            or (message or "") not in ending.err
            or (as_json and not _is_json(ending.out if message is None else ending.err))
        ):
            failed[words] = ending

    assert {} == failed


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text)
    except msgspec.DecodeError:
        return False
    return True
