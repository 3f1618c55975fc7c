"""What does the child process cost? Compares it with reading in process, and measures the round trip alone.

python benchmarks/judge.py [seconds for each figure, default 3]
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import date
from functools import partial

import msgspec
import uvloop

from mergecast.judge.child.tasks import TASKS
from mergecast.judge.messages import (
    CONFIGURATION,
    LONGEST_DOCUMENT,
    ConfigurationAnswer,
    ConfigurationQuestion,
    json_text,
)
from mergecast.judge.pools import document_pool
from mergecast.sandbox.errors import LimitReached
from mergecast.sandbox.fork_server import ForkServer

_ECHO_CHILD = """
import msgspec
from mergecast.sandbox.forking import serve
from mergecast.judge.limits import DOCUMENT_LIMITS
serve(lambda: {"echo": msgspec.json.decode}, DOCUMENT_LIMITS)
"""
_TODAY = date(2026, 11, 15)
_COSTLY = """
pull_request_rules:
  - name: costs its child, because the text takes more memory than a child may use
    conditions: []
    actions: {comment: {message: "{{ 'a' * 10 ** 9 }}"}}
"""
_RULE = """\
  - name: rule {number}
    description: What happens to pull requests of kind {number}, and why the team wants it so
    conditions:
      - base = main
      - -draft
      - label = kind-{number}
      - "#approved-reviews-by >= 2"
      - check-success = build ({number}, linux, release)
      - or:
          - files ~= ^services/part-{number}/.*\\.py$
          - and: [author = bot-{number}, "title ~= ^(fix|feat)"]
    actions:
      queue:
        name: default
      comment:
        message: Thank you @{{{{ author }}}}, this goes to the queue as kind {number}
"""
_QUEUE = """\
queue_rules:
  - name: default
    merge_conditions:
      - check-success = build
pull_request_rules:
"""


def usual_document() -> str:
    """10 rules, about 5 kB."""
    return _QUEUE + "".join(_RULE.format(number=number) for number in range(10))


def large_document() -> str:
    """The most rules allowed, with as many conditions as fit into 1 MiB."""
    rules = "".join(_RULE.format(number=number) for number in range(200))
    filling = "".join(f"          - label = some-label-of-many-{number:05}\n" for number in range(120))
    text = _QUEUE + rules.replace("      - or:\n", "      - or:\n" + filling)
    return text[: text.rindex("  - name: rule", 0, LONGEST_DOCUMENT)]


class _Given(msgspec.Struct):
    text: str


async def _measure(work: Callable[[], Awaitable[object]], seconds: float) -> list[float]:
    for _ in range(5):
        await work()
    taken: list[float] = []
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline:
        begun = time.perf_counter()
        await work()
        taken.append(time.perf_counter() - begun)
    return sorted(taken)


def _show(what: str, taken: list[float]) -> float:
    middle, high = statistics.median(taken) * 1e3, taken[int(len(taken) * 0.99)] * 1e3
    print(f"{what:<44} median {middle:9.3f} ms   p99 {high:9.3f} ms   {len(taken)} times")
    return middle


async def _here(document: ConfigurationQuestion) -> object:
    return TASKS[CONFIGURATION](msgspec.json.encode(document))


async def _replacements(number: int) -> None:
    """How long the first answer of a pool takes, and the first after a document has cost a child."""
    judge = document_pool(1)
    usual = ConfigurationQuestion(json_text(usual_document()), _TODAY)
    costly = ConfigurationQuestion(json_text(_COSTLY), _TODAY)
    begun = time.perf_counter()
    await judge.ask(CONFIGURATION, usual, ConfigurationAnswer)
    first = time.perf_counter() - begun
    taken = []
    for _ in range(number):
        with suppress(LimitReached):
            await judge.ask(CONFIGURATION, costly, ConfigurationAnswer)
        begun = time.perf_counter()
        await judge.ask(CONFIGURATION, usual, ConfigurationAnswer)
        taken.append(time.perf_counter() - begun)
    await judge.close()
    replaced = _show("usual document, by a replaced child", sorted(taken))
    print(f"the first answer takes {first * 1e3:.0f} ms, {first * 1e3 / replaced:.0f} times as long")


async def _main(seconds: float) -> None:
    await _replacements(20)
    echo = document_pool(1, ForkServer((sys.executable, "-I", "-c", _ECHO_CHILD)))
    for length in (100, 5_000, 1_000_000):
        taken = await _measure(partial(echo.ask, "echo", _Given("x" * length), object), seconds)
        _show(f"echo of {length} characters", taken)
    await echo.close()
    judge = document_pool(1)
    for what, text in (("usual", usual_document()), ("large", large_document())):
        document = ConfigurationQuestion(json_text(text), _TODAY)
        judged = await judge.ask(CONFIGURATION, document, ConfigurationAnswer)
        assert not judged.errors, judged.errors[0]
        away = _show(
            f"{what} document ({len(text)} characters), judge",
            await _measure(partial(judge.ask, CONFIGURATION, document, ConfigurationAnswer), seconds),
        )
        here = _show(f"{what} document, this process", await _measure(partial(_here, document), seconds))
        print(f"{what} document: through a child {away / here:.2f} times as long")
    await judge.close()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0))
