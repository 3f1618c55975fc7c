"""`…/audit`: is the queue of a base branch set up so that it can merge?

Whoever reads the workflow files and the rules of a branch sends them. Every answer audits them again, with
what the store knows by then of the checks on groups.
"""

from collections.abc import Mapping
from functools import partial
from hashlib import blake2b
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast import __version__
from mergecast.access.rights import Right
from mergecast.api.fair_shares import while_connected
from mergecast.api.openapi.operation import Operation, json_body, schema_of
from mergecast.api.parameters import Parameter, read_path, read_query
from mergecast.api.request_body import ObjectBody
from mergecast.api.responses import JSON, etag_headers, json_response, matches_etag
from mergecast.api.routing import REPOSITORY_PATH, Route, admission_of
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput, NotFound
from mergecast.inputs.field import Field, InvalidValue, object_schema, read_fields
from mergecast.inputs.kinds import matching, name
from mergecast.judge.messages import AUDIT
from mergecast.queues.answers.audit import Audit, AuditQuestion, BranchRules
from mergecast.queues.model.instant import DAY, HOUR, Window, format_instant
from mergecast.queues.stats.checks_on_groups import checks_on_groups
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.set_ups import StoredSetUp, put_set_up, read_set_ups
from mergecast.queues.store.values import KnownRepository
from mergecast.sandbox.errors import LimitReached

_LOOK_BACK = 30 * DAY
_LONGEST_NAME = 255
_FOLDER = ".github/workflows/"
_MOST_FILES, _LONGEST_FILE = 500, 1 << 20


def _read_files(value: Any) -> dict[str, str]:
    texts = f"must be an object with the texts of files in {_FOLDER} by their paths"
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise InvalidValue(texts)
    if len(value) > _MOST_FILES:
        raise InvalidValue(f"has {len(value)} files; at most {_MOST_FILES} are audited")
    for path, text in value.items():
        if not path.startswith(_FOLDER) or not path.endswith((".yml", ".yaml")):
            raise InvalidValue(f"{texts}; {path[:100]!r} is not such a path")
        if len(text) > _LONGEST_FILE:
            raise InvalidValue(f"{path[:100]} has more than {_LONGEST_FILE:,} characters")
    return value


def _read_rules(value: Any) -> BranchRules:
    try:
        return msgspec.convert(value, BranchRules)
    except msgspec.ValidationError as error:
        raise InvalidValue(f"must be the rules of a branch: {error}") from None


_FIELDS = {
    "base_ref": name(_LONGEST_NAME),
    "commit": matching(
        lambda text: len(text) in (40, 64) and set(text) <= set("0123456789abcdef"),
        64,
        "[0-9a-f]{40}([0-9a-f]{24})?",
        "must be a commit: 40 or 64 hexadecimal digits",
    ),
    "files": Field(_read_files, {"type": "object", "additionalProperties": {"type": "string"}}),
    "rules": Field(_read_rules, schema_of(BranchRules)).by_default(BranchRules(), shown={}),
}
_BASE_REF = Parameter(
    "base_ref", "query", _FIELDS["base_ref"], "The branch of the queue; the one that was read last by default"
)
_BODY = ObjectBody(_FIELDS, 8 << 20)
_EXAMPLE: dict[str, object] = {
    "base_ref": "main",
    "commit": "5f7ba410bacaf6dc8eb956602904ade95b7eee5d",
    "files": {".github/workflows/ci.yml": "on: [pull_request, merge_group]\njobs: {test: {runs-on: x}}\n"},
    "rules": {"required": ["test"], "queue": {"check_response_timeout_minutes": 60}},
}


class AuditHandlers(Handlers):
    async def put(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Keep how a branch is set up, and answer what is wrong with it."""
        _BODY.check_head(request)
        repository = read_path(segments)
        texts = await _BODY.texts(self._services.buffers, request)
        values, errors = read_fields(_FIELDS, _BODY.content(texts))
        if errors:
            raise InvalidInput(errors)
        known = await self._services.known(repository)
        question = AuditQuestion(repository=str(repository), **values)
        found = await self._audit(request, known, question)
        read_at = self._services.now()
        set_up = StoredSetUp(question.base_ref, read_at, msgspec.json.encode(question))
        await self._services.change(repository, partial(put_set_up, set_up=set_up))
        return json_response(found)

    async def show(self, request: Request, segments: Mapping[str, str]) -> Response:
        """What is wrong with a branch as it was when it was last read; by default with the one read last."""
        repository = read_path(segments)
        base_ref = read_query(request, (_BASE_REF,)).get("base_ref")
        known = await self._services.known(repository)
        kept = await self._services.query(request, known.id, lambda reader: read_set_ups(reader, known.id))
        chosen = [one for one in kept if base_ref in (None, one.base_ref)]
        if not chosen:
            raise NotFound(_nothing_kept(str(repository), base_ref, [one.base_ref for one in kept]))
        newest = chosen[0]

        async def make() -> bytes:
            question = msgspec.json.decode(newest.document, type=AuditQuestion)
            found = await self._audit(request, known, question)
            return msgspec.json.encode(msgspec.structs.replace(found, read_at=format_instant(newest.read_at)))

        # The history that decides about limits of time moves on, but not within an hour.
        hour = self._services.now() // HOUR
        parts = (known.id, known.version, known.ci_version, newest.base_ref, newest.read_at, hour)
        etag = f'W/"{blake2b(repr((__version__, parts)).encode(), digest_size=16).hexdigest()}"'
        if matches_etag(request, etag):
            return Response(None, 304, etag_headers(etag))
        return await while_connected(request, self._services.answers.get(etag, make, JSON))

    async def _audit(self, request: Request, known: KnownRepository, question: AuditQuestion) -> Audit:
        end = self._services.now() + 1

        def read(reader: Reader) -> AuditQuestion:
            window = Window(end - _LOOK_BACK, end)
            history, groups = checks_on_groups(reader, known.id, question.base_ref, window)
            return msgspec.structs.replace(question, history=history, groups_kept=groups)

        # An answer that others wait for too goes on when this client leaves.
        async with self._services.queries.turn(admission_of(request).caller.identity):
            question = await self._services.database.read(known.id, read)
        try:
            return await self._services.ask_child(request, AUDIT, question, Audit)
        except LimitReached as error:
            raise InvalidInput([FieldError("body", "/files", str(error))]) from None


def _nothing_kept(repository: str, base_ref: str | None, others: list[str]) -> str:
    if others:
        return (
            f"nothing is kept of how {base_ref} of {repository} is set up, only of {', '.join(others[:10])}"
        )
    command = f"mergecast audit {repository} --send"
    return (
        f"nothing is kept of how {repository} is set up: an import from GitHub reads it if its token has the "
        f"right *Contents: read*, and `{command}` in a clone sends it"
    )


def audit_routes(services: Services) -> list[Route]:
    handlers, path = AuditHandlers(services), f"{REPOSITORY_PATH}/audit"
    show = Operation(
        "Statistics",
        "Is the queue of a branch set up so that it can merge?",
        Audit,
        (_BASE_REF,),
        is_cached=True,
    )
    put = Operation(
        "Configuration",
        "Keep the workflow files and rules of a branch, and audit them",
        Audit,
        body=json_body(object_schema(_FIELDS), _EXAMPLE),
    )
    return [
        Route("GET", path, Right.READ, handlers.show, show),
        Route("PUT", path, Right.INGEST, handlers.put, put, is_costly=True),
    ]
