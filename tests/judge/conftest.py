"""Runs coroutines with a pool of misbehaving children, and closes it in any case."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from mergecast.judge.pools import document_pool
from mergecast.sandbox.fork_server import ForkServer
from mergecast.sandbox.pool import Pool
from shared_fork_servers import PATIENT

T = TypeVar("T")
Run = Callable[[Callable[[Pool], Awaitable[T]]], T]

ODD_CHILD = (sys.executable, "-I", str(Path(__file__).parent / "odd_child.py"))


@pytest.fixture
def run_with_judge() -> Run[T]:
    """Run a coroutine with a pool of one misbehaving child."""

    def run(work: Callable[[Pool], Awaitable[T]]) -> T:
        async def main() -> T:
            judge = document_pool(1, ForkServer(ODD_CHILD), patience=PATIENT)
            try:
                return await work(judge)
            finally:
                await judge.close()

        return asyncio.run(main())

    return run
