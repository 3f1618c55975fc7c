"""`mergecast forecast`: the recorded weeks under other settings."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from math import prod
from typing import Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.group_names import branch_with_history
from mergecast.cli.options import AsJson, End, RepositoryName, Server, Start
from mergecast.cli.output import last_step, print_json, print_table, say, say_first, waiting
from mergecast.cli.periods import Period, print_kept_since, read_dates
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.zone import Zone

_SPAN = "60d"
_UTC = Zone(UTC, "UTC")
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_DECIMAL = re.compile(r"-?[0-9]{1,9}\.[0-9]{1,9}")
_RANGE = re.compile(r"([0-9]{1,4})\.\.([0-9]{1,4})")
_AMOUNT = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([smhd]?)")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}
_WORDS = {"true": True, "on": True, "false": False, "off": False, "null": None, "none": None}
_MOST_VALUES = 100
_REPLAYING = "replaying the recorded weeks …"
# Members of the request, and the options that set them.
_OPTIONS = {
    "/candidate/settings/": "--set ",
    "/candidate/queues/": "--set ",
    "/candidate/config_yml": "--file",
    "/baseline/config_yml": "--against",
    "/vary/": "--vary ",
    "/vary": "--vary",
    "/limit": "--limit",
    "/base_ref": "--branch",
    "/queue_name": "--queue",
    "/start_at": "--start",
    "/end_at": "--end",
}

_Limit = Annotated[
    str | None,
    typer.Option(
        metavar="FIGURE=VALUE",
        help="With --vary or --capacity: time_to_merge_p95=2h, ci_runs_per_merge=1.2",
    ),
]
_Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="[QUEUE/]NAME=VALUE",
        help="Change one setting, of all queues or of one: batch_size=5, hotfix/batch_size=1; repeatable",
    ),
]
_Against = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Compare with this document instead of today's settings"),
]


def forecast(
    repository: RepositoryName,
    *,
    file: Annotated[
        str | None,
        typer.Option("--file", "-f", metavar="FILE", help="Candidate document; - is standard input"),
    ] = None,
    settings: _Set = None,
    against: _Against = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUES", help="Try values: batch_size=1..8 or 1,2,5; repeatable"),
    ] = None,
    capacity: Annotated[
        bool, typer.Option("--capacity", help="Find how many pull requests a day the queue can take")
    ] = False,
    limit: _Limit = None,
    branch: Annotated[
        str | None, typer.Option(metavar="NAME", help="Base branch; by default the one that merged most")
    ] = None,
    queue: Annotated[
        str | None, typer.Option(metavar="NAME", help="Report only this queue's pull requests")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="How far back: 30d, 8w; 60d by default")
    ] = None,
    start: Start = None,
    end: End = None,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the random numbers", min=0)] = 1,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """What would other settings do, such as batch size 5?

    Forecasts time to merge and CI cost under other settings, from the queue's own history.

    Example: mergecast forecast demo/harbor --set batch_size=5
    """
    period = read_dates((since, start, end), _SPAN, UTC, datetime.now(UTC))
    asked: dict[str, object] = {"queue_name": queue, **period.query(), "seed": seed}
    if against is not None:
        asked["baseline"] = _document(against)
    if vary or capacity:
        if file is not None or settings:
            option = "--capacity" if capacity else "--vary"
            raise WrongUsage(f"{option} cannot be combined with --file or --set")
        tried = read_vary(vary or [])
        asked |= {"vary": tried} if tried else {}
        asked |= {"limit": read_limit(limit)} if limit else {}
        asked["base_ref"] = branch or _busiest(repository, period, server)
        if capacity:
            _capacity(repository, asked, server, as_json=as_json)
        else:
            _search(repository, asked, server, prod(map(len, tried.values())), as_json=as_json)
        return
    if limit is not None:
        raise WrongUsage("--limit needs --vary or --capacity")
    asked["candidate"] = _candidate(file, settings)
    asked["base_ref"] = branch or _busiest(repository, period, server)
    _forecast(repository, asked, server, as_json=as_json)


def _busiest(repository: str, period: Period, server: Server) -> str:
    with connect(*server) as client:
        return branch_with_history(client, repository, period.query())


@contextmanager
def _in_terms_of_options() -> Iterator[None]:
    """The server names members of the request; the user has written options."""
    from mergecast.client.errors import ErrorResponse

    try:
        yield
    except ErrorResponse as error:
        if not error.errors or not all(member for member, _ in error.errors):
            raise
        lines = [f"{_option(member)}: {message}" for member, message in error.errors]
        raise WrongUsage("\n".join(lines)) from None


def _option(member: str) -> str:
    """The option behind a member of the request.

    >>> _option("/candidate/settings/batch_size"), _option("/queue_name"), _option("/seed")
    ('--set batch_size', '--queue', '/seed')
    """
    for start, option in _OPTIONS.items():
        if member.startswith(start):
            return option + member.removeprefix(start)
    return member


def _candidate(file: str | None, settings: list[str] | None) -> Mapping[str, object]:
    if file is None and not settings:
        ways = "--set NAME=VALUE, --file DOCUMENT, --vary NAME=VALUES or --capacity"
        raise WrongUsage(f"nothing to forecast: add {ways}")
    if file is not None and settings:
        raise WrongUsage("--file and --set cannot be used together")
    return read_candidate(settings or []) if file is None else _document(file)


def _document(file: str) -> dict[str, str]:
    from mergecast.cli.documents import decode_document, read_document

    _, content = read_document(file)
    return {"config_yml": decode_document(content)}


def read_candidate(texts: list[str]) -> dict[str, object]:
    """The candidate of `--set NAME=VALUE` and `--set QUEUE/NAME=VALUE`.

    >>> read_candidate(["batch_size=5", "hotfix/batch_size=1"])
    {'settings': {'batch_size': 5}, 'queues': {'hotfix': {'batch_size': 1}}}
    """
    queues: dict[str, dict[str, object]] = {}
    settings: dict[str, object] = {}
    for path, value in read_settings(texts).items():
        queue, is_of_one, name = path.rpartition("/")
        (queues.setdefault(queue, {}) if is_of_one else settings)[name] = value
    return {"settings": settings, **({"queues": queues} if queues else {})}


def read_settings(texts: list[str]) -> dict[str, object]:
    """The settings of `--set NAME=VALUE`; `1..4` is a range.

    >>> read_settings(["batch_size=1..4", "skip_intermediate_results=on", "checks_timeout=none"])
    {'batch_size': {'min': 1, 'max': 4}, 'skip_intermediate_results': True, 'checks_timeout': None}
    """
    found: dict[str, object] = {}
    for text in texts:
        name, value = _name_and_value(text, "--set")
        span = _RANGE.fullmatch(value)
        found[name] = {"min": int(span[1]), "max": int(span[2])} if span else _value(value)
    return found


def read_vary(texts: list[str]) -> dict[str, list[object]]:
    """The values of `--vary NAME=VALUES`: a span of whole numbers, or a list.

    >>> read_vary(["batch_size=1..3", "mode=serial,isolated"])
    {'batch_size': [1, 2, 3], 'mode': ['serial', 'isolated']}
    """
    found: dict[str, list[object]] = {}
    for text in texts:
        name, value = _name_and_value(text, "--vary")
        span = _RANGE.fullmatch(value)
        numbers = range(int(span[1]), int(span[2]) + 1) if span else None
        found[name] = [_value(part) for part in value.split(",")] if numbers is None else list(numbers)
        if not 1 <= len(found[name]) <= _MOST_VALUES:
            raise WrongUsage(f"--vary: `{text}` has {len(found[name])} values; give 1 to {_MOST_VALUES}")
    return found


def read_limit(text: str) -> dict[str, float]:
    """The limit of `--limit FIGURE=VALUE`; a duration may have a unit.

    >>> read_limit("time_to_merge_p95=1.5h"), read_limit("ci_runs_per_merge=1.2")
    ({'time_to_merge_p95': 5400.0}, {'ci_runs_per_merge': 1.2})
    """
    name, value = _name_and_value(text, "--limit")
    number = _AMOUNT.fullmatch(value)
    if number is None or (number[2] and name != "time_to_merge_p95"):
        raise WrongUsage(
            f"--limit: `{text}` is not a limit; "
            "write for example time_to_merge_p95=2h or ci_runs_per_merge=1.2"
        )
    return {name: float(number[1]) * _UNITS[number[2]]}


def _name_and_value(text: str, option: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name or not value:
        raise WrongUsage(f"{option}: `{text}` is not NAME=VALUE; write for example batch_size=5")
    return name, value


def _value(text: str) -> object:
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    return _WORDS.get(text, text)


def _forecast(repository: str, asked: dict[str, object], server: Server, *, as_json: bool) -> None:
    from mergecast.forecasting.forecast.answer import ForecastAnswer, Head
    from mergecast.forecasting.forecast.wording import (
        COLUMNS,
        NEXT_COLUMNS,
        changed_settings,
        forecast_rows,
        headline,
        next_rows,
        told_lines,
        trust_lines,
    )

    with connect(*server) as client, _in_terms_of_options(), waiting(_REPLAYING):
        *_, answer = client.replayed(repository, "forecast", asked, ForecastAnswer)
    if as_json:
        print_json(answer.raw)
        return
    found, head = answer.value, answer.part(Head)
    say_first(headline(found))
    start, end = (datetime.fromisoformat(at) for at in (head.window.start_at, head.window.end_at))
    say(f"{repository} · {head.base_ref} · {(end - start) / timedelta(days=1):.0f} days")
    print_kept_since(head.kept_since or None, _UTC)
    say(*told_lines(found.settings, now_in_microseconds()), *changed_settings(found))
    print_table(COLUMNS, forecast_rows(found))
    say(found.next_two_weeks.sentence)
    print_table(NEXT_COLUMNS, next_rows(found))
    say(*trust_lines(found), *found.notes)


def _capacity(repository: str, asked: dict[str, object], server: Server, *, as_json: bool) -> None:
    from mergecast.forecasting.forecast.answer import CapacityAnswer, Head
    from mergecast.forecasting.forecast.wording import (
        CAPACITY_COLUMNS,
        capacity_headline,
        capacity_rows,
        told_lines,
    )

    with connect(*server) as client, _in_terms_of_options():
        steps = client.replayed(repository, "forecast/capacity", asked, CapacityAnswer)
        answer = last_step(steps, "replays under growing load")
    if as_json:
        print_json(answer.raw)
        return
    found = answer.value
    say_first(capacity_headline(found))
    print_kept_since(answer.part(Head).kept_since or None, _UTC)
    print_table(CAPACITY_COLUMNS, capacity_rows(found))
    if notes := (*told_lines(found.settings, now_in_microseconds()), *found.notes):
        say(*notes)


def _search(repository: str, asked: dict[str, object], server: Server, total: int, *, as_json: bool) -> None:
    from mergecast.forecasting.forecast.answer import Head, SearchAnswer
    from mergecast.forecasting.forecast.wording import headline, search_table, told_lines, trust_lines

    with connect(*server) as client, _in_terms_of_options():
        steps = client.replayed(repository, "forecast/search", asked, SearchAnswer)
        answer = last_step(steps, "combinations", total)
    if as_json:
        print_json(answer.raw)
        return
    found = answer.value
    columns, rows = search_table(found)
    say_first(headline(found))
    print_kept_since(answer.part(Head).kept_since or None, _UTC)
    meaning = "p95 of time to merge, CI runs per merge; * no other combination is better in both"
    say(*told_lines(found.settings, now_in_microseconds()), meaning)
    print_table(columns, rows)
    say(*trust_lines(found), *found.notes)
