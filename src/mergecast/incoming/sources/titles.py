"""Titles from which characters are removed: each pull request with one is counted."""

from collections.abc import Iterable

from mergecast.incoming.sources.translation import Translation
from mergecast.queues.model.delivery import About
from mergecast.queues.model.showable import has_unshowable

CHANGED_TITLE = "control, bidirectional or tag characters were removed from a title or the name of an author"


def is_changed(about: About | None) -> bool:
    """Whether something is removed from the title or the author before they are stored."""
    return about is not None and has_unshowable(about.title + about.author)


def with_changed_title(translation: Translation, reported: Iterable[int]) -> Translation:
    """The translation of a thread, given when its title was reported with such characters."""
    return translation.counting(CHANGED_TITLE, reported)
