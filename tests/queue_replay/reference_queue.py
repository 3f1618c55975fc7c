"""The queue as a reader would write it: objects, sets, everything recomputed at every event.

It is slow and says what the fast loop must do. Nothing here is shared with the fast loop but the values that
go in and the numbers of reasons and outcomes.
"""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import ceil

from mergecast.forecasting.replay import codes
from mergecast.forecasting.replay.values import (
    Arrivals,
    Circumstances,
    Closing,
    Entering,
    Fate,
    InitialBatch,
    Leaving,
    Mode,
    Oracle,
    Outcome,
    Policy,
    QueueRule,
    RunStart,
    Split,
)

CONTROL, PUSH, DEPARTURE, RESULT, ARRIVAL, WAKE_UP = range(6)
PARKED, RUNNING, PASSED, FAILED = "parked", "running", "passed", "failed"


@dataclass(eq=False)
class Stay:
    row: int
    turn: int
    number: int
    queued_at: int
    order: int
    priority: int
    rule: int
    interrupts: bool
    scopes: int
    flaws: int
    left_at: int = codes.NEVER
    reason: int = codes.NEVER
    batch: "Batch | None" = None
    place: int = 0
    begins_batch: bool = False


@dataclass(eq=False)
class Run:
    batch: "Batch"
    attempt: int
    formed_at: int
    started_at: int
    ahead: int
    in_flight: int
    ended_at: int = codes.NEVER
    outcome: int = codes.UNFINISHED


@dataclass(eq=False)
class Bisection:
    batch: "Batch"
    splits: int = 0
    ended_at: int = codes.NEVER
    culprit_found: bool = False
    limit_reached: bool = False


@dataclass(eq=False)
class Batch:
    id: int
    members: list[Stay]
    rule: int
    scopes: int
    bisection: Bisection | None = None
    is_known: bool = False  # the last member of a failed batch, which is never tested alone
    state: str = PARKED
    attempt: int = 1
    ticket: int = 0
    verdict: int = codes.UNFINISHED
    hold: "set[Batch] | None" = None
    run: Run | None = None
    tested: tuple[Stay, ...] = ()  # the members when it was formed

    def __post_init__(self) -> None:
        self.tested = tuple(self.members)


