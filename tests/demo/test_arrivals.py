"""Pull requests arrive like those of a company with two offices and a bot."""

from datetime import date
from itertools import islice, pairwise

import pytest

from mergecast.demo.arrivals import Arrival, daily_arrivals
from mergecast.demo.stays import Fate


@pytest.fixture(scope="module")
def all_days() -> list[list[Arrival]]:
    """The arrivals of ninety-one days."""
    return list(islice(daily_arrivals(7, date(2026, 3, 2)), 91))


@pytest.fixture(scope="module")
def days(all_days: list[list[Arrival]]) -> list[list[Arrival]]:
    """Those of them that change the program and not its website."""
    return [[arrival for arrival in day if arrival.group.base_ref != "website"] for day in all_days]


def test_a_day_is_in_time_order(all_days: list[list[Arrival]]) -> None:
    """No arrival is earlier than the one before it."""
    assert all(one.moment <= other.moment for day in all_days for one, other in pairwise(day))


def test_a_weekday_brings_about_sixty_pull_requests(days: list[list[Arrival]]) -> None:
    """On average, 55 to 75 arrive on a day from Monday to Friday."""
    weekdays = [len(day) for number, day in enumerate(days) if number % 7 < 5]

    assert 55 <= sum(weekdays) / len(weekdays) <= 75


def test_weekdays_bring_far_more_than_weekends(days: list[list[Arrival]]) -> None:
    """Monday to Friday bring at least five times as many as Saturday and Sunday, which are not empty."""
    weekdays = sum(len(day) for number, day in enumerate(days) if number % 7 < 5)
    weekends = sum(len(day) for number, day in enumerate(days) if number % 7 >= 5)

    assert weekdays >= 5 * weekends


def test_bots_come_early_every_day(days: list[list[Arrival]]) -> None:
    """Pull requests of low priority arrive between five and six in the morning."""
    bots = [
        (int(arrival.moment // 86400), int(arrival.moment % 86400 // 3600))
        for day in days
        for arrival in day
        if arrival.group.priority_rule_name == "low"
    ]

    assert {(day, 5) for day in range(91)} == set(bots)


def test_one_update_a_day_is_broken(days: list[list[Arrival]]) -> None:
    """So that failures, retries and bisections are never far away."""
    updates = [[arrival.fate for arrival in day if arrival.group.priority_rule_name == "low"] for day in days]

    assert all([Fate(is_broken=True)] == [fate for fate in day if fate] for day in updates)
    assert all(len(day) >= 5 for day in updates)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("urgent", 0.05, 0.10), ("low", 0.10, 0.20), (None, 0.70, 0.85)],
    ids=["urgent", "low", "no rule"],
)
def test_priorities_have_their_shares(
    days: list[list[Arrival]], name: str | None, least: float, most: float
) -> None:
    """A few are urgent, bots are low, and no rule matches the rest."""
    names = [arrival.group.priority_rule_name for day in days for arrival in day]

    assert least <= names.count(name) / len(names) <= most


def test_most_pull_requests_are_for_main(days: list[list[Arrival]]) -> None:
    """About 93 percent go to main and the others to the one release branch."""
    base_refs = [arrival.group.base_ref for day in days for arrival in day]

    assert {"main", "release/2.4"} == set(base_refs)
    assert 0.91 <= base_refs.count("main") / len(base_refs) <= 0.95


def test_translations_come_four_times_a_day(all_days: list[list[Arrival]]) -> None:
    """Each time the first of six pull requests has slow CI and the last one is broken."""
    fates = [[arrival.fate for arrival in day if arrival.group.base_ref == "website"] for day in all_days]

    assert [[Fate(is_slow=True), *[Fate()] * 4, Fate(is_broken=True)] * 4] * 91 == fates


def test_the_holidays_are_quiet() -> None:
    """The same random draws give fewer pull requests at the end of December."""
    usual = list(islice(daily_arrivals(7, date(2026, 3, 2)), 5))
    holidays = list(islice(daily_arrivals(7, date(2025, 12, 29)), 5))

    assert sum(map(len, holidays)) < 0.8 * sum(map(len, usual))
