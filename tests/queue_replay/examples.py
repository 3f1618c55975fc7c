"""Worked examples of how queues behave, each worked out by hand.

Unless an example says otherwise: a serial queue of batches of one, one slot, no wait, no retries; all pull
requests have priority 2000 and enter at 0 s; every run takes 600 s and fails if and only if its tree holds a
broken pull request. Times are seconds.
"""

from dataclasses import dataclass, field
from typing import Any

from mergecast.forecasting.replay import codes
from mergecast.forecasting.replay.values import (
    Arrivals,
    Circumstances,
    ClosedSpan,
    Closing,
    Entering,
    EnteringFields,
    Fate,
    Landing,
    Leaving,
    Mode,
    Oracle,
    Outcome,
    Policy,
    QueueRule,
    RunStart,
    RunStartFields,
    Variants,
    github_policy,
    gitlab_policy,
)

SECOND = 1_000_000
API, WEB, DOCS = 1, 2, 4


@dataclass(frozen=True)
class Example:
    """`lengths` and `flakes` name a run by its leader, or by its leader and its size."""

    id: str
    story: str
    results: str  # "1-3 600 M": who leaves when, and how
    runs: int
    ci_seconds: int
    pulls: int = 0  # so many enter at 0, numbered from 1
    policy: Policy = field(default_factory=Policy)
    entering: dict[int, int] = field(default_factory=dict)
    urgent: tuple[int, ...] = ()
    interrupting: tuple[int, ...] = ()
    rules: dict[int, int] = field(default_factory=dict)
    scopes: dict[int, int] = field(default_factory=dict)
    broken: tuple[int, ...] = ()
    flakes: tuple[int, ...] = ()  # leaders whose first run fails
    lengths: dict[int | tuple[int, int], int] = field(default_factory=dict)
    leaving: dict[int, int] = field(default_factory=dict)
    around: Circumstances = field(default_factory=Circumstances)

    def numbers(self) -> list[int]:
        entering = self.entering or dict.fromkeys(range(1, self.pulls + 1), 0)
        return sorted(entering, key=lambda number: (entering[number], number))

    def arrivals(self) -> Arrivals:
        numbers = self.numbers()
        return Arrivals(
            number=numbers,
            entered_at=[SECOND * self.entering.get(number, 0) for number in numbers],
            priority=[3000 if number in self.urgent else 2000 for number in numbers],
            rule=[self.rules.get(number, 0) for number in numbers],
            interrupts=[number in self.interrupting for number in numbers],
            scopes=[self.scopes.get(number, 0) for number in numbers],
        )

    def oracle(self) -> Oracle:
        return Oracle(self, _fate, _outcome, _never_back)


def _fate(example: Example, fields: EnteringFields) -> Fate:
    entering = Entering(*fields)
    number = example.numbers()[entering.pull]
    leaves_at = example.leaving.get(number)
    return Fate(
        flaws=codes.BROKEN if number in example.broken else 0,
        leaves_at=codes.NEVER if leaves_at is None else leaves_at * SECOND,
        reason=codes.BY_HAND,
    )


def _outcome(example: Example, fields: RunStartFields) -> Outcome:
    start = RunStart(*fields)
    leader = example.numbers()[start.leader]
    length = example.lengths.get((leader, start.size), example.lengths.get(leader, 600))
    has_failed = start.broken or (leader in example.flakes and start.led == 0)
    return Outcome(0, length * SECOND, codes.FAIL if has_failed else codes.PASS)


def _never_back(_example: Example, _leaving: Leaving) -> int:
    return codes.NEVER


def _queue(slots: int = 1, size: int | tuple[int, int] = 1, wait: int = 0, **more: Any) -> Policy:
    """A policy with one queue rule; the fields of either may follow by name."""
    smallest, largest = (size, size) if isinstance(size, int) else size
    of_rule = {name: more.pop(name) for name in list(more) if name in QueueRule.__slots__}
    rule = QueueRule(smallest, largest, wait * SECOND, **of_rule)
    more.setdefault("rules", (rule,))
    return Policy(max_parallel_checks=slots, **more)


def _closed(start: int, end: int, closing: Closing) -> Circumstances:
    return Circumstances(closed=(ClosedSpan(start * SECOND, end * SECOND, closing),))


