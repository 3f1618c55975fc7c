"""`GET …/thresholds`: what is still normal for each figure of each queue, and where that comes from."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import Operation
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.api.settings.document import in_order, shown_threshold
from mergecast.queues.answers.alerts import QueueThresholds, Threshold, ThresholdReference, Thresholds
from mergecast.queues.model.reference_period import ReferencePeriod
from mergecast.queues.model.threshold import BUILT_IN, LEARNED, REFERENCE, SET, SetThreshold, in_force
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.reference_periods import read_reference_periods
from mergecast.queues.store.thresholds import read_thresholds
from mergecast.signals.thresholds.built_in import DAYS, RULES, THRESHOLDS, WORDS
from mergecast.signals.thresholds.in_words import learned_value, when, when_compared, when_over_time
from mergecast.signals.thresholds.judged import JUDGED, Judged
from mergecast.signals.thresholds.levels import Levels
from mergecast.signals.thresholds.queue_history import QueueName
from mergecast.signals.thresholds.readings import Chosen
from mergecast.signals.thresholds.sentences import too_little

_NOT_LEARNED = "the history is examined once no old events have arrived for two minutes"


class _Stored(NamedTuple):
    queues: Sequence[QueueName]
    thresholds: Sequence[SetThreshold]
    periods: Sequence[ReferencePeriod]


def thresholds_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        """Of all queues: thresholds can also be set while none is learned, for example during an import."""
        known = await services.asked(request, segments)
        learned = await services.watch.levels(known)
        stored = await services.query(request, known.id, lambda reader: _stored(reader, known.id))
        queues = tuple(
            _queue(queue, stored, None if learned is None else learned.get(queue, Levels()))
            for queue in stored.queues
        )
        return json_response(Thresholds(queues, tuple(map(shown_threshold, stored.thresholds))))

    operation = Operation(
        "Alerts",
        "What is still normal for each figure of each queue: learned, set, pinned or built in",
        Thresholds,
    )
    return Route("GET", f"{REPOSITORY_PATH}/thresholds", Right.READ, show, operation)


def _stored(reader: Reader, repository_id: int) -> _Stored:
    groups = reader.groups(repository_id).values()
    return _Stored(
        sorted({QueueName(group.base_ref, group.queue_name) for group in groups}),
        in_order(read_thresholds(reader, [repository_id]).get(repository_id, [])),
        [stored.period for stored in read_reference_periods(reader, repository_id)],
    )


def _queue(queue: QueueName, stored: _Stored, levels: Levels | None) -> QueueThresholds:
    missing = _NOT_LEARNED if levels is None else too_little(levels)
    given = in_force(stored.thresholds, *queue)
    periods = [one for one in stored.periods if (one.base_ref, one.queue_name) == queue]
    rows = [
        row
        for name, judged in JUDGED.items()
        for row in _rows(judged, levels or Levels(), given.get(name), periods)
    ]
    return QueueThresholds(*queue, missing, tuple(rows))


def _rows(
    judged: Judged, levels: Levels, given: SetThreshold | None, periods: Sequence[ReferencePeriod]
) -> Iterator[Threshold]:
    """What is in force for a figure: its learned or set value, reference periods, and the built-in rule."""
    name = judged.figure.name
    is_off = given is not None and given.value is None
    if LEARNED in judged.origins or is_off or (given is not None and SET in judged.origins):
        yield _own(judged, levels, given)
    for period in periods if REFERENCE in judged.origins else ():
        yield _referred(judged, period, is_off=is_off)
    if name in RULES:
        row = _row(judged, BUILT_IN, THRESHOLDS[name])
        unit = DAYS if judged.is_of_now else row.unit
        yield replace(row, unit=unit, alert=not is_off, when=None if is_off else WORDS[name])


def _own(judged: Judged, levels: Levels, given: SetThreshold | None) -> Threshold:
    learned = _rounded(learned_value(levels, judged.figure.name))
    if given is None:
        return replace(_row(judged, LEARNED, learned), learned=learned, when=_when(judged, levels, {}))
    return replace(
        _row(judged, SET, given.value),
        learned=learned,
        set=given.value,
        alert=given.alert and given.value is not None,
        when=_when(judged, levels, {given.figure: given.value}) if given.alert else None,
    )


def _when(judged: Judged, levels: Levels, chosen: Chosen) -> str | None:
    figure = judged.figure
    if judged.is_of_now:
        return when(levels, chosen, figure.name)
    value = chosen[figure.name]
    return None if value is None else when_over_time(figure, value)


def _referred(judged: Judged, period: ReferencePeriod, *, is_off: bool) -> Threshold:
    name = judged.figure.name
    before, limit = getattr(period.figures, name), getattr(period.limits, name)
    if before is None:
        return _row(judged, REFERENCE, None)
    row = _row(judged, REFERENCE, limit * before)
    reference = ThresholdReference(period.name, limit, before)
    when = None if is_off else when_compared(judged.figure, period.name, before, limit)
    return replace(row, when=when, alert=not is_off, reference=reference)


def _row(judged: Judged, origin: str, value: float | None) -> Threshold:
    figure = judged.figure
    return Threshold(figure.name, figure.words, figure.unit_words, origin, _rounded(value))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
