"""Compare version, tags and changelog before a release; `scripts/release` calls this.

It prints every problem with what would be right. `--notes FILE` writes the notes of the release.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
_VERSION = re.compile(r'^__version__ = "([^"]*)"$', re.MULTILINE)
_DEVELOPED = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+\.dev[0-9]+")
_NUMBERS = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
_SECTION = re.compile(r"^## (?P<name>\S+)(?: - (?P<date>\S+))?$", re.MULTILINE)
_DATE = re.compile(r"20[0-9]{2}-[01][0-9]-[0-3][0-9]")
_MIGRATIONS = "src/mergecast/queues/store/migrations.py"
_MIGRATION = re.compile(r"\bMigration\(\s*([0-9]+),")


def version_of(root: Path) -> str:
    found = _VERSION.search((root / "src/mergecast/__init__.py").read_text(encoding="utf-8"))
    return found[1] if found else ""


def release_of(version: str) -> str:
    """The release that a version in development becomes: 0.1.0 of 0.1.0.dev18."""
    return version.partition(".dev")[0]


def problems(root: Path, tag: str | None, *, is_final: bool) -> Iterator[str]:
    version = version_of(root)
    if not _DEVELOPED.fullmatch(version) and not _NUMBERS.fullmatch(version):
        wanted = "neither three numbers, such as 0.1.0, nor in development, such as 0.1.0.dev18"
        yield f"the version `{version}` in src/mergecast/__init__.py is {wanted}"
        return
    release = release_of(version)
    if is_final and version != release:
        yield f"{version} is in development: set `__version__` to `{release}`"
        return
    yield from _tag_problems(root, release, tag)
    yield from _changelog_problems(root, release)
    yield from numbering_problems(root)


def _tag_problems(root: Path, version: str, tag: str | None) -> Iterator[str]:
    raise_it = "raise `__version__` in src/mergecast/__init__.py and begin a section in CHANGELOG.md"
    if tag is not None and tag != f"v{version}":
        yield f"the tag {tag} does not fit the version {version}: the tag must be v{version}"
        return
    tags = _git(root, "tag", "--list", "v*").split()
    if tag is None and f"v{version}" in tags:
        yield f"{version} is already released, as the tag v{version}: {raise_it}"
    elif tag is not None and _git(root, "rev-parse", f"{tag}^{{commit}}") != _git(root, "rev-parse", "HEAD"):
        yield f"the tag {tag} is not at this commit: {version} was released from another one; {raise_it}"
    earlier = [name for name in tags if _NUMBERS.fullmatch(name[1:]) and name != f"v{version}"]
    last = max(earlier, key=_order, default=None)
    if last is not None and _order(last) > _order(f"v{version}"):
        yield f"{version} is older than {last[1:]}, which is released: {raise_it}"


def _order(tag: str) -> tuple[int, ...]:
    return tuple(map(int, tag[1:].split(".")))


def _changelog_problems(root: Path, version: str) -> Iterator[str]:
    headings = [found for found in _SECTION.finditer(_changelog(root)) if found["name"] == version]
    wanted = f"`## {version} - YYYY-MM-DD`"
    if not headings:
        yield f"CHANGELOG.md has no section for {version}: write the heading {wanted} above its changes"
    elif len(headings) > 1:
        yield f"CHANGELOG.md has {len(headings)} sections for {version}: a version is released once"
    elif not _DATE.fullmatch(headings[0]["date"] or ""):
        yield f"the section for {version} in CHANGELOG.md has no date: write the heading {wanted}"
    elif not section(root, version):
        yield f"the section for {version} in CHANGELOG.md is empty: say what changes for users"


def numbering_problems(root: Path) -> Iterator[str]:
    """A version in development has the number of the last migration, so that a newer store can name it."""
    version = version_of(root)
    last = max(map(int, _MIGRATION.findall((root / _MIGRATIONS).read_text(encoding="utf-8"))))
    right = f"{release_of(version)}.dev{last}"
    if _DEVELOPED.fullmatch(version) and version != right:
        yield f"the version {version} must be {right}: the last migration in {_MIGRATIONS} is {last}"


def section(root: Path, version: str) -> str:
    """What CHANGELOG.md says about a version."""
    text = _changelog(root)
    found = list(_SECTION.finditer(text))
    for place, heading in enumerate(found):
        if heading["name"] == version:
            end = found[place + 1].start() if place + 1 < len(found) else len(text)
            return text[heading.end() : end].strip()
    return ""


def _changelog(root: Path) -> str:
    return (root / "CHANGELOG.md").read_text(encoding="utf-8")


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tag")
    parser.add_argument("--final", action="store_true")
    parser.add_argument("--notes", type=Path)
    parser.add_argument("--version", action="store_true")
    asked = parser.parse_args()
    if asked.version:
        sys.stdout.write(f"{release_of(version_of(ROOT))}\n")
        return 0
    found = list(problems(ROOT, asked.tag, is_final=asked.final or asked.tag is not None))
    sys.stderr.writelines(f"scripts/release: {problem}\n" for problem in found)
    if not found and asked.notes is not None:
        asked.notes.write_text(f"{section(ROOT, release_of(version_of(ROOT)))}\n", encoding="utf-8")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
