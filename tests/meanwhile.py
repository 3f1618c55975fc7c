"""What happens while an answer is read: after its first part, and before the second."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest


def while_read(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, reading: str
) -> Callable[[Callable[[], object]], None]:
    """Returns a function that takes what is to happen, once, when a function of a module has been called."""
    read, waiting = getattr(module, reading), list[Callable[[], object]]()

    def read_and_wait(*given: Any, **named: Any) -> Any:
        found = read(*given, **named)
        while waiting:
            waiting.pop()()
        return found

    monkeypatch.setattr(module, reading, read_and_wait)
    return waiting.append
