"""How a source translates the deliveries of one thread, and the result."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.event import Event

MOST_REPORTS = 1_000
_LONGEST_REASON = 60  # what follows is an explanation of the individual case
MOST_DELIVERIES = 10_000  # with all checks of every commit; of more, only the newest are loaded


class Untranslated(NamedTuple):
    """Something a platform sent that should have given an event and did not."""

    reason: str
    at: int


def unknown_reason(words: str, at: int) -> Untranslated:
    """A reason for leaving a queue that this version does not know: the stay ends as UNKNOWN."""
    return Untranslated(f"unknown reason: {words[:_LONGEST_REASON]}", at)


class Translation(NamedTuple):
    """The events of one thread. Translating the thread again replaces all of them."""

    events: tuple[Event, ...] = ()
    untranslated: tuple[Untranslated, ...] = ()
    ci_checks: tuple[CiCheckReport, ...] = ()

    def counting(self, reason: str, reported: Iterable[int]) -> "Translation":
        """The same with one more thing left out, if it was reported at all: once for the whole thread."""
        at = max(reported, default=None)
        if at is None:
            return self
        return self._replace(untranslated=(*self.untranslated, Untranslated(reason, at)))


class TooManyReports(Exception):
    """A thread is longer than that of any real pull request: translating it would delay everyone else."""


def check_length(reports: int) -> None:
    """Refuse to translate too many reports about one pull request; the checks of one commit count as one."""
    if reports > MOST_REPORTS:
        raise TooManyReports(f"more than {MOST_REPORTS:,} reports about one pull request")


class Standing(NamedTuple):
    """A summary of a thread for other threads, and which threads it depends on.

    Names connect threads: a thread depends on every thread that owns one of the names it is built on.
    """

    text: str = ""  # what other threads need to know, in JSON; the same deliveries give the same text
    owns: frozenset[str] = frozenset()
    built_on: frozenset[str] = frozenset()
    since: int | None = None  # the first change that late deliveries report
    strays_in: frozenset[str] = frozenset()  # threads with deliveries that may be about commits of this one


class ReadThread(NamedTuple):
    """The deliveries of one thread, as its source understands them."""

    standing: Standing  # depends on nothing but the deliveries
    translate: Callable[[Sequence[str]], Translation]  # the standings of the threads it depends on → events


class ThreadRules(NamedTuple):
    """How a source translates one thread. Observations are the JSON texts of its deliveries."""

    # thread, observations → its standing, and its translation
    read: Callable[[str, Sequence[str]], ReadThread]
    # the observations of one stray delivery → the commit that they are about
    commit_of_stray: Callable[[str], str] | None = None


class Translator(NamedTuple):
    """How a source's items become deliveries, and the deliveries of a thread become events."""

    # id, kind, body in JSON, instant of reception → delivery
    read_item: Callable[[str, str, bytes, int], Delivery]
    rules: ThreadRules
    # Raised by a release in which the same deliveries give other events; servers then read and translate
    # them again.
    version: int = 1
    # id, name of the event, body, instant of reception → delivery; `NotAWebhook` if that cannot be read
    read_webhook: Callable[[str, str, bytes, int], Delivery] | None = None
