"""Which commands there are, in which panel of the help or in which group, and in which order."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, Union

import typer

from mergecast import __version__
from mergecast.cli.commands.administration import backup, rebuild, verify
from mergecast.cli.commands.alerts import alerts
from mergecast.cli.commands.audit import audit
from mergecast.cli.commands.changes import changes
from mergecast.cli.commands.channels import (
    add_channel,
    change_channel,
    delete_channel,
    list_channels,
    try_channel,
)
from mergecast.cli.commands.check import check, schema
from mergecast.cli.commands.ci_checks import ci_checks
from mergecast.cli.commands.comment import comment
from mergecast.cli.commands.copy import copy
from mergecast.cli.commands.demo import demo
from mergecast.cli.commands.distribute import distribute
from mergecast.cli.commands.doctor import doctor
from mergecast.cli.commands.events import export, import_events
from mergecast.cli.commands.explain import explain
from mergecast.cli.commands.forecast import forecast
from mergecast.cli.commands.import_source import import_command
from mergecast.cli.commands.key import list_keys, make_key, revoke_key
from mergecast.cli.commands.log import log
from mergecast.cli.commands.mcp import mcp
from mergecast.cli.commands.open import open_dashboard
from mergecast.cli.commands.products import list_products, set_products
from mergecast.cli.commands.pull import pull
from mergecast.cli.commands.queue import queue
from mergecast.cli.commands.ready import ready
from mergecast.cli.commands.record import record
from mergecast.cli.commands.reference import delete_period, list_periods, pin_period
from mergecast.cli.commands.report import report
from mergecast.cli.commands.repos import repos
from mergecast.cli.commands.serve import serve
from mergecast.cli.commands.settings import apply_settings, show_settings
from mergecast.cli.commands.setup import setup
from mergecast.cli.commands.simulate import simulate
from mergecast.cli.commands.sources import sources
from mergecast.cli.commands.stats import stats
from mergecast.cli.commands.stays import stays
from mergecast.cli.commands.summary import summary
from mergecast.cli.commands.thresholds import (
    delete_thresholds,
    list_thresholds,
    preview_threshold,
    set_thresholds,
)
from mergecast.cli.commands.verdicts import verdicts
from mergecast.cli.commands.wait import wait
from mergecast.cli.options import with_options
from mergecast.cli.output import say
from mergecast.incoming.sources.registry import SOURCES

Command = Callable[..., int | None]
Members = Mapping[str, Union[Command, "Group"]]


class Group(NamedTuple):
    """Commands behind one name, and the question that they answer together."""

    question: str
    members: Members


_IMPORT = Group(
    "How do I import my history, and keep it current?",
    {**{source.name: import_command(source) for source in SOURCES.values()}, "events": import_events},
)
_CONFIG = Group(
    "What else helps with the file? A schema, a comment, a record.",
    {
        "schema": schema,
        "comment": comment,
        "record": record,
        "products": Group(
            "Which products does a repository have?", {"list": list_products, "set": set_products}
        ),
    },
)
_STORE = Group(
    "How do I back it up, move it to PostgreSQL, export it, check it?",
    {
        "backup": backup,
        "copy": copy,
        "export": export,
        "repos": repos,
        "stays": stays,
        "verify": verify,
        "rebuild": rebuild,
        "distribute": distribute,
    },
)
_ADMIN = Group(
    "Who has access? Who gets a message when? Thresholds, prices, git.",
    {
        "key": Group("Who has access?", {"make": make_key, "list": list_keys, "revoke": revoke_key}),
        "settings": Group(
            "What is set, and what does a minute of CI cost? A file for git.",
            {"show": show_settings, "apply": apply_settings},
        ),
        "thresholds": Group(
            "Alert above which value? Which alerts would it have raised?",
            {
                "list": list_thresholds,
                "preview": preview_threshold,
                "set": set_thresholds,
                "delete": delete_thresholds,
            },
        ),
        "reference": Group(
            "Is a queue worse than in a good month, such as March?",
            {"list": list_periods, "pin": pin_period, "delete": delete_period},
        ),
        "channels": Group(
            "Who gets a message when it is stuck, on Mondays, about hotfix?",
            {
                "list": list_channels,
                "add": add_channel,
                "change": change_channel,
                "test": try_channel,
                "delete": delete_channel,
            },
        ),
        "sources": sources,
        "log": log,
        "ready": ready,
    },
)
PANELS: Mapping[str, Members] = {
    "What is going on": {
        "queue": queue,
        "pull": pull,
        "wait": wait,
        "alerts": alerts,
        "summary": summary,
        "stats": stats,
        "report": report,
    },
    "Why and what if": {
        "verdicts": verdicts,
        "changes": changes,
        "explain": explain,
        "ci-checks": ci_checks,
        "forecast": forecast,
    },
    "Configuration": {"audit": audit, "check": check, "simulate": simulate, "config": _CONFIG},
    "Set-up": {
        "serve": serve,
        "setup": setup,
        "demo": demo,
        "import": _IMPORT,
        "doctor": doctor,
        "open": open_dashboard,
        "mcp": mcp,
    },
    "Operation": {"store": _STORE, "admin": _ADMIN},
}
# Words that other tools and older texts use for what a command shows.
_OTHER_WORDS = {
    "problems": "alerts",
    "targets": "admin thresholds",
    "baselines": "admin reference",
    "prices": "admin settings",
}
_FIRST_LEVEL: Members = {name: one for members in PANELS.values() for name, one in members.items()}
_CONTEXT = {"help_option_names": ["-h", "--help"]}


def program(words: Sequence[str] = ()) -> Any:
    """The program; if it runs the words, with the command alone that they name: building one is quick."""
    return _program(tuple(_path(words)))


def find_command(name: str) -> str | None:
    """The words for a command inside a group, or for one with another name.

    >>> find_command("backup"), find_command("problems"), find_command("queue"), find_command("list")
    ('store backup', 'alerts', None, None)
    """
    if name in _OTHER_WORDS:
        return _OTHER_WORDS[name]
    found = [" ".join(words) for words in _paths(_FIRST_LEVEL) if words[-1] == name and len(words) > 1]
    return found[0] if len(found) == 1 else None


def _paths(members: Members) -> Iterator[tuple[str, ...]]:
    """The words for each command and for each group."""
    for name, one in members.items():
        yield (name,)
        if isinstance(one, Group):
            yield from ((name, *words) for words in _paths(one.members))


def _path(words: Sequence[str]) -> Iterator[str]:
    """The words that name a group or a command."""
    members = _FIRST_LEVEL
    for word in words:
        one = members.get(word)
        if one is None:
            return
        yield word
        members = one.members if isinstance(one, Group) else {}


class _Program(typer.core.TyperGroup):
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """A command of a group may be sought on the first level."""
        name = args[0]
        words = None if name in self.commands else find_command(name)
        if words is not None:
            ctx.fail(f"No such command '{name}'. Did you mean '{words}'?")
        return super().resolve_command(ctx, args)


@cache
def _program(path: tuple[str, ...]) -> Any:
    app = typer.Typer(
        cls=_Program,
        help="Statistics about merge queues, and simulation of their configuration.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings=_CONTEXT,
    )
    app.callback()(_mergecast)
    for panel, members in PANELS.items():
        if not path or path[0] in members:
            _add(app, members, path, panel)
    built = typer.main.get_command(app)
    _hide_types_of_flags(built)
    _in_order(built, _FIRST_LEVEL)
    return built


def _add(app: typer.Typer, members: Members, path: Sequence[str], panel: str | None = None) -> None:
    """Add these commands and groups; only that on the path, if it goes on."""
    for name in path[:1] or members:
        one = members[name]
        if isinstance(one, Group):
            group = typer.Typer(help=one.question, no_args_is_help=True, context_settings=_CONTEXT)
            _add(group, one.members, path[1:])
            app.add_typer(group, name=name, rich_help_panel=panel)
        else:
            help = _paragraphs(one.__doc__ or "")
            app.command(name, help=help, context_settings=_CONTEXT, rich_help_panel=panel)(with_options(one))


def _paragraphs(text: str) -> str:
    """The text without the line breaks inside its paragraphs."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _in_order(built: Any, members: Members) -> None:
    """Typer puts groups after commands."""
    built.commands = {name: built.commands[name] for name in members if name in built.commands}
    for name, command in built.commands.items():
        if isinstance(one := members[name], Group):
            _in_order(command, one.members)


def _hide_types_of_flags(command: Any) -> None:
    """A flag takes no value, but Typer's help shows the type `<bool>` for it."""
    for option in command.get_params(typer.Context(command, **command.context_settings)):
        if isinstance(option, typer.core.TyperOption) and option.is_flag:
            option.metavar = ""
    for subcommand in getattr(command, "commands", {}).values():
        _hide_types_of_flags(subcommand)


def _show_version(wanted: bool) -> None:
    if wanted:
        say(f"mergecast {__version__}")
        raise typer.Exit


def _mergecast(
    _version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version."
    ),
) -> None:
    from mergecast.cli.environment import unknown_variables

    for warning in unknown_variables(os.environ):
        say(f"mergecast: warning: {warning}", file=sys.stderr)
