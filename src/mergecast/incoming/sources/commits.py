"""The last commits of pull requests, as platforms name them; what is no commit is left out and counted."""

from collections.abc import Iterable

from mergecast.incoming.sources.translation import Translation
from mergecast.queues.model.commit import read_commit

BAD_COMMIT = "the last commit of a pull request is not the id of a commit, and is left out"


def commit_of(text: str | None) -> str | None:
    """The id of a commit; empty if the given one cannot be used, None if none is given.

    >>> commit_of("8F" * 20), commit_of("0" * 40), commit_of(None)
    ('8f8f8f8f8f8f8f8f8f8f8f8f8f8f8f8f8f8f8f8f', '', None)
    """
    return (read_commit(text) or "") if text else None


def with_bad_commits(translation: Translation, reported: Iterable[int]) -> Translation:
    """The translation of a thread, given when commits were reported that cannot be used."""
    return translation.counting(BAD_COMMIT, reported)
