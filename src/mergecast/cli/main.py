"""The command `mergecast`: its subcommands, and the exit codes and messages when they fail."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import copy as shallow_copy
from functools import cache
from pathlib import Path
from typing import Any

import typer
from typer.models import CommandInfo

from mergecast import __version__
from mergecast.cli.commands.administration import backup, rebuild, verify
from mergecast.cli.commands.audit import audit
from mergecast.cli.commands.baselines import alerts, delete_baseline, list_baselines, pin_baseline
from mergecast.cli.commands.changes import changes
from mergecast.cli.commands.channels import add_channel, delete_channel, list_channels, try_channel
from mergecast.cli.commands.check import check, schema
from mergecast.cli.commands.ci_checks import ci_checks
from mergecast.cli.commands.comment import comment
from mergecast.cli.commands.copy import copy
from mergecast.cli.commands.database import distribute, plan
from mergecast.cli.commands.demo import demo
from mergecast.cli.commands.doctor import doctor
from mergecast.cli.commands.events import export, import_events
from mergecast.cli.commands.forecast import forecast
from mergecast.cli.commands.import_source import import_command
from mergecast.cli.commands.key import list_keys, make_key, revoke_key
from mergecast.cli.commands.mcp import mcp
from mergecast.cli.commands.open import open_dashboard
from mergecast.cli.commands.prices import delete_prices, list_prices, set_prices
from mergecast.cli.commands.products import list_products, set_products
from mergecast.cli.commands.pull import pull
from mergecast.cli.commands.queue import problems, queue
from mergecast.cli.commands.ready import ready
from mergecast.cli.commands.record import record
from mergecast.cli.commands.report import report
from mergecast.cli.commands.repos import repos
from mergecast.cli.commands.serve import serve
from mergecast.cli.commands.simulate import simulate
from mergecast.cli.commands.sources import sources
from mergecast.cli.commands.stats import stats
from mergecast.cli.commands.stays import stays
from mergecast.cli.commands.summary import summary
from mergecast.cli.commands.targets import delete_targets, list_targets, set_targets
from mergecast.cli.commands.thresholds import delete_thresholds, list_thresholds, set_thresholds
from mergecast.cli.commands.verdicts import verdicts
from mergecast.cli.commands.wait import wait
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import with_options
from mergecast.errors import MergecastError, RefusedCredential, Unavailable
from mergecast.incoming.sources.registry import SOURCES

DONE, NO, WRONG_USAGE, UNREACHABLE, INTERNAL_ERROR, INTERRUPTED = 0, 1, 2, 3, 70, 130
CLOSED_PIPE = 141  # what a shell reports for a program that SIGPIPE ended
_UNPROCESSABLE = 422
# Of errors that are not answers of a server.
_TITLES = {NO: "No", WRONG_USAGE: "Wrong usage", UNREACHABLE: "Unreachable", INTERNAL_ERROR: "Internal error"}
_CONTEXT = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    help="Statistics about merge queues, and simulation of their configuration.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=_CONTEXT,
)
for command in (
    *(
        serve,
        demo,
        doctor,
        repos,
        summary,
        stats,
        queue,
        problems,
        alerts,
        pull,
        wait,
        verdicts,
        changes,
        stays,
        forecast,
        check,
    ),
    *(simulate, comment, record),
    *(ci_checks, sources, schema, export, report, backup, copy, rebuild, verify, audit, ready, mcp),
):
    app.command(context_settings=_CONTEXT)(with_options(command))
app.command("open", context_settings=_CONTEXT)(with_options(open_dashboard))


def _add_group(name: str, help: str, commands: Mapping[str, Callable[..., int | None]]) -> None:
    group = typer.Typer(help=help, no_args_is_help=True, context_settings=_CONTEXT)
    for verb, command in commands.items():
        group.command(verb, context_settings=_CONTEXT)(with_options(command))
    app.add_typer(group, name=name)


_add_group(
    "import",
    "Import history from a platform or from files.",
    {**{source.name: import_command(source) for source in SOURCES.values()}, "events": import_events},
)
_add_group(
    "baselines",
    "Pin periods that queues are compared with.",
    {"list": list_baselines, "pin": pin_baseline, "delete": delete_baseline},
)
_add_group(
    "channels",
    "Manage where notices go.",
    {"list": list_channels, "add": add_channel, "delete": delete_channel, "test": try_channel},
)
_add_group(
    "thresholds",
    "Set at which levels problems of queues begin.",
    {"list": list_thresholds, "set": set_thresholds, "delete": delete_thresholds},
)
_add_group(
    "targets",
    "Set limits that figures of queues should stay under.",
    {"list": list_targets, "set": set_targets, "delete": delete_targets},
)
_add_group(
    "prices",
    "Set what a minute of CI costs.",
    {"list": list_prices, "set": set_prices, "delete": delete_prices},
)
_add_group("products", "Enable products of a repository.", {"list": list_products, "set": set_products})
_add_group("key", "Manage application keys.", {"make": make_key, "list": list_keys, "revoke": revoke_key})
_add_group(
    "database",
    "Plan migrations, and distribute a PostgreSQL database.",
    {"distribute": distribute, "plan": plan},
)


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
    from mergecast.cli.environment import unknown_variables

    for warning in unknown_variables(os.environ):
        print(f"mergecast: warning: {warning}", file=sys.stderr)


def _hide_types_of_flags(command: Any) -> None:
    """A flag takes no value, but Typer's help shows the type `<bool>` for it."""
    for option in command.get_params(typer.Context(command, **command.context_settings)):
        if isinstance(option, typer.core.TyperOption) and option.is_flag:
            option.metavar = ""
    for subcommand in getattr(command, "commands", {}).values():
        _hide_types_of_flags(subcommand)


