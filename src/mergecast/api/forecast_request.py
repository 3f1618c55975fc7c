"""The request for a forecast or a search: its body as typed values, and the documents that it needs."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from starlette.requests import Request

from mergecast.api.platform_access import Access, access_for
from mergecast.api.request_body import Buffers, ObjectBody
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput, MergecastError
from mergecast.judge.errors import LimitReached
from mergecast.judge.messages import (
    LONGEST_DOCUMENT,
    NEEDS,
    Baseline,
    NeedsAnswer,
    PolicyGiven,
    Setting,
    json_text,
)
from mergecast.queues.model.instant import DAY, NotAnInstant, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.window import Window

_LARGEST = 13 << 20  # two documents
_LONGEST_VALUE = 64 << 10
_TOO_LONG = "may take at most 64 KiB, unless it is an object with config_yml alone"
LONGEST_NAME = 255
_LONGEST_DAYS = 366
_USUAL_DAYS = 60
USUAL_SEED = 1
LARGEST_SEED = 2**53
MOST_VALUES = 100
FIGURES = ("p95", "runs_per_merge")

_COMMON = ("base_ref", "queue_name", "start_at", "end_at", "seed")
_FORECAST_FIELDS = (*_COMMON, "candidate", "baseline")
_SEARCH_FIELDS = (*_COMMON, "vary", "limit", "baseline")
_FORECAST_BODY = ObjectBody(_FORECAST_FIELDS, _LARGEST)
_SEARCH_BODY = ObjectBody(_SEARCH_FIELDS, _LARGEST)
_FROM_HISTORY = "the baseline is inferred from the history."


class Asked(NamedTuple):
    """What both requests have in common."""

    base_ref: str
    queue_name: str | None
    window: Window
    seed: int


class ForecastAsked(NamedTuple):
    asked: Asked
    candidate: PolicyGiven
    baseline: PolicyGiven | None


class SearchAsked(NamedTuple):
    asked: Asked
    vary: dict[str, list[Any]]
    limit: tuple[str, float] | None
    baseline: PolicyGiven | None


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    config_yml: str


def _read_document(text: bytes) -> dict[str, str]:
    """The only value that may be long: others could expand to thirty times their size when decoded."""
    return {"config_yml": msgspec.json.decode(text, type=_Document).config_yml}


class _Fields:
    """The decoded fields of a body; `null` and a missing field are the same."""

    def __init__(self, fields: Mapping[str, bytes]) -> None:
        self._fields = fields

    def get(self, name: str) -> Any:
        if name not in self._fields:
            return None
        text = self._fields[name]
        is_long = len(text) > _LONGEST_VALUE
        try:
            return _read_document(text) if is_long else msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            is_other = is_long and isinstance(error, msgspec.ValidationError)
            raise wrong(f"/{name}", _TOO_LONG if is_other else "is not valid JSON") from None

    def text(self, name: str) -> str | None:
        value = self.get(name)
        if value is not None and not (isinstance(value, str) and 1 <= len(value) <= LONGEST_NAME):
            raise wrong(f"/{name}", f"must be a string of 1 to {LONGEST_NAME} characters, or null")
        if value is not None and "\0" in value:
            raise wrong(f"/{name}", "must not contain the character NUL")
        return value

    def instant(self, name: str) -> int | None:
        value = self.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise wrong(f"/{name}", "must be a date-time such as 2026-01-31T09:00:00Z, or null")
        try:
            return parse_instant(value)
        except NotAnInstant as error:
            raise wrong(f"/{name}", str(error)) from None

    def whole(self, name: str, default: int, most: int) -> int:
        value = self.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise wrong(f"/{name}", f"must be a whole number from 0 to {most}")
        return value


async def read_forecast(buffers: Buffers, request: Request, now: int) -> ForecastAsked:
    _FORECAST_BODY.check_head(request)
    fields = _Fields(await _FORECAST_BODY.fields(buffers, request))
    candidate = _policy(fields.get("candidate"), "/candidate")
    if candidate is None:
        raise wrong("/candidate", 'is missing; give {"settings": {…}} or {"config_yml": …}')
    return ForecastAsked(_asked(fields, now), candidate, _policy(fields.get("baseline"), "/baseline"))


async def read_search(buffers: Buffers, request: Request, now: int) -> SearchAsked:
    _SEARCH_BODY.check_head(request)
    fields = _Fields(await _SEARCH_BODY.fields(buffers, request))
    return SearchAsked(
        _asked(fields, now),
        _vary(fields.get("vary")),
        _limit(fields.get("limit")),
        _policy(fields.get("baseline"), "/baseline"),
    )


def _asked(fields: _Fields, now: int) -> Asked:
    base_ref = fields.text("base_ref")
    if base_ref is None:
        raise wrong("/base_ref", "is missing; name the branch whose queues to forecast")
    end = fields.instant("end_at")
    end = now if end is None else min(end, now)
    start = fields.instant("start_at")
    start = end - _USUAL_DAYS * DAY if start is None else start
    if not 0 < end - start <= _LONGEST_DAYS * DAY:
        raise wrong("/start_at", f"must be before end_at and now, and by at most {_LONGEST_DAYS} days")
    seed = fields.whole("seed", USUAL_SEED, LARGEST_SEED)
    return Asked(base_ref, fields.text("queue_name"), Window(start, end), seed)


def _policy(value: Any, pointer: str) -> PolicyGiven | None:
    if value is None:
        return None
    if not isinstance(value, dict) or len(value) != 1:
        raise wrong(pointer, "must be an object with either settings or config_yml")
    ((field, content),) = value.items()
    if field == "config_yml" and isinstance(content, str):
        return PolicyGiven(config_yml=content)
    if field == "settings" and isinstance(content, dict):
        return PolicyGiven(settings=content)
    raise wrong(pointer, "must have settings, an object, or config_yml, the text of a document")


def _vary(value: Any) -> dict[str, list[Any]]:
    is_right = isinstance(value, dict) and all(
        isinstance(values, list) and 1 <= len(values) <= MOST_VALUES for values in value.values()
    )
    if not is_right or not value:
        raise wrong("/vary", f"must be an object that gives each setting a list of 1 to {MOST_VALUES} values")
    return dict(value)


def _limit(value: Any) -> tuple[str, float] | None:
    if value is None:
        return None
    if isinstance(value, dict) and len(value) == 1:
        ((figure, most),) = value.items()
        is_number = isinstance(most, int | float) and not isinstance(most, bool)
        if figure in FIGURES and is_number and 0 < most < float("inf"):
            return figure, float(most)
    raise wrong("/limit", "must be an object with one positive number, for p95 in seconds or runs_per_merge")


def wrong(pointer: str, message: str) -> InvalidInput:
    return InvalidInput([FieldError("body", pointer, message)])


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
        if access is None or "extends" not in text:
            return given
        try:
            return await self._with_extended(request, given, access)
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
            return await self._in_force(request, repository, access)
        except (MergecastError, LimitReached) as error:
            return Baseline(remarks=(f"The current document could not be read ({error}); {_FROM_HISTORY}",))

    async def _in_force(self, request: Request, repository: Repository, access: Access) -> Baseline:
        text = await access.forge.document(repository.owner, repository.name, access.token)
        if text is None:
            return Baseline()
        if len(text) > LONGEST_DOCUMENT:
            return Baseline(remarks=(f"The current document is too long to be read; {_FROM_HISTORY}",))
        given = PolicyGiven(config_yml=text, owner=repository.owner, repository=repository.name)
        if "extends" in text:
            given = await self._with_extended(request, given, access)
        return Baseline(in_force=given)

    async def _with_extended(self, request: Request, given: PolicyGiven, access: Access) -> PolicyGiven:
        setting = Setting(
            json_text(given.config_yml or ""), self._services.now(), given.owner, given.repository or ""
        )
        needs = await self._services.ask_child(request, NEEDS, setting, NeedsAnswer)
        if needs.extends is None:
            return given
        return replace(given, remotes=await access.remotes(given.owner, needs.extends))
