"""The agenda gives back what was planned, in a fixed order."""

from functools import partial

from mergecast.demo.event_log import Agenda


def test_actions_come_by_time_and_then_in_the_order_they_were_planned() -> None:
    """Two actions of the same instant never change places."""
    agenda = Agenda()
    done: list[str] = []
    for moment, name in [(2.0, "c"), (1.0, "a"), (2.0, "d"), (1.0, "b")]:
        agenda.plan(moment, partial(done.append, name))

    moments = []
    for _ in range(4):
        moment, action = agenda.pop()
        moments.append(moment)
        action()

    assert [1.0, 1.0, 2.0, 2.0] == moments
    assert ["a", "b", "c", "d"] == done
