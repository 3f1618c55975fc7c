"""`POST …/forecast`, `…/search` and `…/capacity` below it: the recorded weeks under other settings."""

from collections.abc import Mapping
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.forecast_fields import CAPACITY_CONTENT, FORECAST_CONTENT, SEARCH_CONTENT
from mergecast.api.forecast_fields import FORECAST as FORECAST_SCHEMA
from mergecast.api.forecast_fields import FORECAST_CAPACITY as CAPACITY_SCHEMA
from mergecast.api.forecast_fields import FORECAST_SEARCH as SEARCH_SCHEMA
from mergecast.api.forecast_request import (
    CAPACITY_BODY,
    SEARCH_BODY,
    ForecastDocuments,
    read_forecast,
    read_search,
)
from mergecast.api.openapi.operation import Operation, json_content
from mergecast.api.parameters import read_input
from mergecast.api.replays import LINES, Replays
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.judge.messages import CAPACITY, FORECAST, SEARCH, ForecastQuestion, SearchQuestion
from mergecast.prediction.history import PAST, head_of, recorded_window

_SHORTER = "choose a shorter period, or fewer combinations"
_BODIES = {SEARCH: SEARCH_BODY, CAPACITY: CAPACITY_BODY}


class ForecastHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._documents = ForecastDocuments(services)
        self._replays = Replays(services, _SHORTER)

    async def forecast(self, request: Request, segments: Mapping[str, str]) -> Response:
        repository = read_input(request, segments).repository
        asked = await read_forecast(self._services.buffers, request, self._services.now())
        known = await self._services.known(repository)
        recorded = await recorded_window(partial(self._services.query, request), known, asked.replay, PAST)
        candidate = await self._documents.complete(request, repository, asked.candidate, "/candidate")
        baseline = await self._documents.baseline(request, repository, asked.baseline)
        question = ForecastQuestion(recorded, candidate, baseline, asked.replay.seed)
        return await self._replays.answer(request, head_of(known, asked.replay), FORECAST, question)

    async def search(self, request: Request, segments: Mapping[str, str]) -> Response:
        return await self._in_steps(request, segments, SEARCH, PAST)

    async def capacity(self, request: Request, segments: Mapping[str, str]) -> Response:
        return await self._in_steps(request, segments, CAPACITY, 0)

    async def _in_steps(
        self, request: Request, segments: Mapping[str, str], task: str, past: int
    ) -> Response:
        repository = read_input(request, segments).repository
        asked = await read_search(_BODIES[task], self._services.buffers, request, self._services.now())
        known = await self._services.known(repository)
        recorded = await recorded_window(partial(self._services.query, request), known, asked.replay, past)
        baseline = await self._documents.baseline(request, repository, asked.baseline)
        question = SearchQuestion(recorded, asked.vary, asked.limit, baseline, asked.replay.seed)
        return await self._replays.answer(request, head_of(known, asked.replay), task, question)


def forecast_routes(services: Services) -> list[Route]:
    handlers, path = ForecastHandlers(services), f"{REPOSITORY_PATH}/forecast"
    forecast = Operation(
        "Forecast",
        "Forecast a queue under other settings, from its recorded weeks",
        json_content(FORECAST_SCHEMA) | LINES,
        body=FORECAST_CONTENT,
    )
    search = Operation(
        "Forecast",
        "Forecast every combination of some settings",
        json_content(SEARCH_SCHEMA) | LINES,
        body=SEARCH_CONTENT,
    )
    capacity = Operation(
        "Forecast",
        "Find how many pull requests a day a queue can take",
        json_content(CAPACITY_SCHEMA) | LINES,
        body=CAPACITY_CONTENT,
    )
    return [
        Route("POST", path, Right.READ, handlers.forecast, forecast, is_costly=True),
        Route("POST", f"{path}/search", Right.READ, handlers.search, search, is_costly=True),
        Route("POST", f"{path}/capacity", Right.READ, handlers.capacity, capacity, is_costly=True),
    ]
