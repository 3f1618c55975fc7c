"""The line decides which pull requests are tested next, and which together."""

from mergecast.demo.settings import DEFAULT_QUEUE, HOUR, RELEASE_QUEUE
from mergecast.demo.stays import Batch, BatchPart, Bisection, Fate, Group, Stay, WaitingLine, count_wait


def test_an_empty_line_is_never_ready() -> None:
    """An empty line has no moment to wait for."""
    assert WaitingLine(DEFAULT_QUEUE).ready_at() is None


def test_a_lone_pull_request_waits_for_company() -> None:
    """A batch that is not full starts five minutes after its first pull request entered."""
    line = _line(_stay(1, entered_at=100.0))

    assert 400.0 == line.ready_at()


def test_a_full_batch_starts_at_once() -> None:
    """Four pull requests of one priority need not wait for more."""
    line = _line(*(_stay(number, entered_at=100.0 + number) for number in range(4)))

    assert 100.0 == line.ready_at()


def test_an_urgent_pull_request_starts_at_once_and_alone() -> None:
    """Urgent goes first, and is not mixed with others."""
    urgent = _stay(2, entered_at=200.0, priority="urgent")
    line = _line(_stay(1, entered_at=100.0), urgent)

    assert 200.0 == line.ready_at()
    assert BatchPart([urgent], None) == line.take()


def test_the_line_is_ordered_by_priority_and_then_by_entering() -> None:
    """Bots go last, whenever they came."""
    bot, late, early = (
        _stay(1, entered_at=1.0, priority="low"),
        _stay(2, entered_at=3.0),
        _stay(3, entered_at=2.0),
    )
    line = _line(bot, late, early)

    taken = [line.take(), line.take()]

    assert [BatchPart([early, late], None), BatchPart([bot], None)] == taken


def test_a_bisected_batch_goes_before_all_others() -> None:
    """The parts of a bisection are taken one by one before the line moves on."""
    first, second, other = _stay(1), _stay(2), _stay(3, priority="urgent")
    bisection = Bisection("batch", first.group, {"stay-1", "stay-2"})
    parts = [BatchPart([first], bisection), BatchPart([second], bisection)]
    line = _line(other)
    line.join_first(parts, now=10.0)

    assert 0.0 == line.ready_at()
    assert [*parts, BatchPart([other], None)] == [line.take(), line.take(), line.take()]


def test_batches_taken_back_keep_their_bisection() -> None:
    """A part under test goes back as that part, other pull requests go back one by one."""
    part_of_it, other = _stay(1), _stay(2)
    bisection = Bisection("batch", part_of_it.group, {"stay-1"})
    line = WaitingLine(DEFAULT_QUEUE)
    line.requeue([_batch(part_of_it, bisection), _batch(other, None)], now=10.0)

    assert [BatchPart([part_of_it], bisection), BatchPart([other], None)] == [line.take(), line.take()]


def test_a_pull_request_that_leaves_is_dropped() -> None:
    """A dropped pull request is gone, from the line and from a part of a bisection."""
    one, other = _stay(1), _stay(2)
    line = _line(one)
    line.join_first([BatchPart([other], None)], now=0.0)
    line.drop(one)
    line.drop(other)

    assert BatchPart([], None) == line.take()
    assert line.ready_at() is None


def test_waiting_counts_only_while_the_queue_is_closed() -> None:
    """Of the first Monday's wait from six to nine one hour was frozen."""
    stay = _stay(1)
    stay.waiting_since = 6 * HOUR

    count_wait(RELEASE_QUEUE, stay, 9 * HOUR)

    assert (1 * HOUR, 0.0) == (stay.seconds_waiting_for_freeze, stay.seconds_waiting_for_schedule)


def _line(*stays: Stay) -> WaitingLine:
    line = WaitingLine(DEFAULT_QUEUE)
    for stay in stays:
        line.join(stay, now=stay.entered_at)
    return line


def _batch(stay: Stay, bisection: Bisection | None) -> Batch:
    return Batch(f"batch-{stay.pull_request}", [stay], bisection, is_stacked_on_breakage=False)


def _stay(number: int, *, entered_at: float = 0.0, priority: str | None = None) -> Stay:
    group = Group("main", "default", priority)
    return Stay(f"stay-{number}", number, 1, group, Fate(), entered_at, entered_at)
