"""`mergecast audit`: is this repository set up so that GitHub's queue can merge?"""

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, needs_newer_server
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, Server
from mergecast.cli.output import escape, escape_lines, print_json, say

if TYPE_CHECKING:
    from mergecast.queues.answers.audit import Audit, AuditQuestion, BranchRules, Finding

_FOUND = 1
_WORDS = {"sure": "sure", "if_required": "if it is required", "cannot_tell": "cannot tell"}
_COMMANDS = {"sure": "error", "if_required": "warning", "cannot_tell": "notice"}


class Format(Enum):
    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


def audit(
    repository: Annotated[
        str | None,
        typer.Argument(
            metavar="[OWNER/REPO]", help="Ask a server how it is set up; without it, this clone is audited"
        ),
    ] = None,
    *,
    base_ref: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Branch of the queue; by default the one that is checked out"),
    ] = None,
    rules: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The rules of that branch, from `gh api repos/OWNER/REPO/rules/branches/NAME`",
        ),
    ] = None,
    send: Annotated[
        bool, typer.Option("--send", help="Send the files of this clone to the server of OWNER/REPO")
    ] = False,
    format: Annotated[
        Format | None, typer.Option("--format", help="github: annotations for GitHub Actions")
    ] = None,
    as_json: AsJson = False,
    server: Server,
) -> int:
    """Is this queue set up so that it can merge?

    Reads the committed workflow files of this clone, and finds what makes a group of GitHub's queue wait, be
    cancelled or pass untested. Needs no server. Exit code 1 if something is sure to break.

    Example: mergecast audit --rules rules.json
    """
    if as_json and format not in (None, Format.JSON):
        raise WrongUsage("--json and --format cannot be used together")
    if send and repository is None:
        raise WrongUsage("--send needs the name of the repository on the server: OWNER/REPO")
    if rules is not None and repository is not None and not send:
        raise WrongUsage("--rules is for a clone; a server answers with the rules that it was sent")
    if repository is None:
        found = _audit_clone(base_ref, rules)
    else:
        with connect(*server) as client, needs_newer_server("audit a set-up"):
            if send:
                found = client.send_set_up(repository, _question(base_ref, rules)).value
            else:
                found = client.audit(repository, base_ref).value
    if as_json or format is Format.JSON:
        print_json(found)
    elif format is Format.GITHUB:
        _print_annotations(found)
    else:
        _print_text(found)
    return _FOUND if found.breaks else 0


def _audit_clone(base_ref: str | None, rules: Path | None) -> "Audit":
    from mergecast.cli.documents import LocalJudge
    from mergecast.judge.messages import AUDIT
    from mergecast.queues.answers.audit import Audit

    question = _question(base_ref, rules)
    with LocalJudge() as judge:
        return judge.ask(AUDIT, question, Audit)


def _question(base_ref: str | None, rules: Path | None) -> "AuditQuestion":
    from mergecast.cli.clone import read_clone
    from mergecast.queues.answers.audit import AuditQuestion, BranchRules

    known = BranchRules() if rules is None else _read_rules(rules)
    clone = read_clone()
    base = base_ref or clone.branch
    if base is None:
        raise WrongUsage("no branch is checked out; name the branch of the queue: --base-ref NAME")
    return AuditQuestion(commit=clone.commit, files=clone.files, base_ref=base, rules=known)


def _read_rules(file: Path) -> "BranchRules":
    import msgspec

    from mergecast.incoming.sources.github.branch_rules import branch_rules

    try:
        return branch_rules(msgspec.json.decode(file.read_bytes(), type=list[dict[str, object]]))
    except msgspec.DecodeError:
        raise WrongUsage(
            f"--rules: {file} is not the list that GitHub answers for "
            "`gh api repos/OWNER/REPO/rules/branches/NAME`"
        ) from None


def _print_text(found: "Audit") -> None:
    from rich.text import Text

    from mergecast.cli.output import console

    out = console()
    for one in found.findings:
        style = "bold red" if one.certainty == "sure" and one.weight == "breaks" else "bold"
        line = Text(f"{_place(one)}: ")
        line.append(f"{_WORDS[one.certainty]}:", style=style)
        out.print(line.append(f" {escape(one.text)} [{one.rule}]"), soft_wrap=True)
        for other in one.evidence:
            out.print(Text(f"    also {escape(other)}"), soft_wrap=True)
        if one.repair:
            out.print(
                Text("    " + escape_lines(one.repair).replace("\n", "\n    "), style="dim"), soft_wrap=True
            )
    say(_conclusion(found))


def _place(one: "Finding") -> str:
    return f"{escape(one.path)}:{one.line}" if one.line else escape(one.path)


def _conclusion(found: "Audit") -> str:
    counts = dict.fromkeys(_WORDS, 0)
    for one in found.findings:
        counts[one.certainty] += 1
    told = counts["sure"] + counts["if_required"]
    said = f"{told} found" if told else "nothing found"
    if counts["cannot_tell"]:
        said += f"; {counts['cannot_tell']} could not be told"
    if not found.rules_known:
        said += "; which checks are required is not known, because no rules were given (--rules)"
    return f"{escape(found.base_ref)} at {(found.commit or '')[:12]}: {said}"


def _print_annotations(found: "Audit") -> None:
    """Workflow commands of GitHub Actions, which shows them at the lines of a change."""
    from mergecast.cli.check_formats import annotation

    for one in found.findings:
        is_milder = one.certainty == "sure" and one.weight != "breaks"
        command = "warning" if is_milder else _COMMANDS[one.certainty]
        say(annotation(command, one.path if one.line else None, one.line, f"{one.text} [{one.rule}]"))
    say(_conclusion(found))
