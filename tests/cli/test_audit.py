"""`mergecast audit` in a clone: what it reads, what it prints and how it ends."""

import json
import subprocess
from pathlib import Path

import pytest

from cli.program import Ending, mergecast

_CI = """\
on:
  pull_request:
  merge_group:
concurrency: {group: "ci-${{ github.head_ref }}", cancel-in-progress: true}
jobs:
  test:
    runs-on: ubuntu-latest
"""
_RULES = [
    {"type": "merge_queue", "parameters": {"check_response_timeout_minutes": 45, "max_entries_to_build": 5}},
    {"type": "required_status_checks", "parameters": {"required_status_checks": [{"context": "lint"}]}},
]
_KEY = (
    "All groups have the same key `ci-${{ github.head_ref }}`, and a new run cancels the one in progress: "
    "groups cancel each other."
)
_REPAIR = "Add `${{ github.ref }}` to the key: each group has a ref of its own."


@pytest.fixture(autouse=True)
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with a committed workflow, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_AUTHOR", "GIT_COMMITTER"):
        monkeypatch.setenv(f"{name}_NAME", "Ann")
        monkeypatch.setenv(f"{name}_EMAIL", "ann@example.com")
    _git("init", "--quiet", "--initial-branch", "main")
    _write(".github/workflows/ci.yml", _CI)
    _commit()
    return tmp_path


def _git(*words: str) -> str:
    ended = subprocess.run(["git", *words], check=True, capture_output=True, text=True)
    return ended.stdout.strip()


def _write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def _commit() -> None:
    _git("add", "--all")
    _git("commit", "--quiet", "--message", "workflows")


def _audit(*arguments: str) -> Ending:
    return mergecast("audit", *arguments, data=Path("nowhere"))


def test_what_is_sure_to_break_ends_with_1() -> None:
    commit = _git("rev-parse", "--short=12", "HEAD")
    unknown = "which checks are required is not known, because no rules were given (--rules)"
    ended = _audit()
    assert ended.code == 1
    assert ended.out.splitlines() == [
        f".github/workflows/ci.yml:4: sure: If this branch has GitHub's queue, a{_KEY[1:]} [groups-cancel]",
        f"    {_REPAIR}",
        f"main at {commit}: 1 found; {unknown}",
    ]


def test_the_rules_say_what_is_required() -> None:
    _write("rules.json", json.dumps(_RULES))
    found = json.loads(_audit("--rules", "rules.json", "--base-ref", "release", "--json").out)
    assert (found["commit"], found["base_ref"]) == (_git("rev-parse", "HEAD"), "release")
    assert (found["rules_known"], found["groups_kept"]) == (True, 0)
    assert found["findings"][0] == {
        "rule": "groups-cancel",
        "path": ".github/workflows/ci.yml",
        "line": 4,
        "certainty": "sure",
        "weight": "breaks",
        "text": _KEY,
        "repair": _REPAIR,
        "evidence": [],
    }
    assert [one["rule"] for one in found["findings"]] == ["groups-cancel", "required-elsewhere"]


def test_annotations_for_github() -> None:
    _write("rules.json", json.dumps(_RULES))
    sure, unsure, conclusion = _audit("--rules", "rules.json", "--format", "github").out.splitlines()
    assert sure == f"::error file=.github/workflows/ci.yml,line=4::{_KEY} [groups-cancel]"
    assert unsure.startswith("::notice::`lint` is required: no job of this repository has this name")
    assert conclusion.endswith(": 1 found; 1 could not be told")


def test_changes_that_are_not_committed_do_not_count() -> None:
    commit = _git("rev-parse", "--short=12", "HEAD")
    _write(".github/workflows/ci.yml", _CI.replace("head_ref", "ref"))
    assert _audit().code == 1
    _commit()
    ended = _audit()
    assert ended.code == 0
    assert commit not in ended.out


def test_a_detached_head_asks_for_the_branch() -> None:
    _git("checkout", "--quiet", "--detach")
    assert _audit() == Ending(
        2, "", "mergecast: no branch is checked out; name the branch of the queue: --base-ref NAME\n"
    )
    assert _audit("--base-ref", "main").code == 1


def test_links_are_not_followed() -> None:
    _write("elsewhere.yml", "on: [\n")
    Path(".github/workflows/link.yml").symlink_to("../../elsewhere.yml")
    _commit()
    assert "link.yml" not in _audit().out


def test_rules_that_are_none() -> None:
    _write("rules.json", "{}")
    assert _audit("--rules", "rules.json") == Ending(
        2,
        "",
        "mergecast: --rules: rules.json is not the list that GitHub answers for "
        "`gh api repos/OWNER/REPO/rules/branches/NAME`\n",
    )


def test_a_folder_without_a_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clone of somebody else further up is not taken."""
    (tmp_path / "alone").mkdir()
    monkeypatch.chdir(tmp_path / "alone")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert _audit() == Ending(
        1,
        "",
        "mergecast: this folder is no clone of a repository, or it has no commit; run this in a clone\n",
    )


def test_a_clone_without_workflows() -> None:
    _git("rm", "--quiet", "-r", ".github")
    _git("commit", "--quiet", "--allow-empty", "--message", "none")
    commit = _git("rev-parse", "--short=12", "HEAD")
    assert _audit() == Ending(
        1, "", f"mergecast: the last commit, {commit}, has no file in .github/workflows\n"
    )
