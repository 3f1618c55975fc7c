"""Reports of the toy queue as deliveries, and the events of a pull request: one thread each."""

import hmac
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

import msgspec

from mergecast.incoming.sources.payload import instant
from mergecast.incoming.sources.translation import (
    ReadThread,
    Standing,
    ThreadRules,
    Translation,
    Translator,
)
from mergecast.incoming.sources.unreadable import json_value, unreadable_item
from mergecast.incoming.sources.webhooks import NotAWebhook, ReadWebhook, RepositoryNamed, Webhooks
from mergecast.queues.model.delivery import IMPORT, WEBHOOK, Delivery
from mergecast.queues.model.event import CHECKS_ENDED, CHECKS_STARTED, QUEUE_ENTERED, QUEUE_LEFT, Event
from sources.toy import NAME

_REASONS = {"merged": "PR_MERGED", "removed": "PR_DEQUEUED"}


class _Report(msgspec.Struct, frozen=True):
    id: int
    pull: int
    branch: str
    at: int
    what: str


_report = msgspec.json.Decoder(_Report)


def _item_delivery(id: str, kind: str, body: bytes, received_at: int) -> Delivery:
    return _observed(Delivery(NAME, IMPORT, id, sha256(body).digest(), kind, "", received_at, body))


def _observed(delivery: Delivery) -> Delivery:
    """The delivery with what translation needs of its body."""
    value = json_value(delivery.body)
    at = instant(value, "at") if isinstance(value, dict) else None
    if not isinstance(value, dict) or at is None:
        return unreadable_item(delivery)
    report = _Report(value["id"], value["pull"], value["branch"], at, value["what"])
    fields = msgspec.json.encode(report).decode()
    return delivery._replace(thread=str(report.pull), happened_at=at, fields=fields, is_about_queue=True)


def _read_thread(_: str, fields: Sequence[str]) -> ReadThread:
    reports = {report.id: report for report in map(_report.decode, fields)}
    events = tuple(_events(sorted(reports.values(), key=lambda report: report.at)))
    return ReadThread(Standing(), lambda _: Translation(events))


def _events(reports: Sequence[_Report]) -> Iterator[Event]:
    session, entered_at = "", 0
    for report in reports:
        if report.what == "entered":
            session, entered_at = f"{NAME}:{report.pull}/{report.id}", report.at
        event = Event(
            f"{session}/{report.what}", QUEUE_ENTERED, report.at, report.branch, "default", None, NAME,
            session, report.pull,
        )  # fmt: skip
        run = event._replace(batch_id=session, attempt=1)
        match report.what:
            case "entered":
                yield event
            case "passed":
                yield run._replace(
                    id=f"{session}/started", type=CHECKS_STARTED, happened_at=entered_at,
                    batch_pull_requests=str(report.pull),
                )  # fmt: skip
                yield run._replace(type=CHECKS_ENDED, outcome="SUCCESS")
            case _:
                reason = _REASONS[report.what]
                yield event._replace(type=QUEUE_LEFT, reason=reason, schedule_wait=0, freeze_wait=0)


def _is_signed(headers: Mapping[str, str], _: bytes, secret: bytes) -> bool:
    return hmac.compare_digest(headers.get("X-Toy-Secret", "").encode(), secret)


def _read(headers: Mapping[str, str], body: bytes, received_at: int) -> ReadWebhook:
    value = json_value(body)
    if not isinstance(value, dict):
        raise NotAWebhook("the body is not a JSON object")
    owner, _, name = str(value.get("repository")).partition("/")
    digest = sha256(body).digest()
    sent = Delivery(NAME, WEBHOOK, headers["X-Toy-Id"], digest, "report", "", received_at, body)
    return ReadWebhook(_observed(sent), RepositoryNamed(owner, name))


TRANSLATOR = Translator(_item_delivery, ThreadRules(_read_thread))
WEBHOOKS = Webhooks(
    summary="Receive a report of the toy queue",
    example={"id": 1, "pull": 7, "branch": "main", "at": "2026-03-02T10:00:00Z", "what": "entered"},
    headers={"X-Toy-Id": re.compile(r"[0-9]+")},
    is_signed=_is_signed,
    read=_read,
)
