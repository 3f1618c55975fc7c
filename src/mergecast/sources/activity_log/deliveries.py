"""Entries of the activity log as deliveries, and the translation of their threads: one per stay."""

from collections.abc import Sequence
from hashlib import sha256

import msgspec

from mergecast.model.delivery import IMPORT, Delivery
from mergecast.sources.activity_log.entry import LogEntry, NotAnEntry, read_entry
from mergecast.sources.activity_log.translate import SOURCE, translate
from mergecast.sources.translation import Standing, ThreadRules, Translation
from mergecast.sources.unreadable import unreadable

_entry = msgspec.json.Decoder(LogEntry)


def item_delivery(id: str, kind: str, body: bytes, received_at: int) -> Delivery:
    told = (SOURCE, IMPORT, id, sha256(body).digest(), kind, "", received_at, body)
    try:
        entry = read_entry(body)
    except NotAnEntry as error:
        return unreadable(Delivery(*told), str(error))
    if entry is None:
        return Delivery(*told)
    fields = msgspec.json.encode(entry).decode()
    return Delivery(*told, entry.session, entry.received_at, fields, is_about_queue=True)


def _standing(_: Sequence[str]) -> Standing:
    return Standing()


def _translate(_: str, fields: Sequence[str], __: Sequence[str]) -> Translation:
    return translate([_entry.decode(text) for text in fields])


RULES = ThreadRules(_standing, _translate)
