"""A forecast says where today's settings come from."""

import pytest
from msgspec import UNSET, UnsetType

from mergecast.forecasting.forecast.answer import ToldBy, Understood
from mergecast.forecasting.forecast.wording import told_lines
from mergecast.queues.model.instant import parse_instant

_NOW = parse_instant("2026-11-19T13:12:00Z")


@pytest.mark.parametrize(
    ("told_by", "expected"),
    [
        (ToldBy("GitHub", "2026-11-19T13:00:00Z"), ["today's settings, from GitHub, 12m ago"]),
        (UNSET, []),
    ],
)
def test_a_platform_that_told_them_is_named_with_the_time(
    told_by: ToldBy | UnsetType, expected: list[str]
) -> None:
    settings = Understood(baseline={}, source_of_baseline="platform", detected=(), told_by=told_by)

    assert expected == list(told_lines(settings, _NOW))
