"""Webhooks and imported items of GitHub as deliveries, each in its thread.

Statuses of unknown groups have threads of their own.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import structs

from mergecast.incoming.sources.github import NAME
from mergecast.incoming.sources.github.history_items import read_history_item
from mergecast.incoming.sources.github.observation import Observation, Seen, overlong_field, shortened
from mergecast.incoming.sources.github.threads import commit_of_stray, is_stray, read_thread, thread_of_strays
from mergecast.incoming.sources.github.webhook import Webhook, read_webhook
from mergecast.incoming.sources.payload import is_number, text
from mergecast.incoming.sources.titles import is_changed
from mergecast.incoming.sources.translation import ThreadRules, Translator
from mergecast.incoming.sources.unreadable import (
    LONGEST_BRANCH,
    TOO_LONG,
    UNSTORABLE,
    json_value,
    unreadable,
    unreadable_item,
)
from mergecast.queues.model.delivery import IMPORT, WEBHOOK, About, Delivery
from mergecast.queues.model.queue_settings import thread_of_settings

# Any pull request can be closed or pushed to, and so can any branch.
_UNCERTAIN = frozenset({Seen.CLOSED, Seen.PUSHED, Seen.BASE_PUSHED, Seen.ABSENT})


def webhook_delivery(event: str, guid: str, body: bytes, received_at: int) -> tuple[Webhook, Delivery]:
    """The delivery for a webhook, with what translation needs of it."""
    webhook = read_webhook(event, guid, body, received_at)
    delivery = Delivery(NAME, WEBHOOK, guid, sha256(body).digest(), event, webhook.action, received_at, body)
    if webhook.not_understood is not None:
        return webhook, unreadable(delivery, webhook.not_understood)
    return webhook, _with_observations(delivery, webhook.observations, webhook.about)


def _read_webhook(guid: str, event: str, body: bytes, received_at: int) -> Delivery:
    return webhook_delivery(event, guid, body, received_at)[1]


def item_delivery(id: str, kind: str, body: bytes, received_at: int) -> Delivery:
    delivery = Delivery(NAME, IMPORT, id, sha256(body).digest(), kind, "", received_at, body)
    item = json_value(body)
    if not isinstance(item, dict):
        return unreadable_item(delivery)
    seen = [shortened(report) for report in read_history_item(kind, id, item, received_at)]
    if any(map(overlong_field, seen)):
        return unreadable(delivery, TOO_LONG)
    return _with_observations(delivery, seen, _about(item))


def _about(item: Mapping[str, Any]) -> About | None:
    number, title, position = item.get("number"), text(item, "title"), item.get("position")
    if not is_number(number) or title is None:
        return None
    author, url = text(item, "author") or "", text(item, "url") or ""
    return About(number, title, author, url, position if is_number(position) else None)


def _with_observations(delivery: Delivery, seen: Sequence[Observation], about: About | None) -> Delivery:
    """Leaves out the queue's own pushes, which only repeat what its groups say."""
    delivery = delivery._replace(about=about)
    telling = [report for report in seen if not (report.seen is Seen.BASE_PUSHED and report.is_by_queue)]
    if not telling:
        return delivery
    if is_changed(about):
        telling[0] = structs.replace(telling[0], has_changed_title=True)
    first = telling[0]
    if len(first.base_ref) > LONGEST_BRANCH:
        return unreadable(delivery, UNSTORABLE)
    is_push = first.seen is Seen.BASE_PUSHED
    if is_stray(first) and first.head_sha is not None:
        return delivery._replace(
            thread=thread_of_strays(first.head_sha),
            happened_at=_happened_at(first),
            fields=msgspec.json.encode(telling).decode(),
            commit=first.head_sha,
        )
    of_branch = thread_of_settings if first.seen is Seen.SETTINGS else "{}#".format
    return delivery._replace(
        thread=of_branch(first.base_ref) if first.number is None else f"#{first.number}",
        happened_at=max(map(_happened_at, telling)),
        fields=msgspec.json.encode(telling).decode(),
        is_about_queue=any(
            report.seen not in _UNCERTAIN or (report.is_merged and report.is_by_queue) for report in telling
        ),
        branch=first.base_ref if is_push else None,
    )


def _happened_at(report: Observation) -> int:
    return report.at or report.ended_at or report.started_at or report.received_at


RULES = ThreadRules(read_thread, commit_of_stray)
TRANSLATOR = Translator(item_delivery, RULES, version=3, read_webhook=_read_webhook)
