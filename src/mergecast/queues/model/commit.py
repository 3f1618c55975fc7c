"""Ids of commits, as git writes them: SHA-1 or SHA-256, in lower case."""

import re

COMMIT_PATTERN = r"(?!0+$)(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})"  # git writes zeros for no commit
_COMMIT = re.compile(COMMIT_PATTERN)


def read_commit(text: str) -> str | None:
    """The id in lower case, or None if the text is not one.

    >>> read_commit("8F" * 20), read_commit("8f8f"), read_commit("0" * 40)
    ('8f8f8f8f8f8f8f8f8f8f8f8f8f8f8f8f8f8f8f8f', None, None)
    """
    return text.lower() if _COMMIT.fullmatch(text) else None
