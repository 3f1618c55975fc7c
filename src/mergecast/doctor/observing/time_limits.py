"""Runs work in threads and gives up on what takes too long, so that a report always appears."""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from mergecast.doctor.observed import Unknown
from mergecast.errors import MergecastError

T = TypeVar("T")


class Probe(Generic[T]):
    """Work that begins at once. The thread of work that never ends dies with the process."""

    def __init__(self, work: Callable[[], T], seconds: float) -> None:
        self._work = work
        self._deadline = time.monotonic() + seconds
        self._result: T | Unknown = Unknown(f"no answer within {seconds:g} seconds")
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._result = self._work()
        except MergecastError as error:
            self._result = Unknown(str(error))
        except OSError as error:
            self._result = Unknown(f"{error.filename or 'a file'}: {error.strerror or error}")
        except Exception as error:  # noqa: BLE001 - the other checks are reported all the same
            self._result = Unknown(f"the check itself failed: {type(error).__name__}")

    def result(self) -> T | Unknown:
        self._thread.join(max(0.0, self._deadline - time.monotonic()))
        return self._result
