"""Reads merge trains from GitLab's API: current cars, and notes and pipelines of earlier ones."""

import re
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import msgspec

from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.platform.github import links, page_number
from mergecast.incoming.platform.pages_read import MOST_PAGES, PagesRead
from mergecast.incoming.platform.patient import Answer, PatientApi, Refused, require_ok
from mergecast.incoming.platform.several import read_several
from mergecast.incoming.sources.gitlab.observation import (
    ABSENT,
    CAR,
    JOB,
    LANDED,
    NOTE,
    PIPELINE,
    is_train_note,
    is_train_pipeline,
)
from mergecast.incoming.sources.history_reader import HistoryReader, QueueReader
from mergecast.incoming.sources.page import Absence, Item, Page, Part, Place, Queued, read_position
from mergecast.incoming.sources.payload import Payload, instant, is_number, member, text
from mergecast.queues.model.instant import DAY, Window, format_instant

_AT_ONCE = 6  # gitlab.com accepts about 2,000 requests per minute
_JOBS_SPAN = 14 * DAY  # the list of jobs takes another request for each pipeline
_LONGEST_RIDE = DAY  # cars are listed by when they were added, and merge later
PER_PAGE = 100
_NO_FILTERS: Mapping[str, object] = {}
_NOT_FOUND = 404
_MEANINGS = {
    301: "the project has moved; use its new path, and keep its name here with --as",
    401: "invalid token; set MERGECAST_GITLAB_TOKEN to a token with the scope `read_api`",
    403: "merge trains are off, or the token's role is below Developer",
    _NOT_FOUND: "GitLab does not know this project, or the token may not see it",
}
# A person changed the branch, or GitLab did when someone deleted the old one.
_CHANGE = re.compile(
    r"changed target branch from `([^`]+)` to `"
    r"|deleted the `([^`]+)` branch\. This merge request now targets the `"
)
# GitLab writes such a note for every push, also one that replaces commits.
_PUSH = re.compile(r"added [0-9]+ (?:new )?commits?\b", re.IGNORECASE)


class _Position(msgspec.Struct):
    """The position of an import. Pages count the merge requests that changed before `until`.

    A merge request that changes during the import leaves the list, which would shift numbered pages.
    """

    until: int
    page: int = 1


async def history(api: PatientApi, url: str, project: str, part: Part) -> AsyncGenerator[Page]:
    """Every merge request that changed in a part and was on a train, newest change first."""
    window = part.window
    position = read_position(part.position, _Position) or _Position(part.read_until)
    position.until = min(max(position.until, window.start), window.end)
    read = PagesRead(MOST_PAGES)
    root = _root(url, project)
    cars = await _cars(api, root, window.start)
    listed: set[int] = set()
    is_last = False
    while not is_last:
        query = _requests_query(Window(window.start, position.until), position.page)
        answer = await one_page(api, f"{root}/merge_requests", query)
        read.add(msgspec.json.encode(position).decode())
        requests = items_of(answer)
        new = [request for request in requests if request.get("iid") not in listed]
        items = await _of_requests(api, root, new, cars)
        listed |= {request["iid"] for request in new if is_number(request.get("iid"))}
        is_last, until = not next_page(answer), position.until
        position = _Position(window.start) if is_last else _after(position, _oldest(requests))
        others = [car for number, own in cars.items() if number not in listed for car in own]
        items += _changed(others, Window(position.until, until))
        yield Page(tuple(items), msgspec.json.encode(position).decode(), position.until)


def _after(position: _Position, oldest: int | None) -> _Position:
    """The page number increases only if a whole page changed at the same instant."""
    if oldest is None or oldest >= position.until:
        return _Position(position.until, position.page + 1)
    return _Position(oldest)


async def queued(api: PatientApi, url: str, project: str, _: Iterable[str]) -> Queued:
    """The merge requests on the project's trains, with their positions."""
    listed = await whole_list(api, f"{_root(url, project)}/merge_trains", {"scope": "active", "sort": "asc"})
    cars = {place: car for car in sorted(listed, key=_id) if (place := _place(car)) is not None}
    lengths: Counter[str] = Counter()
    for place, car in cars.items():
        lengths[place.base_ref] += 1
        car["position"] = lengths[place.base_ref]
    return Queued(None, frozenset(cars), tuple(map(_car_item, cars.values())))


