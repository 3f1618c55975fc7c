"""Reads saved pages of a source, and checks that they are about one repository."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from mergecast.cli.errors import InvalidFile
from mergecast.cli.output import counted
from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.sources.history_reader import SavedPages
from mergecast.incoming.sources.page import Item
from mergecast.incoming.sources.source import Source


def read_pages(source: Source, files: Sequence[Path], repository: str, name: str) -> list[list[Item]]:
    """The items of each file. `repository` is the name at the source, `name` the one here."""
    if source.saved_pages is None:
        return []
    saved, pages = source.saved_pages(), []
    for file in files:
        entries = _entries(saved, file)
        named = Counter(found for entry in entries if (found := saved.repository(entry)) is not None)
        _check_repository(f"mergecast import {source.name}", file, named, repository, name)
        pages.append([saved.item(entry) for entry in entries])
    return pages


def _entries(saved: SavedPages, file: Path) -> list[dict[str, Any]]:
    try:
        return saved.entries(msgspec.json.decode(file.read_bytes()))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidFile(f"{file}: this is not valid JSON: {error}; nothing is imported") from None
    except PlatformDown as error:
        raise InvalidFile(f"{file}: {error}; nothing is imported") from None


def _check_repository(command: str, file: Path, named: Counter[str], repository: str, name: str) -> None:
    """Refuse a file with entries of another repository; entries that name none are accepted."""
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
        f"Write `{command} {other} --file {file}`, "
        f"and add `--as {name}` if it is the same repository under another name"
    )
