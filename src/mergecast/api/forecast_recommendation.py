"""`GET …/forecast/recommendation`: better settings for a branch, computed in the background once a day."""

from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.forecast_fields import FORECAST_SEARCH
from mergecast.api.forecast_request import ForecastDocuments
from mergecast.api.openapi.operation import (
    DATE_TIME,
    INTEGER,
    STRING,
    Operation,
    json_content,
    list_of,
    object_of,
    or_null,
)
from mergecast.api.parameters import QUERY, read_input
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route, admission_of
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.judge.messages import Baseline
from mergecast.prediction.history import settings_in_force
from mergecast.prediction.recommendations import Progress, Task
from mergecast.queues.model.instant import DAY, Window, format_instant, format_optional
from mergecast.queues.model.queue_settings import SettingsInForce
from mergecast.queues.stats.busiest_branch import busiest_branch
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.recommendations import read_recommendation
from mergecast.queues.store.rows import RecommendationRow
from mergecast.queues.store.values import KnownRepository

_NOTHING = "No pull request has entered a queue yet."
_MOST_NAMED = 20
_FORM = "4 "  # of stored answers; another one whenever their fields change
_MOST_LISTED = 1000


class RecommendationHandlers:
    def __init__(self, services: Services) -> None:
        self._services, self._documents = services, ForecastDocuments(services)

    async def show(self, request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(request, segments, ("branch", "stored"))
        known = await self._services.known(given.repository)
        asked = given.values.get("branch")
        found = await self._services.query(request, known.id, lambda reader: _find(reader, known, asked))
        if found.branch is None:
            return _answer(found, Progress("too_little_history", _NOTHING))
        is_reading = given.values.get("stored", False)
        if is_reading and found.stored is None:
            return _answer(found, Progress("not_computed"))
        # Who asks again while it is computed makes no further request to the platform.
        if under_way := self._services.recommendations.under_way((known.id, found.branch)):
            progress, version = under_way
            return _answer(found.about(version), progress)
        baseline = await self._documents.baseline(request, given.repository, None)
        version = _version(baseline, found.in_force)
        if not baseline.remarks:  # otherwise the platform does not tell today's settings
            found = found.about(version)
        stored = found.stored
        if stored is not None and stored.computed_at // DAY == self._services.now() // DAY:
            return _answer(found, Progress("known"))
        if is_reading:
            return _answer(found, Progress("not_computed"))
        task = Task(admission_of(request).caller.identity, known, found.branch or "", baseline, version)
        return _answer(found, self._services.recommendations.begin(task))


class _Found(NamedTuple):
    """The branch of the request, or else the busiest one, and what is stored about it."""

    branch: str | None  # None if there is none
    branches: list[str]
    newest: int | None  # when the last event of the repository happened
    stored: RecommendationRow | None = None
    in_force: SettingsInForce | None = None  # what the platform says about the queue of the branch

    def about(self, version: str) -> "_Found":
        """Without what is about other settings."""
        is_other = self.stored is not None and self.stored.settings_version != version
        return self._replace(stored=None) if is_other else self


def _find(reader: Reader, known: KnownRepository, asked: str | None) -> _Found:
    branches = sorted({group.base_ref for group in reader.groups(known.id).values()})
    if asked is not None and asked not in branches:
        shown = ", ".join(branches[:_MOST_NAMED]) or "none"
        more = f" and {len(branches) - _MOST_NAMED} more" if len(branches) > _MOST_NAMED else ""
        message = f"no queue of this branch is known; the branches with queues are: {shown}{more}"
        raise InvalidInput([FieldError("query", "branch", message)])
    if not branches or known.last_at is None:
        return _Found(None, [], None)
    if asked is None:
        busiest = busiest_branch(reader, known.id, Window(known.last_at - 60 * DAY, known.last_at + 1))
        asked = branches[0] if busiest is None else busiest.base_ref
    stored = read_recommendation(reader, known.id, asked)
    if stored is not None and not stored.settings_version.startswith(_FORM):
        stored = None  # its figures have other names; it is computed again
    in_force = settings_in_force(reader, known.id, asked)
    return _Found(asked, branches[:_MOST_LISTED], known.last_at, stored, in_force)


def _version(baseline: Baseline, in_force: SettingsInForce | None) -> str:
    """Changes with the current document; without one, with what the platform says about the queue."""
    if baseline.current is None and in_force is None:
        return f"{_FORM}history"
    if baseline.current is None:
        told = msgspec.json.encode(in_force and in_force.values, order="deterministic")
        return _FORM + sha256(told).hexdigest()
    documents = [baseline.current.config_yml, sorted(baseline.current.remotes.items())]
    return _FORM + sha256(msgspec.json.encode(documents)).hexdigest()


def _answer(found: _Found, progress: Progress) -> Response:
    stored = found.stored
    return json_response({
        "base_ref": found.branch,
        "base_refs": found.branches,
        "newest_event_at": format_optional(found.newest),
        "state": progress.state,
        "detail": progress.detail,
        "progress": progress.combinations,
        "line": None if progress.place is None else progress.place._asdict(),
        "computed_at": None if stored is None else format_instant(stored.computed_at),
        "search": None if stored is None else msgspec.Raw(stored.document.encode()),
    })  # fmt: skip


_STATES = {
    "known": "`search` was computed today",
    "pending": "it is being computed, or will be; ask again in a few seconds",
    "too_little_history": "`detail` says what is there",
    "failed": "`detail` says why; it is tried again later",
    "not_computed": "only with `stored`: nothing was computed today; `search` may be of an earlier day",
}
_ANSWER = object_of(
    {
        "base_ref": or_null(STRING),
        "base_refs": {**list_of(STRING), "description": "All branches with queues, at most 1,000"},
        "newest_event_at": or_null(DATE_TIME),
        "state": {
            "enum": list(_STATES),
            "description": "; ".join(f"`{state}`: {meaning}" for state, meaning in _STATES.items()),
        },
        "detail": or_null(STRING),
        "progress": {
            **or_null(object_of({"done": INTEGER, "total": INTEGER})),
            "description": "How many combinations were replayed; null if this server does not compute it",
        },
        "line": {
            **or_null(object_of({"position": INTEGER, "under_way": INTEGER})),
            "description": "While it is `pending`: its position in this server's line of recommendations "
            "(1 is next, 0 is being computed), and how many others are being computed; callers take turns",
        },
        "computed_at": or_null(DATE_TIME),
        "search": {
            **or_null(FORECAST_SEARCH),
            "description": "The last one with today's settings, perhaps of an earlier day",
        },
    }
)


def recommendation_route(services: Services) -> Route:
    operation = Operation(
        "Forecast",
        "Which settings are better than today's",
        json_content(_ANSWER),
        (QUERY["branch"], QUERY["stored"]),
    )
    path = f"{REPOSITORY_PATH}/forecast/recommendation"
    return Route("GET", path, Right.READ, RecommendationHandlers(services).show, operation)
