"""Answers requests while the store is opened, which may take an hour, and stops that on SIGTERM."""

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from types import FrameType

import structlog
import uvicorn

from mergecast.process.clock import passed_in_microseconds
from mergecast.queues.model.instant import SECOND
from mergecast.queues.store.progress import Opening, OpeningStopped
from mergecast.queues.store.store import Store

log = structlog.get_logger("mergecast.app")

# Clients wait this long for an answer, because most servers are ready earlier.
_QUIET_SECONDS = 0.5
_STOP_SECONDS = 8  # container engines kill a process that takes longer than 10
_STOP_AGAIN_SECONDS = 0.2


class _Terminated(BaseException):
    """SIGTERM has arrived."""


def open_answering(
    open_store: Callable[[], Store], opening: Opening, listener: socket.socket, answers: uvicorn.Config
) -> Store:
    """The store; if opening it takes long, requests to the listener are answered meanwhile."""
    future = _in_thread(open_store)
    try:
        with _raising_on_sigterm():
            return _wait(future, listener, answers)
    except KeyboardInterrupt:
        _stop(opening, future)
        raise
    except _Terminated:
        log.info("stopping before the store is open", was=opening.describe())
        _stop(opening, future)
        raise OpeningStopped("stopped before the store was open") from None


def _in_thread(work: Callable[[], Store]) -> "Future[Store]":
    """Begin the work. Signals arrive in the main thread, and a driver may not look for them for a minute."""
    future: Future[Store] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is wanted
            future.set_exception(error)

    threading.Thread(target=run, name="opening", daemon=True).start()
    return future


@contextmanager
def _raising_on_sigterm() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_: int, __: FrameType | None) -> None:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _wait(future: "Future[Store]", listener: socket.socket, answers: uvicorn.Config) -> Store:
    if not wait([future], _QUIET_SECONDS).done:
        with _answering(listener, answers):
            wait([future])
    return future.result()


@contextmanager
def _answering(listener: socket.socket, answers: uvicorn.Config) -> Iterator[None]:
    """Answer in a thread. The listener stays open, so that clients who come afterwards wait in its queue."""
    server = uvicorn.Server(answers)
    with listener.dup() as own:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [own]}, name="answers", daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.should_exit = True
            thread.join()


def _stop(opening: Opening, future: "Future[Store]") -> None:
    """End it in order if that is quick: if not, the process ends, which harms no store at any moment."""
    until = passed_in_microseconds() + _STOP_SECONDS * SECOND
    while not future.done() and passed_in_microseconds() < until:
        opening.stop()
        wait([future], _STOP_AGAIN_SECONDS)
    if future.done() and future.exception() is None:
        future.result().close()
