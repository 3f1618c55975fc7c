"""What translating the deliveries of one thread gives."""

from typing import NamedTuple

from mergecast.model.event import Event


class Untranslated(NamedTuple):
    """Something a platform sent that gave no event, although it should have."""

    reason: str
    at: int


class Translation(NamedTuple):
    """The events of one thread. Translating the thread again replaces all of them."""

    events: tuple[Event, ...] = ()
    untranslated: tuple[Untranslated, ...] = ()