@cache
def _program(name: str) -> Any:
    """The program with this command alone, or with all if it has no such command: building one is quick."""
    narrowed = shallow_copy(app)
    narrowed.registered_commands = [one for one in app.registered_commands if _name_of(one) == name]
    narrowed.registered_groups = [one for one in app.registered_groups if one.name == name]
    has_it = narrowed.registered_commands or narrowed.registered_groups
    program = typer.main.get_command(narrowed if has_it else app)
    _hide_types_of_flags(program)
    return program


def _name_of(command: CommandInfo) -> str:
    return command.name or typer.main.get_command_name(getattr(command.callback, "__name__", ""))


def run(arguments: Sequence[str]) -> int:
    """The whole program without its process: runs one command and returns the exit code."""
    try:
        program = _program(next(iter(arguments), ""))
        result = program.main(list(arguments), "mergecast", standalone_mode=False)
        sys.stdout.flush()
    except typer.Exit as ending:
        return ending.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except SystemExit as ending:  # Typer ends completion like this, and with 1 when a pipe was closed
        return CLOSED_PIPE if ending.code == 1 else DONE
    except BrokenPipeError:
        return CLOSED_PIPE
    except Exception as error:  # noqa: BLE001 - the last line of defence
        return _explain(error, as_json="--json" in arguments)
    return result if isinstance(result, int) else DONE


def _message(error: Exception) -> str:
    match error:
        case typer.TyperException():
            return error.format_message().replace("Value error, ", "")  # added by a library
        case MergecastError():
            return str(error)
        case OSError():
            return f"{error.filename or 'a file'}: {error.strerror or error}"
    return _save_traceback()


def _exit_code(error: Exception) -> int:
    from mergecast.client.errors import ErrorResponse, Unreachable
    from mergecast.process.data_folder import UnusableFolder
    from mergecast.queues.store.errors import UnusableDatabase

    match error:
        case typer.TyperException() | OSError() | WrongUsage() | RefusedCredential():
            return WRONG_USAGE
        case UnusableDatabase() | UnusableFolder():
            return WRONG_USAGE
        case Unreachable() | Unavailable():
            return UNREACHABLE
        case ErrorResponse(status=status) if status == _UNPROCESSABLE:
            return WRONG_USAGE
        case MergecastError():
            return NO
    return INTERNAL_ERROR


def _explain(error: Exception, *, as_json: bool) -> int:
    message, code = _message(error), _exit_code(error)
    if not message:  # there is none when the help was printed
        return code
    if as_json:
        _print_error(error, message, code)
    else:
        from mergecast.cli.output import console, escape_lines

        text = escape_lines(f"mergecast: {message}")
        console(stderr=True).print(text, style="red", soft_wrap=True)
    return code


def _print_error(error: Exception, message: str, code: int) -> None:
    """One line of JSON, in the form of the API's errors; `status` is null if no server answered."""
    import msgspec

    from mergecast.client.errors import ErrorResponse

    answer: BaseException | None = error
    while answer is not None and not isinstance(answer, ErrorResponse):
        answer = answer.__cause__
    found = {
        "status": answer and answer.status,
        "title": _TITLES.get(code, "Error") if answer is None else answer.title,
        "detail": message,
        "errors": [{"name": name, "message": text} for name, text in answer.errors] if answer else [],
    }
    print(msgspec.json.encode({"error": found}).decode(), file=sys.stderr, flush=True)


def _save_traceback() -> str:
    """Write the traceback to a file that a user can attach to a report."""
    import traceback
    from secrets import token_hex
    from tempfile import gettempdir

    error_id = token_hex(8)
    file = Path(gettempdir()) / f"mergecast-error-{error_id}.txt"
    file.touch(mode=0o600)
    file.write_text(traceback.format_exc(), encoding="utf-8")
    return f"internal error; please report it with id {error_id} and attach {file}"


def main() -> None:
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except OSError:
        code = code or CLOSED_PIPE
    # Python would take apart all that a command has loaded, which takes 0.2 s of CPU time with a server.
    os._exit(code)
