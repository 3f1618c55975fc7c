"""Secrets that sign webhooks, and the owners each of them is for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mergecast.queues.model.repository import is_owner
from mergecast.queues.model.setting_list import parse_list

_EXAMPLE = '[{"secret": "…", "owners": ["acme"]}]'
_SHORTEST = 16


@dataclass(frozen=True, slots=True)
class WebhookSecret:
    secret: bytes = field(repr=False)
    owners: frozenset[str] | None = None  # in lower case; None: every owner
    app_id: str | None = None  # of the GitHub App whose webhooks it signs

    def covers(self, owner: str) -> bool:
        return self.owners is None or owner.lower() in self.owners


def parse_secrets(text: str) -> tuple[WebhookSecret, ...]:
    """Parse a JSON list of secrets; empty text means none. No message contains a secret."""
    values = parse_list(text, _EXAMPLE)
    return tuple(_secret(value, place) for place, value in enumerate(values, start=1))


def _secret(value: Any, place: int) -> WebhookSecret:
    if not isinstance(value, dict) or not {"secret"} <= value.keys() <= {"secret", "owners"}:
        raise ValueError(f"entry {place} must have a secret, and may have owners: {_EXAMPLE}")
    secret, owners = value["secret"], value.get("owners")
    if not isinstance(secret, str) or len(secret) < _SHORTEST:
        raise ValueError(f"entry {place}: the secret needs at least {_SHORTEST} characters")
    if owners is None:
        return WebhookSecret(secret.encode())
    if not isinstance(owners, list) or not all(isinstance(name, str) and is_owner(name) for name in owners):
        raise ValueError(f"entry {place}: owners must be a list of owner names")
    return WebhookSecret(secret.encode(), frozenset(name.lower() for name in owners))


def matching_secrets(
    secrets: Sequence[WebhookSecret], is_signed_with: Callable[[bytes], bool]
) -> list[WebhookSecret]:
    """The secrets that a webhook was signed with; every secret is tried, so timing reveals nothing."""
    return [known for known in secrets if is_signed_with(known.secret)]
