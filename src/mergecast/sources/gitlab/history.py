"""Merge trains from GitLab's API: the cars of today and what notes and pipelines say of earlier ones."""

import re
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from mergecast.model.instant import NotAnInstant, format_instant, parse_instant
from mergecast.model.window import Window
from mergecast.platform.fetch import Fetched, PlatformDown
from mergecast.platform.patient import PatientApi, require_ok
from mergecast.sources.gitlab.history_items import CAR, NOTE, PIPELINE
from mergecast.sources.page import Item, Page

URL = "https://gitlab.com"
_PER_PAGE = 100
_MEANINGS = {
    401: "the token is not accepted; set MERGECAST_GITLAB_TOKEN to a token with the scope `read_api`",
    403: "merge trains are off, or the token has no role of Developer or above",
    404: "GitLab does not know this project, or the token may not see it",
}
_TRAIN_NOTE = re.compile(r"(?:started a|added this merge request to the|removed this .* the) merge train")


class _Position(msgspec.Struct):
    """Where an import stands: the next page of merge requests, newest change first."""

    page: int = 1


async def history(
    api: PatientApi, url: str, project: str, window: Window, cursor: str | None
) -> AsyncIterator[Page]:
    """Every merge request that changed in the window and was on a train, newest change first."""
    position = msgspec.json.decode(cursor, type=_Position) if cursor else _Position()
    root = f"{url}/api/v4/projects/{quote(project, safe='')}"
    cars = await _cars(api, root)
    while True:
        answer = await _get(api, f"{root}/merge_requests", _requests_query(window, position.page))
        requests = _items(answer)
        items = [item for request in requests for item in await _of_request(api, root, request, cars)]
        is_last = not _next_page(answer)
        position = _Position(position.page if is_last else position.page + 1)
        yield Page(tuple(items), msgspec.json.encode(position).decode(), _oldest(requests))
        if is_last:
            return


def _requests_query(window: Window, page: int) -> dict[str, object]:
    return {
        "scope": "all", "state": "all", "order_by": "updated_at", "sort": "desc",
        "updated_after": format_instant(window.start), "updated_before": format_instant(window.end),
        "per_page": _PER_PAGE, "page": page,
    }  # fmt: skip


async def _cars(api: PatientApi, root: str) -> dict[int, list[dict[str, Any]]]:
    """The cars of each merge request: those on a train now, and those that landed."""
    found: dict[int, list[dict[str, Any]]] = {}
    page = 1
    while page:
        answer = await _get(
            api, f"{root}/merge_trains", {"per_page": _PER_PAGE, "page": page, "sort": "desc"}
        )
        for car in _items(answer):
            request = car.get("merge_request")
            if isinstance(request, dict) and isinstance(request.get("iid"), int):
                found.setdefault(request["iid"], []).append(car)
        page = _next_page(answer)
    return found


async def _of_request(
    api: PatientApi, root: str, request: dict[str, Any], cars: dict[int, list[dict[str, Any]]]
) -> list[Item]:
    """Cars, notes and pipelines of one merge request; nothing if it never was on a train."""
    number, base_ref = request.get("iid"), request.get("target_branch")
    if not isinstance(number, int) or not isinstance(base_ref, str):
        return []
    place = f"{root}/merge_requests/{number}"
    notes = [note for note in await _all(api, f"{place}/notes") if _is_of_train(note)]
    own = cars.get(number, [])
    if not notes and not own:
        return []
    pipelines = await _all(api, f"{place}/pipelines")
    common = {"number": number, "target_branch": base_ref}
    return [
        *(Item(f"car-{car.get('id')}-{car.get('updated_at')}", CAR, car) for car in own),
        *(Item(f"note-{note.get('id')}", NOTE, {**note, **common}) for note in notes),
        *(
            Item(f"pipeline-{one.get('id')}-{one.get('updated_at')}", PIPELINE, {**one, **common})
            for one in pipelines
        ),
    ]


def _is_of_train(note: dict[str, Any]) -> bool:
    return note.get("system") is True and _TRAIN_NOTE.match(str(note.get("body"))) is not None


async def _all(api: PatientApi, url: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    page = 1
    while page:
        answer = await _get(api, url, {"per_page": _PER_PAGE, "page": page})
        found += _items(answer)
        page = _next_page(answer)
    return found


async def _get(api: PatientApi, url: str, query: dict[str, object]) -> Fetched:
    address = f"{url}?{urlencode(query)}"
    return require_ok(await api.get(address), url, _MEANINGS)


def _next_page(answer: Fetched) -> int:
    """The number of the following page, 0 after the last."""
    text = answer.headers.get("x-next-page", "")
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else 0


def _items(answer: Fetched) -> list[dict[str, Any]]:
    try:
        items = msgspec.json.decode(answer.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PlatformDown(f"GitLab does not answer in JSON: {error}") from None
    if not isinstance(items, list):
        raise PlatformDown("GitLab does not answer with a list")
    return [item for item in items if isinstance(item, dict)]


def _oldest(requests: list[dict[str, Any]]) -> int | None:
    try:
        return parse_instant(str(requests[-1].get("updated_at"))) if requests else None
    except NotAnInstant:
        return None
