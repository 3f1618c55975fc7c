"""`mergecast explain`: why figures differ between two periods."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, named_options, needs_newer_server
from mergecast.cli.group_names import check_filters
from mergecast.cli.options import AsJson, MonthDates, RepositoryName, Server, ZoneOptions
from mergecast.cli.output import last_step, print_json, print_table, say, say_first
from mergecast.cli.periods import Period, print_kept_since
from mergecast.queues.model.figures import FIGURES, Figure, Unit, added, signed

if TYPE_CHECKING:
    from mergecast.forecasting.explanation.answer import (
        CauseFound,
        Explained,
        ExplanationHead,
        FigureExplained,
        Part,
        StandsOut,
    )
    from mergecast.forecasting.forecast.answer import Number

_COLUMNS = ("cause", "adds", "90% interval", "share", "")
_LONGEST_BAR = 24
_OPTIONS = {"base_ref": "--branch", "after": "--since", "before": "--since", "end_at": "--end"}


def explain(
    repository: RepositoryName,
    *,
    dates: MonthDates,
    branch: Annotated[
        str | None, typer.Option(metavar="NAME", help="Base branch; by default the one that merged most")
    ] = None,
    times: ZoneOptions,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """Why is it slower, or does it need more CI, than before?

    Divides the difference from as many days before among causes, such as longer CI runs.

    Example: mergecast explain demo/harbor
    """
    from mergecast.forecasting.explanation.answer import Explained, ExplanationHead
    from mergecast.forecasting.forecast.answer import Number

    zone = times.read()
    period = dates.read(zone, datetime.now(UTC))
    asked = {"base_ref": branch, "after": period.query(), "before": _before(period).query()}
    with (
        connect(*server) as client,
        needs_newer_server("explain differences"),
        named_options(_OPTIONS),
    ):
        # Replays take seconds: a branch that does not exist is said before.
        check_filters(client, repository, {"base_ref": [branch] if branch else []}, ())
        steps = client.replayed(repository, "explanation", asked, Explained[Number])
        answer = last_step(steps, "replays with causes of either period")
    if as_json:
        print_json(answer.raw)
        return
    head = answer.part(ExplanationHead)
    _print(answer.value, head)
    print_kept_since(head.kept_since or None, zone)


def _before(period: Period) -> Period:
    return Period(period.start - (period.end - period.start), period.start)


def _print(found: "Explained[Number]", head: "ExplanationHead") -> None:
    say_first(found.sentence)
    first, last = head.before, head.after
    days = f"{first.start_at[:10]} to {first.end_at[:10]}, then to {last.end_at[:10]}"
    say(f"{head.base_ref} · {days} (UTC)")
    for figure in found.figures:
        _print_figure(figure)
    # Where chance gives as much, or no cause is clear, nothing is named that only looks like one.
    states = [figure.state for figure in found.figures[:2]]
    if "divided" not in states and "not_replayed" in states:
        say(found.mean.sentence)
    for line in _evidence(found.causes) if any(one.state == "divided" for one in found.figures) else ():
        say(line)


def _print_figure(explained: "FigureExplained[Number]") -> None:
    figure = FIGURES[explained.figure]
    if explained.state != "divided":
        say(explained.sentence)
        return
    chance = f"chance alone: ±{figure.written(explained.chance)}"
    levels = f"{figure.written(explained.before)} → {figure.written(explained.after)}"
    say(f"{figure.words}: {levels} ({signed(explained.change)}; {chance})")
    longest = max(abs(part.value or 0.0) for part in explained.parts)
    print_table(_COLUMNS, [_row(figure, part, longest) for part in explained.parts])


def _row(figure: Figure, part: "Part[Number]", longest: float) -> tuple[str, ...]:
    low, high = (added(figure.unit, bound) for bound in (part.low, part.high))
    bar = ("█" if (part.value or 0) > 0 else "░") * round(
        _LONGEST_BAR * abs(part.value or 0.0) / (longest or 1.0)
    )
    return part.words, added(figure.unit, part.value), f"{low} to {high}", signed(part.share), bar


def _evidence(causes: "Iterable[CauseFound[Number]]") -> Iterator[str]:
    """What is recorded about the causes that differ."""
    for cause in causes:
        if not cause.differs:
            continue
        known = ", ".join(
            f"{one.words} {_shown(one.unit, one.before)} → {_shown(one.unit, one.after)}"
            for one in cause.evidence
        )
        yield f"{cause.words}: {known}" if cause.cause != "settings" else cause.words
        yield from (f"  stands out: {_standing_out(one)}" for one in cause.stands_out)


def _standing_out(one: "StandsOut[Number]") -> str:
    levels = f"{_shown(one.unit, one.before)} → {_shown(one.unit, one.after)}"
    pulls = (
        ""
        if one.share_of_pull_requests is None
        else f", {one.share_of_pull_requests:.0%} of the pull requests"
    )
    return (
        f"{one.dimension} {one.name}, {levels} ({one.share_of_difference or 0:.0%} of the difference{pulls})"
    )


def _shown(unit: str, value: "Number | str") -> str:
    return value if isinstance(value, str) else Unit(unit).written(value)
