"""Reads saved pages of the activity log, and checks that they are about one repository."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from mergecast.cli.errors import InvalidFile
from mergecast.cli.output import counted
from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.sources.activity_log.history import entries_of, entry_item
from mergecast.incoming.sources.page import Item
from mergecast.incoming.sources.payload import text


def read_pages(files: Sequence[Path], repository: str, name: str) -> list[list[Item]]:
    """The items of each file. `repository` is the name in the log, `name` the one here."""
    pages = []
    for file in files:
        entries = _entries(file)
        _check_repository(file, entries, repository, name)
        pages.append([entry_item(entry) for entry in entries])
    return pages


def _entries(file: Path) -> list[dict[str, Any]]:
    try:
        return entries_of(msgspec.json.decode(file.read_bytes()))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidFile(f"{file}: this is not valid JSON: {error}; nothing is imported") from None
    except PlatformDown as error:
        raise InvalidFile(f"{file}: {error}; nothing is imported") from None


def _check_repository(file: Path, entries: Sequence[dict[str, Any]], repository: str, name: str) -> None:
    """The service writes the repository into each entry. One that names none is accepted."""
    named = Counter(found for entry in entries if (found := text(entry, "repository")) is not None)
    others = [other for other in named if other.lower() != repository.lower()]
    if not others:
        return
    other = others[0]
    where = f"{file}: {counted(named[other], 'entry', 'entries')} of {other}, not of {repository}"
    if len(named) > 1:
        raise InvalidFile(
            f"{where}; nothing is imported. Save the entries of each repository to a file of its own"
        )
    raise InvalidFile(
        f"{where}; nothing is imported. "
        f"Write `mergecast import activity-log {other} --file {file}`, "
        f"and add `--as {name}` if it is the same repository under another name"
    )
