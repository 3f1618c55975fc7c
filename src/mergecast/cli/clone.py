"""Reads the committed workflow files of the clone that a command runs in."""

import shutil
import subprocess
from typing import NamedTuple

from mergecast.cli.documents import LONGEST_DOCUMENT
from mergecast.cli.errors import WrongUsage
from mergecast.errors import NotFound

_FOLDER = ".github/workflows"
_MOST_FILES = 500
_SECONDS = 60


class Clone(NamedTuple):
    commit: str
    branch: str | None  # the one that is checked out
    files: dict[str, str]  # the texts of workflow files, by path


def read_clone() -> Clone:
    """What the last commit of the folder's clone has; changes that are not committed do not count."""
    if shutil.which("git") is None:
        raise NotFound("there is no program `git`, which reads the committed files of a clone")
    commit = _git("rev-parse", "--verify", "HEAD")
    if commit is None:
        raise NotFound("this folder is no clone of a repository, or it has no commit; run this in a clone")
    branch = _git("symbolic-ref", "--quiet", "--short", "HEAD")
    listed = _git("ls-tree", "-z", "--full-tree", "HEAD", f"{_FOLDER}/") or b""
    files = {}
    for entry in listed.split(b"\0"):
        about, _, path = entry.partition(b"\t")
        # Mode 120000 is a link, which GitHub does not follow.
        if about[7:11] == b"blob" and about[:6] != b"120000" and path.endswith((b".yml", b".yaml")):
            files[path.decode(errors="replace")] = about[12:].decode()
    if not files:
        raise NotFound(f"the last commit, {commit.decode()[:12]}, has no file in {_FOLDER}")
    if len(files) > _MOST_FILES:
        raise WrongUsage(f"{_FOLDER} has {len(files)} files, and at most {_MOST_FILES} are read")
    texts = {path: _text(object) for path, object in files.items()}
    return Clone(commit.decode(), branch.decode(errors="replace") if branch else None, texts)


def _text(object: str) -> str:
    content = _git("cat-file", "blob", object) or b""
    # One character more than may be read, so that the audit says that the file is too long.
    return content.decode(errors="replace")[: LONGEST_DOCUMENT + 1]


def _git(*words: str) -> bytes | None:
    """What Git prints, without the end of the line; None if it fails."""
    ended = subprocess.run(  # noqa: S603 - fixed words, and names of objects
        ["git", "--no-optional-locks", *words],  # noqa: S607 - the user's own Git
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=_SECONDS,
    )
    return ended.stdout.removesuffix(b"\n") if ended.returncode == 0 else None
