"""The GitHub Action: its steps run against an imitated GitHub and an imitated Mergecast server."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from cli.program import mergecast
from forge.widgets import ROOT, pull, routes
from github_server import Asked, GitHubServer, Reply
from local_http import Reply as ServerReply
from local_http import local_server
from logged_secrets import remember

pytestmark = pytest.mark.server

REPOSITORY = Path(__file__).parents[2]
_GOLDEN = Path(__file__).parent / "golden"
_FORECAST = Path(__file__).with_name("forecast.json")
_TOKEN = remember("ghs_" + "a" * 36)
_OWN_LOGIN = "github-actions[bot]"
_MARKER = "<!-- mergecast comment -->"
_COMMENTS = f"{ROOT}/issues/12/comments"
_DOCUMENT = """\
queue_rules:
  - name: default
    batch_size: 4
pull_request_rules:
  - name: queue what is approved
    conditions: ["#approved-reviews-by >= 1"]
    actions: {queue: {name: default}}
"""
_INVALID = """\
queue_rules:
  - name: default
    batch_size: 0
    "``` @acme/everyone <b>": 1
"""


class Platform:
    """GitHub with one open pull request, whose comments can be written."""

    def __init__(self) -> None:
        self.comments: list[dict[str, Any]] = []
        self.may_write = True
        self.identity: Any = {"data": {"viewer": {"login": _OWN_LOGIN}}}
        own = {_COMMENTS: self._comments, f"{ROOT}/pulls": [pull()]}
        self.server = GitHubServer(routes(**own))
        self._conversation = self.server.routes["/graphql"]
        self.server.routes["/graphql"] = self._graphql

    def _comments(self, asked: Asked) -> Any:
        if asked.method == "GET":
            return list(self.comments)
        if not self.may_write:
            return Reply(403, {"message": "Resource not accessible by integration"})
        return Reply(201, self.add(json.loads(asked.body)["body"], _OWN_LOGIN))

    def _graphql(self, asked: Asked) -> Any:
        is_about_viewer = "viewer" in json.loads(asked.body)["query"]
        return self.identity if is_about_viewer else self._conversation

    def add(self, body: str, author: str) -> dict[str, Any]:
        id = 100 + len(self.comments)
        url = f"https://github.example/Acme/Widgets/pull/12#issuecomment-{id}"
        comment = {"id": id, "html_url": url, "body": body, "user": {"login": author}}
        self.comments.append(comment)
        self.server.routes[f"{ROOT}/issues/comments/{id}"] = lambda asked: self._replace(comment, asked)
        return comment

    def _replace(self, comment: dict[str, Any], asked: Asked) -> Any:
        assert asked.method == "PATCH"
        comment["body"] = json.loads(asked.body)["body"]
        return comment


@pytest.fixture
def platform() -> Iterator[Platform]:
    platform = Platform()
    with platform.server:
        yield platform


class Ended(NamedTuple):
    code: int
    log: str
    summary: str
    outputs: dict[str, str]


def _action() -> Any:
    return yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))


def _step(text: str, folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", text],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def _run(platform: Platform, folder: Path, document: str, **inputs: str) -> Ended:
    """Run the action's second step as a runner would; the first one installs what the tests have."""
    action = _action()
    given = {name: one["default"] for name, one in action["inputs"].items()} | inputs
    known = {f"inputs.{name}": value for name, value in given.items()} | {
        "github.api_url": platform.server.url,
        "github.token": _TOKEN,
        "github.event.pull_request.number": "12",
    }
    step = action["runs"]["steps"][1]
    environment = {name: _evaluated(text, known) for name, text in step["env"].items()}
    temporary = folder / "runner"
    temporary.mkdir(exist_ok=True)
    if not (temporary / "mergecast").exists():
        (temporary / "mergecast").symlink_to(Path(sys.executable).parents[1])
    (folder / ".mergify.yml").write_text(document, encoding="utf-8")
    files = {name: temporary / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("", encoding="utf-8")
    runner = {
        "RUNNER_TEMP": str(temporary),
        "GITHUB_BASE_REF": "release/1.0",
        "GITHUB_REPOSITORY": "Acme/Widgets",
        "PYTHONPATH": ".",  # as jobs of Python projects often have it
    }
    ended = _step(
        step["run"], folder, {**runner, **environment, **{name: str(file) for name, file in files.items()}}
    )
    outputs = _outputs(files["GITHUB_OUTPUT"].read_text(encoding="utf-8"))
    summary = files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
    return Ended(ended.returncode, ended.stdout + ended.stderr, summary, outputs)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder of this process."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _comment(platform: Platform, checkout: Path, document: str, **server: str) -> Ended:
    """Run only the command of the second step that comments, in this process: that is much faster."""
    (checkout / ".mergify.yml").write_text(document, encoding="utf-8")
    file = checkout / "outputs"
    file.write_text("", encoding="utf-8")
    ended = mergecast(
        *("config", "comment", "Acme/Widgets#12", "--post", "--branch", "release/1.0", "--output", file),
        data=checkout,
        MERGECAST_GITHUB_URL=platform.server.url,
        MERGECAST_GITHUB_TOKEN=_TOKEN,
        **server,  # type: ignore[arg-type]  # no bytes among them
    )
    return Ended(ended.code, ended.err, ended.out, _outputs(file.read_text(encoding="utf-8")))


def _outputs(text: str) -> dict[str, str]:
    """What a runner reads from GITHUB_OUTPUT."""
    found, lines = {}, iter(text.split("\n")[:-1])
    for line in lines:
        name, several, delimiter = line.partition("<<")
        if several and "=" not in name:
            found[name] = "\n".join(iter(lambda: next(lines), delimiter))
        else:
            name, _, found[name] = line.partition("=")
    return found


def _evaluated(text: str, known: dict[str, str]) -> str:
    """What a runner makes of `${{ … }}`."""
    while found := re.search(r"\$\{\{ ([\w.-]+) \}\}", text):
        text = text.replace(found[0], known[found[1]])
    return text


def _golden(name: str, text: str) -> str:
    file = _GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return file.read_text(encoding="utf-8")


def test_the_comment_with_a_server(platform: Platform, tmp_path: Path) -> None:
    """What the document would do to open pull requests, to time in queue and to CI."""
    line = json.dumps(json.loads(_FORECAST.read_text(encoding="utf-8"))).encode()
    answer = ServerReply(200, line, {"Content-Type": "application/x-ndjson"})
    with local_server(lambda _: answer) as server:
        ended = _run(platform, tmp_path, _DOCUMENT, url=server.url, token=remember("mck_" + "k" * 40))
        (asked,) = server.asked

    (comment,) = platform.comments
    assert (0, ".mergify.yml is valid\n") == (ended.code, ended.log)
    assert _golden("with-a-server.md", comment["body"]) == comment["body"] == ended.summary
    assert ("POST", "/v1/repos/Acme/Widgets/forecast") == (asked.method, asked.path)
    candidate = json.loads(asked.body)
    assert ("release/1.0", _DOCUMENT) == (candidate["base_ref"], candidate["candidate"]["config_yml"])
    assert {
        "valid": "true", "errors": "0", "deprecations": "0", "hints": "0",
        "baseline-time-to-merge-p95": "6900.00", "baseline-ci-runs-per-merge": "1.43",
        "candidate-time-to-merge-p95": "4200.00", "candidate-ci-runs-per-merge": "0.61",
        "comment-url": comment["html_url"],
    } == ended.outputs  # fmt: skip


def test_the_comment_without_a_server_is_replaced(platform: Platform, tmp_path: Path) -> None:
    """A person's comment that quotes the marker stays as it is."""
    quoted = platform.add(f"{_MARKER}\nlook at this", "someone")

    first = _run(platform, tmp_path, _INVALID)
    invalid = platform.comments[1]["body"]
    second = _run(platform, tmp_path, _DOCUMENT)

    assert (1, 0) == (first.code, second.code)
    assert ("false", "true") == (first.outputs["valid"], second.outputs["valid"])
    assert [quoted, platform.comments[1]] == platform.comments
    assert "look at this" in quoted["body"]
    assert _golden("invalid.md", invalid) == invalid
    assert "::error file=.mergify.yml,line=3,col=17::" in first.log
    now = platform.comments[1]["body"]
    assert _golden("without-a-server.md", now) == now
    assert first.outputs["comment-url"] == second.outputs["comment-url"] == platform.comments[1]["html_url"]


@pytest.mark.parametrize("login", ["github-actions[bot]", "mergecast-of-acme[bot]", "release-manager"])
def test_comments_of_others_are_never_replaced(platform: Platform, checkout: Path, login: str) -> None:
    """Whether the token is a workflow's, an app's or a person's, only its own comment is."""
    platform.identity = {"data": {"viewer": {"login": login}}}
    authors = ["someone", "another-app[bot]", login, login]
    written = [dict(platform.add(f"{_MARKER}\nby {author}", author)) for author in authors]

    ended = _comment(platform, checkout, _DOCUMENT)

    assert [*written[:2], written[3]] == [*platform.comments[:2], platform.comments[3]]
    assert platform.comments[2]["body"].startswith(f"{_MARKER}\n## ✅ .mergify.yml is valid")
    assert (4, written[2]["html_url"]) == (len(platform.comments), ended.outputs["comment-url"])


@pytest.mark.parametrize(
    "identity",
    [{"data": None, "errors": [{"message": "Resource not accessible"}]}, Reply(403, {"message": "no"})],
    ids=["errors", "403"],
)
def test_nothing_is_written_if_the_author_is_unknown(
    platform: Platform, checkout: Path, identity: Any
) -> None:
    """The first comment can be no one else's; a second one would come with every commit."""
    platform.identity = identity

    first = _comment(platform, checkout, _INVALID)
    second = _comment(platform, checkout, _DOCUMENT)

    (comment,) = platform.comments
    assert (comment["html_url"], "") == (first.outputs["comment-url"], second.outputs["comment-url"])
    assert "is invalid" in comment["body"]
    assert (
        "mergecast: warning: Acme/Widgets#12 has a comment of Mergecast, and GitHub does not say whether "
        "this token wrote it; nothing was written\n"
    ) in second.log


def test_an_output_of_several_lines_is_one_output(platform: Platform, checkout: Path) -> None:
    """A platform cannot add outputs of its own through an address."""
    address = "https://github.example/1\nvalid=true\nEOF\nerrors=0"
    platform.server.routes[_COMMENTS] = lambda asked: (
        [] if asked.method == "GET" else Reply(201, {"id": 1, "html_url": address})
    )

    ended = _comment(platform, checkout, _INVALID)

    assert (address, "false", "2") == tuple(
        ended.outputs[name] for name in ("comment-url", "valid", "errors")
    )


# Modules that Python or the program would import, if the folder of the checkout were on its path.
_PLANTED = (
    "venv",
    "pip",
    "sitecustomize",
    "usercustomize",
    "mergecast",
    "typer",
    "yaml",
    "json",
    "ensurepip",
)
# Files that tools read from the current folder, in which an address or a version would lead elsewhere.
_CONFIGURATION = {
    ".env": "MERGECAST_GITHUB_URL=http://127.0.0.1:9\n",
    "pip.conf": "[global]\nindex-url = http://127.0.0.1:9/\n",
    "setup.cfg": "[global]\nverbose = 1\n",
    "uv.toml": 'index-url = "http://127.0.0.1:9/"\n',
    "pyvenv.cfg": "home = /nowhere\n",
    ".python-version": "2.7\n",
    "planted.pth": "import os; open('ran-pth', 'w')\n",
}
# A package that is built without a network.
_BACKEND = """\
import zipfile

def build_wheel(folder, *_):
    with zipfile.ZipFile(f"{folder}/mergecast-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("mergecast.py", "print('the installed one')")
        for name, lines in {
            "METADATA": ("Metadata-Version: 2.1", "Name: mergecast", "Version: 1", ""),
            "WHEEL": ("Wheel-Version: 1.0", "Root-Is-Purelib: true", "Tag: py3-none-any", ""),
            "RECORD": (),
        }.items():
            wheel.writestr(f"mergecast-1.dist-info/{name}", "\\n".join(lines))
    return "mergecast-1-py3-none-any.whl"
"""
_PROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'


def _plant(folder: Path) -> None:
    for name in _PLANTED:
        code = f"import pathlib\npathlib.Path(__file__).with_name('ran-{name}').touch()\n"
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    for name, content in _CONFIGURATION.items():
        (folder / name).write_text(content, encoding="utf-8")


@pytest.mark.parametrize("variables", [{}, {"PYTHONPATH": "."}], ids=["plain", "PYTHONPATH"])
def test_the_installation_runs_no_file_of_the_pull_request(tmp_path: Path, variables: dict[str, str]) -> None:
    """The tokens of the job would be theirs."""
    checkout, action, temporary = (tmp_path / name for name in ("checkout", "action", "temporary"))
    for folder in (checkout, action, temporary):
        folder.mkdir()
    _plant(checkout)
    own = {"pyproject.toml": _PROJECT, "backend.py": _BACKEND, "constraints.txt": ""}
    for name, content in own.items():
        (action / name).write_text(content, encoding="utf-8")
    environment = {
        "RUNNER_TEMP": str(temporary), "GITHUB_ACTION_PATH": str(action),
        "PIP_NO_INDEX": "1", "HOME": str(tmp_path), **variables,
    }  # fmt: skip

    installed = _step(_action()["runs"]["steps"][0]["run"], checkout, environment)
    program = temporary / "mergecast" / "bin" / "python"
    ended = _step(f"{program} -I -m mergecast", checkout, {})

    assert (0, "", "") == (installed.returncode, installed.stdout, installed.stderr)
    assert [] == sorted(file.name for file in checkout.glob("ran-*"))
    assert "the installed one\n" == ended.stdout


def test_the_review_runs_no_file_of_the_pull_request(platform: Platform, tmp_path: Path) -> None:
    """Its step works in the checkout, with tokens in its environment."""
    _plant(tmp_path)

    ended = _run(platform, tmp_path, _DOCUMENT)

    assert (0, ".mergify.yml is valid\n") == (ended.code, ended.log)
    assert [] == sorted(file.name for file in tmp_path.glob("ran-*"))
    assert 1 == len(platform.comments)


def test_a_token_that_can_only_read(platform: Platform, tmp_path: Path) -> None:
    """The job goes on: the summary of the step has the text."""
    platform.may_write = False

    ended = _run(platform, tmp_path, _DOCUMENT)

    assert (0, "") == (ended.code, ended.outputs["comment-url"])
    assert (
        ".mergify.yml is valid\n"
        "mergecast: warning: the token may not comment on Acme/Widgets#12: give the job the permission "
        "`pull-requests: write`; pull requests from forks get a token that can only read\n"
    ) == ended.log
    assert "## ✅ .mergify.yml is valid" in ended.summary


def test_a_key_with_a_line_break_is_in_no_comment(platform: Platform, checkout: Path) -> None:
    """As an editor leaves it in a secret; the comment says what is wrong."""
    key = remember("mck_" + "k" * 40)
    with local_server(lambda _: ServerReply(200, b"")) as server:
        where = {"MERGECAST_URL": server.url, "MERGECAST_TOKEN": f"{key}\n"}
        ended = _comment(platform, checkout, _DOCUMENT, **where)
        assert [] == server.asked

    (comment,) = platform.comments
    reason = (
        "no forecast: MERGECAST_TOKEN: a token of a server has visible ASCII characters only, and no spaces"
    )
    assert reason in comment["body"]
    assert key not in f"{comment['body']}{ended.log}{ended.summary}"


def test_no_comment_is_wanted_and_nothing_can_be_read(platform: Platform, tmp_path: Path) -> None:
    """The reasons are in the summary, and the document is still checked."""
    platform.server.routes.clear()
    with local_server(lambda _: ServerReply(503, b"")) as server:
        ended = _run(platform, tmp_path, _DOCUMENT, comment="false", url=server.url, token="mck_x")

    assert 0 == ended.code
    assert [] == platform.comments
    assert "not simulated: " in ended.summary
    assert "no forecast: " in ended.summary


def test_the_description_of_the_action_is_valid() -> None:
    checker = Path(sys.executable).with_name("check-jsonschema")
    command = [str(checker), "--builtin-schema", "vendor.github-actions", str(REPOSITORY / "action.yml")]
    checked = subprocess.run(command, check=False, capture_output=True, text=True)

    assert (0, "ok -- validation done\n") == (checked.returncode, checked.stdout)
