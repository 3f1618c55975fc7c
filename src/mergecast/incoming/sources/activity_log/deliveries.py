"""Entries of the activity log as deliveries, and the translation of their threads: one per pull request."""

from collections.abc import Sequence
from hashlib import sha256

import msgspec

from mergecast.incoming.sources.activity_log import NAME
from mergecast.incoming.sources.activity_log.entry import LogEntry, NotAnEntry, read_entry
from mergecast.incoming.sources.activity_log.translate import translate
from mergecast.incoming.sources.translation import (
    ReadThread,
    Standing,
    ThreadRules,
    Translation,
    Translator,
    check_length,
)
from mergecast.incoming.sources.unreadable import is_too_long, unreadable, unreadable_item
from mergecast.queues.model.delivery import IMPORT, Delivery

_encode = msgspec.json.Encoder().encode
_entry = msgspec.json.Decoder(LogEntry)


def item_delivery(id: str, kind: str, body: bytes, received_at: int) -> Delivery:
    digest = sha256(body).digest()
    if is_too_long(body):
        return unreadable_item(Delivery(NAME, IMPORT, id, digest, kind, "", received_at, body))
    try:
        entry = read_entry(body)
    except NotAnEntry as error:
        return unreadable(Delivery(NAME, IMPORT, id, digest, kind, "", received_at, body), str(error))
    if entry is None:
        return Delivery(NAME, IMPORT, id, digest, kind, "", received_at, body)
    fields, at = _encode(entry).decode(), entry.received_at
    # A thread has all stays of a pull request: not every entry names its stay, and others show which it is.
    thread = f"#{entry.pull_request}"
    return Delivery(NAME, IMPORT, id, digest, kind, "", received_at, body, thread, at, fields, True)


def _read_thread(_: str, fields: Sequence[str]) -> ReadThread:
    return ReadThread(Standing(), lambda _: _translate(fields))


def _translate(fields: Sequence[str]) -> Translation:
    check_length(len(fields))
    return translate([_entry.decode(text) for text in fields])


RULES = ThreadRules(_read_thread)
TRANSLATOR = Translator(item_delivery, RULES, version=3)
