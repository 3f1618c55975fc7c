"""Title, author and URL of pull requests, as a source or a recorded snapshot describes them."""

from typing import Any

import msgspec

from mergecast.queues.answers.pulls import AboutPull
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import PullRequestRow, SnapshotRow
from mergecast.queues.store.stored_rows import read_rows


class _Pull(msgspec.Struct, frozen=True):
    """The fields of the platform's answer about a pull request that are shown; only the title is checked."""

    title: str
    user: Any = None
    html_url: Any = None


class _Recorded(msgspec.Struct, frozen=True):
    pull: _Pull


def about(title: str, author: str, url: str) -> AboutPull:
    """From the columns of a statement; a source may leave author and URL empty."""
    return AboutPull(title, author or None, url or None)


def about_pull(reader: Reader, repository_id: int, number: int) -> AboutPull | None:
    """What a source says, or else the recorded snapshot."""
    found = about_from_source(reader, repository_id, number)
    if found is None:
        for snapshot in read_rows(reader, repository_id, SnapshotRow, number=[number]):
            return about_from_snapshot(snapshot.document)
    return found


def about_from_source(reader: Reader, repository_id: int, number: int) -> AboutPull | None:
    """What a source says about a pull request, if it has delivered its title."""
    for row in read_rows(reader, repository_id, PullRequestRow, number=[number]):
        if row.title:
            return about(row.title, row.author, row.url)
    return None


def about_from_snapshot(document: bytes | str) -> AboutPull:
    pull = msgspec.json.decode(document, type=_Recorded).pull
    login = pull.user.get("login") if isinstance(pull.user, dict) else None
    return AboutPull(
        pull.title, *(text if isinstance(text, str) else None for text in (login, pull.html_url))
    )
