"""`POST /v1/hooks/github`: webhooks, signed with a secret that the operator has set."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.access.webhook_secrets import WebhookSecret, matching_secrets
from mergecast.api.openapi.operation import INTEGER, Operation, json_body, json_content, object_of
from mergecast.api.parameters import refuse_query
from mergecast.api.problems import HttpError
from mergecast.api.request_body import receive_parts
from mergecast.api.responses import json_response
from mergecast.api.routing import GITHUB_HOOK, Route
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput, NotFound, Unavailable
from mergecast.intake.renames import destination, named_repository
from mergecast.sources.github.deliveries import webhook_delivery
from mergecast.sources.github.webhook import NotAWebhook
from mergecast.store.values import DeliveryReceipt

# Computing the signature of a longer body would block other requests for too long.
_QUICKLY_SIGNED = 256 << 10
_EVENT = re.compile(r"[a-z0-9_]{1,60}")
_GUID = re.compile(r"[!-~]{1,100}")

RECEIPT = json_content(object_of({"stored": INTEGER, "duplicates": INTEGER, "not_kept": INTEGER}))
_LARGEST_BODY = 25 << 20
BODY_SECONDS = 10.0
# Nearly all webhooks are smaller; large bodies from strangers must not block them.
_SMALL = 1 << 20
_SMALL_TOGETHER = 64 << 20
_LARGE_TOGETHER = 4 * _LARGEST_BODY


class _Budget:
    def __init__(self, limit: int) -> None:
        self._limit, self._taken = limit, 0

    @contextmanager
    def taken(self, size: int) -> Iterator[None]:
        """Takes this many bytes of the budget while the block runs."""
        if self._taken + size > self._limit:
            raise Unavailable("too many webhooks are arriving; deliver this one again in a moment")
        self._taken += size
        try:
            yield
        finally:
            self._taken -= size


class _Bodies:
    """Anyone may send a body, so bodies of webhooks have their own limits on memory and time."""

    def __init__(self) -> None:
        self._small, self._large = _Budget(_SMALL_TOGETHER), _Budget(_LARGE_TOGETHER)

    @asynccontextmanager
    async def receive(self, request: Request) -> AsyncIterator[bytes]:
        """The body, once its head is checked; it counts as in memory until the block ends."""
        size = _declared_length(request)
        if size > _LARGEST_BODY:
            raise _too_large()
        _check_type(request)
        with (self._small if size <= _SMALL else self._large).taken(size):
            yield await _read(request)


class HookHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._bodies = _Bodies()

    async def receive(self, request: Request, _: Mapping[str, str]) -> Response:
        """Store a webhook; the response is sent once it is durable."""
        if not self._services.webhook_secrets:
            raise NotFound("webhooks are off; the operator turns them on with MERGECAST_WEBHOOK_SECRETS")
        async with self._bodies.receive(request) as body:
            secrets = await self._matching(request, body)
            refuse_query(request.scope["query_string"])
            receipt = await self._store(request, body, secrets)
        return json_response(receipt._asdict(), 202)

    async def _matching(self, request: Request, body: bytes) -> Sequence[WebhookSecret]:
        known = self._services.webhook_secrets
        signature = request.headers.get("x-hub-signature-256", "")
        if len(body) <= _QUICKLY_SIGNED:
            secrets = matching_secrets(known, signature, body)
        else:
            secrets = await asyncio.to_thread(matching_secrets, known, signature, body)
        if not secrets:
            raise HttpError(403, "the signature does not match the body with any secret of this server")
        return secrets

    async def _store(
        self, request: Request, body: bytes, secrets: Sequence[WebhookSecret]
    ) -> DeliveryReceipt:
        event = _header(request, "X-GitHub-Event", _EVENT)
        guid = _header(request, "X-GitHub-Delivery", _GUID)
        try:
            webhook, delivery = webhook_delivery(event, guid, body, self._services.now())
            named = named_repository(webhook)
        except NotAWebhook as error:
            raise InvalidInput([FieldError("body", "", str(error))]) from None
        if named is None:
            return DeliveryReceipt(0, 0, 1)

        def covered(owner: str) -> bool:
            return any(secret.covers(owner) for secret in secrets)

        if not covered(named.owner):
            raise HttpError(403, f"the secret of this webhook is not for {named.owner}")
        intake = self._services.intake
        name = await destination(self._services.database, webhook, named, covered)
        id = webhook.repository.id if webhook.repository is not None else None
        receipt = await intake.receive(name, [delivery], platform_id=id)
        if delivery.thread is not None and not receipt.duplicates:
            intake.translate_soon(name)
        return receipt


def _header(request: Request, name: str, pattern: re.Pattern[str]) -> str:
    value = request.headers.get(name, "")
    if pattern.fullmatch(value) is None:
        raise InvalidInput([FieldError("header", name, "is missing or invalid")])
    return value


def hook_routes(services: Services) -> list[Route]:
    operation = Operation(
        "Sources",
        "Receive a webhook from GitHub, signed in X-Hub-Signature-256",
        RECEIPT,
        body=json_body({"type": "object"}, {"action": "checks_requested", "merge_group": {}}),
        status=202,
        success="Stored",
        refusals=(403, 404, 408, 413, 415, 422),
    )
    return [Route("POST", GITHUB_HOOK, Right.PUBLIC, HookHandlers(services).receive, operation)]


def _declared_length(request: Request) -> int:
    """The declared length of the body, or the largest allowed if the request has none."""
    declared = request.headers.get("content-length")
    if declared is None:
        return _LARGEST_BODY
    return int(declared) if declared.isascii() and declared.isdigit() else _LARGEST_BODY + 1


def _check_type(request: Request) -> None:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise HttpError(
            415,
            "the body must have type application/json; choose that content type in the webhook's settings",
        )
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise HttpError(415, "the body of a webhook may not be encoded")


async def _read(request: Request) -> bytes:
    length = 0

    def count(part: bytes) -> None:
        nonlocal length
        length += len(part)
        if length > _LARGEST_BODY:
            raise _too_large()

    return await receive_parts(request, BODY_SECONDS, count)


def _too_large() -> HttpError:
    return HttpError(413, f"a webhook may have at most {_LARGEST_BODY >> 20} MiB")