_PARALLEL = Mode.PARALLEL
_BATCH_OF_TWO = QueueRule(2, 2, 300 * SECOND)
_SLOW_THEN_BROKEN: dict[str, Any] = {"entering": {1: 0, 2: 0, 3: 650}, "lengths": {1: 900}}
_VOUCHING: dict[str, Any] = {"pulls": 3, "flakes": (2,), "lengths": {1: 900, 2: 600, 3: 700}}

MERGIFY = (
    Example("E01", "one after the other", "1 600 M; 2 1200 M; 3 1800 M", 3, 1800, pulls=3),
    Example(
        "E02",
        "passed batches that wait for those ahead hold no slot",
        "1-3 900 M; 4 1200 M",
        *(4, 2700),
        pulls=4,
        policy=_queue(3),
        lengths={1: 900},
    ),
    Example(
        "E03",
        "a batch whose wait is long over starts as soon as a slot is free",
        "1-6 600 M; 7 1200 M",
        *(3, 1800),
        pulls=7,
        policy=_queue(2, 3, 300),
    ),
    Example(
        "E04",
        "a batch that is not full starts when its wait is over",
        "1-2 900 M; 3 1250 M",
        *(2, 1200),
        entering={1: 0, 2: 100, 3: 350},
        policy=_queue(2, 3, 300),
    ),
    Example(
        "E05",
        "a range spreads those who wait over the free slots",
        "1-7 600 M",
        *(2, 1200),
        pulls=7,
        policy=_queue(2, (1, 4)),
    ),
    Example(
        "E06",
        "a range never waits to be filled",
        "1 610 M; 2 620 M; 3-6 1210 M; 7-8 1220 M",
        *(4, 2400),
        entering={number: 10 * number for number in range(1, 9)},
        policy=_queue(2, (1, 4)),
    ),
    Example(
        "E07",
        "chunks of a failed batch are tested on top of each other",
        "1-2 1200 M; 3 1800 M; 4 1800 D; 5-6 2400 M",
        *(6, 3600),
        pulls=6,
        policy=_queue(3, 6),
        broken=(4,),
    ),
    Example(
        "E08",
        "a chunk that fails is split again",
        "1 1800 M; 2 1800 D; 3-4 2400 M",
        *(4, 2400),
        pulls=4,
        policy=_queue(1, 4),
        broken=(2,),
    ),
    Example(
        "E09",
        "a flake costs the last member its place",
        "1-2 1200 M; 3 1800 M; 4 1800 D",
        *(3, 1800),
        pulls=4,
        policy=_queue(1, 4),
        flakes=(1,),
    ),
    Example(
        "E10",
        "a retry comes before the split",
        "1 1800 M; 2 1800 D",
        *(3, 1800),
        pulls=2,
        policy=_queue(1, 2, max_checks_retries=1),
        broken=(2,),
    ),
    Example(
        "E11",
        "every chunk has retries of its own",
        "1 2400 F; 2 3000 M",
        *(5, 3000),
        pulls=2,
        policy=_queue(1, 2, max_checks_retries=1),
        broken=(1,),
    ),
    Example(
        "E12",
        "the limit of splits removes the part that failed",
        "1-2 1200 L; 3-6 1800 M",
        *(5, 3000),
        pulls=6,
        policy=_queue(2, 4, batch_max_failure_resolution_attempts=1),
        broken=(2,),
    ),
    Example(
        "E13",
        "a limit of no splits removes the whole batch",
        "1-3 600 L",
        *(1, 600),
        pulls=3,
        policy=_queue(1, 3, batch_max_failure_resolution_attempts=0),
        broken=(3,),
    ),
    Example(
        "E14",
        "a higher priority does not stop a running check",
        "1 600 M; 2 1200 M",
        *(2, 1200),
        entering={1: 0, 2: 60},
        urgent=(2,),
    ),
    Example(
        "E15",
        "a higher priority that may interrupt stops it",
        "1 1260 M; 2 660 M",
        *(3, 1260),
        entering={1: 0, 2: 60},
        urgent=(2,),
        interrupting=(2,),
    ),
    Example(
        "E16",
        "without interruption a higher priority waits for a slot",
        "1-3 600 M; 4 1200 M",
        *(4, 2400),
        entering={1: 0, 2: 0, 3: 0, 4: 60},
        policy=_queue(3),
        urgent=(4,),
    ),
    Example(
        "E17",
        "a passing batch vouches for those it was built on",
        "1-2 700 S; 3 700 M",
        *(3, 2000),
        policy=_queue(3, skip_intermediate_results=True),
        **_VOUCHING,
    ),
    Example(
        "E18",
        "without vouching a failure waits for those ahead and voids the pass behind it",
        "1 900 M; 2 900 F; 3 1600 M",
        *(4, 2900),
        policy=_queue(3),
        **_VOUCHING,
    ),
    Example(
        "E19",
        "only batches that already run on a decidable failure may vouch for it",
        "1 900 F; 2-3 1500 M; 4 2100 M",
        *(5, 3000),
        entering={1: 0, 2: 300, 3: 620, 4: 950},
        policy=_queue(2, skip_intermediate_results=True),
        broken=(1,),
    ),
    Example(
        "E20",
        "a timeout splits the batch",
        "1 1500 M; 2 1500 D",
        *(2, 1500),
        pulls=2,
        policy=_queue(1, 2, checks_timeout=900 * SECOND),
        lengths={(1, 2): 5000},
    ),
    Example(
        "E21",
        "a pull request that leaves stops all that were built on it",
        "1 200 H; 2-3 800 M",
        *(5, 1800),
        pulls=3,
        policy=_queue(3),
        leaving={1: 200},
    ),
    Example(
        "E22",
        "closed time holds merges, and the train lands together when it ends",
        "1-3 2000 M",
        *(3, 1800),
        pulls=3,
        policy=_queue(2),
        around=_closed(500, 2000, Closing.SCHEDULE),
    ),
    Example(
        "E23",
        "a pause stops the checks, which start over when it ends",
        "1-2 1600 M",
        *(4, 1800),
        pulls=2,
        policy=_queue(2),
        around=_closed(300, 1000, Closing.PAUSE),
    ),
    Example(
        "E24",
        "a push to the base branch starts all checks over",
        "1-2 1000 M",
        *(4, 2000),
        pulls=2,
        policy=_queue(2),
        around=Circumstances(pushes=(400 * SECOND,)),
    ),
    Example(
        "E25",
        "in parallel mode a batch is built on those that share a scope, and on theirs",
        "1 600 F; 2 300 M; 3-4 1200 M",
        *(6, 3300),
        pulls=4,
        policy=_queue(4, mode=_PARALLEL),
        scopes={1: API, 2: WEB, 3: API | WEB, 4: WEB},
        broken=(1,),
        lengths={2: 300},
    ),
    Example(
        "E26",
        "in isolated mode a failure concerns no other batch",
        "1 600 F; 2 600 M; 3 1200 M",
        *(3, 1800),
        pulls=3,
        policy=_queue(2, mode=Mode.ISOLATED),
        broken=(1,),
    ),
    Example(
        "E27",
        "a batch that waits to be filled holds back the queue rules behind it",
        "1-3 620 M",
        *(2, 1200),
        entering={1: 0, 2: 10, 3: 20},
        policy=_queue(2, rules=(_BATCH_OF_TWO, QueueRule())),
        rules={2: 1},
    ),
    Example(
        "E28",
        "the wait counts from the oldest member, not from the most urgent",
        "1-2 900 M",
        *(1, 600),
        entering={1: 0, 2: 200},
        policy=_queue(1, 3, 300),
        urgent=(2,),
    ),
    Example(
        "E29",
        "a barrier runs alone",
        "1 600 M; 2 1200 M; 3 1800 M",
        *(3, 1800),
        pulls=3,
        policy=_queue(3, mode=_PARALLEL),
        scopes={1: API, 2: codes.EVERY_SCOPE, 3: DOCS},
    ),
    Example(
        "E30",
        "a scope's capacity holds back its own pull requests only",
        "1 600 M; 2 1200 M; 3 600 M",
        *(3, 1800),
        pulls=3,
        policy=_queue(5, mode=_PARALLEL, capacities=((WEB, 1),)),
        scopes={1: WEB, 2: WEB, 3: DOCS},
    ),
    Example(
        "E31",
        "two culprits in four cost seven runs",
        "1 1800 F; 2 3000 M; 3 3600 F; 4 4200 M",
        *(7, 4200),
        pulls=4,
        policy=_queue(1, 4),
        broken=(1, 3),
    ),
    Example(
        "E32",
        "a member that leaves dissolves its batch",
        "1 800 M; 2 200 H; 3 800 M",
        *(2, 800),
        pulls=3,
        policy=_queue(1, 3),
        leaving={2: 200},
    ),
    Example(
        "E33",
        "nothing starts behind a failure that waits for those ahead",
        "1 900 M; 2 900 F; 3 1500 M",
        *(3, 2100),
        policy=_queue(2),
        broken=(2,),
        **_SLOW_THEN_BROKEN,
    ),
    Example(
        "E34",
        "with vouching a batch may start behind a failure that waits, and may save it",
        "1 900 M; 2 1250 S; 3 1250 M",
        *(3, 2100),
        policy=_queue(2, skip_intermediate_results=True),
        flakes=(2,),
        **_SLOW_THEN_BROKEN,
    ),
)

