"""`…/thresholds`: at which level a problem of a queue begins, learned from its history or set by a person."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.answers import QueueThresholds, Threshold
from mergecast.api.openapi.operation import DELETED, Operation, json_body, json_content, object_of, schema_of
from mergecast.api.parameters import LONGEST_VALUE, QUERY, Parameter, read_input
from mergecast.api.request_body import ObjectBody
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.inputs.field import Field, InvalidValue, closed_schema, object_schema, read_fields
from mergecast.inputs.kinds import number, text
from mergecast.queues.model.nearest import nearest
from mergecast.queues.store.problems import delete_thresholds, set_levels, set_thresholds
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.detection.in_words import when
from mergecast.signals.detection.levels import Levels
from mergecast.signals.detection.queue_problem import PROBLEM_NAMES, SOURCE_SILENT, UNITS, QueueName
from mergecast.signals.detection.sentences import too_little
from mergecast.signals.detection.source_hours import USUAL_HOURS

_HIGHEST = 10_000_000
_MOST_NAMED = 20
_NOT_LEARNED = "the history is examined once no old events have arrived for two minutes"


class ThresholdHandlers(Handlers):
    async def show(self, request: Request, segments: Mapping[str, str]) -> Response:
        repository = read_input(segments, request.scope["query_string"]).repository
        return json_response(await self._shown(request, await self._services.known(repository)))

    async def replace(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Set levels of one queue, in place of those that were set before."""
        _BODY.check_head(request)
        repository = read_input(segments, request.scope["query_string"]).repository
        texts = await _BODY.texts(self._services.buffers, request)
        given = _read_body(texts)
        known = await self._services.known(repository)
        queue = QueueName(given["base_ref"], given["queue_name"])
        await self._check_queue(request, known, queue)
        work = partial(set_thresholds, queue=queue, levels=given["levels"])
        await self._services.change(repository, work)
        self._services.diagnosis.forget_levels(known)
        await self._note(request, "thresholds changed", repository, **given)
        return json_response(await self._shown(request, known))

    async def delete(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Delete levels that were set, of one queue or of several."""
        given = read_input(segments, request.scope["query_string"], _SELECTION)
        base_ref, queue_name = (_one(given.values, name) for name in _SELECTION)
        known = await self._services.known(given.repository)
        work = partial(delete_thresholds, base_ref=base_ref, queue_name=queue_name)
        deleted = await self._services.change(given.repository, work)
        if deleted:
            self._services.diagnosis.forget_levels(known)
            queue = {"base_ref": base_ref, "queue_name": queue_name}
            await self._note(request, "thresholds changed", given.repository, **queue, levels={})
        return json_response({"deleted": deleted})

    async def _shown(self, request: Request, known: KnownRepository) -> dict[str, list[QueueThresholds]]:
        """Of all queues: levels can also be set while none is learned, for example during an import."""
        learned = await self._services.diagnosis.levels(known)
        found, by_hand = await self._services.query(
            request, known.id, lambda reader: (_queues(reader, known.id), set_levels(reader, known.id))
        )
        queues = sorted({*found, *(QueueName(*queue) for queue in by_hand)})
        return {
            "queues": [
                _shown(
                    queue, None if learned is None else learned.get(queue, Levels()), by_hand.get(queue, {})
                )
                for queue in queues
            ]
        }

    async def _check_queue(self, request: Request, known: KnownRepository, queue: QueueName) -> None:
        queues = sorted(
            await self._services.query(request, known.id, lambda reader: _queues(reader, known.id))
        )
        if queue in queues:
            return
        shown = ", ".join(f"{name} on {base_ref}" for base_ref, name in queues[:_MOST_NAMED])
        more = f" and {len(queues) - _MOST_NAMED} more" if len(queues) > _MOST_NAMED else ""
        has = f"it has {shown}{more}" if queues else "it has none yet"
        message = f"{known.repository} has no queue {queue.queue_name} on {queue.base_ref}; {has}"
        raise InvalidInput([FieldError("body", "/queue_name", message)])


def _queues(reader: Reader, repository_id: int) -> set[QueueName]:
    return {QueueName(group.base_ref, group.queue_name) for group in reader.groups(repository_id).values()}


def _shown(queue: QueueName, levels: Levels | None, by_hand: Mapping[str, float]) -> QueueThresholds:
    sentence = _NOT_LEARNED if levels is None else too_little(levels)
    levels = levels or Levels()
    learned = dict(levels.values) | ({SOURCE_SILENT: USUAL_HOURS} if levels.sources else {})
    thresholds = tuple(
        Threshold(name, unit, _rounded(learned.get(name)), by_hand.get(name), when(levels, by_hand, name))
        for name, unit in UNITS.items()
    )
    return QueueThresholds(*queue, sentence, thresholds)


def _rounded(level: float | None) -> float | None:
    return None if level is None else round(level, 3)


def _one(values: Mapping[str, Any], name: str) -> str | None:
    given = values.get(name, ())
    if len(given) > 1:
        raise InvalidInput([FieldError("query", name, "is given twice but takes one value here")])
    return given[0] if given else None


def _read_body(texts: Mapping[str, bytes]) -> dict[str, Any]:
    content = _BODY.content(texts)
    values, errors = read_fields(_BODY.fields, content)
    if "levels" in content:
        errors += _level_errors(content["levels"])
    if errors:
        raise InvalidInput(errors)
    return {**values, "levels": {name: float(level) for name, level in content["levels"].items()}}


def _level_errors(levels: Any) -> list[FieldError]:
    known = ", ".join(PROBLEM_NAMES)
    if not isinstance(levels, dict) or not levels:
        message = f"must be an object with a level for any of {known}"
        return [FieldError("body", "/levels", message)]
    return [
        error for name, level in list(levels.items())[:_MOST_NAMED] if (error := _level_error(name, level))
    ]


def _level_error(name: str, level: Any) -> FieldError | None:
    if name not in UNITS:
        meant = nearest(name, PROBLEM_NAMES)
        hint = f"did you mean {meant}? There" if meant else "there"
        message = f"is not a problem of queues; {hint} are {', '.join(PROBLEM_NAMES)}"
        return FieldError("body", f"/levels/{name[:100]}", message)
    try:
        _LEVEL[name].read(level)
    except InvalidValue as error:
        return FieldError("body", f"/levels/{name}", str(error))
    return None


def _any(value: Any) -> Any:
    return value


_LEVEL = {
    name: number(1, _HIGHEST, f"must be a number of {unit} from 1 to {_HIGHEST:,}").described(f"In {unit}")
    for name, unit in UNITS.items()
}
_LEVELS = Field(
    _any,
    {**closed_schema({name: field.schema for name, field in _LEVEL.items()}), "minProperties": 1},
)
_NAME = text(LONGEST_VALUE)
_BODY = ObjectBody({"base_ref": _NAME, "queue_name": _NAME, "levels": _LEVELS}, 1 << 16)
_SELECTION = ("base_ref", "queue_name")
_EXAMPLE: dict[str, object] = {"base_ref": "main", "queue_name": "default", "levels": {"run_too_long": 5400}}


def threshold_routes(services: Services) -> list[Route]:
    handlers, path, tag = ThresholdHandlers(services), f"{REPOSITORY_PATH}/thresholds", "Configuration"
    answer = json_content(object_of({"queues": schema_of(list[QueueThresholds])}))
    show = Operation(tag, "Above which levels problems of queues begin", answer)
    body = json_body(object_schema(_BODY.fields), _EXAMPLE)
    replace = Operation(tag, "Set levels of a queue by hand", answer, body=body)
    parameters: tuple[Parameter, ...] = tuple(QUERY[name] for name in _SELECTION)
    delete = Operation(tag, "Return to the levels from the history", DELETED, parameters)
    return [
        Route("GET", path, Right.READ, handlers.show, show),
        Route("PUT", path, Right.PRODUCTS, handlers.replace, replace),
        Route("DELETE", path, Right.PRODUCTS, handlers.delete, delete),
    ]
