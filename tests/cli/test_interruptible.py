"""Ctrl-C ends a command that waits."""

import asyncio
import signal
import threading
import time

import pytest

from mergecast.cli.interruptible import run_until_interrupted

_WAIT = 60


def test_the_loop_is_woken_up() -> None:
    """Also if the main thread does not notice the signal, as when it arrives right before the loop waits."""

    def interrupt() -> None:
        time.sleep(0.3)  # the loop waits by now
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    async def wait() -> None:
        thread = threading.Thread(target=interrupt)
        thread.start()
        await asyncio.sleep(_WAIT)

    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_until_interrupted(wait())

    assert time.monotonic() - begun < _WAIT
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_result() -> None:
    assert 3 == run_until_interrupted(asyncio.sleep(0, 3))
