"""A server that is killed loses no notice; `benchmarks/notice_kills.py` kills it more often."""

from pathlib import Path

import pytest

from notices.kills import CHANNELS, kill_often


@pytest.mark.server
@pytest.mark.thorough
def test_a_kill_loses_nothing_and_repeats_at_most_one_message_per_channel(tmp_path: Path) -> None:
    killed = kill_often(tmp_path, kills=3)

    assert killed.causes > 0
    assert 0 == killed.lost
    assert killed.ids >= killed.causes * CHANNELS
    assert max(killed.repeated) <= killed.kills
