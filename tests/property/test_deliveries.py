"""Answers depend on the set of events alone, not on how they were delivered."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from live_server import LiveServer
from property.histories import make_event, spell_somehow
from property.oracle_facts import Wire, microseconds
from property.questions import History, ask_all, histories
from property.repositories import NDJSON, NewRepository, etags, exported, past_questions, two_repositories

_few = settings(deadline=None, derandomize=True, max_examples=7)


def _deliveries(events: list[Wire], chance: Random) -> list[list[Wire]]:
    """The events in random order, split randomly, with some of them repeated."""
    again = [event for event in events if chance.random() < 0.3]
    waiting = [*events, *again]
    chance.shuffle(waiting)
    parts = []
    while waiting:
        length = chance.choice((1, 2, 5, 20))
        parts.append(waiting[:length])
        waiting = waiting[length:]
    return parts


@_few
@given(history=histories(), chance=st.randoms(use_true_random=False))
def test_neither_order_nor_cuts_nor_repeats_change_an_answer(
    shared_server: LiveServer, new_repository: NewRepository, history: History, chance: Random
) -> None:
    """The same set of events gives the same bytes, also after a rebuild."""
    with two_repositories(shared_server, new_repository) as (once, in_parts):
        shared_server.send(history.events, once)
        expected = ask_all(shared_server, once, past_questions(history))

        receipts = [shared_server.send(part, in_parts).json() for part in _deliveries(history.events, chance)]
        found = ask_all(shared_server, in_parts, past_questions(history))
        rebuilt = shared_server.http.post("/v1/admin/rebuild")
        found_later = ask_all(shared_server, in_parts, past_questions(history))

        assert len(history.events) == sum(receipt["stored"] for receipt in receipts)
        assert expected == found
        assert 200 == rebuilt.status_code
        assert expected == found_later


@_few
@given(history=histories())
def test_an_export_can_be_imported_elsewhere_and_adds_nothing_here(
    shared_server: LiveServer, new_repository: NewRepository, history: History
) -> None:
    """An export contains everything that answers depend on."""
    with two_repositories(shared_server, new_repository) as (home, elsewhere):
        shared_server.send(history.events, home)
        expected = ask_all(shared_server, home, past_questions(history))

        lines = exported(shared_server, home)
        at_home, away = (
            shared_server.http.post(f"/v1/repos/{name}/events", content=lines, headers=NDJSON)
            for name in (home, elsewhere)
        )
        found = ask_all(shared_server, elsewhere, past_questions(history))

        assert {"stored": 0, "duplicates": len(history.events)} == at_home.json()
        assert {"stored": len(history.events), "duplicates": 0} == away.json()
        assert expected == found
        assert lines == exported(shared_server, elsewhere)


@_few
@given(history=histories(longest=15), chance=st.randoms(use_true_random=False))
def test_the_same_content_written_differently_is_a_duplicate(
    shared_server: LiveServer, new_repository: NewRepository, history: History, chance: Random
) -> None:
    """Spelling out defaults or using another UTC offset does not make a new event."""
    defaults = {"priority_rule_name": None, "source": "api"}
    reworded = [
        defaults | event | {"at": spell_somehow(chance.choice, microseconds(event["at"]))}
        for event in history.events
    ]
    with two_repositories(shared_server, new_repository) as (repository, _):
        shared_server.send(history.events, repository)
        expected = etags(shared_server, repository, past_questions(history)[:1])

        receipt = shared_server.send(reworded, repository)

        assert {"stored": 0, "duplicates": len(reworded)} == receipt.json()
        assert expected == etags(shared_server, repository, past_questions(history)[:1])


@_few
@given(history=histories(longest=15), chance=st.randoms(use_true_random=False))
def test_an_id_with_other_content_rejects_its_whole_delivery(
    shared_server: LiveServer, new_repository: NewRepository, history: History, chance: Random
) -> None:
    """The response is 409, and no ETag changes."""
    name, value = chance.choice(
        (("base_ref", "other"), ("queue_name", "other"), ("source", "other"), ("at", "2020-01-01T00:00:00Z"))
    )
    other = chance.choice(history.events) | {name: value}
    new = [make_event(chance.choice, history.scene, number) for number in (1000, 1001, 1002)]
    with two_repositories(shared_server, new_repository) as (repository, _):
        shared_server.send(history.events, repository)
        expected = (
            etags(shared_server, repository, past_questions(history)),
            exported(shared_server, repository),
        )

        refused = shared_server.send([*new[:2], other, new[2]], repository)

        assert 409 == refused.status_code
        assert ["/2/id"] == [error["name"] for error in refused.json()["errors"]]
        assert expected == (
            etags(shared_server, repository, past_questions(history)),
            exported(shared_server, repository),
        )
