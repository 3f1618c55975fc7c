"""`scripts/release --dry-run` refuses a release that is not what it says, and says what would be right."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from release_checks import numbering_problems, release_of, section, version_of

ROOT = Path(__file__).parents[2]
_CHANGELOG = """\
# Changelog

## Unreleased

## 0.3.0 - 2026-12-01

### Added

- A thing.

## 0.2.0 - 2026-11-20

- Another thing.
"""
_LICENSES = [{"name": "@lezer/lr", "version": "1.4.12", "license": "MIT", "texts": ["Free.", "See it."]}]
_MIGRATIONS = "src/mergecast/queues/store/migrations.py"
_HEADING = "write the heading `## {version} - YYYY-MM-DD` above its changes"
_RAISE = "raise `__version__` in src/mergecast/__init__.py and begin a section in CHANGELOG.md"
_NO_VERSION = "is neither three numbers, such as 0.1.0, nor in development, such as 0.1.0.dev18"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository that is ready to release 0.3.0, after 0.2.0."""
    for name in ("release", "release_checks.py", "sbom.py", "images.py"):
        (tmp_path / "scripts").mkdir(exist_ok=True)
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts" / name)
    digest = f"sha256:{'c3' * 32}"
    _write(tmp_path / "deploy/images.json", json.dumps(_images(digest)))
    for name in ("compose.yaml", "deploy/kubernetes/mergecast.yaml", "Dockerfile"):
        _write(tmp_path / name, f"image: postgres:15@{digest}  # postgres of deploy/images.json\n")
    _write(tmp_path / "src/mergecast/__init__.py", '__version__ = "0.3.0"\n')
    _write(tmp_path / _MIGRATIONS, "MIGRATIONS = (Migration(1, 'tables'), Migration(\n    2,\n    'more'))\n")
    _write(tmp_path / "CHANGELOG.md", _CHANGELOG)
    _write(tmp_path / "requirements/server.txt", f"numpy==2.3.5 \\\n    --hash=sha256:{'a' * 64}\n")
    _write(tmp_path / "src/mergecast/api/dashboard/licenses.json", json.dumps(_LICENSES))
    # What comes after the checks: each only says that it was called.
    for program in ("scripts/install", "scripts/build"):
        _write(tmp_path / program, f'#!/bin/sh\necho "{program} $*"\nmkdir -p dist\n')
        (tmp_path / program).chmod(0o755)
    _git(tmp_path, "init", "--quiet", "--initial-branch=main")
    _commit(tmp_path)
    _git(tmp_path, "tag", "v0.2.0")
    return tmp_path


def _images(digest: str | None) -> dict[str, dict[str, str | None]]:
    return {
        "mergecast": {"image": "mergecast:{version}", "digest": None},
        "postgres": {"image": "postgres:15", "digest": digest},
    }


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _commit(clone: Path) -> None:
    (clone / ".gitignore").write_text("dist/\n__pycache__/\n", encoding="utf-8")
    _git(clone, "add", "--all")
    _git(clone, "commit", "--quiet", "--allow-empty", "--message", "A change")


