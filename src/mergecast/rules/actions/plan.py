"""What an action would do, before anybody says which rule it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from mergecast.conditions.result import GroupResult
from mergecast.conditions.values import Team
from mergecast.rules.context import Context
from mergecast.rules.sentence import Login, Name, Passage, Piece, Sentence, sentence
from mergecast.rules.simulation import Effect, PriorityResult, QueueResult
from mergecast.rules.variables import fill


@dataclass(frozen=True, slots=True)
class Case:
    """What an action can look at: the pull request, its rule and the queues."""

    context: Context
    rule: str
    own: GroupResult  # the rule's own conditions, judged
    queues: tuple[QueueResult, ...]
    priority: PriorityResult


@dataclass(frozen=True, slots=True)
class Plan:
    """What becomes of an action, and the sentences that say it."""

    effect: Effect
    sentences: tuple[Sentence, ...]


def acts(*sentences: Sentence) -> Plan:
    return Plan(Effect.ACTS, sentences)


def nothing(*pieces: Piece) -> Plan:
    return Plan(Effect.NOTHING, (sentence(*pieces),))


def waits(*pieces: Piece) -> Plan:
    return Plan(Effect.WAITS, (sentence(*pieces),))


def cannot(*pieces: Piece) -> Plan:
    return Plan(Effect.CANNOT, (sentence(*pieces),))


def unknown(*pieces: Piece) -> Plan:
    return Plan(Effect.UNKNOWN, (sentence(*pieces),))


def acting_as(account: str | None, context: Context) -> tuple[Piece, ...]:
    """The account that acts, when the document names one."""
    login = fill(account, context) if account else ""
    return (" as ", Login(login)) if login else ()


def passage(text: str, context: Context) -> Passage:
    return Passage(fill(text, context))


def names(texts: tuple[str, ...]) -> tuple[Name, ...]:
    return tuple(Name(text) for text in texts)


def logins(texts: set[str]) -> tuple[Login, ...]:
    """In the order of the alphabet, so that the same people always give the same sentence."""
    return tuple(Login(text) for text in sorted(texts, key=lambda text: (text.lower(), text)))


def read_team(text: str) -> Team:
    """Written `slug`, `@slug` or `@org/slug`.

    >>> read_team("@acme/reviewers")
    Team(owner='acme', slug='reviewers')
    """
    owner, _, slug = text.removeprefix("@").rpartition("/")
    return Team(owner or None, slug)
