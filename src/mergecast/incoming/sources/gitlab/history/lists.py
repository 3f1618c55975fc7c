"""Reads the lists of GitLab's REST API, page by page."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.platform.github import links, page_number
from mergecast.incoming.platform.pages_read import PagesRead
from mergecast.incoming.platform.patient import Answer, PatientApi, Refused, require_ok

PER_PAGE = 100
_NO_FILTERS: Mapping[str, object] = {}
_NOT_FOUND = 404
_MEANINGS = {
    301: "the project has moved; use its new path, and keep its name here with --as",
    401: "invalid token; set MERGECAST_GITLAB_TOKEN to a token with the scope `read_api`",
    403: "merge trains are off, or the token's role is below Developer",
    _NOT_FOUND: "GitLab does not know this project, or the token may not see it",
}


class Missing(Refused):
    """GitLab does not know the project, or a merge request of it."""


async def whole_list(
    api: PatientApi, url: str, filters: Mapping[str, object] = _NO_FILTERS
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    page, read = 1, PagesRead()
    while page:
        read.add(page)
        answer = await one_page(api, url, {**filters, "per_page": PER_PAGE, "page": page})
        found += items_of(answer)
        page = next_page(answer)
    return found


async def one_page(api: PatientApi, url: str, query: Mapping[str, object]) -> Answer:
    answer = await api.get(f"{url}?{urlencode(query)}")
    if answer.status == _NOT_FOUND:
        raise Missing(f"{url}: {_MEANINGS[_NOT_FOUND]}")
    return require_ok(answer, url, _MEANINGS)


def next_page(answer: Answer) -> int:
    """The number of the next page, 0 after the last; a proxy may pass on only the standard header."""
    text = answer.headers.get("x-next-page")
    if text is None:
        return page_number(links(answer.headers).get("next", "")) or 0
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else 0


def items_of(answer: Answer) -> list[dict[str, Any]]:
    if not isinstance(answer.value, list):
        raise PlatformDown("GitLab did not return a list")
    return [item for item in answer.value if isinstance(item, dict)]
