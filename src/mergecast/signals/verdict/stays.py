"""The stays of a queue, and which of them had the same commit."""

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from mergecast.queues.model.event import MERGED_REASONS
from mergecast.queues.model.verdict import JUDGED_BY_RUNS
from mergecast.signals.verdict.happenings import Entered, Left


@dataclass(slots=True)
class Stay:
    """`change` is the same number for all stays of a pull request with the same known commit."""

    session_id: str
    pull_request: int
    entered_at: int
    priority_rule_name: str | None
    head_sha: str | None
    change: int
    left_at: int | None = None
    reason: str | None = None

    @property
    def is_merged(self) -> bool:
        return self.reason in MERGED_REASONS

    @property
    def has_failed(self) -> bool:
        return self.reason in JUDGED_BY_RUNS


class Stays(msgspec.Struct, dict=True):
    """Stays by number, in the order in which they became known."""

    known: dict[int, Stay] = {}
    last: int = 0

    def __post_init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._of_pull: dict[int, list[int]] = {}
        for number, stay in self.known.items():
            self._index(number, stay)

    def _index(self, number: int, stay: Stay) -> None:
        self._numbers[stay.session_id] = number
        self._of_pull.setdefault(stay.pull_request, []).append(number)

    def enter(self, entered: Entered) -> int | None:
        """The number of the new stay; None if it is known already, for example from its first check."""
        if entered.session_id in self._numbers:
            self._complete(self._numbers[entered.session_id], entered.head_sha)
            return None
        self.last += 1
        pull, sha = entered.pull_request, entered.head_sha
        change = self._change(pull, sha, self.last)
        stay = Stay(entered.session_id, pull, entered.at, entered.priority_rule_name, sha, change)
        self.known[self.last] = stay
        self._index(self.last, stay)
        return self.last

    def _complete(self, number: int, sha: str | None) -> None:
        stay = self.known[number]
        if stay.head_sha is None and stay.left_at is None:
            stay.head_sha, stay.change = sha, self._change(stay.pull_request, sha, number)

    def leave(self, left: Left) -> int | None:
        """The number of the stay that left; None if it had left before."""
        number = self._numbers.get(left.session_id)
        if number is None:
            number = self.enter(Entered(left.at, left.session_id, left.pull_request, left.head_sha, None))
        if number is None or self.known[number].left_at is not None:
            return None
        stay = self.known[number]
        stay.left_at, stay.reason = left.at, left.reason
        if left.head_sha and left.head_sha != stay.head_sha:
            # A commit that changed while it was queued is not known.
            stay.head_sha = None if stay.head_sha else left.head_sha
            stay.change = self._change(stay.pull_request, stay.head_sha, number)
        return number

    def _change(self, pull_request: int, sha: str | None, number: int) -> int:
        for other in self._of_pull.get(pull_request, ()):
            if sha and other != number and self.known[other].head_sha == sha:
                return self.known[other].change
        return number

    def number(self, session_id: str) -> int | None:
        return self._numbers.get(session_id)

    def change(self, number: int) -> int:
        stay = self.known.get(number)
        return stay.change if stay else number

    def changes(self, numbers: Iterable[int]) -> list[int]:
        """The changes of these stays, each once, in order."""
        return list(dict.fromkeys(self.change(number) for number in numbers))

    def of_change(self, change: int) -> list[int]:
        """The stays with this commit, oldest first."""
        stay = self.known.get(change)
        if stay is None:
            return [change]
        return [number for number in self._of_pull[stay.pull_request] if self.known[number].change == change]

    def earlier(self, number: int) -> list[Stay]:
        """The stays of the same pull request before this one, oldest first."""
        return [
            self.known[other]
            for other in self._of_pull[self.known[number].pull_request]
            if other != number and self.known[other].entered_at <= self.known[number].entered_at
        ]

    def unchanged_before(self, number: int) -> list[Stay]:
        """The stays with the same commit before this one."""
        change = self.known[number].change
        return [stay for stay in self.earlier(number) if stay.change == change]

    def present(self, pull_request: int) -> int | None:
        """The last stay of this pull request, if it has not left."""
        numbers = self._of_pull.get(pull_request)
        return numbers[-1] if numbers and self.known[numbers[-1]].left_at is None else None

    def pull_request(self, number: int) -> int | None:
        stay = self.known.get(number)
        return stay.pull_request if stay else None

    def session(self, number: int) -> str:
        """Its session; of a stay that is forgotten, its number."""
        stay = self.known.get(number)
        return stay.session_id if stay else str(number)

    def is_latest(self, number: int) -> bool:
        """Whether its pull request may come back with this commit: no merge and no other commit followed."""
        stay = self.known.get(number)
        if stay is None or stay.is_merged:
            return False
        return self.known[self._of_pull[stay.pull_request][-1]].change == stay.change

    def forget(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            stay = self.known.pop(number)
            del self._numbers[stay.session_id]
            of_pull = self._of_pull[stay.pull_request]
            of_pull.remove(number)
            if not of_pull:
                del self._of_pull[stay.pull_request]
