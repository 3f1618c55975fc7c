"""States are loaded by several threads at once, right after a server has started."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.thorough  # child processes

_PROGRAM = """
import sys
from threading import Barrier, Thread

from mergecast.signals.verdict.engine import Engine

sys.setswitchinterval(1e-7)
dump, together = Engine().dump(), Barrier(8)


def load():
    together.wait()
    Engine.load(dump)


threads = [Thread(target=load) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_threads_load_a_state_at_once() -> None:
    """Before, a third of these processes ended with a segmentation fault."""
    codes = [subprocess.run([sys.executable, "-c", _PROGRAM], check=False).returncode for _ in range(8)]

    assert [0] * 8 == codes
