"""Deleting events leaves no trace of them."""

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from live_server import LiveServer
from property.histories import ORIGINS, SOURCES
from property.oracle_facts import Wire, microseconds
from property.oracle_numbers import DAY, spell
from property.questions import History, ask_all, histories
from property.repositories import LAST, NewRepository, past_questions, two_repositories


@dataclass(frozen=True)
class Selection:
    """Which events to delete; None does not restrict."""

    source: str | None
    start: int | None
    end: int | None

    def query(self) -> dict[str, str]:
        bounds = {"start_at": self.start, "end_at": self.end}
        spelt = {name: spell(at) for name, at in bounds.items() if at is not None}
        return spelt | ({"source": self.source} if self.source else {})

    def covers(self, event: Wire) -> bool:
        at = microseconds(event["at"])
        return (
            self.source in (None, event.get("source", "api"))
            and (self.start is None or self.start <= at)
            and (self.end is None or at < self.end)
        )


_EDGES = (0, 1, DAY, 4 * DAY, ORIGINS[1], ORIGINS[1] + DAY, ORIGINS[1] + 4 * DAY + 1, LAST)
_SPANS = [
    (start, end)
    for start in (None, *_EDGES)
    for end in (None, *_EDGES)
    if start is None or end is None or start < end
]


@st.composite
def selections(draw: st.DrawFn) -> Selection:
    span = draw(st.sampled_from(_SPANS))
    sources = SOURCES if span == (None, None) else (*SOURCES, None)
    return Selection(draw(st.sampled_from(sources)), *span)


@settings(deadline=None, derandomize=True, max_examples=8)
@given(history=histories(), selection=selections())
def test_deleted_events_leave_no_trace(
    shared_server: LiveServer, new_repository: NewRepository, history: History, selection: Selection
) -> None:
    """The answers equal those of a repository that never got these events."""
    kept = [event for event in history.events if not selection.covers(event)]
    with two_repositories(shared_server, new_repository) as (repository, without):
        shared_server.send(history.events, repository)
        shared_server.send(kept, without)

        deleted = shared_server.http.delete(f"/v1/repos/{repository}/events", params=selection.query())
        found = ask_all(shared_server, repository, past_questions(history))

        assert {"deleted": len(history.events) - len(kept)} == deleted.json()
        expected = ask_all(shared_server, without, past_questions(history))
        assert [_anonymous(expected, without)] == [_anonymous(found, repository)]


@settings(deadline=None, derandomize=True, max_examples=6)
@given(history=histories(), selection=selections())
def test_deleted_events_can_be_sent_again(
    shared_server: LiveServer, new_repository: NewRepository, history: History, selection: Selection
) -> None:
    """The answers are the same as before, and only the deleted events are stored again."""
    missing = [event for event in history.events if selection.covers(event)]
    with two_repositories(shared_server, new_repository) as (repository, _):
        shared_server.send(history.events, repository)
        expected = ask_all(shared_server, repository, past_questions(history))

        shared_server.http.delete(f"/v1/repos/{repository}/events", params=selection.query())
        receipt = shared_server.send(history.events, repository).json()

        assert len(missing) == receipt["stored"]
        assert expected == ask_all(shared_server, repository, past_questions(history))


def _anonymous(answers: dict[str, list[bytes]], repository: str) -> dict[str, list[bytes]]:
    """Remove the repository name, which a 404 contains."""
    return {
        name: [body.replace(repository.encode(), b"it") for body in bodies]
        for name, bodies in answers.items()
    }
