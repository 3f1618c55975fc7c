"""The command `mergecast`: a table of commands, and what every ending means to the caller."""

import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir

import typer
from pydantic import ValidationError
from rich.console import Console

from mergecast import __version__
from mergecast.cli.commands.backup import backup
from mergecast.cli.commands.check import check
from mergecast.cli.commands.demo import demo
from mergecast.cli.commands.export import export
from mergecast.cli.commands.import_events import import_events
from mergecast.cli.commands.key import list_keys, make_key, revoke_key
from mergecast.cli.commands.rebuild import rebuild
from mergecast.cli.commands.record import record
from mergecast.cli.commands.schema import schema
from mergecast.cli.commands.serve import serve
from mergecast.cli.commands.simulate import simulate
from mergecast.cli.commands.stats import stats
from mergecast.cli.errors import WrongUsage
from mergecast.client.errors import Refused, Unreachable
from mergecast.errors import MergecastError, Unavailable

DONE, NO, WRONG_USAGE, UNREACHABLE, FAULT, INTERRUPTED = 0, 1, 2, 3, 70, 130
_UNPROCESSABLE = 422

app = typer.Typer(
    help="Statistics of merge queues, and what a configuration of them would do.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
imports = typer.Typer(help="Load history from files.", no_args_is_help=True)
keys = typer.Typer(help="Keys that applications use.", no_args_is_help=True)

for command in (serve, demo, stats, export, rebuild, backup, check, simulate, record, schema):
    app.command()(command)
imports.command("events")(import_events)
app.add_typer(imports, name="import")
keys.command("make")(make_key)
keys.command("list")(list_keys)
keys.command("revoke")(revoke_key)
app.add_typer(keys, name="key")


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"mergecast {__version__}")
        raise typer.Exit


@app.callback()
def _mergecast(
    _version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version."
    ),
) -> None:
    pass


def run(arguments: Sequence[str]) -> int:
    """The whole program without its process: runs one command and returns the exit code."""
    try:
        result = typer.main.get_command(app).main(list(arguments), "mergecast", standalone_mode=False)
    except typer.Exit as ending:
        return ending.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last line of defence
        return _explain(_message(error), _exit_code(error))
    return result if isinstance(result, int) else DONE


def _message(error: Exception) -> str:
    match error:
        case typer.TyperException():
            return error.format_message()
        case MergecastError():
            return str(error)
        case ValidationError():
            return "; ".join(_setting(one["loc"][0], one["msg"]) for one in error.errors())
        case OSError():
            return f"{error.filename or 'a file'}: {error.strerror or error}"
    return _keep_for_report()


def _exit_code(error: Exception) -> int:
    match error:
        case typer.TyperException() | ValidationError() | OSError():
            return WRONG_USAGE
        case WrongUsage():
            return WRONG_USAGE
        case Unreachable() | Unavailable():
            return UNREACHABLE
        case Refused(status=status) if status == _UNPROCESSABLE:
            return WRONG_USAGE
        case MergecastError():
            return NO
    return FAULT


def _setting(name: object, message: str) -> str:
    return f"MERGECAST_{str(name).upper()}: {message.removeprefix('Value error, ')}"


def _explain(message: str, code: int) -> int:
    if not message:
        return code  # the help was shown already
    Console(stderr=True, emoji=False).print(
        f"mergecast: {message}", style="red", markup=False, highlight=False, soft_wrap=True
    )
    return code


def _keep_for_report() -> str:
    """Write the traceback to a file, for whoever reports it."""
    error_id = token_hex(8)
    file = Path(gettempdir()) / f"mergecast-error-{error_id}.txt"
    file.touch(mode=0o600)
    file.write_text(traceback.format_exc(), encoding="utf-8")
    return f"internal error; please report it with id {error_id} and attach {file}"


def main() -> None:
    sys.exit(run(sys.argv[1:]))
