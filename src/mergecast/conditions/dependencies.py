"""What the description of a pull request says about others and about time: `Depends-On`, `Merge-After`."""

import re

from mergecast.conditions.errors import InvalidValue
from mergecast.conditions.timestamps import parse_timestamp
from mergecast.model.pull_request import PullRequest

_DEPENDS_ON = re.compile(r"^[ \t]*depends-on:[ \t]*(\S{1,300})[ \t]*$", re.IGNORECASE | re.MULTILINE)
_MERGE_AFTER = re.compile(r"^[ \t]*merge-after:[ \t]*(\S.{0,100})$", re.IGNORECASE | re.MULTILINE)
_NUMBER = r"(?P<number>[0-9]{1,18})"
_REPOSITORY = r"(?P<owner>[\w.-]+)/(?P<name>[\w.-]+)"
_REFERENCE = re.compile(
    rf"(?:https?://[^/\s]+/{_REPOSITORY}/pull/{_NUMBER}/?)".replace("?P<", "?P<url_")
    + rf"|(?:{_REPOSITORY})?#{_NUMBER}"
)


def full_reference(written: str, pull: PullRequest) -> str | None:
    """`owner/name#12` of a reference as people write it, None when it is none."""
    match = _REFERENCE.fullmatch(written)
    if match is None:
        return None
    number = int(match["number"] or match["url_number"])
    owner, name = match["owner"] or match["url_owner"], match["name"] or match["url_name"]
    return f"{owner or pull.owner}/{name or pull.repository}#{number}"


def depends_on(pull: PullRequest) -> tuple[str, ...]:
    """The references of the description, each once, without other organisations and itself."""
    found = (full_reference(written, pull) for written in _DEPENDS_ON.findall(_lines(pull.body)))
    itself = f"{pull.full_name}#{pull.number}".lower()
    owner = f"{pull.owner}/".lower()
    kept = (one for one in found if one and one.lower().startswith(owner) and one.lower() != itself)
    return tuple(dict.fromkeys(kept))


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
