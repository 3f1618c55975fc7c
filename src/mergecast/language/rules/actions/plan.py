"""What an action is, and what it plans for one pull request."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mergecast.language.conditions.result import GroupResult
from mergecast.language.conditions.tree import Condition
from mergecast.language.conditions.values import Team
from mergecast.language.rules.context import Context
from mergecast.language.rules.queues import Priorities
from mergecast.language.rules.sentence import Login, Passage, Piece, Pieces, Sentence, sentence
from mergecast.language.rules.simulation import Effect, QueueResult
from mergecast.language.rules.variables import fill
from mergecast.queues.model.snapshot import Part


@dataclass(frozen=True, slots=True)
class Case:
    """What an action can depend on: the pull request, its rule and the queues."""

    context: Context
    rule: str
    own: GroupResult  # the evaluated conditions of the rule, without those that the service adds
    queues: tuple[QueueResult, ...]
    priorities: Priorities


@dataclass(frozen=True, slots=True)
class Plan:
    """What an action would do, and the sentences that say so."""

    effect: Effect
    sentences: tuple[Sentence, ...]
    queue: str | None = None  # the queue that the pull request would enter, now or later


Planner = Callable[[Any, Case], Plan]


def _no_teams(_: Any) -> Iterable[Team | None]:
    return ()


@dataclass(frozen=True, slots=True)
class Action:
    """One action of the language. Functions get the options of the action first."""

    plan: Planner  # for a rule that matches
    describe: Callable[[Any], Pieces]  # what it does to any pull request, such as `adds the label 'ready'`
    requirements: Callable[[Any, Context], tuple[Condition, ...]] | None = None  # added to the rule's own
    plan_waiting: Planner | None = None  # for a rule whose own conditions hold, but not the requirements
    plan_unmatched: Callable[[Any, Case], Plan | None] | None = None  # for a rule that does not match
    is_once: bool = False  # the action of a second rule finds everything done
    needs: frozenset[Part] = frozenset()  # the parts of the snapshot that the plan reads
    teams: Callable[[Any], Iterable[Team | None]] = _no_teams
    """The teams whose members the plan reads; None means teams that only the pull request names."""


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


def always(phrase: str) -> Callable[[Any], Pieces]:
    """A description that does not depend on the options."""
    return lambda _: (phrase,)


def acting_as(account: str | None, context: Context) -> Pieces:
    """The account that acts, if the document names one."""
    login = fill(account, context) if account else ""
    return (" as ", Login(login)) if login else ()


def passage(text: str, context: Context) -> Passage:
    return Passage(fill(text, context))


def read_team(text: str) -> Team:
    """A team written as `slug`, `@slug` or `@org/slug`.

    >>> read_team("@acme/reviewers")
    Team(owner='acme', slug='reviewers')
    """
    owner, _, slug = text.removeprefix("@").rpartition("/")
    return Team(owner or None, slug)
