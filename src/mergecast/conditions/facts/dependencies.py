"""What the description of a pull request says about others and about time: `Depends-On`, `Merge-After`."""

import re

from mergecast.conditions.errors import InvalidValue
from mergecast.conditions.times.timestamps import parse_timestamp
from mergecast.model import depends_on as described
from mergecast.model.pull_request import PullRequest
from mergecast.model.repository import Repository

_MERGE_AFTER = re.compile(r"^[ \t]*merge-after:[ \t]*(\S.{0,100})$", re.IGNORECASE | re.MULTILINE)


def full_reference(written: str, pull: PullRequest) -> str | None:
    """`owner/name#12` of a reference as people write it, None when it is none."""
    return described.full_reference(written, Repository(pull.owner, pull.repository))


def depends_on(pull: PullRequest) -> tuple[str, ...]:
    """The references of the description, each once, without other organisations and itself."""
    return described.depends_on(pull.body, Repository(pull.owner, pull.repository), pull.number)


def merge_after(pull: PullRequest) -> int | None:
    """The instant of the first `Merge-After`; None without one, or when it is no timestamp."""
    match = _MERGE_AFTER.search(_lines(pull.body))
    if match is None:
        return None
    try:
        return parse_timestamp(match[1].strip()).at
    except InvalidValue:
        return None


def _lines(body: str) -> str:
    return body.replace("\r\n", "\n")
