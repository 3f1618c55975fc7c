"""The pre-commit hook is installed from a clone of this repository, without a wheel and without a network."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
_PRE_COMMIT = Path(sys.executable).with_name("pre-commit")


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of this clone as a repository of its own; a working copy may not be committed."""
    if not (ROOT / ".git").exists() or not _PRE_COMMIT.exists():
        pytest.skip("this is no clone, or pre-commit is not installed (scripts/install test)")
    folder = tmp_path_factory.mktemp("hooks")
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "src", "README.md", "LICENSE", "*.toml", ".pre-commit*"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    _commit(folder)
    return folder


def _commit(folder: Path) -> None:
    who = ["-c", "user.name=tester", "-c", "user.email=tester@acme.example"]
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "Files"]):
        subprocess.run(["git", "-C", str(folder), *who, *command], check=True)


def _configure(folder: Path, hooks: Path) -> None:
    """What a user writes; the hook is installed when it is first run, and kept."""
    command = ["git", "-C", str(hooks), "rev-parse", "HEAD"]
    revision = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    hook = "hooks: [{id: mergecast-check}]"
    text = f"repos:\n  - {{repo: {hooks}, rev: {revision}, {hook}}}\n"
    (folder / ".pre-commit-config.yaml").write_text(text, encoding="utf-8")


def _run(folder: Path, home: Path) -> tuple[int, str]:
    """Run the hook on a repository; packages that it needs are those of the tests."""
    environment = {
        **{name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ},
        "PRE_COMMIT_HOME": str(home),
        "HOME": str(home),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # by its name, pip means that there is none
        "PYTHONPATH": sysconfig.get_path("purelib"),
    }
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
    ended = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    return ended.returncode, ended.stdout + ended.stderr


def test_the_hook_passes_and_fails(
    hooks: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It reads the document of the repository, and says where it is wrong."""
    home = tmp_path_factory.mktemp("home")
    document = tmp_path / ".mergify.yml"
    document.write_text("queue_rules:\n  - name: default\n", encoding="utf-8")
    _configure(tmp_path, hooks)
    _commit(tmp_path)

    passed = _run(tmp_path, home)
    document.write_text("queue_rules:\n  - name: default\n    batch_size: 0\n", encoding="utf-8")
    failed = _run(tmp_path, home)

    assert 0 == passed[0], passed[1]
    assert "Check the merge-queue configuration" in passed[1]
    assert 1 == failed[0]
    assert ".mergify.yml:3:17: error: Input should be greater than or equal to 1" in failed[1]
    assert ".mergify.yml is invalid: 1 error" in failed[1]
