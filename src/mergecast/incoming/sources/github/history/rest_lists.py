"""Reads the lists of GitHub's REST API, page by page."""

from typing import Any

from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.platform.github import links
from mergecast.incoming.platform.pages_read import PagesRead
from mergecast.incoming.platform.patient import Answer, PatientApi, require_ok
from mergecast.incoming.sources.github.history.graphql import MEANINGS, is_below
from mergecast.incoming.sources.payload import members

_OK, _UNAUTHORIZED = 200, 401


async def list_if_any(api: PatientApi, address: str, name: str | None) -> list[dict[str, Any]] | None:
    """The whole list at a URL; None if GitHub does not show it. `name` is its member with the list."""
    answer = await api.get(address)
    if answer.status == _UNAUTHORIZED:  # the token has expired, which says nothing about the list
        require_ok(answer, address, MEANINGS)
    return await all_pages(api, answer, address, name) if answer.status == _OK else None


async def all_pages(api: PatientApi, answer: Answer, address: str, name: str | None) -> list[dict[str, Any]]:
    """The list in a response and in those of the pages after it."""
    found, read = _listed(answer, name), PagesRead()
    while following := links(answer.headers).get("next"):
        if not is_below(following, address):
            raise PlatformDown("GitHub links a page to another host")
        read.add(following)
        answer = require_ok(await api.get(following), following, MEANINGS)
        found += _listed(answer, name)
    return found


def _listed(answer: Answer, name: str | None) -> list[dict[str, Any]]:
    """The list in a response: the response itself, or its member of that name."""
    container = {"": answer.value} if name is None else answer.value
    if not isinstance(container, dict) or not isinstance(container.get(name or ""), list):
        raise PlatformDown(f"GitHub did not return a list of {(name or 'statuses').replace('_', ' ')}")
    return [dict(item) for item in members(container, name or "")]
