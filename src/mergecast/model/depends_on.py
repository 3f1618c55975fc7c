"""Which pull requests a description names with `Depends-On`."""

import re

from mergecast.model.repository import Repository

_DEPENDS_ON = re.compile(r"^[ \t]*depends-on:[ \t]*(\S{1,300})[ \t]*$", re.IGNORECASE | re.MULTILINE)
_NUMBER = r"(?P<number>[0-9]{1,18})"
_REPOSITORY = r"(?P<owner>[\w.-]+)/(?P<name>[\w.-]+)"
_REFERENCE = re.compile(
    rf"(?:https?://[^/\s]+/{_REPOSITORY}/pull/{_NUMBER}/?)".replace("?P<", "?P<url_")
    + rf"|(?:{_REPOSITORY})?#{_NUMBER}"
)


def full_reference(written: str, repository: Repository) -> str | None:
    """`owner/name#12` of a reference as people of a repository write it, None when it is none."""
    match = _REFERENCE.fullmatch(written)
    if match is None:
        return None
    number = int(match["number"] or match["url_number"])
    owner, name = match["owner"] or match["url_owner"], match["name"] or match["url_name"]
    return f"{owner or repository.owner}/{name or repository.name}#{number}"


def depends_on(body: str, repository: Repository, number: int) -> tuple[str, ...]:
    """The references of the description, each once, without other organisations and itself."""
    lines = body.replace("\r\n", "\n")
    found = (full_reference(written, repository) for written in _DEPENDS_ON.findall(lines))
    itself = f"{repository}#{number}".lower()
    owner = f"{repository.owner}/".lower()
    kept = (one for one in found if one and one.lower().startswith(owner) and one.lower() != itself)
    return tuple(dict.fromkeys(kept))
