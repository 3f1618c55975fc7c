"""In which files would conflicts be resolved, and how?"""

from collections.abc import Mapping

from mergecast.language.configuration.models.conflict_resolvers import (
    Automatic,
    ByLanguage,
    ByPackageManager,
    ByPaths,
    ConflictResolver,
)
from mergecast.language.rules.context import Context
from mergecast.language.rules.sentence import Pieces, Sentence, first_listed, names, sentence
from mergecast.language.rules.simulation import ConflictResolution
from mergecast.queues.model.words import plural

_ROOT = ("/",)
_STRATEGIES: Mapping[str, str] = {
    "union": "keeps the lines of both sides",
    "ours": "keeps the file of the batch and drops the change of the pull request",
    "theirs": "keeps the file of the pull request and drops the change of the batch",
    "prefer-ours": "keeps the lines of the batch where they conflict",
    "prefer-theirs": "keeps the lines of the pull request where they conflict",
}
_BY_STRUCTURE = "merges them by structure, and leaves a conflict where both sides change the same part"

_AUTOMATIC = (
    "Every file for which the service has a strategy: it chooses the strategy, "
    "and never one that drops the change of one side"
)


def judge_conflict_resolvers(context: Context) -> ConflictResolution | None:
    """What the document configures; None if it has no resolvers, or the queue that runs them is off."""
    resolvers = context.configuration.conflict_resolvers
    if not resolvers or context.lacks("merge_queue"):
        return None
    return ConflictResolution(_state(context), tuple(sentence(*describe(resolver)) for resolver in resolvers))


def _state(context: Context) -> Sentence:
    state = (
        "When the queue tests the pull request with others, it would try to resolve conflicts in these files"
    )
    if context.pull.mergeable is False and not context.pull.closed:
        state += ". Whether it would resolve the conflict with the base branch as well is not known"
    return sentence(state)


def describe(resolver: ConflictResolver) -> Pieces:
    """Which files, and what happens to them."""
    match resolver:
        case Automatic():
            return (_AUTOMATIC,)
        case ByPaths(paths=paths, strategy=strategy):
            effect = _STRATEGIES.get(strategy, _BY_STRUCTURE)
            return ("Files ", *first_listed(names(paths)), f": the strategy `{strategy}` {effect}")
        case ByPackageManager(package_manager=manager, directories=places):
            return (f"Manifests and lockfiles of {manager}", *_within(places), f": it {_BY_STRUCTURE}")
        case ByLanguage(language=language, directories=places):
            return (f"Files of the language {language}", *_within(places), f": it {_BY_STRUCTURE}")


def _within(directories: tuple[str, ...]) -> Pieces:
    if directories == _ROOT:
        return ()
    noun = plural(len(directories), "directory", "directories")
    return (f" in the {noun} ", *first_listed(names(directories)))
