"""Webhooks of GitHub: which headers they have, how they are signed, and what they say."""

import hmac
import re
from collections.abc import Mapping
from hashlib import sha256

from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.incoming.sources.webhooks import ReadWebhook, Webhooks

_EVENT, _GUID, _SIGNATURE = "X-GitHub-Event", "X-GitHub-Delivery", "X-Hub-Signature-256"
# Every App gets these events without asking for them.
_OF_APPS = ("installation", "installation_repositories")


def _is_signed(headers: Mapping[str, str], body: bytes, secret: bytes) -> bool:
    given = headers.get(_SIGNATURE, "").encode("latin-1", "replace")
    return hmac.compare_digest(given, f"sha256={hmac.new(secret, body, sha256).hexdigest()}".encode())


def _read(headers: Mapping[str, str], body: bytes, received_at: int) -> ReadWebhook:
    webhook, delivery = webhook_delivery(headers[_EVENT], headers[_GUID], body, received_at)
    return ReadWebhook(delivery, webhook.repository, webhook.former_name)


WEBHOOKS = Webhooks(
    summary="Receive a webhook from GitHub, signed in X-Hub-Signature-256",
    example={"action": "checks_requested", "merge_group": {}},
    headers={_EVENT: re.compile(r"[a-z0-9_]{1,60}"), _GUID: re.compile(r"[!-~]{1,100}")},
    is_signed=_is_signed,
    read=_read,
    is_about_app=lambda headers: headers.get(_EVENT) in _OF_APPS,
)
