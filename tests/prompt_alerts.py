"""Servers of this process judge repositories at every look, so that tests need not wait a minute for it."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mergecast.signals.alerts.watcher import AlertWatch


@contextmanager
def prompt_alerts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AlertWatch, "look_seconds", 0.1)
        patch.setattr(AlertWatch, "looks_per_judgement", 1)
        yield
