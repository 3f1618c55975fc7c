"""`…/targets`: limits for figures of a repository and its queues, which pages and summaries compare with."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import Operation, json_body, json_content, schema_of
from mergecast.api.parameters import LONGEST_VALUE, read_input
from mergecast.api.request_body import RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.inputs.field import Field, closed_schema, object_schema, read_fields
from mergecast.inputs.json_object import decode_json, unknown_fields
from mergecast.inputs.kinds import number, text
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.target import LIMITED, Target
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.targets import read_targets, set_targets

_BODY = RequestBody(256 << 10, may_be_gzip=False)
_MOST_TARGETS = 1000
_MOST_ERRORS = 100
_MOST_NAMED = 10
_NO_LIST = "must be a list of objects with limits, each for the repository, a branch or a queue"


ShownTarget = msgspec.defstruct(
    "ShownTarget",
    [("base_ref", str | None), ("queue_name", str | None), *((name, float | None) for name in LIMITED)],
)


class Targets(msgspec.Struct, frozen=True):
    targets: list[ShownTarget]  # type: ignore[valid-type]


def _limit(smallest: float, largest: float, unit: str) -> Field:
    otherwise = f"must be {unit} from {smallest:g} to {largest:,}, or null"
    return replace(number(smallest, largest, otherwise, is_nullable=True), is_required=False)


_NAME = replace(text(LONGEST_VALUE, is_nullable=True), is_required=False)
_FIELDS = {
    "base_ref": _NAME.described("The branch; null: all of them"),
    "queue_name": _NAME.described("The queue; null: all of them"),
    "time_in_queue_p95": _limit(1, 10_000_000, "a number of seconds"),
    "failure_rate": _limit(0, 1, "a rate"),
    "ci_runs_per_merge": _limit(0.001, 1000, "a number"),
}


def _read_body(body: bytes) -> list[Target]:
    """The targets, or every error at once."""
    content = decode_json(body, dict[str, Any], "the body must be a JSON object with the field targets")
    errors = unknown_fields(content, ("targets",), "this body")
    given = content.get("targets")
    if "targets" not in content:
        errors.append(FieldError("body", "/targets", "is missing"))
    elif not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        errors.append(FieldError("body", "/targets", _NO_LIST))
    elif len(given) > _MOST_TARGETS:
        message = f"has {len(given):,} targets, more than {_MOST_TARGETS:,}"
        errors.append(FieldError("body", "/targets", message))
    else:
        targets, more = _read_targets(given)
        errors += more
    if errors:
        raise InvalidInput(errors[:_MOST_ERRORS])
    return targets


def _read_targets(given: list[dict[str, Any]]) -> tuple[list[Target], list[FieldError]]:
    targets: list[Target] = []
    errors: list[FieldError] = []
    for place, one in enumerate(given):
        above = f"/targets/{place}"
        values, found = read_fields(_FIELDS, one, above)
        found += unknown_fields(one, _FIELDS, "a target", above)
        if not found and all(values[name] is None for name in LIMITED):
            found.append(FieldError("body", above, f"has no limit; it takes {', '.join(LIMITED)}"))
        if not found:
            targets.append(Target(**values))
        errors += found
    return targets, errors or [*_repeated(targets)]


def _repeated(targets: list[Target]) -> Iterator[FieldError]:
    seen: Counter[tuple[str | None, str | None]] = Counter()
    for place, target in enumerate(targets):
        if seen[target.scope]:
            yield FieldError("body", f"/targets/{place}", "is for the same branch and queue as another one")
        seen[target.scope] += 1


def _unknown_names(targets: list[Target], queues: Collection[tuple[str, str]]) -> Iterator[FieldError]:
    """A misspelt name would have no effect, and nothing would say so."""
    for place, target in enumerate(targets):
        fitting = [
            queue
            for queue in queues
            if target.base_ref in (None, queue[0]) and target.queue_name in (None, queue[1])
        ]
        if fitting:
            continue
        column = 1 if target.queue_name is not None else 0
        name, field = target.scope[column] or "", ("base_ref", "queue_name")[column]
        known = sorted({queue[column] for queue in queues})
        meant = nearest(name, known)
        on = f" on {target.base_ref}" if column and target.base_ref is not None else ""
        what = f"there is no {'queue' if column else 'branch'} {name}{on}"
        hint = f"did you mean {meant}?" if meant and meant != name else f"there are {_listed(queues)}"
        yield FieldError("body", f"/targets/{place}/{field}", f"{what}; {hint}")


def _listed(queues: Collection[tuple[str, str]]) -> str:
    shown = [f"{name} on {base_ref}" for base_ref, name in sorted(queues)[:_MOST_NAMED]]
    more = len(queues) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


class TargetHandlers(Handlers):
    async def show(self, request: Request, segments: Mapping[str, str]) -> Response:
        repository = read_input(segments, request.scope["query_string"]).repository
        known = await self._services.known(repository)
        found = await self._services.query(request, known.id, lambda reader: read_targets(reader, [known.id]))
        return _answer(found.get(known.id, []))

    async def replace(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Set all targets; the response is sent once that is durable."""
        _BODY.check_head(request)
        repository = read_input(segments, request.scope["query_string"]).repository
        async with _BODY.read(self._services.buffers, request) as body:
            targets = _read_body(body)
        known = await self._services.known(repository)
        queues = await self._services.query(request, known.id, partial(_queues, repository_id=known.id))
        errors = [*_unknown_names(targets, queues)] if queues else []
        if errors:
            raise InvalidInput(errors[:_MOST_ERRORS])
        await self._services.change(repository, partial(set_targets, targets=targets))
        await self._note(request, "targets changed", repository, targets=len(targets))
        return _answer(targets)


def _queues(reader: Reader, repository_id: int) -> set[tuple[str, str]]:
    return {(group.base_ref, group.queue_name) for group in reader.groups(repository_id).values()}


def _answer(targets: list[Target]) -> Response:
    return json_response(Targets([ShownTarget(*target) for target in targets]))


_EXAMPLE: dict[str, object] = {"targets": [Target(None, None, 3600, 0.05, 1.3)._asdict()]}


def target_routes(services: Services) -> list[Route]:
    handlers, path, tag = TargetHandlers(services), f"{REPOSITORY_PATH}/targets", "Configuration"
    answer = json_content(schema_of(Targets))
    listed = {"type": "array", "items": object_schema(_FIELDS), "maxItems": _MOST_TARGETS}
    body = json_body(closed_schema({"targets": listed}, ["targets"]), _EXAMPLE)
    return [
        Route("GET", path, Right.READ, handlers.show, Operation(tag, "The targets of a repository", answer)),
        Route(
            "PUT", path, Right.PRODUCTS, handlers.replace, Operation(tag, "Set targets", answer, body=body)
        ),
    ]
