"""The request for a forecast or a search: its body as typed values, and the documents that it needs."""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from starlette.requests import Request

from mergecast.api.forecast_fields import CAPACITY_FIELDS, FORECAST_FIELDS, SEARCH_FIELDS
from mergecast.api.platform_access import access_for
from mergecast.api.request_body import Buffers, ObjectBody
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput, MergecastError
from mergecast.inputs.field import Fields, read_field
from mergecast.inputs.json_object import NOT_JSON
from mergecast.judge.messages import Baseline, PolicyGiven, Setting, json_text
from mergecast.prediction.history import USUAL_SEED, ReplayParameters
from mergecast.queues.model.instant import DAY, Window
from mergecast.queues.model.repository import Repository
from mergecast.sandbox.errors import LimitReached
from mergecast.simulation.documents import CurrentDocumentTooLong, current_text, extended_documents
from mergecast.simulation.ports import Access

_LARGEST = 13 << 20  # two documents
_LONGEST_VALUE = 64 << 10
_TOO_LONG = "may take at most 64 KiB, unless it is an object with config_yml alone"
_LONGEST_DAYS = 366
_USUAL_DAYS = 60
_FORECAST_BODY = ObjectBody(FORECAST_FIELDS, _LARGEST)
SEARCH_BODY = ObjectBody(SEARCH_FIELDS, _LARGEST)
CAPACITY_BODY = ObjectBody(CAPACITY_FIELDS, _LARGEST)
_FROM_HISTORY = "the baseline is inferred from the history."


class ForecastAsked(NamedTuple):
    replay: ReplayParameters
    candidate: PolicyGiven
    baseline: PolicyGiven | None


class SearchAsked(NamedTuple):
    """Of a search, or of a capacity."""

    replay: ReplayParameters
    vary: dict[str, list[Any]] | None
    limit: tuple[str, float] | None
    baseline: PolicyGiven | None


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    config_yml: str


def _read_document(text: bytes) -> dict[str, str]:
    """The only value that may be long: others could expand to thirty times their size when decoded."""
    return {"config_yml": msgspec.json.decode(text, type=_Document).config_yml}


class _Given:
    """The fields of a body, decoded and read one by one; `null` and a missing field are the same."""

    def __init__(self, texts: Mapping[str, bytes], fields: Fields) -> None:
        self._texts, self._fields = texts, fields

    def read(self, name: str) -> Any:
        return read_field(self._fields, name, self._decoded(name) if name in self._texts else None)

    def _decoded(self, name: str) -> Any:
        text = self._texts[name]
        is_long = len(text) > _LONGEST_VALUE
        try:
            return _read_document(text) if is_long else msgspec.json.decode(text)
        except NOT_JSON as error:
            is_other = is_long and isinstance(error, msgspec.ValidationError)
            raise _wrong(name, _TOO_LONG if is_other else "is not valid JSON") from None


async def read_forecast(buffers: Buffers, request: Request, now: int) -> ForecastAsked:
    given = await _given(_FORECAST_BODY, buffers, request)
    candidate = given.read("candidate")
    return ForecastAsked(_replay_parameters(given, now), candidate, given.read("baseline"))


async def read_search(body: ObjectBody, buffers: Buffers, request: Request, now: int) -> SearchAsked:
    given = await _given(body, buffers, request)
    return SearchAsked(
        _replay_parameters(given, now), given.read("vary"), given.read("limit"), given.read("baseline")
    )


async def _given(body: ObjectBody, buffers: Buffers, request: Request) -> _Given:
    body.check_head(request)
    return _Given(await body.texts(buffers, request), body.fields)


def _replay_parameters(given: _Given, now: int) -> ReplayParameters:
    base_ref, end, start = given.read("base_ref"), given.read("end_at"), given.read("start_at")
    end = now if end is None else min(end, now)
    start = end - _USUAL_DAYS * DAY if start is None else start
    if not 0 < end - start <= _LONGEST_DAYS * DAY:
        raise _wrong("start_at", f"must be before end_at and now, and by at most {_LONGEST_DAYS} days")
    seed = given.read("seed")
    return ReplayParameters(
        base_ref, given.read("queue_name"), Window(start, end), USUAL_SEED if seed is None else seed
    )


def _wrong(name: str, message: str) -> InvalidInput:
    return InvalidInput([FieldError("body", f"/{name}", message)])


class ForecastDocuments:
    """Fetches documents from the platform, if there is access to it."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def complete(
        self, request: Request, repository: Repository, given: PolicyGiven, pointer: str
    ) -> PolicyGiven:
        """A document with the one that it extends. The child reports what cannot be read."""
        text = given.config_yml
        if text is None:
            return given
        given = replace(given, owner=repository.owner, repository=repository.name)
        access = await access_for(self._services.platform, request, repository)
        if access is None:
            return given
        try:
            return await self._with_extended(request, given, text, access)
        except LimitReached as reached:
            raise InvalidInput([FieldError("body", f"{pointer}/config_yml", str(reached))]) from None

    async def baseline(self, request: Request, repository: Repository, asked: PolicyGiven | None) -> Baseline:
        """The requested baseline, otherwise the current document if the platform returns it."""
        if asked is not None:
            return Baseline(await self.complete(request, repository, asked, "/baseline"))
        access = await access_for(self._services.platform, request, repository)
        if access is None:
            return Baseline()
        try:
            return await self._current(request, repository, access)
        except CurrentDocumentTooLong:
            return Baseline(remarks=(f"The current document is too long to be read; {_FROM_HISTORY}",))
        except MergecastError as error:
            return Baseline(remarks=(f"The current document could not be read ({error}); {_FROM_HISTORY}",))

    async def _current(self, request: Request, repository: Repository, access: Access) -> Baseline:
        text = await current_text(access)
        if text is None:
            return Baseline()
        given = PolicyGiven(config_yml=text, owner=repository.owner, repository=repository.name)
        return Baseline(current=await self._with_extended(request, given, text, access))

    async def _with_extended(
        self, request: Request, given: PolicyGiven, text: str, access: Access
    ) -> PolicyGiven:
        if "extends" not in text:
            return given  # no child need read it to find that out
        setting = Setting(json_text(text), self._services.now(), given.owner, given.repository or "")
        ask = partial(self._services.ask_child, request)
        return replace(given, remotes=await extended_documents(ask, setting, access))
