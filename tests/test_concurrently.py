"""Coroutines that run at the same time."""

import asyncio

import pytest

from mergecast.process.concurrently import run_all, run_both


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
