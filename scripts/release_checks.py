"""Compare version, tags, changelog and kept stores before a release; `scripts/release` calls this.

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
_NUMBERS = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
_SECTION = re.compile(r"^## (?P<name>\S+)(?: - (?P<date>\S+))?$", re.MULTILINE)
_DATE = re.compile(r"20[0-9]{2}-[01][0-9]-[0-3][0-9]")
_APPLIED = re.compile(r"^\(([0-9]+), '[^']*'\)", re.MULTILINE)
_STORE_FILES = ("answers.json", "duckdb.sql", "postgres.sql")


def version_of(root: Path) -> str:
    found = _VERSION.search((root / "src/mergecast/__init__.py").read_text(encoding="utf-8"))
    return found[1] if found else ""


def problems(root: Path, tag: str | None) -> Iterator[str]:
    version = version_of(root)
    if not _NUMBERS.fullmatch(version):
        yield f"the version `{version}` in src/mergecast/__init__.py is not three numbers, such as 0.1.0"
        return
    yield from _tag_problems(root, version, tag)
    yield from _changelog_problems(root, version)
    yield from _store_problems(root, version)


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


def _store_problems(root: Path, version: str) -> Iterator[str]:
    """The kept stores of this version must exist and have its last migration."""
    folder = root / "tests/upgrade/stores" / version
    advice = "run `scripts/release fixtures` and commit what it writes"
    missing = [name for name in _STORE_FILES if not (folder / name).is_file()]
    if missing:
        yield f"{folder.relative_to(root)} lacks {', '.join(missing)}: {advice}"
        return
    known = len(list((root / "src/mergecast/queues/store/duckdb/migrations").glob("*.sql")))
    text = (folder / "duckdb.sql").read_text(encoding="utf-8")
    rows = text.partition('"schema_migrations" values\n')[2].partition(";")[0]
    kept = max(map(int, _APPLIED.findall(rows)), default=0)
    if kept != known:
        yield f"{folder.relative_to(root)} has schema {kept}, and this version has {known}: {advice}"


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
    parser.add_argument("--notes", type=Path)
    parser.add_argument("--version", action="store_true")
    asked = parser.parse_args()
    if asked.version:
        sys.stdout.write(f"{version_of(ROOT)}\n")
        return 0
    found = list(problems(ROOT, asked.tag))
    sys.stderr.writelines(f"scripts/release: {problem}\n" for problem in found)
    if not found and asked.notes is not None:
        asked.notes.write_text(f"{section(ROOT, version_of(ROOT))}\n", encoding="utf-8")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
