"""Reads titles and authors of pull requests that clients send: events do not contain them."""

from typing import Annotated

import msgspec

from mergecast.errors import FieldError, InvalidInput
from mergecast.incoming.intake.event_bodies import MOST_EVENTS_PER_DELIVERY
from mergecast.incoming.intake.event_rules import LARGEST_NUMBER, LONGEST_URL
from mergecast.inputs.field import Field, Fields, InvalidValue
from mergecast.inputs.kinds import integer, name, text, web_address
from mergecast.queues.model.delivery import About
from mergecast.queues.model.showable import is_blank, without_unshowable

_LONGEST_TITLE, _LONGEST_AUTHOR = 1000, 200


def _title(value: str) -> str:
    """Characters that cannot be shown are removed; something must be left to see."""
    shown = without_unshowable(value)
    if is_blank(shown):
        raise InvalidValue("must not be blank")
    return shown


DESCRIPTION_FIELDS: Fields = {
    "pull_request": integer(0, LARGEST_NUMBER),
    "title": Field(_title, text(_LONGEST_TITLE).schema),
    "author": name(_LONGEST_AUTHOR).or_null(),
    "url": web_address(LONGEST_URL).or_null(),
}


class _Given(msgspec.Struct, forbid_unknown_fields=True):
    pull_request: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_NUMBER)]
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=_LONGEST_TITLE)]
    author: Annotated[str, msgspec.Meta(max_length=_LONGEST_AUTHOR)] | None = None
    url: str | None = None


_Delivery = Annotated[list[_Given], msgspec.Meta(max_length=MOST_EVENTS_PER_DELIVERY)]
_delivery: msgspec.json.Decoder[list[_Given]] = msgspec.json.Decoder(_Delivery)


def read_descriptions(body: bytes) -> list[About]:
    """The descriptions in a JSON array."""
    try:
        given = _delivery.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        message = f"the body must be a JSON array of up to {MOST_EVENTS_PER_DELIVERY} descriptions: {error}"
        raise InvalidInput([FieldError("body", "", message)]) from None
    errors = [
        FieldError("body", f"/{place}/{field}", message)
        for place, one in enumerate(given)
        for field, message in _errors(one)
    ]
    if errors:
        raise InvalidInput(errors)
    return [
        About(one.pull_request, without_unshowable(one.title), one.author or "", one.url or "")
        for one in given
    ]


def _errors(given: _Given) -> list[tuple[str, str]]:
    found = []
    for field, value in (("title", given.title), ("author", given.author), ("url", given.url)):
        try:
            DESCRIPTION_FIELDS[field].read(value)
        except InvalidValue as refused:
            found.append((field, str(refused)))
    return found
