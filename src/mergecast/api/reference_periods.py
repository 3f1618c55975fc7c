"""Reference periods: what queues were like then, how they compare now, and what a period would find.

`…/settings` pins and deletes them.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import Operation, json_body
from mergecast.api.parameters import LONGEST_VALUE, PERIOD_NAME, Input, read_input
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput, NotFound
from mergecast.inputs.field import Field, Fields, InvalidValue, object_schema
from mergecast.inputs.json_object import decode_json, read_object
from mergecast.inputs.kinds import instant, number, text
from mergecast.queues.answers import alerts as answers
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.instant import DAY, Window, format_instant
from mergecast.queues.model.reference_period import COMPARED, Finds, Limits
from mergecast.queues.stats.shown_alert import shown_alert
from mergecast.queues.store.alerts import open_alerts
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.reference_periods import StoredPeriod, read_reference_periods
from mergecast.signals.alerts.pinning import WantedPeriod, check_period, pin
from mergecast.signals.thresholds.reference_comparison import Comparison, Ratio
from mergecast.signals.thresholds.reference_finds import finds_sentence

_BODY = RequestBody(16 << 10, may_be_gzip=False)
_LOWEST, _HIGHEST = 1.05, 100.0
LIMIT = number(
    _LOWEST,
    _HIGHEST,
    f"must be a number from {_LOWEST} to {_HIGHEST:g}: 1.5 allows 50 % more than in the period",
)
_LIMITS = {name: LIMIT.by_default(value) for name, value in Limits()._asdict().items()}


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidValue('must be an object such as {"time_to_merge_p95": 1.5}')
    return value


PERIOD_FIELDS: Fields = {
    "start_at": instant(),
    "end_at": instant(),
    "base_ref": text(LONGEST_VALUE),
    "queue_name": text(LONGEST_VALUE),
    "limits": Field(_object, object_schema(_LIMITS)).by_default({}),
}


def read_period(
    fields: Fields, content: Mapping[str, Any], above: str = ""
) -> tuple[WantedPeriod | None, list[FieldError]]:
    """The period that an object describes, and every error in it; a preview has no name."""
    values, errors = read_object(fields, content, "a reference period", above)
    given = values.get("limits") or {}
    limits, more = read_object(_LIMITS, given, "limits", f"{above}/limits")
    errors += more
    if errors:
        return None, errors
    window = Window(values["start_at"], values["end_at"])
    place = values["base_ref"], values["queue_name"]
    return WantedPeriod(values.get("name", ""), *place, window, Limits(**limits)), []


class ReferenceHandlers(Handlers):
    async def preview(self, request: Request, segments: Mapping[str, str]) -> Response:
        """What a period would be pinned with, and which change an alert would find; nothing is stored."""
        _BODY.check_head(request)
        given = read_input(request, segments)
        async with _BODY.read(self._services.buffers, request) as body:
            content = decode_json(
                body, dict[str, Any], "the body must be a JSON object with the field start_at"
            )
        wanted, errors = read_period(PERIOD_FIELDS, content)
        if wanted is None:
            raise InvalidInput(errors)
        now = self._services.now()
        check_period(wanted.window, now)
        known = await self._services.known(given.repository)
        work = partial(pin, repository_id=known.id, wanted=wanted, now=now)
        period, _ = await self._services.query(request, known.id, work)
        return json_response(
            answers.ReferencePreview(
                period.merges,
                answers.ReferenceFigures(*period.figures),
                answers.Limits(*period.limits),
                _finds(period.finds),
            )
        )

    async def show_all(self, request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(request, segments)
        return json_response(answers.ReferencePeriods(tuple(await self._periods(request, given))))

    async def show(self, request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(request, segments)
        for period in await self._periods(request, given):
            if period.name == given.values["name"]:
                return json_response(period)
        raise NotFound(f"{given.repository} has no reference period {given.values['name']}")

    async def _periods(self, request: Request, given: Input) -> list[answers.ReferencePeriod]:
        known = await self._services.known(given.repository)

        def work(reader: Reader) -> list[answers.ReferencePeriod]:
            alerts = open_alerts(reader, known.id)
            return [_period(stored, alerts) for stored in read_reference_periods(reader, known.id)]

        return await self._services.query(request, known.id, work)


def _period(stored: StoredPeriod, alerts: Sequence[Alert]) -> answers.ReferencePeriod:
    """A period with its last comparison and its open alerts."""
    period = stored.period
    return answers.ReferencePeriod(
        name=period.name,
        base_ref=period.base_ref,
        queue_name=period.queue_name,
        start_at=format_instant(period.start),
        end_at=format_instant(period.end),
        pinned_at=format_instant(period.pinned_at),
        merges=period.merges,
        figures=answers.ReferenceFigures(*period.figures),
        limits=answers.Limits(*period.limits),
        finds=_finds(period.finds),
        comparison=None if stored.comparison is None else _comparison(stored.comparison),
        alerts=tuple(
            shown_alert(alert)
            for alert in alerts
            if alert.compared is not None and alert.compared.name == period.name
        ),
    )


def _finds(found: Finds | None) -> answers.Finds | None:
    return None if found is None else answers.Finds(*found, sentence=finds_sentence(found))


def _comparison(document: bytes) -> answers.Comparison:
    found = msgspec.json.decode(document, type=Comparison)
    ratios = [_compared(getattr(found.ratios, figure), found.at) for figure in COMPARED]
    start = format_instant(found.at - found.days * DAY)
    return answers.Comparison(start, format_instant(found.at), found.merges, answers.ComparedFigures(*ratios))


def _compared(ratio: Ratio, at: int) -> answers.Compared:
    return answers.Compared(
        value=ratio.value,
        reference_value=ratio.reference_value,
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


def reference_routes(services: Services) -> list[Route]:
    handlers, tag = ReferenceHandlers(services), "Alerts"
    path = f"{REPOSITORY_PATH}/reference-periods"
    preview = Operation(
        tag,
        "What a period would be pinned with, and which change an alert would find; nothing is pinned",
        answers.ReferencePreview,
        body=json_body(object_schema(PERIOD_FIELDS), _EXAMPLE),
    )
    show = Operation(
        tag,
        "A reference period, how it compares now, and its open alerts",
        answers.ReferencePeriod,
        (PERIOD_NAME,),
    )
    listing = Operation(tag, "All reference periods", answers.ReferencePeriods)
    return [
        Route("GET", path, Right.READ, handlers.show_all, listing),
        Route("GET", f"{path}/{{name}}", Right.READ, handlers.show, show),
        Route("POST", f"{path}/preview", Right.READ, handlers.preview, preview),
    ]