@dataclass(eq=False)
class Reference:
    arrivals: Arrivals
    policy: Policy
    oracle: Oracle
    around: Circumstances
    now: int = 0
    agenda: list[tuple[int, int, int, int, Callable[[], None]]] = field(default_factory=list)
    train: list[Batch] = field(default_factory=list)
    parking: list[Batch] = field(default_factory=list)  # parts of bisections on their way back into the train
    waiting: list[Stay] = field(default_factory=list)
    closed: dict[int | None, int] = field(default_factory=dict)
    paused: int = 0
    stalled: int = 0
    newcomers: list[Stay] = field(default_factory=list)
    led: dict[int, int] = field(default_factory=dict)
    landed: int = 0
    planned: int = 0
    stays: list[Stay] = field(default_factory=list)
    batches: list[Batch] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    splits: list[tuple[Bisection, int, int, Batch]] = field(default_factory=list)
    bisections: list[Bisection] = field(default_factory=list)

    # The agenda.

    def play(self) -> "Reference":
        self.now = self.around.begins_at
        for row, entered_at in enumerate(self.arrivals.entered_at):
            at = max(entered_at, self.around.begins_at)
            self.plan(at, ARRIVAL, self.arrivals.number[row], self.arriving(row, 0, entered_at))
        for span in self.around.closed:
            if span.start < span.end:
                self.plan(span.start, CONTROL, 0, self.gate(span.closing, span.rule, 1))
                self.plan(span.end, CONTROL, 1, self.gate(span.closing, span.rule, -1))
        for at in self.around.pushes:
            self.plan(at, PUSH, 0, self.push)
        self.set_up()
        while self.agenda and (self.around.ends_at is None or self.agenda[0][0] <= self.around.ends_at):
            self.landed = 0 if self.agenda[0][0] > self.now else self.landed
            self.now, self.newcomers = self.agenda[0][0], []
            while self.agenda and self.agenda[0][0] == self.now:
                heapq.heappop(self.agenda)[-1]()
            for stay in sorted(self.newcomers, key=place_in_line):
                self.interrupt(stay)
            self.settle()
            self.fill()
        return self

    def set_up(self) -> None:
        """Put the initial batches into the train; their members enter before anything else happens."""
        rows = {row for initial in self.around.initial_batches for row in initial.members}
        self.agenda = [entry for entry in self.agenda if not (entry[1] == ARRIVAL and entry[-1].row in rows)]  # type: ignore[attr-defined]
        heapq.heapify(self.agenda)
        for initial in self.around.initial_batches:
            for row in initial.members:
                self.arriving(row, 0, self.arrivals.entered_at[row])()
            self.add_initial(initial)
        self.plan(self.now, WAKE_UP, 0, nothing)

    def add_initial(self, initial: InitialBatch) -> None:
        members = [stay for stay in self.waiting if stay.row in initial.members]
        members.sort(key=lambda stay: initial.members.index(stay.row))
        batch = self.embark(members)
        batch.attempt = initial.attempt
        if initial.has_passed:
            batch.state, batch.verdict = PASSED, codes.PASS
        else:
            self.start(batch, initial.started_at)

    def plan(self, at: int, rank: int, key: int, action: Callable[[], None]) -> None:
        self.planned += 1
        heapq.heappush(self.agenda, (max(at, self.now), rank, key, self.planned, action))

    def arriving(self, row: int, turn: int, queued_at: int) -> "Arriving":
        return Arriving(self, row, turn, queued_at)

    # What happens.

    def enter(self, row: int, turn: int, queued_at: int) -> None:
        fate = Fate(*self.oracle.fate(self.oracle.tables, Entering(row, turn, queued_at)))
        jumps = self.policy.landing is not None and self.arrivals.interrupts[row]
        stay = Stay(
            row=row,
            turn=turn,
            number=self.arrivals.number[row],
            queued_at=queued_at,
            order=-queued_at if jumps else queued_at,
            priority=10_001 if jumps else self.arrivals.priority[row],
            rule=self.arrivals.rule[row],
            interrupts=bool(self.arrivals.interrupts[row]),
            scopes=self.arrivals.scopes[row] if self.looks_at_scopes() else 0,
            flaws=fate.flaws,
        )
        self.stays.append(stay)
        self.waiting.append(stay)
        if stay.interrupts:
            self.newcomers.append(stay)
        if fate.leaves_at != codes.NEVER:
            self.plan(fate.leaves_at, DEPARTURE, stay.number, lambda: self.depart(stay, fate.reason))

    def depart(self, stay: Stay, reason: int) -> None:
        if stay.left_at != codes.NEVER:
            return
        batch = next((batch for batch in self.train if stay in batch.members), None)
        if batch is None:
            self.leave(stay, reason)
            return
        batch.members.remove(stay)
        members = list(batch.members)
        kept = self.dissolve([batch, *self.descendants(batch)], codes.AHEAD_LEFT)
        if self.policy.variants.stopped_wait and batch.bisection is None:
            self.waiting = [one for one in self.waiting if one not in members]
            self.wait_last(members)
        self.leave(stay, reason)
        self.park(kept)

    def gate(self, closing: Closing, rule: int | None, step: int) -> Callable[[], None]:
        def change() -> None:
            if closing is Closing.OUTAGE:
                self.stalled += step
                return
            if closing is not Closing.PAUSE:
                self.closed[rule] = self.closed.get(rule, 0) + step
                return
            self.paused += step
            if step > 0 and self.paused == 1:
                self.stop_everything()

        return change

    def stop_everything(self) -> None:
        running = [batch for batch in self.train if batch.state == RUNNING]
        stopped = {batch for front in running for batch in [front, *self.descendants(front)]}
        self.park(self.dissolve([b for b in self.train if b in stopped], codes.PAUSED))

    def push(self) -> None:
        if self.policy.reset_on_external_merge:
            self.park(self.dissolve(list(self.train), codes.RESET))

    def result(self, batch: Batch, ticket: int, verdict: int) -> None:
        if ticket != batch.ticket or batch not in self.train:
            return
        retryable = verdict in {codes.FAIL, codes.CANCELLED} or (
            verdict == codes.TIMEOUT and self.policy.variants.retries_timeouts
        )
        if retryable and batch.attempt <= self.rule_of(batch).max_checks_retries:
            self.end_run(batch, codes.RETRIED)
            batch.attempt += 1
            self.start(batch, self.now)
            return
        self.end_run(batch, verdict)
        batch.verdict = verdict
        batch.state = PASSED if verdict == codes.PASS else FAILED

    def interrupt(self, newcomer: Stay) -> None:
        if newcomer not in self.waiting:
            return
        if self.policy.landing is not None:
            self.dissolve(list(self.train), codes.OVERTAKEN)
        elif self.policy.mode is Mode.ISOLATED:
            self.interrupt_youngest(newcomer)
        else:
            self.interrupt_from(newcomer)

    def interrupt_from(self, newcomer: Stay) -> None:
        variants = self.policy.variants
        chain = [b for b in self.train if self.policy.mode is Mode.SERIAL or share(b.scopes, newcomer.scopes)]
        parts = [index for index, batch in enumerate(chain) if batch.bisection]
        if parts and not variants.forms_behind_failure:
            return
        for batch in chain[parts[-1] + 1 if parts else 0 :]:
            spared = variants.spares_head and batch is self.train[0]
            lower = any(member.priority < newcomer.priority for member in batch.members)
            if batch.state == RUNNING and lower and not spared:
                self.dissolve([batch, *self.descendants(batch)], codes.OVERTAKEN)
                return

    def interrupt_youngest(self, newcomer: Stay) -> None:
        if self.free_slots() > 0:
            return
        for batch in reversed(self.train):
            lower = all(member.priority < newcomer.priority for member in batch.members)
            if batch.state == RUNNING and lower and not batch.bisection:
                self.dissolve([batch], codes.OVERTAKEN)
                return

    # What follows from it.

    def settle(self) -> None:
        while self.promote() or self.merge_next() or self.resolve_next():
            pass

    def promote(self) -> bool:
        if not self.policy.skip_intermediate_results or self.policy.mode is Mode.ISOLATED or self.paused:
            return False
        for batch in reversed(self.train):
            ahead = self.ancestors(batch) if batch.state == PASSED else []
            if ahead and all(self.is_open(b.rule) for b in [*ahead, batch]):
                for one in [*ahead, batch]:
                    if batch in self.train:
                        self.merge(one)
                return True
        return False

    def merge_next(self) -> bool:
        if self.paused:
            return False
        if self.policy.landing:
            return self.land_group()
        for batch in self.train:
            if batch.state == PASSED and not self.ancestors(batch) and self.is_open(batch.rule):
                self.merge(batch)
                return True
        return False

    def land_group(self) -> bool:
        landing = self.policy.landing
        assert landing
        if landing.head_green:
            green = [n for n, b in enumerate(self.train[: landing.max_entries], 1) if b.state == PASSED]
            group = max(green, default=0)
        else:
            group = next((n for n, b in enumerate(self.train) if b.state != PASSED), len(self.train))
        if group == 0:
            return False
        waits_until = self.train[0].members[0].queued_at + landing.wait
        if group < landing.min_entries and self.now < waits_until:
            self.plan(waits_until, WAKE_UP, 0, nothing)
            return False
        for batch in self.train[: min(group, landing.max_entries)]:
            if batch in self.train:
                self.merge(batch)
        return True

    def merge(self, batch: Batch) -> None:
        if batch.state == RUNNING:
            self.end_run(batch, codes.SKIPPED)
        descendants = self.descendants(batch)
        self.remove(batch)
        reason = codes.MERGED if batch.state == PASSED else codes.VOUCHED
        for stay in batch.members:
            self.leave(stay, codes.MERGE_REFUSED if stay.flaws & codes.REFUSED else reason, batch)
        if any(stay.flaws & codes.REFUSED for stay in batch.members):
            self.park(self.dissolve(descendants, codes.AHEAD_LEFT))

    def resolve_next(self) -> bool:
        for batch in self.train:
            if batch.state == FAILED and self.is_decidable(batch):
                if batch.hold is None:
                    holds = self.policy.skip_intermediate_results and self.policy.variants.holds_for_vouchers
                    below = self.descendants(batch) if holds and self.policy.mode is not Mode.ISOLATED else []
                    batch.hold = {one for one in below if one.state == RUNNING}
                if not any(one in self.train and one.state == RUNNING for one in batch.hold):
                    self.resolve(batch)
                    return True
        return False

    def is_decidable(self, batch: Batch) -> bool:
        landing = self.policy.landing
        if landing and landing.head_green:
            group = self.train[: landing.max_entries]
            is_complete = len(group) == landing.max_entries or not self.waiting
            return batch is self.train[0] and is_complete and all(b.state == FAILED for b in group)
        if not self.policy.variants.waits_for_ahead:
            return True
        return all(ahead.state == PASSED for ahead in self.ancestors(batch))

    def resolve(self, batch: Batch) -> None:
        kept = self.dissolve(self.descendants(batch), codes.AHEAD_FAILED)
        limit = self.rule_of(batch).batch_max_failure_resolution_attempts
        splits = batch.bisection.splits if batch.bisection else 0
        is_timeout = batch.verdict == codes.TIMEOUT
        if batch.verdict == codes.CANCELLED:
            self.expel(batch, codes.INTERRUPTED)
        elif len(batch.members) == 1:
            if batch.bisection:
                batch.bisection.culprit_found = True
            failure = codes.TIMED_OUT if is_timeout else codes.FAILED
            self.expel(batch, codes.DROPPED if batch.is_known else failure)
        elif is_timeout and not self.policy.variants.splits_timeouts:
            self.expel(batch, codes.TIMED_OUT)
        elif limit is not None and splits >= limit:
            if batch.bisection:
                batch.bisection.limit_reached = True
            self.expel(batch, codes.SPLIT_LIMIT)
        else:
            self.split(batch)
        self.park(kept)

    def expel(self, batch: Batch, reason: int) -> None:
        self.remove(batch)
        for stay in batch.members:
            self.leave(stay, reason, batch)

    def split(self, batch: Batch) -> None:
        variants, members = self.policy.variants, batch.members
        bisection = batch.bisection or Bisection(batch)
        if batch.bisection is None:
            self.bisections.append(bisection)
        self.splits.append((bisection, bisection.splits, self.now, batch))
        bisection.splits += 1
        tested = members if variants.tests_last_member or variants.parts_wait else members[:-1]
        parts = 2 if variants.split is Split.HALVES else max(2, self.policy.max_parallel_checks)
        size = 1 if variants.split is Split.SINGLES else ceil(len(tested) / parts)
        if variants.parts_wait:
            self.remove(batch)
            bisection.ended_at = self.now
            for first in range(0, len(tested), size):
                self.wait_last(tested[first : first + size])
            return
        for first in range(0, len(tested), size):
            self.append(tested[first : first + size], bisection)
        if not variants.tests_last_member:
            known = self.append(members[-1:], bisection)
            known.is_known, known.state, known.verdict = True, FAILED, codes.FAIL
        self.remove(batch)

    def wait_last(self, stays: list[Stay]) -> None:
        """The stays go to the end of the line; with those of one priority a batch begins."""
        self.last_order = max(self.now, self.last_order) + 1
        for stay in stays:
            stay.order = self.last_order
        for stay in stays:
            equals = [one for one in stays if one.priority == stay.priority]
            stay.begins_batch = stay is min(equals, key=place_in_line)
        self.waiting += stays

    last_order: int = -(1 << 62)

    def dissolve(self, batches: list[Batch], code: int) -> list[Batch]:
        """Stop these; the parts of bisections among them, when parts are kept, are returned."""
        kept = []
        for batch in batches:
            if batch.state == RUNNING:
                self.end_run(batch, code)
            if batch.bisection and self.policy.variants.keeps_parts:
                kept.append(batch)
            else:
                self.waiting += batch.members
        self.train = [batch for batch in self.train if batch not in batches]
        self.parking = kept
        for batch in batches:
            self.close_bisection(batch)
        return kept

    def park(self, kept: list[Batch]) -> None:
        """Let parts that were stopped wait at the end of the train, as new batches."""
        for batch in kept:
            if batch.members:
                self.append(batch.members, batch.bisection)
        self.parking = []
        for batch in kept:
            self.close_bisection(batch)

    def fill(self) -> None:
        if self.paused or self.stalled:
            return
        for batch in [batch for batch in self.train if batch.state == PARKED]:
            is_blocked = any(one.state in {FAILED, PARKED} for one in self.ancestors(batch))
            if not is_blocked and self.may_start(batch.rule, batch.scopes):
                self.start(batch, self.now)
        self.form()

    def form(self) -> None:
        parallel, serial = self.policy.mode is Mode.PARALLEL, self.policy.mode is Mode.SERIAL
        troubled = (
            [] if self.policy.variants.forms_behind_failure else [b for b in self.train if self.stops(b)]
        )
        if (serial and troubled) or any(batch.scopes == codes.EVERY_SCOPE for batch in self.train):
            return
        blocked = [batch.scopes for batch in troubled]
        aside: set[tuple[int, int]] = set()
        while self.free_slots() > 0:
            line = sorted(self.waiting, key=place_in_line)
            seed = next((stay for stay in line if (stay.rule, stay.scopes) not in aside), None)
            if seed is None or (seed.scopes == codes.EVERY_SCOPE and self.train):
                return
            kind = (seed.rule, seed.scopes)
            if parallel and any(share(seed.scopes, scopes) for scopes in blocked):
                blocked.append(seed.scopes)
                aside.add(kind)
                continue
            members, is_ready = self.choose(seed, line)
            is_barrier = seed.scopes == codes.EVERY_SCOPE
            if (not is_ready and serial) or (is_barrier and not self.may_start(seed.rule, seed.scopes)):
                return
            if not is_ready or (not serial and not self.may_start(seed.rule, seed.scopes)):
                blocked.append(seed.scopes)
                aside.add(kind)
                continue
            if not self.may_start(seed.rule, seed.scopes):
                return
            self.set_out(members)
            if any(batch.scopes == codes.EVERY_SCOPE for batch in self.train):
                return

    def choose(self, seed: Stay, line: list[Stay]) -> tuple[list[Stay], bool]:
        """Who would be tested with the seed, and whether they may start now."""
        rule, variants = self.policy.rules[seed.rule], self.policy.variants
        candidates = [stay for stay in line if (stay.rule, stay.scopes) == (seed.rule, seed.scopes)]
        begins = [place for place, stay in enumerate(candidates) if place and stay.begins_batch]
        if begins:
            candidates = candidates[: begins[0]]
        if variants.one_priority:
            candidates = [stay for stay in candidates if stay.priority == seed.priority]
        wanted = ceil(len(candidates) / self.free_slots())
        target = min(max(wanted, rule.batch_size_min), rule.batch_size_max)
        if seed.scopes == codes.EVERY_SCOPE:
            target = 1
        members = candidates[:target]
        oldest = seed.queued_at if variants.wait_from_seed else min(stay.queued_at for stay in members)
        deadline = oldest + rule.batch_max_wait_time
        is_urgent = variants.urgent_starts_at_once and seed.interrupts
        is_ready = len(members) == target or self.now >= deadline or is_urgent
        if not is_ready:
            self.plan(deadline, WAKE_UP, 0, nothing)
        return members, is_ready

    def set_out(self, members: list[Stay]) -> None:
        conflict = codes.CONFLICT_AHEAD if self.train else codes.CONFLICT_WITH_BASE
        for stay in members:
            stay.begins_batch = False
            if stay.flaws & codes.CONFLICTING:
                self.leave(stay, conflict)
        staying = [stay for stay in members if stay.left_at == codes.NEVER]
        if staying:
            self.start(self.embark(staying), self.now)

    # Small steps.

    def embark(self, members: list[Stay]) -> Batch:
        for stay in members:
            self.waiting.remove(stay)
            stay.begins_batch = False
        return self.append(members, None)

    def append(self, members: list[Stay], bisection: Bisection | None) -> Batch:
        batch = Batch(len(self.batches), list(members), members[0].rule, members[0].scopes, bisection)
        self.batches.append(batch)
        self.train.append(batch)
        return batch

    def start(self, batch: Batch, formed_at: int) -> None:
        batch.ticket += 1
        batch.state = RUNNING
        leader = batch.members[0].row
        if batch.attempt == 1 or batch.run is None:
            ahead = [stay for one in self.ancestors(batch) for stay in one.members]
        else:
            ahead = self.tree_of(batch)
        batch_tree = [*ahead, *batch.members]
        question = RunStart(
            leader=leader,
            led=self.led.get(leader, 0),
            size=len(batch.members),
            ahead=len(ahead),
            broken=sum(bool(stay.flaws & codes.BROKEN) for stay in batch_tree),
            attempt=batch.attempt,
            is_part=batch.bisection is not None,
            in_flight=sum(one.state == RUNNING for one in self.train),
            at=formed_at,
            elapsed=self.now - formed_at,
            rule=batch.rule,
        )
        self.led[leader] = question.led + 1
        outcome = Outcome(*self.oracle.outcome(self.oracle.tables, question))
        length, verdict = outcome.length, outcome.verdict
        timeout = self.rule_of(batch).checks_timeout
        if timeout is not None and length > timeout:
            length, verdict = timeout, codes.TIMEOUT
        started_at = formed_at + outcome.delay
        batch.run = Run(batch, batch.attempt, formed_at, started_at, len(ahead), question.in_flight)
        self.trees[batch.run] = ahead
        self.runs.append(batch.run)
        ticket = batch.ticket
        self.plan(started_at + length, RESULT, batch.id, lambda: self.result(batch, ticket, verdict))

    trees: dict[Run, list[Stay]] = field(default_factory=dict)

    def tree_of(self, batch: Batch) -> list[Stay]:
        assert batch.run
        return self.trees[batch.run]

    def end_run(self, batch: Batch, outcome: int) -> None:
        assert batch.run
        batch.run.ended_at, batch.run.outcome = self.now, outcome
        batch.run.started_at = min(batch.run.started_at, self.now)

    def leave(self, stay: Stay, reason: int, batch: Batch | None = None) -> None:
        if stay in self.waiting:
            self.pass_on(stay)
            self.waiting.remove(stay)
        stay.left_at, stay.reason, stay.batch = self.now, reason, batch
        if reason in {codes.MERGED, codes.VOUCHED}:
            stay.place = self.landed
            self.landed += 1
            return
        gap = self.oracle.comes_back(self.oracle.tables, Leaving(stay.row, stay.turn, reason, self.now))
        if gap != codes.NEVER:
            back_at = self.now + max(gap, 1)
            self.plan(back_at, ARRIVAL, stay.number, self.arriving(stay.row, stay.turn + 1, back_at))

    def pass_on(self, leaving: Stay) -> None:
        """The next in line begins the batch that the leaving one would have begun."""
        place = (leaving.rule, leaving.scopes, leaving.priority)
        line = sorted(
            (stay for stay in self.waiting if (stay.rule, stay.scopes, stay.priority) == place),
            key=place_in_line,
        )
        after = line[line.index(leaving) + 1 :]
        if leaving.begins_batch and after:
            after[0].begins_batch = True

    def remove(self, batch: Batch) -> None:
        self.train.remove(batch)
        self.close_bisection(batch)

    def close_bisection(self, batch: Batch) -> None:
        bisection = batch.bisection
        goes_on = any(one.bisection is bisection for one in [*self.train, *self.parking])
        if bisection and not goes_on and bisection.ended_at == codes.NEVER:
            bisection.ended_at = self.now

    def rule_of(self, batch: Batch) -> QueueRule:
        return self.policy.rules[batch.rule]

    def is_open(self, rule: int) -> bool:
        return self.policy.variants.closed_stops_starts or not self.is_closed(rule)

    def is_closed(self, rule: int) -> bool:
        return self.closed.get(None, 0) > 0 or self.closed.get(rule, 0) > 0

    def stops(self, batch: Batch) -> bool:
        """Whether nothing may form behind this batch."""
        waits_for_vouchers = self.policy.skip_intermediate_results and batch.hold is None
        return batch.bisection is not None or (batch.state == FAILED and not waits_for_vouchers)

    def looks_at_scopes(self) -> bool:
        isolated = self.policy.mode is Mode.ISOLATED and bool(self.policy.capacities)
        return self.policy.mode is Mode.PARALLEL or isolated

    def free_slots(self) -> int:
        holding = {RUNNING, PASSED} if self.policy.variants.slot_until_merged else {RUNNING}
        return self.policy.max_parallel_checks - sum(batch.state in holding for batch in self.train)

    def may_start(self, rule: int, scopes: int) -> bool:
        if self.policy.variants.closed_stops_starts and self.is_closed(rule):
            return False
        if self.free_slots() <= 0:
            return False
        return all(
            sum(batch.state == RUNNING and bool(batch.scopes & bit) for batch in self.train) < capacity
            for bit, capacity in self.policy.capacities
            if scopes & bit and scopes != codes.EVERY_SCOPE
        )

    def related(self, batch: Batch, other_scopes: set[int], other: list[Batch]) -> bool:
        if batch.bisection and any(one.bisection is batch.bisection for one in other):
            return True
        return self.policy.mode is Mode.PARALLEL and any(share(batch.scopes, one) for one in other_scopes)

    def ancestors(self, batch: Batch) -> list[Batch]:
        return self.reach(batch, reversed(self.train[: self.train.index(batch)]))[::-1]

    def descendants(self, batch: Batch) -> list[Batch]:
        return self.reach(batch, iter(self.train[self.train.index(batch) + 1 :]))

    def reach(self, batch: Batch, others: Iterator[Batch]) -> list[Batch]:
        if self.policy.mode is Mode.SERIAL:
            return list(others)
        found: list[Batch] = []
        for other in others:
            known = [batch, *found]
            if self.related(other, {one.scopes for one in known}, known):
                found.append(other)
        return found


@dataclass
class Arriving:
    queue: Reference
    row: int
    turn: int
    queued_at: int

    def __call__(self) -> None:
        self.queue.enter(self.row, self.turn, self.queued_at)


def nothing() -> None:
    """Let the queue look again."""


def share(scopes: int, others: int) -> bool:
    """Pull requests without scopes share the scope of those without."""
    return bool(scopes & others) or (scopes == 0 and others == 0)


def place_in_line(stay: Stay) -> tuple[int, int, int]:
    return (-stay.priority, stay.order, stay.number)
