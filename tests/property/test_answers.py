"""Every answer of the server equals the oracle's."""

import time
from collections.abc import Callable

from hypothesis import given, settings

from live_server import LiveServer
from property.compare import differences
from property.oracle import STATISTICS, answer
from property.oracle_summary import summary
from property.questions import History, ask, histories, parameters


@settings(deadline=None, derandomize=True, max_examples=90)
@given(history=histories())
def test_all_eighteen_answers_equal_the_oracle(
    shared_server: LiveServer, new_repository: Callable[[], str], history: History
) -> None:
    """This holds for any valid events and any question."""
    _answers_equal_the_oracle(shared_server, new_repository(), history)


@settings(deadline=None, derandomize=True, max_examples=12)
@given(history=histories())
def test_all_answers_equal_the_oracle_on_postgresql(
    database_backed_server: LiveServer, new_repository: Callable[[], str], history: History
) -> None:
    """The same statements read another database."""
    _answers_equal_the_oracle(database_backed_server, new_repository(), history)
    _summary_equals_the_oracle(database_backed_server, new_repository(), history)


def _answers_equal_the_oracle(server: LiveServer, repository: str, history: History) -> None:
    events, asked = history.events, history.asked
    now = time.time_ns() // 1000

    receipt = server.send(events, repository)
    answers = {name: ask(server, repository, name, asked) for name in STATISTICS}

    assert {"stored": len(events), "duplicates": 0} == receipt.json()
    assert dict.fromkeys(STATISTICS, 200) == {name: got.status_code for name, got in answers.items()}
    for name, got in answers.items():
        assert [] == differences(answer(name, events, asked, now), got.json(), name)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(history=histories())
def test_the_summary_is_that_of_the_definition(
    shared_server: LiveServer, new_repository: Callable[[], str], history: History
) -> None:
    """Percentiles are computed over all kept groups together, and never averaged."""
    _summary_equals_the_oracle(shared_server, new_repository(), history)


def _summary_equals_the_oracle(server: LiveServer, repository: str, history: History) -> None:
    query = {**parameters("failure_rate", history.asked), "intervals": "true"}

    server.send(history.events, repository).raise_for_status()
    got = server.http.get(f"/v1/repos/{repository}/summary", params=query)

    assert 200 == got.status_code
    assert [] == differences(summary(history.events, history.asked), got.json(), "summary")
