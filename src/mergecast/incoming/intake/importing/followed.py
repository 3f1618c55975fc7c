"""The setting that lists what a server follows."""

from typing import Any, NamedTuple

from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.model.repository import Repository, is_name, is_owner
from mergecast.queues.model.setting_list import parse_list

_EXAMPLE = '[{"source": "github", "repository": "acme/web", "as": null}]'


class Followed(NamedTuple):
    """A repository at a source, and its name here."""

    source: str
    repository: str
    name: Repository


def parse_followed(text: str) -> tuple[Followed, ...]:
    """Parse a JSON list; empty text means nothing."""
    values = parse_list(text, _EXAMPLE)
    found = tuple(_followed(value, f"entry {place}") for place, value in enumerate(values, start=1))
    if len({(followed.source, followed.name) for followed in found}) < len(found):
        raise ValueError("lists a source twice for the same repository")
    return found


def _followed(value: Any, place: str) -> Followed:
    if not isinstance(value, dict) or not {"source", "repository"} <= value.keys() <= {
        "source",
        "repository",
        "as",
    }:
        raise ValueError(f"{place} must have the fields source and repository, and may have as")
    source, repository, name = value["source"], value["repository"], value.get("as")
    if source not in tuple(SOURCES):
        raise ValueError(f"{place}, source: must be one of {', '.join(SOURCES)}")
    if not isinstance(repository, str) or not repository.partition("/")[2]:
        raise ValueError(f"{place}, repository: must look like OWNER/REPO")
    field = "repository" if name is None else "as"
    owner, _, short = (repository if name is None else str(name)).partition("/")
    if not is_owner(owner) or not is_name(short):
        hint = "; choose a name for it with `as`" if name is None else ""
        raise ValueError(f"{place}, {field}: must look like OWNER/REPO{hint}")
    return Followed(source, repository, Repository(owner, short))