def _id(car: dict[str, Any]) -> int:
    id = car.get("id")
    return id if is_number(id) else 0


async def read_one_by_one(
    api: PatientApi, url: str, project: str, places: Iterable[Place], window: Window
) -> list[Item]:
    """Notes, pipelines and cars of individual merge requests, which may contain what a list did not."""
    root = _root(url, project)
    cars = await _cars(api, root, window.start)
    requests = [{"iid": place.number, "target_branch": place.base_ref} for place in places]
    return await _of_requests(api, root, requests, cars)


def absent_item(absence: Absence) -> Item:
    at = format_instant(absence.at)
    seen = None if absence.last_seen_at is None else format_instant(absence.last_seen_at)
    number, branch = absence.place.number, absence.place.base_ref
    body = {"number": number, "target_branch": branch, "at": at, "last_seen_at": seen}
    return Item(f"absent-{number}-{at}", ABSENT, body)


def _headers(token: str) -> dict[str, str]:
    return {"PRIVATE-TOKEN": token}


def _root(url: str, project: str) -> str:
    return f"{url.removesuffix('/api/v4')}/api/v4/projects/{quote(project, safe='')}"


def _requests_query(window: Window, page: int) -> dict[str, object]:
    return {
        "scope": "all", "state": "all", "order_by": "updated_at", "sort": "desc",
        "updated_after": format_instant(window.start), "updated_before": format_instant(window.end),
        "per_page": PER_PAGE, "page": page,
    }  # fmt: skip


async def _cars(api: PatientApi, root: str, since: int) -> dict[int, list[dict[str, Any]]]:
    """The cars of each merge request, newest first: those on a train now, and those merged since."""
    found: dict[int, list[dict[str, Any]]] = {}
    page, read = 1, PagesRead(MOST_PAGES)
    while page:
        read.add(page)
        query = {"per_page": PER_PAGE, "page": page, "sort": "desc"}
        answer = await one_page(api, f"{root}/merge_trains", query)
        cars = items_of(answer)
        for car in cars:
            place = _place(car)
            if place is not None:
                found.setdefault(place.number, []).append(car)
        is_old = all((instant(car, "updated_at") or 0) < since - _LONGEST_RIDE for car in cars)
        page = 0 if is_old else next_page(answer)
    return found


def _place(car: dict[str, Any]) -> Place | None:
    number, branch = member(car, "merge_request").get("iid"), text(car, "target_branch")
    return Place(branch, number) if branch is not None and is_number(number) else None


async def _of_requests(
    api: PatientApi, root: str, requests: Iterable[dict[str, Any]], cars: dict[int, list[dict[str, Any]]]
) -> list[Item]:
    """What GitLab lists about each merge request; an import spends most of its time waiting for this."""
    return await read_several(lambda request: _of_request(api, root, request, cars), requests, _AT_ONCE)


async def _of_request(
    api: PatientApi, root: str, request: dict[str, Any], cars: dict[int, list[dict[str, Any]]]
) -> list[Item]:
    """Cars, notes and pipelines of one merge request; nothing if it was never on a train, or was deleted."""
    number, base_ref = request.get("iid"), text(request, "target_branch")
    if not is_number(number) or base_ref is None:
        return []
    place = f"{root}/merge_requests/{number}"
    try:
        all_notes = await whole_list(api, f"{place}/notes")
    except Missing:
        return []
    notes = [note for note in all_notes if is_train_note(note)]
    own = cars.get(number, [])
    if not notes and not own:
        return []
    pipelines = await whole_list(api, f"{place}/pipelines")
    jobs = [job for pipeline in pipelines for job in await _jobs(api, root, pipeline)]
    changes, author = target_changes(all_notes), member(request, "author")
    head = _Head(text(request, "sha"), all_notes)
    return [
        *(_car_item(head.of_car({**car, "author": author} if author else car)) for car in own),
        *(_note_item(head.of_note(note), number, target_at(note, changes, base_ref)) for note in notes),
        *(
            Item(f"pipeline-{pipeline.get('id')}-{pipeline.get('updated_at')}", PIPELINE, pipeline)
            for pipeline in pipelines
        ),
        *jobs,
        *_landed(request, own),
    ]


