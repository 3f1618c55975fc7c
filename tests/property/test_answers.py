"""Every answer of the server equals the oracle's."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from live_server import LiveServer
from property.compare import differences
from property.oracle import STATISTICS, answer
from property.oracle_numbers import DAY, spell
from property.oracle_summary import YEAR_1, summary
from property.questions import History, ask, histories, parameters

# Threads of the database's connection pool use it while an example is drawn.
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")


@settings(deadline=None, derandomize=True, max_examples=60)
@given(history=histories())
def test_all_answers_equal_the_oracle(
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


def _answers_equal_the_oracle(server: LiveServer, repository: str, history: History) -> None:
    """All eighteen statistics, and the summary."""
    events, asked = history.events, history.asked
    now = time.time_ns() // 1000

    receipt = server.send(events, repository)
    answers = {name: ask(server, repository, name, asked) for name in STATISTICS}
    query = {**parameters("failure_rate", asked), "intervals": "true"}
    answers["summary"] = server.quick.get(f"/v1/repos/{repository}/summary", query)
    # A period of another length, which adjoins the window; there is none before the year 1.
    chosen = (asked.start - 3 * DAY - 1, asked.start)
    if chosen[0] >= YEAR_1:
        query |= {"before_start_at": spell(chosen[0]), "before_end_at": spell(chosen[1])}
        answers["summary compared"] = server.quick.get(f"/v1/repos/{repository}/summary", query)

    assert {"stored": len(events), "duplicates": 0} == receipt.json()
    assert dict.fromkeys(answers, 200) == {name: got.status_code for name, got in answers.items()}
    expected = {name: answer(name, history.facts, asked, now) for name in STATISTICS}
    expected["summary"] = summary(history.facts, asked)
    if "summary compared" in answers:
        expected["summary compared"] = summary(history.facts, asked, chosen)
    for name, got in answers.items():
        found = got.json()
        if name.startswith("summary"):
            assert found.pop("state")["sentence"]
            unknown = {name for name, figure in found["all"].items() if figure["value"] is None}
            assert found.pop("missing").keys() == unknown
            has_no_change = all(figure["change"] is None for figure in found["all"].values())
            assert found.pop("not_compared") is None or has_no_change
            assert found.pop("comparison")["window"]["end"] == found["window"]["end"]
            assert {None} == set(found.pop("thresholds").values())
            # Removals are judged later.
            judged, waiting = sum(found.pop("removal_causes").values()), found.pop("removals_not_judged")
            assert judged + waiting <= len(events)
        assert [] == differences(expected[name], found, name)