def _git(clone: Path, *arguments: str) -> str:
    who = ["-c", "user.name=tester", "-c", "user.email=tester@acme.example"]
    command = ["git", "-C", str(clone), *who, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _release(clone: Path, *arguments: str) -> tuple[int, list[str], list[str]]:
    """The exit code, what was called, and the problems."""
    author = {"GIT_COMMITTER_NAME": "tester", "GIT_COMMITTER_EMAIL": "tester@acme.example"}
    ended = subprocess.run(
        [str(clone / "scripts/release"), *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", **author},
    )
    return ended.returncode, ended.stdout.splitlines(), ended.stderr.splitlines()


def test_everything_agrees(clone: Path) -> None:
    code, called, problems = _release(clone, "--dry-run")

    assert (0, []) == (code, problems)
    assert [
        "scripts/install test",
        "scripts/build ",
        "notes.md",
        "sbom.cdx.json",
    ] == called
    assert "### Added\n\n- A thing.\n" == (clone / "dist/notes.md").read_text(encoding="utf-8")
    python, dashboard = json.loads((clone / "dist/sbom.cdx.json").read_bytes())["components"]
    assert "pkg:pypi/numpy@2.3.5" == python["purl"]
    assert "pkg:npm/%40lezer/lr@1.4.12" == dashboard["purl"]
    assert [
        {"license": {"id": "MIT", "text": {"contentType": "text/plain", "content": "Free.\n\nSee it."}}}
    ] == (dashboard["licenses"])
    assert "v0.2.0" == _git(clone, "tag", "--list")


def test_a_release_needs_the_digests_of_all_images(clone: Path) -> None:
    """A dry run does not: they can be looked up with a network only."""
    _write(clone / "deploy/images.json", json.dumps(_images(None)))
    for name in ("compose.yaml", "deploy/kubernetes/mergecast.yaml", "Dockerfile"):
        _write(clone / name, "image: postgres:15  # postgres of deploy/images.json\n")
    _commit(clone)

    dry, real = _release(clone, "--dry-run"), _release(clone)

    advice = "run `scripts/release images` and commit what it writes"
    assert 0 == dry[0]
    assert (1, [], [f"scripts/release: deploy/images.json has no digest of postgres: {advice}"]) == real
    assert "v0.2.0" == _git(clone, "tag", "--list")


def test_a_release_makes_the_tag_and_only_once(clone: Path) -> None:
    first = _release(clone)
    _write(clone / "more", "")
    _commit(clone)
    second = _release(clone)
    dry = _release(clone, "--dry-run")

    assert (0, "made the tag v0.3.0; publish it: git push origin v0.3.0") == (first[0], first[1][-1])
    assert "- A thing." in _git(clone, "tag", "--list", "--format=%(contents)", "v0.3.0")
    refused = [f"scripts/release: 0.3.0 is already released, as the tag v0.3.0: {_RAISE}"]
    assert (1, [], refused) == second == dry


def test_a_version_in_development_is_built_but_not_released(clone: Path) -> None:
    _write(clone / "src/mergecast/__init__.py", '__version__ = "0.3.0.dev2"\n')
    _commit(clone)

    dry, final = _release(clone, "--dry-run"), _release(clone)

    assert (0, []) == (dry[0], dry[2])
    assert "### Added\n\n- A thing.\n" == (clone / "dist/notes.md").read_text(encoding="utf-8")
    advice = "set `__version__` to `0.3.0`"
    assert (1, [], [f"scripts/release: 0.3.0.dev2 is in development: {advice}"]) == final


def test_what_is_not_committed_is_not_released(clone: Path) -> None:
    _write(clone / "more", "")

    code, _, problems = _release(clone)

    assert (1, ["scripts/release: commit what has changed first: git status"]) == (code, problems)
    assert "v0.2.0" == _git(clone, "tag", "--list")


@pytest.mark.parametrize(
    ("file", "before", "after", "problem"),
    [
        (
            "CHANGELOG.md", "## 0.3.0 - 2026-12-01", "## 0.4.0 - 2026-12-01",
            f"CHANGELOG.md has no section for 0.3.0: {_HEADING.format(version='0.3.0')}",
        ),
        (
            "CHANGELOG.md", "## 0.3.0 - 2026-12-01", "## 0.3.0",
            "the section for 0.3.0 in CHANGELOG.md has no date: write the heading `## 0.3.0 - YYYY-MM-DD`",
        ),
        (
            "CHANGELOG.md", "## 0.2.0 - 2026-11-20", "## 0.3.0 - 2026-11-20",
            "CHANGELOG.md has 2 sections for 0.3.0: a version is released once",
        ),
        (
            "CHANGELOG.md", "### Added\n\n- A thing.\n", "",
            "the section for 0.3.0 in CHANGELOG.md is empty: say what changes for users",
        ),
        (
            "src/mergecast/__init__.py", "0.3.0", "0.3",
            f"the version `0.3` in src/mergecast/__init__.py {_NO_VERSION}",
        ),
        (
            "src/mergecast/__init__.py", "0.3.0", "0.3.0.dev1",
            f"the version 0.3.0.dev1 must be 0.3.0.dev2: the last migration in {_MIGRATIONS} is 2",
        ),
    ],
)  # fmt: skip
def test_what_does_not_agree(clone: Path, file: str, before: str, after: str, problem: str) -> None:
    text = (clone / file).read_text(encoding="utf-8")
    _write(clone / file, text.replace(before, after))

    assert (1, [], [f"scripts/release: {problem}"]) == _release(clone, "--dry-run")


def test_all_problems_are_reported_at_once(clone: Path) -> None:
    _write(clone / "src/mergecast/__init__.py", '__version__ = "0.1.9"\n')

    assert (1, [], [
        f"scripts/release: 0.1.9 is older than 0.2.0, which is released: {_RAISE}",
        f"scripts/release: CHANGELOG.md has no section for 0.1.9: {_HEADING.format(version='0.1.9')}",
    ]) == _release(clone, "--dry-run")  # fmt: skip


def test_the_tag_that_was_pushed(clone: Path) -> None:
    """It must name the version, and be at the commit that is built."""
    other = _release(clone, "--dry-run", "--tag", "v0.4.0")
    _git(clone, "tag", "v0.3.0")
    right = _release(clone, "--dry-run", "--tag", "v0.3.0")
    _commit(clone)
    late = _release(clone, "--dry-run", "--tag", "v0.3.0")

    assert (1, [], [
        "scripts/release: the tag v0.4.0 does not fit the version 0.3.0: the tag must be v0.3.0"
    ]) == other  # fmt: skip
    assert (0, []) == (right[0], right[2])
    moved = "the tag v0.3.0 is not at this commit: 0.3.0 was released from another one"
    assert (1, [], [f"scripts/release: {moved}; {_RAISE}"]) == late


def test_other_words_are_refused(clone: Path) -> None:
    usage = "usage: scripts/release [images | --dry-run [--tag vX.Y.Z]]"
    assert (2, [], [usage]) == _release(clone, "--publish")


def test_this_version_has_the_number_of_the_last_migration() -> None:
    assert [] == list(numbering_problems(ROOT))


def test_the_changelog_of_this_version_can_become_notes() -> None:
    """Its heading, and what it says, are those that a release needs."""
    assert section(ROOT, release_of(version_of(ROOT))).startswith("### Added\n")
