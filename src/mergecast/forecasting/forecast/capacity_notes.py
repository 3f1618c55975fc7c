"""Notes beside a capacity: what was assumed, and where the search ended."""

from collections.abc import Iterator

from mergecast.forecasting.forecast.capacity import LEAST, MOST, Capacity


def capacity_notes(found: Capacity) -> Iterator[str]:
    yield (
        "More pull requests are recorded ones that enter again, at the same time of another week and with "
        "outcomes of their own; with fewer, some are left out at random."
    )
    for one, whose in ((found.today, "today's settings"), (found.best, "the best settings")):
        if one is not None and one.is_most:
            yield f"Even {MOST:g} times the recorded pull requests stay within the limit under {whose}."
        if one is not None and one.is_least:
            yield f"Even {LEAST:g} times the recorded pull requests exceed the limit under {whose}."
    if found.best is not None and found.best.reach.beyond:
        yield (
            f"The best settings go beyond what was recorded ({', '.join(found.best.reach.beyond)}): "
            "how CI behaves then is assumed."
        )
    if found.best is None:
        yield "None of the settings that were tried can take more pull requests than today's."
