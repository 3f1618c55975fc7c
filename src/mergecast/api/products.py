"""The enabled products of a repository."""

from collections.abc import Mapping
from functools import partial
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import Operation, json_body, json_content, object_of, or_null
from mergecast.api.parameters import read_input, read_path
from mergecast.api.request_body import ObjectBody
from mergecast.api.responses import json_response
from mergecast.api.routing import PRODUCTS_PAGE, REPOSITORY_PATH, Route
from mergecast.api.services import Handlers, Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.inputs.field import Field, object_schema
from mergecast.inputs.json_object import NOT_JSON, json_kind
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.repository import PRODUCTS, in_order

_FIELD = "products"
_MOST_NAMES = 100


class ProductHandlers(Handlers):
    async def show(self, request: Request, segments: Mapping[str, str]) -> Response:
        """The enabled products; null if they were never set."""
        known = await self._services.asked(request, segments)
        return json_response({_FIELD: known.products})

    async def page(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Redirect from a simulation's link to the settings of the repository, which show the products."""
        repository = read_path(segments)  # refuses names that no repository can have
        wanted = dict(parse_qsl(request.scope["query_string"].decode("latin-1"))).get("enable")
        query = f"?enable={wanted}" if wanted in PRODUCTS else ""
        return Response(None, 302, {"Location": f"{self._services.prefix}/r/{repository}/settings{query}"})

    async def replace(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Set the enabled products; the response is sent once that is durable."""
        _BODY.check_head(request)
        repository = read_input(request, segments).repository
        texts = await _BODY.texts(self._services.buffers, request)
        products = _PRODUCTS.read(texts.get(_FIELD))
        write = partial(self._services.database.set_products, repository, products)
        await self._services.write(repository, write)
        await self._note(request, "products changed", repository, products=products)
        return json_response({_FIELD: products})


def _read_products(text: bytes | None) -> tuple[str, ...]:
    """Reads JSON text, which is decoded only as names: other values could take thirty times its memory.

    Raises InvalidInput, because several names can be wrong.
    """
    names = _read_names(text)
    errors = [
        error for place, name in enumerate(names) if (error := _error(place, name, names[:place])) is not None
    ]
    if errors:
        raise InvalidInput(errors)
    return in_order(frozenset(names))


def _read_names(text: bytes | None) -> list[str]:
    known = ", ".join(PRODUCTS)
    if text is None:
        raise _wrong(f"is missing; it is a list of {known}")
    try:
        names = msgspec.json.decode(text, type=list[str])
    except NOT_JSON:
        came = json_kind(text)
        message = f"must be a list with any of {known} (empty: none is enabled)"
        raise _wrong(message + (f"; got {came}" if came != "a list" else ", each a string")) from None
    if len(names) > _MOST_NAMES:
        raise _wrong(f"holds {len(names)} names; there are {known}")
    return names


def _wrong(message: str) -> InvalidInput:
    return InvalidInput([FieldError("body", f"/{_FIELD}", message)])


def _error(place: int, name: str, before: list[str]) -> FieldError | None:
    if name not in PRODUCTS:
        meant = nearest(name, PRODUCTS)
        hint = f"did you mean {meant}? There" if meant else "there"
        message = f"{name[:100]!r} is not a product; {hint} are {', '.join(PRODUCTS)}"
    elif name in before:
        message = f"{name} is listed twice"
    else:
        return None
    return FieldError("body", f"/{_FIELD}/{place}", message)


_PRODUCTS = Field(_read_products, {"type": "array", "items": {"enum": list(PRODUCTS)}, "uniqueItems": True})
_BODY = ObjectBody({_FIELD: _PRODUCTS}, 1 << 20)


def product_routes(services: Services) -> list[Route]:
    handlers, path, tag = ProductHandlers(services), f"{REPOSITORY_PATH}/products", "Configuration"
    show = Operation(
        tag, "The enabled products", json_content(object_of({"products": or_null(_PRODUCTS.schema)}))
    )
    replace = Operation(
        tag,
        "Set the enabled products",
        json_content(object_of({_FIELD: _PRODUCTS.schema})),
        body=json_body(object_schema(_BODY.fields), {"products": ["merge_queue"]}),
    )
    page = Operation(
        "Dashboard",
        "Redirect to the products of a repository",
        {},
        status=302,
        success="Redirect to the settings",
    )
    return [
        Route("GET", path, Right.READ, handlers.show, show),
        Route("PUT", path, Right.PRODUCTS, handlers.replace, replace),
        Route("GET", PRODUCTS_PAGE, Right.PUBLIC, handlers.page, page),
    ]