GITHUB = (
    Example(
        "P01",
        "the parts of a failed batch wait behind others, and a newcomer joins the last",
        "1 3000 M; 2 3600 F; 3-4 2400 M; 5 1200 M; 6 2400 M",
        *(6, 3600),
        entering={1: 0, 2: 0, 3: 0, 4: 0, 5: 100, 6: 1300},
        policy=_queue(size=4, variants=Variants(parts_wait=True)),
        broken=(2,),
    ),
    Example(
        "P02",
        "so do the other members of a batch that a person took one out of",
        "1 1400 M; 2 200 H; 3 1400 M; 4 800 M",
        *(3, 1400),
        entering={1: 0, 2: 0, 3: 0, 4: 100},
        policy=_queue(size=4, variants=Variants(stopped_wait=True)),
        leaving={2: 200},
    ),
    Example(
        "G01",
        "an entry waits until a build may start",
        "1-2 600 M; 3 1200 M",
        *(3, 1800),
        pulls=3,
        policy=github_policy(max_entries_to_build=2),
    ),
    Example(
        "G02",
        "a red entry is removed and those behind it are rebuilt",
        "1 300 F; 2-3 900 M",
        *(5, 2100),
        pulls=3,
        policy=github_policy(max_entries_to_build=3),
        broken=(1,),
        lengths={1: 300},
    ),
    Example(
        "G03",
        "green entries wait for the smallest group, and not longer than the wait",
        "1-2 1000 M",
        *(2, 1200),
        entering={1: 0, 2: 100},
        policy=github_policy(landing=Landing(min_entries=3, wait=1000 * SECOND)),
    ),
    Example(
        "G04",
        "a jump rebuilds everything behind it",
        "1-3 800 M",
        *(5, 2200),
        entering={1: 0, 2: 0, 3: 200},
        policy=github_policy(max_entries_to_build=5),
        interrupting=(3,),
    ),
    Example(
        "G05",
        "only the last entry of a group must be green",
        "1 600 M; 2 600 S; 3 600 M",
        *(3, 1800),
        pulls=3,
        policy=github_policy(max_entries_to_build=3, landing=Landing(head_green=True)),
        flakes=(2,),
    ),
    Example(
        "G06",
        "a green entry gives its build to the next",
        "1-3 1500 M",
        *(3, 2700),
        pulls=3,
        policy=github_policy(max_entries_to_build=2),
        lengths={1: 1500},
    ),
)

GITLAB = (
    Example(
        "L01",
        "a red pipeline drops its car at once, even for another's breakage",
        "1 900 M; 2 600 F; 3 500 F",
        *(3, 2000),
        pulls=3,
        policy=gitlab_policy(),
        broken=(2,),
        lengths={1: 900, 2: 600, 3: 500},
    ),
    Example(
        "L02",
        "a dropped car restarts the pipelines behind it",
        "1 600 M; 2 500 F; 3 1100 M",
        *(4, 2200),
        pulls=3,
        policy=gitlab_policy(),
        broken=(2,),
        lengths={2: 500},
    ),
    Example(
        "L03",
        "the window moves when the head merges",
        "1-2 600 M; 3 1200 M",
        *(3, 1800),
        pulls=3,
        policy=gitlab_policy(parallel_pipelines=2),
    ),
    Example(
        "L04",
        "a green car stays in the window until it merges",
        "1-2 1500 M; 3 2100 M",
        *(3, 2700),
        pulls=3,
        policy=gitlab_policy(parallel_pipelines=2),
        lengths={1: 1500},
    ),
)

EXAMPLES = (*MERGIFY, *GITHUB, *GITLAB)
