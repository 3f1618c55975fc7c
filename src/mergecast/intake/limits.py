"""Limits on the text in stored deliveries: platforms send text of any length."""

from mergecast.model.delivery import About, Delivery
from mergecast.sources.unreadable import unreadable

_LONGEST_THREAD = 600
_LONGEST_NAME = 60
_LONGEST_TITLE = 500
_LARGEST_NUMBER = 2**63 - 1
_NUL_IN_JSON = "\\u0000"


def within_limits(delivery: Delivery) -> Delivery:
    """The delivery if it can be stored; otherwise without observations, and counted as untranslated."""
    event, action = _text(delivery.event, _LONGEST_NAME), _text(delivery.action, _LONGEST_NAME)
    about = delivery.about and _about(delivery.about)
    shortened = delivery
    if event != delivery.event or action != delivery.action or about != delivery.about:
        shortened = delivery._replace(event=event, action=action, about=about)
    if delivery.thread is None:
        return shortened
    if len(delivery.thread) > _LONGEST_THREAD or _NUL_IN_JSON in delivery.fields:
        return unreadable(shortened, "a name is too long, or contains the character NUL")
    return shortened


def _about(about: About) -> About | None:
    if not 0 <= about.number <= _LARGEST_NUMBER:
        return None
    title, author, url = (_text(part, _LONGEST_TITLE) for part in (about.title, about.author, about.url))
    position = about.position
    is_place = position is not None and 0 < position <= _LARGEST_NUMBER
    return About(about.number, title, author, url, position if is_place else None)


def _text(text: str, longest: int) -> str:
    return text if len(text) <= longest and "\0" not in text else text.replace("\0", "")[:longest]
