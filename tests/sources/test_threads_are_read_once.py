"""The standing of a thread and its events follow from one derivation of its stays."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from types import CodeType, FrameType

from mergecast.incoming.intake.loading import LoadedThread
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.incoming.sources.github.groups import merge_groups
from mergecast.incoming.sources.github.stays.sequence import github_stays
from mergecast.queues.model.event import QUEUE_ENTERED
from mergecast.queues.store.rows import ThreadRow
from sources.github_deliveries import Delivery, clock
from sources.github_stories import failed_and_queued_again

_DERIVE = {github_stays.__code__, merge_groups.__code__}


def _calls(work: Callable[[], object]) -> Counter[CodeType]:
    """How often each of the functions that derive stays is called."""
    calls: Counter[CodeType] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in _DERIVE:
            calls[frame.f_code] += 1

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def _thread(deliveries: Iterable[Delivery]) -> LoadedThread:
    thread = LoadedThread(ThreadRow(1, 1, "github", "#1", "", 0, 0, is_about_queue=True))
    for delivery in deliveries:
        _add(thread, delivery)
    return thread


def _add(thread: LoadedThread, webhook: Delivery) -> None:
    _, delivery = webhook_delivery(webhook.event, webhook.id, webhook.body, webhook.received_at)
    thread.add(delivery.fields, delivery.happened_at)


def test_once_for_the_standing_and_the_events() -> None:
    """Deriving the stays takes most of the time of a translation."""
    thread = _thread(failed_and_queued_again().deliveries)

    def find_standing_and_translate() -> None:
        thread.find_standing()
        assert thread.standing.text
        assert thread.translate([]).events

    assert dict.fromkeys(_DERIVE, 1) == _calls(find_standing_and_translate)


def test_again_after_another_delivery() -> None:
    """A stray report can join a thread that was read before."""
    *first, left, _, entered_again = failed_and_queued_again().deliveries[:6]
    thread = _thread([*first, left])
    thread.find_standing()
    before = thread.translate([]).events

    _add(thread, entered_again)

    assert dict.fromkeys(_DERIVE, 1) == _calls(thread.find_standing)
    (entered,) = set(thread.translate([]).events) - set(before)
    assert (QUEUE_ENTERED, clock(40)) == (entered.type, entered.happened_at)
