"""`mergecast config comment`: what a document would do, as one comment on its pull request."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.documents import USUAL_PATHS
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, parse_place
from mergecast.cli.output import print_json, say
from mergecast.errors import MergecastError

if TYPE_CHECKING:
    from mergecast.cli.check_formats import CheckedFile
    from mergecast.cli.comment_text import Part
    from mergecast.cli.documents import LocalJudge
    from mergecast.cli.environment import Environment
    from mergecast.forecasting.forecast.answer import ForecastAnswer

_ADVICE = "mergecast config comment OWNER/REPO#NUMBER -f FILE"
_FAILED = 1
_DAYS = 60  # of history in the forecast
_CALLS = 100  # to find the comment and write it


def comment(
    place: Annotated[
        list[str],
        typer.Argument(metavar="OWNER/REPO[#NUMBER]", help="The pull request that changes the document"),
    ],
    file: Annotated[
        str | None,
        typer.Option("--file", "-f", metavar="FILE", help=f"Document; by default the first of {USUAL_PATHS}"),
    ] = None,
    branch: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Base branch of the forecast; by default the one that merged most"),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on deprecations and hints too")] = False,
    post: Annotated[
        bool, typer.Option("--post", help="Write the comment, or replace the one that is there")
    ] = False,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Append results as NAME=VALUE: GITHUB_OUTPUT")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """What would a change to the file do? Writes it as one comment.

    It says what the document would do to open pull requests and, with a server, to p95 and CI.
    MERGECAST_GITHUB_TOKEN reads the open pull requests and writes the comment. MERGECAST_URL and
    MERGECAST_TOKEN name a server with the history of the queue, for the forecast.

    Example: mergecast config comment acme/widgets#42 --post
    """
    from secrets import token_hex

    from mergecast.cli.comment_text import comment_text, output_lines, outputs
    from mergecast.cli.environment import read_environment

    repository, number = parse_place(*place)
    environment = read_environment()
    if post and number is None:
        raise WrongUsage(f"--post needs a pull request; write {repository}#NUMBER")
    if post and environment.github_token is None:
        raise WrongUsage("--post needs MERGECAST_GITHUB_TOKEN, a token that may write comments")
    checked, simulated = _judged(file, repository, environment)
    forecast = answer = None
    if not checked.judged.errors:
        forecast, answer = _forecast(repository, branch, checked, environment)
    text = comment_text(checked, simulated, forecast, strict=strict)
    if not as_json:
        sys.stdout.write(text)
    values = outputs(checked, answer)
    if post and number is not None:
        values["comment-url"] = _post(repository, number, text, environment)
    if output is not None:
        with output.open("a", encoding="utf-8") as stream:
            stream.writelines(f"{line}\n" for line in output_lines(values, f"end-{token_hex(16)}"))
    if as_json:
        print_json({"comment": text, **values})
    return _FAILED if checked.fails(strict=strict) else 0


def _judged(
    file: str | None, repository: str, environment: "Environment"
) -> tuple["CheckedFile", "Part | None"]:
    """What is wrong with the document and, if nothing is, what it would do: one process finds out both."""
    from mergecast.cli.commands.check import check_one, check_usual
    from mergecast.cli.documents import LocalJudge

    with LocalJudge() as judge:
        checked = check_usual(judge, _ADVICE) if file is None else check_one(judge, file)
        simulated = None if checked.judged.errors else _simulated(judge, repository, checked, environment)
    return checked, simulated


def _simulated(
    judge: "LocalJudge", repository: str, checked: "CheckedFile", environment: "Environment"
) -> "Part":
    """What the document would do to the open pull requests, as GitHub shows them now."""
    from mergecast.cli.comment_text import Part, simulation_part
    from mergecast.cli.local_simulation import setting_of, simulate_live

    if environment.github_token is None or not environment.github_url:
        return Part(missing="not simulated: set MERGECAST_GITHUB_TOKEN to read them from GitHub")
    try:
        simulated = simulate_live(judge, setting_of(repository, checked.text, "markdown"), None, environment)
    except MergecastError as error:
        return Part(missing=f"not simulated: {error}")
    return simulation_part(simulated.title, simulated.summary)


def _forecast(
    repository: str, branch: str | None, checked: "CheckedFile", environment: "Environment"
) -> tuple["Part | None", "ForecastAnswer | None"]:
    """The forecast of the server, and its answer; nothing without a server."""
    from datetime import UTC, datetime, timedelta

    from mergecast.cli.comment_text import Part, forecast_part
    from mergecast.cli.connection import connect
    from mergecast.cli.group_names import branch_with_history
    from mergecast.cli.periods import Period
    from mergecast.forecasting.forecast.answer import ForecastAnswer

    if environment.url is None:
        return None, None
    now = datetime.now(UTC)
    period = Period(now - timedelta(days=_DAYS), now)
    try:
        with connect(None, None, None) as client:
            base_ref = branch or branch_with_history(client, repository, period.query())
            asked = {"base_ref": base_ref, **period.query(), "candidate": {"config_yml": checked.text}}
            *_, answer = client.replayed(repository, "forecast", asked, ForecastAnswer)
        found = answer.value
    except MergecastError as error:
        return Part(missing=f"no forecast: {error}"), None
    return forecast_part(found), found


def _post(repository: str, number: int, text: str, environment: "Environment") -> str:
    """The address of the comment; empty, with a warning, if the token may not write one."""
    import asyncio

    from mergecast.cli.comment_text import MARKER
    from mergecast.incoming.platform.comments import CannotComment, Thread, keep_comment
    from mergecast.incoming.platform.github import Calls, GitHub, PlatformCaller
    from mergecast.process.clock import now_in_microseconds

    async def keep() -> str:
        github = GitHub(environment.github_url, now_in_microseconds)
        caller = PlatformCaller(environment.github_token or "", Calls(_CALLS))
        try:
            return await keep_comment(github, Thread(repository, number), MARKER, text, caller)
        finally:
            await github.close()

    try:
        return asyncio.run(keep())
    except CannotComment as error:
        say(*f"mergecast: warning: {error}".split("\n"), file=sys.stderr)
        return ""
