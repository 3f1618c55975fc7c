"""`…/prices`: what a minute of CI costs."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import (
    DELETED,
    STRING,
    Operation,
    json_body,
    json_content,
    object_of,
    or_null,
)
from mergecast.api.parameters import read_input
from mergecast.api.request_body import ObjectBody
from mergecast.api.responses import json_response
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Handlers, Services
from mergecast.errors import InvalidInput
from mergecast.inputs.field import Field, InvalidValue, object_schema, read_fields
from mergecast.inputs.kinds import line, matching
from mergecast.queues.model.ci_price import Prices, format_decimal, read_decimal
from mergecast.queues.store.ci.prices import delete_prices, put_prices, read_prices

_MOST_RUNNERS = 100
_PRICE = 'must be a price as a string such as "0.008": up to 6 digits, and up to 9 decimals'
_RUNNER = line(100)
_DECIMAL = {"type": "string", "pattern": r"^[0-9]{1,6}(\.[0-9]{1,9})?$"}


class PriceHandlers(Handlers):
    async def show(self, request: Request, segments: Mapping[str, str]) -> Response:
        """The prices; null without any."""
        repository = read_input(segments, request.scope["query_string"]).repository
        known = await self._services.known(repository)
        prices = await self._services.query(request, known.id, partial(read_prices, repository_id=known.id))
        return json_response({"prices": None if prices is None else _shown(prices)})

    async def replace(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Set the prices; the response is sent once that is durable."""
        _BODY.check_head(request)
        repository = read_input(segments, request.scope["query_string"]).repository
        texts = await _BODY.texts(self._services.buffers, request)
        prices = _read(texts)
        await self._services.known(repository)
        await self._services.change(repository, partial(put_prices, prices=prices))
        await self._note(request, "prices changed", repository, prices=_shown(prices))
        return json_response({"prices": _shown(prices)})

    async def delete(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Delete the prices; the response is sent once that is durable."""
        repository = read_input(segments, request.scope["query_string"]).repository
        await self._services.known(repository)
        deleted = await self._services.change(repository, delete_prices)
        if deleted:
            await self._note(request, "prices changed", repository, prices={})
        return json_response({"deleted": deleted})


def _shown(prices: Prices) -> dict[str, object]:
    runners = {runner: format_decimal(price) for runner, price in prices.by_runner.items()}
    return {
        "currency": prices.currency,
        "per_minute": format_decimal(prices.per_minute),
        "by_runner": runners,
    }


def _read(texts: Mapping[str, bytes]) -> Prices:
    values, errors = read_fields(_BODY.fields, _BODY.content(texts))
    if errors:
        raise InvalidInput(errors)
    return Prices(**values)


def _price(value: Any) -> int:
    price = read_decimal(value) if isinstance(value, str) else None
    if price is None:
        raise InvalidValue(_PRICE)
    return price


def _runners(value: Any) -> dict[str, int]:
    if not isinstance(value, dict) or len(value) > _MOST_RUNNERS:
        raise InvalidValue(f"must be an object with prices of at most {_MOST_RUNNERS} kinds of runners")
    for runner, price in value.items():
        try:
            _RUNNER.read(runner)
            _price(price)
        except InvalidValue as error:
            raise InvalidValue(f"{runner[:100]!r} {error}") from None
    return {runner: _price(price) for runner, price in value.items()}


_FIELDS = {
    "currency": matching(
        lambda code: len(code) == 3 and code.isascii() and code.isalpha() and code.isupper(),  # noqa: PLR2004
        3,
        "^[A-Z]{3}$",
        "must be three capital letters such as USD",
    ),
    "per_minute": Field(_price, _DECIMAL).described("Of a runner without a price of its own"),
    "by_runner": Field(
        _runners,
        {"type": "object", "additionalProperties": _DECIMAL, "maxProperties": _MOST_RUNNERS},
    ).by_default({}),
}
_BODY = ObjectBody(_FIELDS, 1 << 16)
_EXAMPLE: dict[str, object] = {
    "currency": "USD",
    "per_minute": "0.008",
    "by_runner": {"linux-x64-16": "0.064"},
}


def price_routes(services: Services) -> list[Route]:
    handlers, path, tag = PriceHandlers(services), f"{REPOSITORY_PATH}/prices", "Configuration"
    runners = {"type": "object", "additionalProperties": STRING}
    prices = object_of({"currency": STRING, "per_minute": STRING, "by_runner": runners})
    answer = json_content(object_of({"prices": or_null(prices)}))
    body = json_body(object_schema(_BODY.fields), _EXAMPLE)
    return [
        Route("GET", path, Right.READ, handlers.show, Operation(tag, "What a minute of CI costs", answer)),
        Route(
            "PUT",
            path,
            Right.PRODUCTS,
            handlers.replace,
            Operation(tag, "Set the prices of CI", answer, body=body),
        ),
        Route(
            "DELETE",
            path,
            Right.PRODUCTS,
            handlers.delete,
            Operation(tag, "Delete the prices of CI", DELETED),
        ),
    ]
