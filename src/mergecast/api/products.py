"""The enabled products of a repository, and the page to change them."""

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access import audit
from mergecast.access.rights import Right
from mergecast.api.openapi.operation import HTML, Operation, json_body, json_content, or_null
from mergecast.api.openapi.schemas import Schema, object_of
from mergecast.api.parameters import read_input
from mergecast.api.request_body import ObjectBody, json_kind
from mergecast.api.responses import json_response
from mergecast.api.routing import PRODUCTS_PAGE, REPOSITORY_PATH, Route, admission_of
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.model.nearest import nearest
from mergecast.model.repository import PRODUCTS, in_order

_FIELD = "products"
_BODY_LIMIT = 1 << 20
_MOST_NAMES = 100


class ProductHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._body = ObjectBody((_FIELD,), _BODY_LIMIT)

    async def show(self, request: Request, segments: Mapping[str, str]) -> Response:
        """The enabled products; null if they were never set."""
        repository = read_input(segments, request.scope["query_string"]).repository
        return json_response({_FIELD: (await self._services.known(repository)).products})

    async def replace(self, request: Request, segments: Mapping[str, str]) -> Response:
        """Set the enabled products; the response is sent once that is durable."""
        self._body.check_head(request)
        repository = read_input(segments, request.scope["query_string"]).repository
        fields = await self._body.fields(self._services.buffers, request)
        products = _read_products(fields)
        await self._services.database.set_products(repository, products)
        audit.products_changed(admission_of(request), repository, products)
        return json_response({_FIELD: products})


def _read_products(fields: Mapping[str, bytes]) -> tuple[str, ...]:
    names = _read_names(fields)
    errors = [
        error for place, name in enumerate(names) if (error := _error(place, name, names[:place])) is not None
    ]
    if errors:
        raise InvalidInput(errors)
    return in_order(frozenset(names))


def _read_names(fields: Mapping[str, bytes]) -> list[str]:
    known = ", ".join(PRODUCTS)
    if _FIELD not in fields:
        raise InvalidInput([FieldError("body", f"/{_FIELD}", f"is missing; it is a list of {known}")])
    try:
        names = msgspec.json.decode(fields[_FIELD], type=list[str])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        came = json_kind(fields[_FIELD])
        message = f"must be a list with any of {known} (empty: none is enabled)"
        message += f"; it came as {came}" if came != "a list" else ", each a string"
        raise InvalidInput([FieldError("body", f"/{_FIELD}", message)]) from None
    if len(names) > _MOST_NAMES:
        raise InvalidInput([FieldError("body", f"/{_FIELD}", f"holds {len(names)} names; there are {known}")])
    return names


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


class ProductPage:
    """The same page for every repository, so that it does not reveal which ones exist."""

    def __init__(self) -> None:
        self._text = (files("mergecast.api") / "pages" / "products.html").read_text(encoding="utf-8")
        self._headers = {
            "Content-Security-Policy": _policy(self._text),
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-cache",
        }

    async def show(self, _: Request, segments: Mapping[str, str]) -> Response:
        read_input(segments, b"")  # refuse names that no repository can have
        return Response(self._text, headers=self._headers, media_type="text/html; charset=utf-8")


def _policy(page: str) -> str:
    """Allow only the page's own script and style, and requests to its own server."""
    script, style = (_digest(page, tag) for tag in ("script", "style"))
    return (
        f"default-src 'none'; script-src {script}; style-src {style}; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _digest(page: str, tag: str) -> str:
    content = page.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"


_PRODUCTS: Schema = {"type": "array", "items": {"enum": list(PRODUCTS)}, "uniqueItems": True}
_ENABLED = object_of({"products": _PRODUCTS})


def product_routes(services: Services) -> list[Route]:
    handlers, path, tag = ProductHandlers(services), f"{REPOSITORY_PATH}/products", "Configuration"
    show = Operation(tag, "The enabled products", json_content(object_of({"products": or_null(_PRODUCTS)})))
    replace = Operation(
        tag,
        "Set the enabled products",
        json_content(_ENABLED),
        body=json_body(_ENABLED, {"products": ["merge_queue"]}),
    )
    page = Operation("Service", "A page to enable and disable products", HTML)
    return [
        Route("GET", path, Right.READ, handlers.show, show),
        Route("PUT", path, Right.PRODUCTS, handlers.replace, replace),
        Route("GET", PRODUCTS_PAGE, Right.PUBLIC, ProductPage().show, page),
    ]
