"""`POST …/thresholds/preview`: which alerts a threshold would have raised in the last 8 weeks."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.fair_shares import while_connected
from mergecast.api.openapi.operation import Operation, json_body
from mergecast.api.parameters import FIGURE, LONGEST_VALUE, read_input
from mergecast.api.problems import HttpError
from mergecast.api.reference_periods import LIMIT
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route, admission_of
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.inputs.field import Field, object_schema
from mergecast.inputs.json_object import decode_json, read_object
from mergecast.inputs.kinds import instant, text
from mergecast.queues.answers.alerts import PreviewedAlert, ThresholdPreview
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.instant import HOUR, Window, format_instant, format_optional
from mergecast.queues.model.reference_period import COMPARED, Limits
from mergecast.queues.model.threshold import LEARNED, REFERENCE, SET, SetThreshold
from mergecast.queues.store.alerts import alerts_between
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository
from mergecast.sandbox.errors import LimitReached
from mergecast.signals.alerts.measuring import read_histories
from mergecast.signals.alerts.pinning import WantedPeriod, check_period, known_groups, measured_period
from mergecast.signals.alerts.recent_hours import read_recent_hours
from mergecast.signals.thresholds.judged import JUDGED, NO_RUN_STARTED, OF_NOW
from mergecast.signals.thresholds.preview import (
    PREVIEWED,
    HoursAsked,
    LevelAsked,
    Previewed,
    ReferenceAsked,
    of_figure,
    preview_sentence,
)
from mergecast.signals.thresholds.queue_history import LEARNED_FROM, QueueHistory, QueueName
from mergecast.signals.thresholds.reference_comparison import window_start
from mergecast.signals.thresholds.set_course import hours_needed_since
from mergecast.signals.thresholds.written_value import NotAValue, read_value

_BODY = RequestBody(16 << 10, may_be_gzip=False)
_REFERENCE = "/reference"
T = TypeVar("T")


class Reference(NamedTuple):
    window: Window
    limit: float


class Wanted(NamedTuple):
    """The threshold that a body describes; neither value nor reference means the learned one."""

    figure: str
    queue: QueueName
    value: float | None
    reference: Reference | None

    @property
    def origin(self) -> str:
        return REFERENCE if self.reference else LEARNED if self.value is None else SET


class PreviewHandlers(Handlers):
    async def preview(self, request: Request, segments: Mapping[str, str]) -> Response:
        _BODY.check_head(request)
        repository = read_input(request, segments).repository
        async with _BODY.read(self._services.buffers, request) as body:
            wanted = _read_body(body)
        known, now = await self._services.known(repository), self._services.now()
        if wanted.reference is not None:
            _with_pointers(partial(check_period, wanted.reference.window, now))
        window = _window(wanted, known, now)
        await self._services.query(request, known.id, partial(_check_queue, id=known.id, queue=wanted.queue))
        if wanted.origin == LEARNED:
            work = partial(_raised, id=known.id, wanted=wanted, window=window)
            previewed = Previewed(await self._services.query(request, known.id, work), can_judge=True)
        else:
            previewed = await while_connected(request, self._found(request, known, wanted, window))
        return json_response(_answer(previewed, wanted, window))

    async def _found(
        self, request: Request, known: KnownRepository, wanted: Wanted, window: Window
    ) -> Previewed:
        caller = admission_of(request).caller.identity
        question = partial(_question, id=known.id, wanted=wanted, window=window)
        try:
            return await self._services.previews.find(caller, known, (wanted, window), question)
        except LimitReached as reached:
            raise HttpError(422, str(reached)) from None


def _window(wanted: Wanted, known: KnownRepository, now: int) -> Window:
    """The weeks that are judged, up to the last whole hour.

    A figure is compared only with what was before.
    """
    end = now // HOUR * HOUR
    earliest = known.first_at if known.first_at is not None else end
    begin = max(end - PREVIEWED, earliest, known.kept_since or earliest)
    if wanted.reference is not None:
        begin = max(begin, wanted.reference.window.end)
    return Window(min(-(-begin // HOUR) * HOUR, end), end)


def _check_queue(reader: Reader, id: int, queue: QueueName) -> None:
    known_groups(reader, id, *queue)


def _raised(reader: Reader, id: int, wanted: Wanted, window: Window) -> list[Alert]:
    """What was raised: the weeks that a threshold was learned from prove nothing."""
    stored = alerts_between(reader, id, window)
    found = of_figure(stored, wanted.figure, wanted.queue)
    return [alert for alert in found if alert.origin == LEARNED]


def _question(reader: Reader, id: int, wanted: Wanted, window: Window) -> bytes:
    """What a process needs to judge the weeks, as JSON."""
    figure, queue = wanted.figure, wanted.queue
    if wanted.reference is not None:
        return msgspec.json.encode(_reference_asked(reader, id, wanted, window))
    value = wanted.value or 0.0
    if figure in OF_NOW:
        histories = read_histories(reader, id, window.start - LEARNED_FROM, window.end)
        if figure == NO_RUN_STARTED:
            asked = {one.queue_name: own for one, own in histories.items() if one.base_ref == queue.base_ref}
        else:
            asked = {queue.queue_name: histories.get(queue, QueueHistory())}
        return msgspec.json.encode(LevelAsked(queue, window, figure, value, asked))
    needed = Window(hours_needed_since(window.start), window.end)
    hours = read_recent_hours(reader, id, queue, needed, [figure]).of(figure)
    return msgspec.json.encode(HoursAsked(queue, window, SetThreshold(figure, value), list(hours)))


def _reference_asked(reader: Reader, id: int, wanted: Wanted, window: Window) -> ReferenceAsked:
    assert wanted.reference is not None  # noqa: S101
    limits = Limits()._replace(**{wanted.figure: wanted.reference.limit})
    asked = WantedPeriod("the period", *wanted.queue, wanted.reference.window, limits)
    period, pinned, _ = _with_pointers(partial(measured_period, reader, id, asked, window.end))
    needed = Window(window_start(window.start), window.end)
    hours = read_recent_hours(reader, id, wanted.queue, needed, [wanted.figure]).merged
    return ReferenceAsked(window, wanted.figure, period, list(pinned), list(hours))


def _with_pointers(check: Callable[[], T]) -> T:
    """The instants of a period are in an object of the body; errors in them point there."""
    try:
        return check()
    except InvalidInput as refused:
        errors = [replace(one, name=f"{_REFERENCE}{one.name}") for one in refused.errors]
        raise InvalidInput(errors) from None


def _read_body(body: bytes) -> Wanted:
    """The threshold, or every error at once."""
    content = decode_json(body, dict[str, Any], "the body must be a JSON object with the field figure")
    values, errors = read_object(_FIELDS, content, "this body")
    if "figure" in values:
        errors += _kind_errors(values["figure"], content)
    value = reference = None
    if not errors and content.get("reference") is not None:
        reference, errors = _read_reference(values["figure"], content["reference"])
    elif not errors and content["value"] is not None:
        value, errors = _read_value(values["figure"], content["value"])
    if errors:
        raise InvalidInput(errors)
    return Wanted(values["figure"], QueueName(values["base_ref"], values["queue_name"]), value, reference)


def _kind_errors(figure: str, content: Mapping[str, Any]) -> list[FieldError]:
    """Whether the body says what kind of threshold it means, and the figure can have one."""
    origins = JUDGED[figure].origins
    if content.get("reference") is not None:
        if REFERENCE not in origins:
            message = f"{figure} is not compared with reference periods; these are: {', '.join(COMPARED)}"
            return [FieldError("body", _REFERENCE, message)]
        if content.get("value") is not None:
            return [FieldError("body", _REFERENCE, "cannot be combined with a value")]
    elif "value" not in content:
        return [FieldError("body", "/value", f"is missing; {_KINDS}")]
    elif content["value"] is None and LEARNED not in origins:
        return [FieldError("body", "/value", f"no threshold of {figure} is learned; {_KINDS}")]
    return []


def _read_value(figure: str, given: object) -> tuple[float | None, list[FieldError]]:
    try:
        return read_value(figure, given), []
    except NotAValue as refused:
        return None, [FieldError("body", "/value", str(refused))]


def _read_reference(figure: str, given: object) -> tuple[Reference | None, list[FieldError]]:
    if not isinstance(given, dict):
        return None, [FieldError("body", _REFERENCE, "must be an object with start_at, end_at and limit")]
    values, errors = read_object(_REFERENCE_FIELDS, given, "a reference period", _REFERENCE)
    if errors:
        return None, errors
    usual: float = getattr(Limits(), figure)
    return Reference(Window(values["start_at"], values["end_at"]), values["limit"] or usual), []


def _answer(previewed: Previewed, wanted: Wanted, window: Window) -> ThresholdPreview:
    sentence = preview_sentence(previewed, window, is_learned=wanted.origin == LEARNED)
    alerts = tuple(map(_shown, previewed.alerts))
    start, end = map(format_instant, window)
    threshold = next((alert.threshold for alert in reversed(alerts)), wanted.value)
    return ThresholdPreview(start, end, wanted.origin, threshold, alerts, sentence)


def _shown(alert: Alert) -> PreviewedAlert:
    since, found_at = map(format_instant, (alert.since, alert.found_at))
    ended_at = format_optional(alert.ended_at)
    return PreviewedAlert(since, found_at, ended_at, alert.value, alert.threshold, alert.sentence)


def _any(value: Any) -> Any:
    return value


_KINDS = "give a number or a text such as `45m` or `5%`, null for a learned one, or a reference period"
_NAME = text(LONGEST_VALUE)
_REFERENCE_FIELDS = {"start_at": instant(), "end_at": instant(), "limit": LIMIT.or_null()}
_FIELDS = {
    "figure": FIGURE,
    "base_ref": _NAME,
    "queue_name": _NAME,
    "value": Field(_any, {"type": ["number", "string", "null"]}, is_required=False).described(
        "In the unit of the figure, or a text such as `45m`, `1h30m` or `5%`; null: what was learned"
    ),
    "reference": Field(_any, object_schema(_REFERENCE_FIELDS))
    .or_null()
    .described("In place of a value: the figure may be at most `limit` times what it was in this period"),
}
_EXAMPLE: dict[str, object] = {
    "figure": "no_run_started",
    "base_ref": "main",
    "queue_name": "default",
    "value": "45m",
}


def threshold_preview_route(services: Services) -> Route:
    operation = Operation(
        "Alerts",
        "Which alerts a threshold would have raised in the last 8 weeks; nothing is set",
        ThresholdPreview,
        body=json_body(object_schema(_FIELDS), _EXAMPLE),
    )
    handlers, path = PreviewHandlers(services), f"{REPOSITORY_PATH}/thresholds/preview"
    return Route("POST", path, Right.READ, handlers.preview, operation)
