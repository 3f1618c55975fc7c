"""`POST /v1/hooks/SOURCE`: webhooks, signed with a secret that the operator has set."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial

import structlog
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.access.webhook_secrets import WebhookSecret, matching_secrets
from mergecast.api.fair_shares import FairShare
from mergecast.api.openapi.operation import INTEGER, Operation, json_body, json_content, object_of
from mergecast.api.parameters import refuse_query
from mergecast.api.problems import HttpError
from mergecast.api.request_body import JSON, RequestBody
from mergecast.api.responses import json_response
from mergecast.api.routing import HOOK_PATHS, Route
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput, MergecastError, NotFound
from mergecast.incoming.intake.intake import LARGE_BODY
from mergecast.incoming.intake.renames import Destination, destination, named_repository
from mergecast.incoming.sources.webhooks import NotAWebhook, ReadWebhook, Webhooks
from mergecast.queues.store.errors import RepositoryRenamed
from mergecast.queues.store.values import DeliveryReceipt

# Computing the signature of a longer body would block other requests for too long.
_QUICKLY_SIGNED = 256 << 10
_COUNTS = {"stored": INTEGER, "duplicates": INTEGER, "not_kept": INTEGER}
RECEIPT = json_content(object_of(_COUNTS, {"expired": INTEGER}))
_BODY = RequestBody(25 << 20, may_be_gzip=False)

log = structlog.get_logger("mergecast.hooks")


class HookHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._large_bodies = FairShare(2, 1, most_waiting=100, what="the reading of large webhooks")

    async def receive(self, webhooks: Webhooks, request: Request, _: Mapping[str, str]) -> Response:
        """Store a webhook of a source; the response is sent once it is durable."""
        known = await self._secrets(webhooks)
        if not known:
            raise NotFound("webhooks are off; the operator turns them on with MERGECAST_WEBHOOK_SECRETS")
        _check_head(request)
        self._services.visit(request)
        async with _BODY.read(self._services.buffers, request) as body:
            secrets = await self._matching(webhooks, request, body, known)
            refuse_query(request)
            receipt = await self._store(webhooks, request, body, secrets)
        if webhooks.is_about_app is not None and webhooks.is_about_app(request.headers):
            await self._refresh_apps(secrets)
        return json_response(shown_receipt(receipt), 202)

    async def _secrets(self, webhooks: Webhooks) -> Sequence[WebhookSecret]:
        """Those of the operator, and those of GitHub Apps for the owners that installed them."""
        if webhooks.is_about_app is None:
            return self._services.webhook_secrets
        of_apps = await self._services.github_apps.webhook_secrets()
        return [
            *self._services.webhook_secrets,
            *(WebhookSecret(one.secret, one.owners, one.app_id) for one in of_apps),
        ]

    async def _refresh_apps(self, secrets: Sequence[WebhookSecret]) -> None:
        """What the webhook says may be outdated, so GitHub is asked where the App is installed."""
        for app_id in {secret.app_id for secret in secrets if secret.app_id is not None}:
            try:
                await self._services.github_apps.refresh(app_id)
            except MergecastError as error:
                log.warning("the installations of a GitHub App are not known", app=app_id, error=str(error))

    async def _matching(
        self, webhooks: Webhooks, request: Request, body: bytes, known: Sequence[WebhookSecret]
    ) -> Sequence[WebhookSecret]:
        is_signed_with = partial(webhooks.is_signed, request.headers, body)
        if len(body) <= _QUICKLY_SIGNED:
            secrets = matching_secrets(known, is_signed_with)
        else:
            secrets = await asyncio.to_thread(matching_secrets, known, is_signed_with)
        if not secrets:
            raise HttpError(403, "the signature does not match the body with any secret of this server")
        return secrets

    async def _store(
        self, webhooks: Webhooks, request: Request, body: bytes, secrets: Sequence[WebhookSecret]
    ) -> DeliveryReceipt:
        for header, pattern in webhooks.headers.items():
            _check_header(request, header, pattern)
        try:
            webhook = await self._read(webhooks, request.headers, body, secrets)
            named = named_repository(webhook)
        except NotAWebhook as error:
            raise InvalidInput([FieldError("body", "", str(error))]) from None
        if named is None:
            return DeliveryReceipt(0, 0, 1)

        def covered(owner: str) -> bool:
            return any(secret.covers(owner) for secret in secrets)

        if not covered(named.owner):
            raise HttpError(403, f"the secret of this webhook is not for {named.owner}")
        while True:
            target = await destination(self._services.database, webhook, named, covered)
            with suppress(RepositoryRenamed):
                return await self._receive(webhook, target)

    async def _receive(self, webhook: ReadWebhook, target: Destination) -> DeliveryReceipt:
        intake, name = self._services.intake, target.repository
        id = webhook.repository.id if webhook.repository is not None else None
        receipt = await intake.receive(name, [webhook.delivery], platform_id=id, repository_id=target.id)
        if webhook.delivery.thread is not None and not receipt.duplicates:
            intake.translate_soon(name)
        return receipt

    async def _read(
        self,
        webhooks: Webhooks,
        headers: Mapping[str, str],
        body: bytes,
        secrets: Sequence[WebhookSecret],
    ) -> ReadWebhook:
        """Large bodies are read in a thread, and one at a time for each secret."""
        now = self._services.now()
        if len(body) <= LARGE_BODY:
            return webhooks.read(headers, body, now)
        async with self._large_bodies.turn(secrets[0]):
            return await asyncio.to_thread(webhooks.read, headers, body, now)


def shown_receipt(receipt: DeliveryReceipt) -> dict[str, int]:
    """The counts of a receipt; most have nothing that is too old, and do not mention it."""
    return {name: count for name, count in receipt._asdict().items() if count or name != "expired"}


def _check_header(request: Request, name: str, pattern: re.Pattern[str]) -> None:
    if pattern.fullmatch(request.headers.get(name, "")) is None:
        raise InvalidInput([FieldError("header", name, "is missing or invalid")])


def hook_routes(services: Services) -> list[Route]:
    handlers = HookHandlers(services)
    return [_route(handlers, path, load_webhooks()) for path, load_webhooks in HOOK_PATHS.items()]


def _route(handlers: HookHandlers, path: str, webhooks: Webhooks) -> Route:
    operation = Operation(
        "Sources",
        webhooks.summary,
        RECEIPT,
        body=json_body({"type": "object"}, webhooks.example),
        status=202,
        success="Stored",
        refusals=(403, 404, 408, 413, 415, 422, 429),
    )
    return Route("POST", path, Right.PUBLIC, partial(handlers.receive, webhooks), operation)


def _check_head(request: Request) -> None:
    """Like `RequestBody.check_head`, with messages for someone who sets up a webhook."""
    _BODY.check_length(request)
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != JSON:
        raise HttpError(
            415,
            "the body must have type application/json; choose that content type in the webhook's settings",
        )
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise HttpError(415, "the body of a webhook may not be encoded")
