"""What `backport` and `copy` share: their options, and the pull requests that they would open."""

from collections.abc import Iterator

from mergecast.language.configuration.models.actions import Backport, Copy
from mergecast.language.rules.actions.plan import Plan, acting_as, acts, cannot
from mergecast.language.rules.context import Context
from mergecast.language.rules.sentence import (
    Name,
    Passage,
    Pieces,
    Sentence,
    first_listed,
    joined,
    listed,
    logins,
    names,
    sentence,
)
from mergecast.language.rules.variables import fill
from mergecast.queues.model.snapshot import Commit


def has_foreign_merges(context: Context) -> bool:
    """Whether the pull request contains merges of branches other than its base, as far as recorded."""
    return any(_is_foreign_merge(commit, context.pull.base) for commit in context.snapshot.commits or ())


def _is_foreign_merge(commit: Commit, base: str) -> bool:
    """Merges of the base branch, recognized by git's message, are skipped when commits are cherry-picked."""
    of_base = (f"Merge branch '{base}'", f"Merge remote-tracking branch 'origin/{base}'")
    return len(commit.parents) > 1 and not commit.message.startswith(of_base)


def pick(options: Backport | Copy, context: Context, noun: str) -> Plan:
    """One sentence per target, and what the document sets for the new pull request."""
    if not options.branches and not options.regexes:
        return cannot("Would fail: No destination branches found")
    account = acting_as(options.bot_account, context)
    sentences: list[Sentence] = []
    for branch in sorted(set(options.branches)):
        sentences.append(sentence(f"Would open a {noun} to branch ", Name(branch), *account))
        sentences += _details(options, context, branch)
    sentences += _matching(options, noun)
    return acts(*sentences)


def announce(options: Backport | Copy, noun: str, moment: str) -> tuple[Sentence, ...]:
    """What would happen later, at the moment that the last words name."""
    targets = (
        sentence(f"Would {noun} to ", Name(branch), moment) for branch in sorted(set(options.branches))
    )
    return (*targets, *_matching(options, noun, moment))


def describe_targets(options: Backport | Copy) -> Pieces:
    phrases: list[Pieces] = [first_listed(names(options.branches))] if options.branches else []
    if options.regexes:
        patterns = names(pattern.pattern for pattern in options.regexes)
        phrases.append(("branches like ", *first_listed(patterns)))
    return joined(phrases) or ("no branch",)


def _matching(options: Backport | Copy, noun: str, moment: str = "") -> Iterator[Sentence]:
    """Only the patterns: snapshots do not record the branches of the repository."""
    for pattern in sorted({regex.pattern for regex in options.regexes}):
        yield sentence(f"Would {noun} to every branch matching ", Name(f"/{pattern}/"), moment)


def _details(options: Backport | Copy, context: Context, branch: str) -> Iterator[Sentence]:
    """Only what the document sets, not the defaults."""
    written = options.model_fields_set
    for field, text in (("title", options.title), ("body", options.body)):
        if field in written:
            rendered = fill(text, context, destination_branch=branch)
            yield sentence(f"With the {field}: ", Passage(rendered))
    if options.labels:
        yield sentence("With the labels ", *listed(names(sorted(set(options.labels)))))
    if assignees := {fill(user, context) for user in options.assignees} - {""}:
        yield sentence("Assigned to ", *listed(logins(assignees)))
