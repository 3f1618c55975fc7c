"""Coroutines that run at the same time."""

import asyncio
import gc
from collections.abc import Coroutine
from typing import Any

import pytest

from mergecast.process.concurrently import abandon, outlasting, run_all, run_both


async def _value(value: object) -> object:
    await asyncio.sleep(0)
    return value


async def _fail() -> None:
    await asyncio.sleep(0)
    raise LookupError("not there")


def test_results_are_in_order() -> None:
    assert [1, 2, 3] == asyncio.run(run_all([_value(1), _value(2), _value(3)]))
    assert ("a", 2) == asyncio.run(run_both(_value("a"), _value(2)))


def test_the_first_failure_ends_the_others() -> None:
    """The failure is raised as it is, when the others have ended."""
    ended = []

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    for work in (run_both(_fail(), wait()), run_all([wait(), _fail()])):
        with pytest.raises(LookupError, match="not there"):
            asyncio.run(work)

    assert ["cancelled"] * 2 == ended


def _logged(scenario: Coroutine[Any, Any, None]) -> list[str]:
    """What the event loop reports about a scenario, and about what is left of it."""
    messages: list[str] = []

    async def run() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: messages.append(context["message"]))
        await scenario
        gc.collect()

    asyncio.run(run())
    return messages


async def _end(work: asyncio.Future[None]) -> None:
    await asyncio.wait([work])
    await asyncio.sleep(0)


def test_an_error_that_comes_after_the_caller_has_gone_is_not_logged() -> None:
    async def scenario() -> None:
        work = asyncio.ensure_future(_fail())
        caller = asyncio.ensure_future(outlasting(work))
        await asyncio.sleep(0)
        caller.cancel()
        await _end(work)

    assert [] == _logged(scenario())


def test_a_caller_that_stays_gets_the_error() -> None:
    async def scenario() -> None:
        await outlasting(asyncio.ensure_future(_fail()))

    with pytest.raises(LookupError, match="not there"):
        asyncio.run(scenario())


def test_an_error_of_abandoned_work_is_not_logged() -> None:
    """Work may end with an error while it is being cancelled."""

    async def fail_late() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await _fail()

    async def scenario() -> None:
        work = asyncio.ensure_future(fail_late())
        await asyncio.sleep(0)
        abandon(work)
        await _end(work)

    assert [] == _logged(scenario())
