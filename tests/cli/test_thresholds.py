"""`mergecast thresholds`, `mergecast problems` and `mergecast products`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import entered
from cli.program import Ending, mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.queues.model.instant import MINUTE, format_instant, parse_instant
from waiting import wait_until

pytestmark = pytest.mark.server

_NOW = parse_instant("2026-11-02T12:00:00Z")
_NAME = "acme/widgets"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A pull request has waited for a CI run for ten minutes."""
    with live_server(tmp_path_factory.mktemp("thresholds"), now=lambda: _NOW) as live:
        live.send([entered(format_instant(_NOW - 10 * MINUTE), "waiting", 9001)]).raise_for_status()
        yield live


def _run(server: LiveServer, *words: str) -> Ending:
    ended = mergecast(*words, "--url", server.url, "--token", TOKEN, data=Path("unused"))
    # Servers of this process log to the same place.
    said = "".join(line for line in ended.err.splitlines(keepends=True) if not line.startswith("{"))
    return Ending(ended.code, ended.out, said)


def _trimmed(out: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in out.splitlines())


def test_levels_are_set_and_deleted(server: LiveServer) -> None:
    """One after the other; lengths of time are written and shown as such."""
    endings = [
        _run(server, "thresholds", "set", _NAME, "run_too_long=90m"),
        _run(server, "thresholds", "set", _NAME, "everyone_fails=5"),
        _run(server, "thresholds", "list", _NAME),
    ]
    expected = (
        "branch  queue    problem         learned  set by hand  speaks\n"
        "main    default  no_run_started  -        -            -\n"
        "main    default  run_too_long    -        1h30m        when a CI run takes longer than 1h30m\n"
        "main    default  everyone_fails  -        {fails}\n"
        "main    default  going_round     -        -            -\n"
        "main    default  nothing_merges  -        -            -\n"
        "main    default  source_silent   -        -            -\n"
        "main    default  runs_slow       -        -            -\n"
        "main    default  forgotten       -        -            -\n"
        "main · default: too little history for a diagnosis: 0 CI runs in the last 8 weeks, 200 are needed\n"
    )
    five = (
        "5 runs       when 5 CI runs in a row fail that have no pull request in common, "
        "each at most 1h00m after the one before"
    )
    one, both = (expected.format(fails=fails) for fails in ("-            -", five))
    assert [(0, one), (0, both), (0, both)] == [(ended.code, _trimmed(ended.out)) for ended in endings]

    deleted = [_run(server, "thresholds", "delete", _NAME) for _ in range(2)]
    assert ["deleted 2 levels of main · default\n", "no level of main · default was set by hand\n"] == [
        ended.out for ended in deleted
    ]


def test_levels_of_another_queue_are_named(server: LiveServer) -> None:
    """Whoever forgets an option sees that nothing was deleted, and what to ask for."""
    _run(server, "thresholds", "set", _NAME, "going_round=4")
    elsewhere = _run(server, "thresholds", "delete", _NAME, "--branch", "master")
    _run(server, "thresholds", "delete", _NAME)

    said = "no level of master · default was set by hand; levels are set for main · default\n"
    assert (0, said) == (elsewhere.code, elsewhere.out)


_WRONG = {
    "run_too_long": (
        "`run_too_long` is not a problem and a level; "
        "write run_too_long=90m, or 5400 for as many seconds, or everyone_fails=5"
    ),
    "run_too_long=nan": "`run_too_long=nan` is not a problem and a level; write run_too_long=90m, or 5400",
    "run_too_long=90s": "`run_too_long=90s` is not a problem and a level; write run_too_long=90m, or 5400",
    "everyone_fails=1h": "`everyone_fails=1h` is a length of time, and everyone_fails is a number of runs",
    "run_too_long=-1": "run_too_long: must be a number of seconds from 1 to 10,000,000",
    "run_to_long=60": "run_to_long: is not a problem of queues; did you mean run_too_long? There are no_run",
}


@pytest.mark.parametrize(("level", "message"), _WRONG.items())
def test_a_wrong_level(server: LiveServer, level: str, message: str) -> None:
    ended = _run(server, "thresholds", "set", _NAME, level)

    assert (2, "") == (ended.code, ended.out)
    assert message in ended.err


def test_a_problem_is_listed(server: LiveServer) -> None:
    """With when it began; one that lasts is said to hold."""
    before = _run(server, "problems", _NAME, "--start", "2026-11-01", "--end", "2026-11-03", "--utc")
    _run(server, "thresholds", "set", _NAME, "no_run_started=5m")

    def problems() -> str | None:
        shown = _run(server, "problems", _NAME, "--start", "2026-11-01", "--utc").out
        return shown if "holds" in shown else None

    found = wait_until(problems)

    assert (0, "no problems in this period\n") == (before.code, before.out)
    assert (
        "began             ended, UTC  branch  queue    problem\n"
        "2026-11-02 11:50  holds       main    default  no CI run has started, "
        "although #9001 waits and a slot is free; "
        "the limit set for this queue is that one starts within 5m\n"
    ) == _trimmed(found)


def test_products_are_set(server: LiveServer) -> None:
    ended = [
        _run(server, "products", "list", _NAME),
        _run(server, "products", "set", _NAME, "merge_queue"),
        _run(server, "products", "list", _NAME),
        _run(server, "products", "set", _NAME, "merge_que"),
    ]

    never = "the products were never set; until they are, a simulation does not report unused sections\n"
    assert [(0, never), (0, "merge_queue\n"), (0, "merge_queue\n"), (2, "")] == [
        (one.code, one.out) for one in ended
    ]
    assert "did you mean merge_queue?" in ended[-1].err
