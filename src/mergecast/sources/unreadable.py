"""Deliveries that concern a queue but cannot be read: they are kept and counted."""

from collections.abc import Sequence

import msgspec

from mergecast.model.delivery import Delivery
from mergecast.sources.translation import Standing, ThreadRules, Translation, Untranslated

# The thread of everything that a source could not read.
UNREADABLE = ""

_untranslated = msgspec.json.Decoder(Untranslated)


def json_value(body: bytes) -> object:
    """The value of a JSON text; None if a number in it is out of range, or its text is not UTF-8."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def unreadable(delivery: Delivery, reason: str) -> Delivery:
    """The delivery with the reason in place of observations."""
    fields = msgspec.json.encode(Untranslated(reason, delivery.received_at)).decode()
    return delivery._replace(
        thread=UNREADABLE, happened_at=delivery.received_at, fields=fields, is_about_queue=True
    )


def _standing(_: Sequence[str]) -> Standing:
    return Standing()


def _translate(_: str, fields: Sequence[str], __: Sequence[str]) -> Translation:
    return Translation(untranslated=tuple(_untranslated.decode(text) for text in fields))


RULES = ThreadRules(_standing, _translate)
