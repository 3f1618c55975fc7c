"""Baselines: pin, list, show, delete; and the alerts against them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast import answers
from mergecast.access.rights import Right
from mergecast.api.openapi.operation import DELETED, Operation, json_body, json_content, schema_of
from mergecast.api.parameters import BASELINE_NAME, LONGEST_VALUE, QUERY, Input, read_input
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput, NotFound
from mergecast.inputs.field import Field, InvalidValue, object_schema, read_fields
from mergecast.inputs.json_object import decode_json, unknown_fields
from mergecast.inputs.kinds import instant, number, text
from mergecast.queues.model.baseline import (
    MEASURES,
    MOST_BASELINES,
    Alert,
    Baseline,
    Finds,
    Limits,
    QueueHour,
)
from mergecast.queues.model.instant import DAY, format_instant, format_optional, next_whole_second
from mergecast.queues.model.window import Window
from mergecast.queues.store.baselines import (
    KEEP,
    StoredBaseline,
    delete_baseline,
    put_baseline,
    read_alerts,
    read_baselines,
    read_current_alerts,
)
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.detection.alert_sentence import sentence
from mergecast.signals.detection.baseline_comparison import Comparison, Ratio
from mergecast.signals.detection.baseline_finds import finds_sentence
from mergecast.signals.watch.pinning import WantedBaseline, check_period, pin

_BODY = RequestBody(16 << 10, may_be_gzip=False)
_LOWEST, _HIGHEST = 1.05, 100.0
_PERIOD = ("start_at", "end_at")


_LIMIT = number(
    _LOWEST,
    _HIGHEST,
    f"must be a number from {_LOWEST} to {_HIGHEST:g}: 1.5 allows 50 % more than in the baseline",
)
_LIMITS = {name: _LIMIT.by_default(value) for name, value in Limits()._asdict().items()}


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidValue('must be an object such as {"time_to_merge_p95": 1.5}')
    return value


_FIELDS = {
    "start_at": instant(),
    "end_at": instant(),
    "base_ref": text(LONGEST_VALUE),
    "queue_name": text(LONGEST_VALUE),
    "limits": Field(_object, object_schema(_LIMITS)).by_default({}),
}


def _read_body(body: bytes) -> tuple[dict[str, Any], Limits]:
    """The fields of a baseline and its limits, or every error at once."""
    content = decode_json(body, dict[str, Any], "the body must be a JSON object with the field start_at")
    values, errors = read_fields(_FIELDS, content)
    errors += unknown_fields(content, _FIELDS, "this body")
    given = values.get("limits") or {}
    limits, more = read_fields(_LIMITS, given, "/limits")
    errors += [*more, *unknown_fields(given, _LIMITS, "limits", "/limits")]
    if errors:
        raise InvalidInput(errors)
    return values, Limits(**limits)


class BaselineHandlers(Handlers):
    async def put(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Pin a period under a name, or pin another one; the response is sent once that is durable."""
        known, baseline, hours = await self._measured(request, segments)
        stored = partial(put_baseline, baseline=baseline, hours=hours)
        if not await self._services.change(known.repository, stored):
            raise _too_many()
        await self._note(request, "baseline pinned", known.repository, baseline=baseline.name)
        return json_response(_baseline_answer(StoredBaseline(baseline, None, None), ()))

    async def preview(self, request: Request, segments: Mapping[str, str]) -> Response:
        """What a period would be pinned with, and which change an alert would find; nothing is stored."""
        _, baseline, _ = await self._measured(request, segments)
        return json_response(
            answers.BaselinePreview(
                merges=baseline.merges,
                figures=answers.Measures(*baseline.figures),
                limits=answers.Limits(*baseline.limits),
                finds=_finds_answer(baseline.finds),
            )
        )

    async def _measured(
        self, request: Request, segments: Mapping[str, str]
    ) -> tuple[KnownRepository, Baseline, list[QueueHour]]:
        """The baseline that the body asks for, and the hours behind it; a preview has no name."""
        _BODY.check_head(request)
        given = read_input(segments, request.scope["query_string"])
        async with _BODY.read(self._services.buffers, request) as body:
            values, limits = _read_body(body)
        now = self._services.now()
        window = Window(values["start_at"], values["end_at"])
        check_period(window, now)
        known = await self._services.known(given.repository)
        name = given.values.get("name", "")
        wanted = WantedBaseline(name, values["base_ref"], values["queue_name"], window, limits)
        work = partial(pin, repository_id=known.id, wanted=wanted, now=now)
        return known, *await self._services.query(request, known.id, work)

    async def show_all(self, request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(segments, request.scope["query_string"])
        return json_response(answers.Baselines(await self._baselines(request, given)))

    async def show(self, request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(segments, request.scope["query_string"])
        for baseline in await self._baselines(request, given):
            if baseline.name == given.values["name"]:
                return json_response(baseline)
        raise _not_pinned(given)

    async def delete(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Delete a baseline; its current alerts end, and past ones stay."""
        given = read_input(segments, request.scope["query_string"])
        known, name = await self._services.known(given.repository), given.values["name"]
        work = partial(delete_baseline, name=name, now=self._services.now())
        if not await self._services.change(known.repository, work):
            raise _not_pinned(given)
        await self._note(request, "baseline deleted", known.repository, baseline=name)
        return json_response({"deleted": 1})

    async def alerts(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Current and past alerts, newest first."""
        given = read_input(segments, request.scope["query_string"], _PERIOD)
        end = given.values.get("end_at", next_whole_second(self._services.now()))
        window = Window(given.values.get("start_at", end - KEEP), end)
        if window.start >= window.end:
            raise InvalidInput([FieldError("query", "start_at", "must be before end_at")])
        known = await self._services.known(given.repository)
        work = partial(read_alerts, repository_id=known.id, window=window)
        found = await self._services.query(request, known.id, work)
        return json_response(answers.Alerts([_alert_answer(alert) for alert in found]))

    async def _baselines(self, request: Request, given: Input) -> list[answers.Baseline]:
        known = await self._services.known(given.repository)

        def work(reader: Reader) -> list[answers.Baseline]:
            current = read_current_alerts(reader, known.id)
            return [_baseline_answer(stored, current) for stored in read_baselines(reader, known.id)]

        return await self._services.query(request, known.id, work)


def _too_many() -> InvalidInput:
    message = f"the repository has {MOST_BASELINES} baselines, which is the most; delete one first"
    return InvalidInput([FieldError("path", "name", message)])


def _not_pinned(given: Input) -> NotFound:
    return NotFound(f"{given.repository} has no baseline {given.values['name']}")


def _alert_answer(alert: Alert) -> answers.Alert:
    return answers.Alert(
        id=alert.id,
        baseline=alert.baseline,
        base_ref=alert.base_ref,
        queue_name=alert.queue_name,
        measure=alert.measure,
        sentence=sentence(alert),
        began_at=format_instant(alert.began_at),
        ended_at=format_optional(alert.ended_at),
        end_reason=alert.end_reason,
        value=alert.value,
        baseline_value=alert.baseline_value,
        ratio=alert.ratio,
        limit=alert.limit,
    )


def _baseline_answer(stored: StoredBaseline, alerts: Sequence[Alert]) -> answers.Baseline:
    """A baseline with its last comparison and its current alerts."""
    baseline = stored.baseline
    return answers.Baseline(
        name=baseline.name,
        base_ref=baseline.base_ref,
        queue_name=baseline.queue_name,
        start_at=format_instant(baseline.start),
        end_at=format_instant(baseline.end),
        pinned_at=format_instant(baseline.pinned_at),
        merges=baseline.merges,
        figures=answers.Measures(*baseline.figures),
        limits=answers.Limits(*baseline.limits),
        finds=_finds_answer(baseline.finds),
        comparison=None if stored.comparison is None else _comparison(stored.comparison),
        alerts=[_alert_answer(alert) for alert in alerts if alert.baseline == baseline.name],
    )


def _finds_answer(found: Finds | None) -> answers.Finds | None:
    return None if found is None else answers.Finds(*found, sentence=finds_sentence(found))


def _comparison(document: bytes) -> answers.Comparison:
    found = msgspec.json.decode(document, type=Comparison)
    ratios = [_compared(getattr(found.ratios, measure), found.at) for measure in MEASURES]
    start = format_instant(found.at - found.days * DAY)
    return answers.Comparison(
        start, format_instant(found.at), found.merges, answers.ComparedMeasures(*ratios)
    )


def _compared(ratio: Ratio, at: int) -> answers.Compared:
    return answers.Compared(
        value=ratio.value,
        baseline_value=ratio.baseline_value,
        ratio=ratio.ratio,
        limit=ratio.limit,
        lowest_ratio=ratio.lowest,
        has_enough_data=ratio.can_compare,
        start_at=format_instant(at - ratio.days * DAY),
    )


_EXAMPLE: dict[str, object] = {
    "start_at": "2026-03-01T00:00:00Z",
    "end_at": "2026-04-01T00:00:00Z",
    "base_ref": "main",
    "queue_name": "default",
    "limits": Limits()._asdict(),
}
_START = replace(
    QUERY["start_at"],
    description="Alerts that had ended before are left out; 400 days before `end_at` by default",
)
_END = replace(QUERY["end_at"], description="Alerts that began later are left out; now by default")


def baseline_routes(services: Services) -> list[Route]:
    handlers, tag = BaselineHandlers(services), "Baselines"
    path = f"{REPOSITORY_PATH}/baselines"
    one, answer = f"{path}/{{name}}", json_content(schema_of(answers.Baseline))
    body = json_body(object_schema(_FIELDS), _EXAMPLE)
    put = Operation(tag, "Pin a period as a baseline", answer, (BASELINE_NAME,), body)
    preview = Operation(
        tag,
        "What a period would be pinned with, and which change an alert would find; nothing is pinned",
        json_content(schema_of(answers.BaselinePreview)),
        body=body,
    )
    show = Operation(tag, "A baseline, how it compares now, and its current alerts", answer, (BASELINE_NAME,))
    delete = Operation(tag, "Delete a baseline", DELETED, (BASELINE_NAME,))
    listing = Operation(tag, "All baselines", json_content(schema_of(answers.Baselines)))
    alerts = Operation(
        tag, "Current and past alerts, newest first", json_content(schema_of(answers.Alerts)), (_START, _END)
    )
    return [
        Route("GET", path, Right.READ, handlers.show_all, listing),
        Route("PUT", one, Right.PRODUCTS, handlers.put, put),
        Route("POST", f"{REPOSITORY_PATH}/baseline-preview", Right.READ, handlers.preview, preview),
        Route("GET", one, Right.READ, handlers.show, show),
        Route("DELETE", one, Right.PRODUCTS, handlers.delete, delete),
        Route("GET", f"{REPOSITORY_PATH}/alerts", Right.READ, handlers.alerts, alerts),
    ]
