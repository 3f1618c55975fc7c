"""Deliveries that concern a queue but cannot be read or stored as they are: they are kept and counted."""

from collections.abc import Sequence

import msgspec

from mergecast.incoming.sources.translation import (
    ReadThread,
    Standing,
    ThreadRules,
    Translation,
    Untranslated,
)
from mergecast.queues.model.delivery import About, Delivery
from mergecast.queues.model.showable import without_unshowable

# The thread of everything that a source could not read.
UNREADABLE = ""

# Platforms send text of any length.
LONGEST_BRANCH = 600
TOO_LONG = "a report has texts or lists that are too long"
UNSTORABLE = "a name is too long, or contains the character NUL"
_LONGEST_THREAD = LONGEST_BRANCH
_LONGEST_NAME = 60
_LONGEST_TITLE = 500
# Real ones have a few hundred bytes, or a few thousand if they list a batch.
LONGEST_FIELDS = 16 << 10
# Decoding a longer item would hold up the server: a list of lists takes 30 times its size in memory.
_LONGEST_ITEM = 1 << 20
_NUL_IN_JSON = "\\u0000"

_untranslated = msgspec.json.Decoder(Untranslated)


def is_too_long(body: bytes) -> bool:
    return len(body) > _LONGEST_ITEM


def json_value(body: bytes) -> object:
    """The value of a JSON text; None if it is too long, not UTF-8, or a number in it is out of range."""
    if is_too_long(body):
        return None
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def unreadable_item(delivery: Delivery) -> Delivery:
    """An item whose body is not a JSON object, or too long to find out."""
    if is_too_long(delivery.body):
        return unreadable(delivery, f"the item is longer than {_LONGEST_ITEM >> 20} MiB")
    return unreadable(delivery, "the item is not a JSON object")


def unreadable(delivery: Delivery, reason: str) -> Delivery:
    """The delivery with the reason in place of observations."""
    fields = msgspec.json.encode(Untranslated(reason, delivery.received_at)).decode()
    return delivery._replace(
        thread=UNREADABLE,
        happened_at=delivery.received_at,
        fields=fields,
        is_about_queue=True,
        commit=None,
    )


def within_limits(delivery: Delivery) -> Delivery:
    """The delivery if it can be stored; otherwise without observations, and counted as untranslated."""
    event, action = _text(delivery.event, _LONGEST_NAME), _text(delivery.action, _LONGEST_NAME)
    about = delivery.about and _about(delivery.about)
    shortened = delivery
    if event != delivery.event or action != delivery.action or about != delivery.about:
        shortened = delivery._replace(event=event, action=action, about=about)
    if delivery.thread is None:
        return shortened
    if len(delivery.fields) > LONGEST_FIELDS:
        return unreadable(shortened, TOO_LONG)
    if len(delivery.thread) > _LONGEST_THREAD or _NUL_IN_JSON in delivery.fields:
        return unreadable(shortened, UNSTORABLE)
    return shortened


def _about(about: About) -> About:
    title, author = (without_unshowable(part)[:_LONGEST_TITLE] for part in (about.title, about.author))
    return About(about.number, title, author, _text(about.url, _LONGEST_TITLE), about.position or None)


def _text(text: str, longest: int) -> str:
    return text if len(text) <= longest and "\0" not in text else text.replace("\0", "")[:longest]


def _read_thread(_: str, fields: Sequence[str]) -> ReadThread:
    return ReadThread(Standing(), lambda _: _translate(fields))


def _translate(fields: Sequence[str]) -> Translation:
    return Translation(untranslated=tuple(_untranslated.decode(text) for text in fields))


RULES = ThreadRules(_read_thread)
