"""What is asked of a history: windows of many lengths at its edges, filters, and a client that asks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, TypeVar

from hypothesis import strategies as st

from live_server import LiveServer
from local_client import Answer
from property.histories import NAMES, OFFSETS, ORIGINS, RULES, Choose, Scene, make_history, make_scene
from property.oracle import STATISTICS
from property.oracle_facts import Facts, Wire
from property.oracle_numbers import DAY, HOUR, MINUTE, Asked, spell

T = TypeVar("T")

YEAR = 365 * DAY
LENGTHS = (
    *(1, 100 * MINUTE, 100 * MINUTE + 1, 6 * HOUR, DAY, 4 * DAY, 30 * DAY, YEAR, 2000 * YEAR),
    *(30 * DAY, YEAR, YEAR),
)
_FIRST = -719_162 * DAY  # the year 1
_FAR_FUTURE = 130 * YEAR
_NO_RULES = ("running_speculative_checks",)
_WINDOW_ONLY = ("branches", "queues")


def make_question(choose: Choose, scene: Scene) -> Asked:
    edge = choose((*scene.instants, choose(ORIGINS) + choose(OFFSETS)))
    length = choose(LENGTHS)
    start, end = choose(((edge, edge + length), (edge - length, edge), (edge - length // 2, edge + 1)))
    if choose((False, False, False, True)):
        end = _FAR_FUTURE
    return Asked(
        max(start, _FIRST),
        end,
        base_refs=_filter(choose, scene, 0),
        queue_names=_filter(choose, scene, 1),
        rules=_filter(choose, scene, 2),
        at=choose((edge, edge + 7 * DAY, edge + 7 * DAY - 1, edge + 1)),
        branch=choose((None, choose(scene.groups)[0], "elsewhere")),
    )


def _filter(choose: Choose, scene: Scene, place: int) -> tuple[str, ...]:
    """Often none; otherwise names of the history, and now and then others."""
    if choose((True, True, False)):
        return ()
    known = [group[place] for group in scene.groups]
    names = [choose(known), choose(known), choose(RULES if place == 2 else NAMES)]
    return tuple(name for name in names if name is not None)


@dataclass(frozen=True)
class History:
    """Events, where they play, and one question about them."""

    scene: Scene
    events: list[Wire]
    asked: Asked

    @cached_property
    def facts(self) -> Facts:
        return Facts(self.events)


@cache
def _places(length: int) -> st.SearchStrategy[int]:
    """A new strategy takes longer to make than a choice."""
    return st.integers(0, length - 1)


@st.composite
def histories(draw: st.DrawFn, longest: int = 40) -> History:
    def choose(options: Sequence[T], /) -> T:
        return options[draw(_places(len(options)))]

    scene = make_scene(choose)
    events = make_history(choose, scene, draw(st.integers(1, longest)))
    return History(scene, events, make_question(choose, scene))


def parameters(statistic: str, asked: Asked) -> dict[str, Any]:
    """The query of a statistic; what it does not take is left out."""
    if statistic == "time_to_merge":
        return {"at": spell(asked.at)} | ({"branch": asked.branch} if asked.branch else {})
    query: dict[str, Any] = {"start_at": spell(asked.start), "end_at": spell(asked.end)}
    if statistic not in _WINDOW_ONLY:
        query |= {"base_ref": list(asked.base_refs), "queue_name": list(asked.queue_names)}
        if statistic not in _NO_RULES:
            query["priority_rule_name"] = list(asked.rules)
    return query


def ask(server: LiveServer, repository: str, statistic: str, asked: Asked) -> Answer:
    return server.quick.get(f"/v1/repos/{repository}/stats/{statistic}", parameters(statistic, asked))


def ask_all(server: LiveServer, repository: str, questions: list[Asked]) -> dict[str, list[bytes]]:
    """The bodies of all eighteen answers to each question."""
    return {
        statistic: [ask(server, repository, statistic, asked).content for asked in questions]
        for statistic in STATISTICS
    }
