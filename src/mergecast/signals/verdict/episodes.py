"""Past removals, each as the terms of its posterior, so that rates can be learned from all of them."""

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from mergecast.queues.model.instant import DAY
from mergecast.signals.verdict.counts import is_kept

MOST_EPISODES: Final = 400
_PUSHED_OWN: Final = 3.0  # how much more often own fault than not is followed by a push


class Cause(IntEnum):
    """The causes that runs can show, in the order of `Probabilities`."""

    OWN = 0
    OTHER = 1
    FLAKE = 2
    EVERYBODY = 3


class Term(NamedTuple):
    """Ways in which a removal can have come about that have the same factors of the rates."""

    broken: int
    flakes: int  # first attempts
    retry_flakes: int
    new_flakes: int  # first attempts that no earlier episode counted
    new_retry_flakes: int
    cause: Cause
    weight: float  # without the rates


class Episode(msgspec.Struct, dict=True):
    change: int
    pull_request: int
    at: int
    names: tuple[str, ...]
    terms: list[Term]
    is_settled: bool = False  # what followed is known

    @cached_property
    def columns(self) -> NDArray[np.float64]:
        """The terms as columns; each value of a term is a row."""
        return np.array(self.terms, float).T

    def settle(self, terms: list[Term]) -> None:
        self.terms, self.is_settled = terms, True
        self.__dict__.pop("columns", None)


@dataclass(slots=True)
class Episodes:
    kept: list[Episode] = field(default_factory=list)

    def add(self, episode: Episode) -> None:
        """Another failure of the same commit replaces the episode before it."""
        self.kept = [other for other in self.kept if other.change != episode.change or other.is_settled][
            -MOST_EPISODES + 1 :
        ]
        self.kept.append(episode)

    def pushed(self, pull_request: int, change: int | None = None) -> None:
        """A new commit was pushed; `change` is the new one, if it is known."""
        for episode in self._open(pull_request):
            if episode.change != change:
                episode.settle([_after_push(term) for term in episode.terms])

    def merged(self, pull_request: int, change: int) -> None:
        """The same commit merged, so it was not its own fault."""
        for episode in self._open(pull_request):
            if episode.change == change:
                innocent = [term for term in episode.terms if term.cause is not Cause.OWN]
                episode.settle(innocent or episode.terms)

    def _open(self, pull_request: int) -> list[Episode]:
        return [e for e in self.kept if e.pull_request == pull_request and not e.is_settled]

    @property
    def since(self) -> int:
        """Episodes before this instant were left out, because there are too many."""
        return self.kept[0].at if len(self.kept) == MOST_EPISODES else 0

    def prune(self, today: int) -> None:
        self.kept = [episode for episode in self.kept if is_kept(episode.at // DAY, today)]


def _after_push(term: Term) -> Term:
    return term._replace(weight=term.weight * _PUSHED_OWN) if term.cause is Cause.OWN else term
