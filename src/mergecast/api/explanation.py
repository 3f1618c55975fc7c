"""`POST …/explanation`: why figures differ between two periods."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.forecast_fields import with_head
from mergecast.api.openapi.operation import Operation, components_of, json_body, json_content
from mergecast.api.parameters import LONGEST_VALUE, read_input
from mergecast.api.problems import HttpError
from mergecast.api.replays import LINES, Replays
from mergecast.api.request_body import RequestBody
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.forecasting.explanation.answer import (
    CauseFound,
    Explained,
    ExplanationHead,
    FigureExplained,
    MeanExplained,
    Part,
)
from mergecast.forecasting.forecast.answer import Number
from mergecast.inputs.field import Field, InvalidValue, Schema, object_schema, read_fields
from mergecast.inputs.json_object import decode_json, read_object, unknown_fields
from mergecast.inputs.kinds import instant, text
from mergecast.judge.messages import EXPLANATION
from mergecast.prediction.explanation import explanation_question, head_of
from mergecast.queues.model.instant import DAY, HOUR, Window
from mergecast.queues.stats.busiest_branch import busiest_branch
from mergecast.queues.store.values import KnownRepository

USUAL_DAYS: Final = 28
_LONGEST_DAYS: Final = 184  # two of them are as long as the longest period of a forecast
_SAME: Final = 2 * HOUR  # clocks are set to summer time and back
_BODY: Final = RequestBody(16 << 10, may_be_gzip=False)
_SHORTER: Final = "choose shorter periods"


def _period(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidValue("must be an object with start_at and end_at, or null")
    return value


_INSTANTS: Final = {"start_at": instant(), "end_at": instant()}
_PERIOD: Final = Field(_period, object_schema(_INSTANTS)).or_null()
_FIELDS: Final = {
    "base_ref": text(LONGEST_VALUE)
    .or_null()
    .described("The branch whose queues to explain; by default the one that merged most"),
    "before": _PERIOD.described("The earlier period, as long as `after`; what is before that by default"),
    "after": _PERIOD.described(f"The last {USUAL_DAYS} days by default"),
}


class _Asked(NamedTuple):
    base_ref: str | None
    before: Window
    after: Window


def _read(body: bytes, now: int) -> _Asked:
    """The branch and both periods, or every error at once."""
    content = decode_json(body, dict[str, Any], "the body must be a JSON object, such as {}")
    values, errors = read_object(_FIELDS, content, "this body")
    windows = {name: _window(values.get(name), name, errors) for name in ("before", "after")}
    if errors:
        raise InvalidInput(errors)
    after = windows["after"] or Window(now - USUAL_DAYS * DAY, now)
    before = windows["before"] or Window(2 * after.start - after.end, after.start)
    if wrong := _wrong(before, after, now):
        raise InvalidInput([FieldError("body", *wrong)])
    return _Asked(values["base_ref"], before, after)


def _window(value: dict[str, Any] | None, name: str, errors: list[FieldError]) -> Window | None:
    if value is None:
        return None
    found, more = read_fields(_INSTANTS, value, f"/{name}")
    errors += [*more, *unknown_fields(value, _INSTANTS, name, f"/{name}")]
    return None if more else Window(found["start_at"], found["end_at"])


def _wrong(before: Window, after: Window, now: int) -> tuple[str, str] | None:
    """Which field is wrong, and what would be right."""
    for name, window in (("after", after), ("before", before)):
        if window.end <= window.start:
            return f"/{name}/end_at", f"must be after start_at, and by at most {_LONGEST_DAYS} days"
        if window.end - window.start > _LONGEST_DAYS * DAY:
            return f"/{name}", f"must have at most {_LONGEST_DAYS} days"
    if after.end > now:
        return "/after/end_at", "must not be in the future"
    if before.end > after.start:
        return "/after/start_at", "must not be earlier than the end of `before`: the two periods overlap"
    lengths = [window.end - window.start for window in (before, after)]
    if abs(lengths[0] - lengths[1]) > _SAME:
        days = " and ".join(f"{length / DAY:.3g}" for length in lengths)
        return "/before", f"must be as long as `after`; they have {days} days"
    return None


class ExplanationHandlers(Handlers):
    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._replays = Replays(services, _SHORTER)

    async def explain(self, request: Request, segments: Mapping[str, str]) -> Response:
        repository = read_input(request, segments).repository
        _BODY.check_head(request)
        async with _BODY.read(self._services.buffers, request) as body:
            asked = _read(body, self._services.now())
        known = await self._services.known(repository)
        base_ref = asked.base_ref or await self._busiest(request, known, asked)
        query = partial(self._services.query, request)
        question = await explanation_question(query, known, base_ref, asked.before, asked.after)
        head = head_of(known, base_ref, asked.before, asked.after)
        return await self._replays.answer(request, head, EXPLANATION, question)

    async def _busiest(self, request: Request, known: KnownRepository, asked: _Asked) -> str:
        for window in (asked.after, asked.before):
            found = await self._services.query(
                request, known.id, partial(busiest_branch, repository_id=known.id, window=window)
            )
            if found is not None:
                return found.base_ref
        raise HttpError(422, "Nothing was merged in either period.")


_NAMES: Final = {
    "ExplanationPart": Part[Number],
    "FigureExplained": FigureExplained[Number],
    "MeanExplained": MeanExplained[Number],
    "CauseFound": CauseFound[Number],
    "Explanation": Explained[Number],
}
_SCHEMAS: Final = components_of(_NAMES)


EXPLANATION_SCHEMAS: Final[dict[str, Schema]] = {
    **_SCHEMAS,
    "Explanation": with_head(ExplanationHead, _SCHEMAS["Explanation"]),
    "ExplanationRequest": object_schema(_FIELDS),
}
_EXAMPLE: Final[dict[str, object]] = {
    "base_ref": "main",
    "before": {"start_at": "2026-01-05T00:00:00Z", "end_at": "2026-02-02T00:00:00Z"},
    "after": {"start_at": "2026-02-02T00:00:00Z", "end_at": "2026-03-02T00:00:00Z"},
}


def explanation_route(services: Services) -> Route:
    operation = Operation(
        "Forecast",
        "Why figures differ between two periods",
        json_content({"$ref": "#/components/schemas/Explanation"}) | LINES,
        body=json_body({"$ref": "#/components/schemas/ExplanationRequest"}, _EXAMPLE),
    )
    handlers = ExplanationHandlers(services)
    path = f"{REPOSITORY_PATH}/explanation"
    return Route("POST", path, Right.READ, handlers.explain, operation, is_costly=True)