def _landed(request: Payload, cars: Iterable[Payload]) -> Iterator[Item]:
    """That the merge request has merged, if it did so before the cars that were read."""
    merged_at = text(request, "merged_at")
    if merged_at is not None and all(text(car, "merged_at") is None for car in cars):
        number, branch = request.get("iid"), request.get("target_branch")
        body = {"number": number, "target_branch": branch, "merged_at": merged_at}
        yield Item(f"merged-{number}-{merged_at}", LANDED, body)


class _Head:
    """The last commit of a merge request, and since when it is: GitLab does not say what was before."""

    def __init__(self, sha: str | None, notes: Iterable[Payload]) -> None:
        pushes = [
            instant(note, "created_at") or 0
            for note in notes
            if note.get("system") is True and _PUSH.match(text(note, "body") or "")
        ]
        self._sha, self._since = sha, max(pushes, default=0)

    def of_car(self, car: dict[str, Any]) -> dict[str, Any]:
        """The car with the commits when it was added to the train and when it merged."""
        return {
            **car,
            "head_sha": self._at(instant(car, "created_at")),
            "merged_head_sha": self._at(instant(car, "merged_at")),
        }

    def of_note(self, note: dict[str, Any]) -> dict[str, Any]:
        return {**note, "head_sha": self._at(instant(note, "created_at"))}

    def _at(self, at: int | None) -> str | None:
        return self._sha if at is not None and at >= self._since else None


async def _jobs(api: PatientApi, root: str, pipeline: dict[str, Any]) -> list[Item]:
    """The jobs of a recent pipeline of a train, with those that were run again; they may be deleted."""
    id, changed_at = pipeline.get("id"), instant(pipeline, "updated_at")
    is_recent = changed_at is not None and changed_at >= api.now() - _JOBS_SPAN
    if not is_number(id) or not is_recent or not is_train_pipeline(pipeline):
        return []
    try:
        jobs = await whole_list(api, f"{root}/pipelines/{id}/jobs", {"include_retried": "true"})
    except Missing:
        return []
    group = {"pipeline": {"id": id, "ref": pipeline.get("ref")}}
    return [Item(f"job-{job.get('id')}-{job.get('status')}", JOB, {**job, **group}) for job in jobs]


def _changed(cars: Iterable[dict[str, Any]], window: Window) -> list[Item]:
    """The cars that changed in a window.

    If their merge requests have changed later, they were read with a later part, when the list of cars was
    not read so far back.
    """
    return [_car_item(car) for car in cars if window.start <= (instant(car, "updated_at") or 0) < window.end]


def _note_item(note: dict[str, Any], number: int, target_branch: str) -> Item:
    return Item(f"note-{note.get('id')}", NOTE, {**note, "number": number, "target_branch": target_branch})


def _car_item(car: dict[str, Any]) -> Item:
    return Item(f"car-{car.get('id')}-{car.get('updated_at')}", CAR, car)


def _oldest(requests: list[dict[str, Any]]) -> int | None:
    return instant(requests[-1], "updated_at") if requests else None


HISTORY = HistoryReader(
    pages=history, headers=_headers, queue=QueueReader(queued, read_one_by_one, absent_item)
)


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
        raise Missing(f"{url}: {_MEANINGS[_NOT_FOUND]}", _NOT_FOUND)
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


class TargetChange(NamedTuple):
    at: int
    id: int  # of the note
    before: str


def target_changes(notes: Iterable[Payload]) -> list[TargetChange]:
    """Every change of the target branch, oldest first."""
    found = []
    for note in notes:
        changed = _CHANGE.match(text(note, "body") or "") if note.get("system") is True else None
        at, id = instant(note, "created_at"), note.get("id")
        if changed is not None and at is not None and is_number(id):
            found.append(TargetChange(at, id, changed[1] or changed[2]))
    return sorted(found)


def target_at(note: Payload, changes: Iterable[TargetChange], current: str) -> str:
    """The target branch when a note was written: the one before the next change."""
    written = (instant(note, "created_at") or 0, note.get("id") or 0)
    return next((change.before for change in changes if (change.at, change.id) > written), current)
