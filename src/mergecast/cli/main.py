"""The command `mergecast`: runs a command, with exit codes and messages when it fails."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from mergecast.cli.command_tree import program
from mergecast.cli.errors import WrongUsage
from mergecast.cli.streams import admit_any_text, open_closed_streams
from mergecast.errors import MergecastError, RefusedCredential, Unavailable

DONE, NO, WRONG_USAGE, UNREACHABLE, INTERNAL_ERROR, INTERRUPTED = 0, 1, 2, 3, 70, 130
CREDENTIAL_ENDED = 5  # 4 is that of `mergecast wait` when its time is over
CLOSED_PIPE = 141  # what a shell reports for a program that SIGPIPE ended
# Of errors that are not answers of a server.
_TITLES = {
    NO: "No",
    WRONG_USAGE: "Wrong usage",
    UNREACHABLE: "Unreachable",
    CREDENTIAL_ENDED: "Credential ended",
    INTERNAL_ERROR: "Internal error",
}


def run(arguments: Sequence[str]) -> int:
    """The whole program without its process: runs one command and returns the exit code."""
    admit_any_text()
    try:
        result = program(arguments).main(list(arguments), "mergecast", standalone_mode=False)
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
    from mergecast.client.errors import CredentialEnded, ErrorResponse, Unreachable
    from mergecast.process.data_folder import UnusableFolder
    from mergecast.queues.store.errors import UnusableDatabase

    match error:
        case typer.TyperException() | OSError() | WrongUsage() | RefusedCredential():
            return WRONG_USAGE
        case UnusableDatabase() | UnusableFolder() | ErrorResponse(status=422):
            return WRONG_USAGE
        case Unreachable() | Unavailable():
            return UNREACHABLE
        case CredentialEnded():
            return CREDENTIAL_ENDED
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
    from mergecast.cli.output import print_json_line
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
    print_json_line({"error": found}, sys.stderr)


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
    open_closed_streams()
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except OSError:
        code = code or CLOSED_PIPE
    # Python would take apart all that a command has loaded, which takes 0.2 s of CPU time with a server.
    os._exit(code)
