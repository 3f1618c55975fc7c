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
_DEVELOPED = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+\.dev[0-9]+")
_NUMBERS = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
_SECTION = re.compile(r"^## (?P<name>\S+)(?: - (?P<date>\S+))?$", re.MULTILINE)
_DATE = re.compile(r"20[0-9]{2}-[01][0-9]-[0-3][0-9]")
# How the text of a store lists the migrations that it has.
_APPLIED = {
    "duckdb": re.compile(r'"schema_migrations" values\n(?P<rows>[^;]*);'),
    "postgres": re.compile(r"^COPY public\.schema_migrations .*\n(?P<rows>(?:[0-9].*\n)*)", re.MULTILINE),
}
_STORE_FILES = ("answers.json", "duckdb.sql", "postgres.sql")


def version_of(root: Path) -> str:
    found = _VERSION.search(_version_file(root).read_text(encoding="utf-8"))
    return found[1] if found else ""


def _version_file(root: Path) -> Path:
    return root / "src/mergecast/__init__.py"


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
        advice = f"set `__version__` to `{release}` and run `scripts/release fixtures`"
        yield f"{version} is in development: {advice}"
        return
    yield from _tag_problems(root, release, tag)
    yield from _changelog_problems(root, release)
    yield from store_problems(root)


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


def store_problems(root: Path) -> Iterator[str]:
    """The kept stores of this version must exist and have its last migrations."""
    version = version_of(root)
    folder = root / "tests/upgrade/stores" / release_of(version)
    advice = "run `scripts/release fixtures` and commit what it writes"
    missing = [name for name in _STORE_FILES if not (folder / name).is_file()]
    if missing:
        yield f"{folder.relative_to(root)} lacks {', '.join(missing)}: {advice}"
        return
    for store, applied in _APPLIED.items():
        kept, known = _kept_schema(folder / f"{store}.sql", applied), _last_migration(root, store)
        if kept != known:
            name = f"{folder.relative_to(root)}/{store}.sql"
            yield f"{name} has schema {kept}, and this version has {known}: {advice}"
    if version != (right := _numbered(root, version)):
        yield f"the version {version} must be {right}, by the last migration of the embedded store: {advice}"


def _kept_schema(file: Path, applied: re.Pattern[str]) -> int:
    listed = applied.search(file.read_text(encoding="utf-8"))
    numbers = re.findall(r"^\(?([0-9]+)\b", listed["rows"], re.MULTILINE) if listed else []
    return max(map(int, numbers), default=0)


def _last_migration(root: Path, store: str) -> int:
    files = (root / f"src/mergecast/queues/store/{store}/migrations").glob("*.sql")
    return max((int(file.name.partition("_")[0]) for file in files), default=0)


def _numbered(root: Path, version: str) -> str:
    """A version in development with the number of the last migration, so that a refused store can name it."""
    if not _DEVELOPED.fullmatch(version):
        return version
    return f"{release_of(version)}.dev{_last_migration(root, 'duckdb')}"


def number_version(root: Path) -> None:
    """Write the number of the last migration into a version in development."""
    file, version = _version_file(root), version_of(root)
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(f'"{version}"', f'"{_numbered(root, version)}"', 1), encoding="utf-8")


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
    parser.add_argument("--number", action="store_true")
    asked = parser.parse_args()
    if asked.number:
        number_version(ROOT)
    if asked.version:
        sys.stdout.write(f"{release_of(version_of(ROOT))}\n")
    if asked.number or asked.version:
        return 0
    found = list(problems(ROOT, asked.tag, is_final=asked.final or asked.tag is not None))
    sys.stderr.writelines(f"scripts/release: {problem}\n" for problem in found)
    if not found and asked.notes is not None:
        asked.notes.write_text(f"{section(ROOT, release_of(version_of(ROOT)))}\n", encoding="utf-8")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
