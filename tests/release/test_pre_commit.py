"""The pre-commit hook, installed from a clone of this repository as its users do.

pre-commit builds a wheel of the clone, without the dashboard, and downloads the libraries, so this needs a
package index. It cannot use the libraries of the tests in their place: the processes that read documents
ignore PYTHONPATH.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(
        not os.environ.get("MERGECAST_TEST_INDEX"),
        reason="downloads pre-commit and the libraries from a package index: set MERGECAST_TEST_INDEX=1",
    ),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="pre-commit needs a clone with its history"),
]
_PRE_COMMIT = (Path(sys.executable).with_name("uvx"), "--quiet", "pre-commit@4.7.0")
_MOST_SECONDS = 540.0
_VALID = "queue_rules:\n  - name: default\n"
_INVALID = f"{_VALID}    batch_size: 0\n"
_WHO = ("-c", "user.name=tester", "-c", "user.email=tester@acme.example")


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *_WHO, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository of a user, with the hook in its configuration of pre-commit."""

    folder: Path
    environment: Mapping[str, str]

    def commit(self, document: str) -> tuple[int, str]:
        """How a commit with this document ends, and what git and the hook print."""
        (self.folder / ".mergify.yml").write_text(document, encoding="utf-8")
        _git(self.folder, "add", "--all")
        return self._run("git", *_WHO, "commit", "--message", "Change the document")

    def pre_commit(self, *arguments: str) -> tuple[int, str]:
        return self._run(*_PRE_COMMIT, *arguments)

    def _run(self, *command: str | Path) -> tuple[int, str]:
        ended = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_MOST_SECONDS,
        )
        return ended.returncode, ended.stdout + ended.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    hooks, folder = tmp_path / "hooks", tmp_path / "repository"
    _git(tmp_path, "clone", "--quiet", str(ROOT), str(hooks))
    _git(tmp_path, "init", "--quiet", str(folder))
    revision = _git(hooks, "rev-parse", "HEAD")
    (folder / ".pre-commit-config.yaml").write_text(
        f"repos: [{{repo: {hooks}, rev: {revision}, hooks: [{{id: mergecast-check}}]}}]\n", encoding="utf-8"
    )
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    home = {"PRE_COMMIT_HOME": str(tmp_path / "home"), "GIT_TERMINAL_PROMPT": "0"}
    return Repository(folder, {**outside, **home})


def test_a_commit_with_a_wrong_document_is_refused(repository: Repository) -> None:
    """The hook names the place of the error; with a right document, the commit succeeds."""
    installed = repository.pre_commit("install", "--install-hooks")
    refused = repository.commit(_INVALID)
    accepted = repository.commit(_VALID)

    assert 0 == installed[0], installed[1]
    assert 1 == refused[0]
    assert "Check the merge-queue configuration" in refused[1]
    assert ".mergify.yml:3:17: error: Input should be greater than or equal to 1" in refused[1]
    assert ".mergify.yml is invalid: 1 error" in refused[1]
    assert 0 == accepted[0], accepted[1]
    assert "1" == _git(repository.folder, "rev-list", "--count", "HEAD")
