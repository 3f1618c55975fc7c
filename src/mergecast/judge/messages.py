"""The questions that a child process answers, and its answers: the types that both processes share."""

from datetime import date
from typing import Any, Literal, NamedTuple

import msgspec

from mergecast.queues.model.instant import DAY
from mergecast.queues.model.queue_changes import QueueDay
from mergecast.queues.model.queue_rules import QueueRules
from mergecast.queues.model.queue_settings import SettingsInForce

LONGEST_DOCUMENT = 1_048_576  # characters

# The names of the tasks.
BODY = "body"
CONFIGURATION = "configuration"
SCHEMA = "schema"
AUDIT = "audit"
NEEDS = "needs"
SNAPSHOT = "snapshot"
PULL_REQUEST = "pull_request"
REPOSITORY = "repository"

Form = Literal["markdown", "text"]


def json_text(text: str) -> msgspec.Raw:
    """The text of a document in the form in which questions carry it.

    A request body already holds it as JSON; the server passes that on without decoding it.
    """
    return msgspec.Raw(msgspec.json.encode(text))


class ReportedError(msgspec.Struct, frozen=True):
    message: str
    text: str  # the message with its position in words
    path: tuple[str, ...]
    line: int
    column: int


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer about a document, which is valid if there are no errors; only the first ones are listed."""

    errors: tuple[ReportedError, ...] = ()
    more_errors: int = 0
    extends: str | None = None  # the repository of the same owner whose document this one extends


class ConfigurationQuestion(msgspec.Struct, frozen=True):
    """Is this document valid?"""

    text: msgspec.Raw
    today: date
    owner: str = ""
    repository: str | None = None  # the name alone, to recognize a document that extends itself
    products: tuple[str, ...] | None = None  # None if the products of the repository were never set
    remotes: dict[str, str] | None = None  # documents of other repositories; None without platform access


class DeprecationFound(msgspec.Struct, frozen=True):
    message: str
    deadline: date
    path_to_field: tuple[str, ...] | None


class Position(msgspec.Struct, frozen=True):
    line: int
    column: int


class HintFound(msgspec.Struct, frozen=True):
    """Something valid that is probably a mistake."""

    message: str
    path: tuple[str, ...]
    line: int
    column: int


class UnusedSection(msgspec.Struct, frozen=True):
    section: str
    product: str
    product_name: str


class ConfigurationOutline(Answer, frozen=True, kw_only=True):
    """A `ConfigurationAnswer` whose deprecations, of which there may be thousands, stay encoded."""

    notes: tuple[str, ...] = ()
    unused_sections: tuple[UnusedSection, ...] | None = None
    deprecations: msgspec.Raw


class ConfigurationAnswer(Answer, frozen=True, kw_only=True):
    notes: tuple[str, ...] = ()
    unused_sections: tuple[UnusedSection, ...] | None = None
    deprecations: tuple[DeprecationFound, ...] = ()
    deprecation_positions: tuple[Position, ...] = ()  # of each deprecation, in the same order
    hints: tuple[HintFound, ...] = ()


class SchemaQuestion(msgspec.Struct, frozen=True):
    """What is the JSON schema of the language? The answer is an object."""


class Setting(msgspec.Struct, frozen=True):
    """A document and everything else, apart from pull requests, that its simulation depends on."""

    text: msgspec.Raw
    now: int
    owner: str
    repository: str
    products: tuple[str, ...] | None = None
    remotes: dict[str, str] = {}  # documents of other repositories by `owner/name`
    is_live: bool = False  # the facts come from the platform, not from records
    form: Form = "markdown"
    has_details: bool = False  # the answer has them as data, too


class NeedsAnswer(Answer, frozen=True, kw_only=True):
    """Which parts of a pull request does a simulation need? The question is a `Setting`."""

    parts: frozenset[str] = frozenset()
    teams: frozenset[str] | None = frozenset()  # None: every team of the repository


class SnapshotQuestion(msgspec.Struct, frozen=True):
    """Is this a valid record of a pull request?"""

    number: int
    now: int
    record: msgspec.Raw


class WrongField(msgspec.Struct, frozen=True):
    """One error in a record, a body or a question: a JSON pointer, and what is expected there."""

    pointer: str
    message: str


class SnapshotAnswer(msgspec.Struct, frozen=True):
    """The record is valid if there are no errors."""

    errors: tuple[WrongField, ...] = ()
    more_errors: int = 0
    is_open: bool = False
    has_instant: bool = False  # the record says when it was made


class BodyAnswer(msgspec.Struct, frozen=True):
    """Where is the document in the body of a request? The question is the body; errors are errors in it."""

    errors: tuple[WrongField, ...] = ()
    more_errors: int = 0
    field: str = ""
    start: int = 0
    end: int = 0


class PullRequestQuestion(msgspec.Struct, frozen=True):
    """What would the document do to this pull request?"""

    setting: Setting
    number: int
    record: msgspec.Raw


class Record(msgspec.Struct, frozen=True):
    """One recorded pull request among several."""

    number: int
    record: msgspec.Raw


class ForecastFound(msgspec.Struct, frozen=True):
    """The forecast endpoint's answer for the submitted document, or why it was left out."""

    answer: msgspec.Raw = msgspec.Raw(b"null")
    left_out: str | None = None


class RepositoryQuestion(msgspec.Struct, frozen=True):
    """What would the document do to these open pull requests, and how does that differ from now?"""

    setting: Setting
    records: tuple[Record, ...]
    not_looked_at: int = 0
    current: str | None = None  # the current document; None if there is none or it cannot be read
    remarks: tuple[str, ...] = ()  # notes on how the facts were obtained
    forecast: ForecastFound | None = None  # None if the history is too short


class SimulationAnswer(Answer, frozen=True, kw_only=True):
    """The summary has the requested form. Records from the store were checked before and have no errors."""

    title: str = ""
    summary: str = ""
    deprecations: msgspec.Raw = msgspec.Raw(b"[]")
    details: msgspec.Raw = msgspec.Raw(b"null")  # of one pull request a report, of a repository its rows
    record_errors: tuple[WrongField, ...] = ()
    more_record_errors: int = 0
    not_simulated: str = ""  # why the one pull request of the question could not be simulated


# The names of the tasks of a child that forecasts.
FORECAST = "forecast"
SEARCH = "search"
RECOMMENDATION = "recommendation"
CAPACITY = "capacity"
EXPECTED_MERGES = "expected_merges"
CHANGES = "changes"
PREVIEW = "preview"  # the question and the answer are those of `signals/thresholds/preview.py`
EXPLANATION = "explanation"


# Events so long before a window show what was in the queue when it began.
BEFORE = 7 * DAY


class PolicyGiven(msgspec.Struct, frozen=True):
    """How a queue should behave: a configuration document of a repository, or settings by name."""

    config_yml: str | None = None
    settings: dict[str, Any] | None = None
    queues: dict[str, dict[str, Any]] = {}  # settings of one queue by its name, besides those of all
    owner: str = ""
    repository: str | None = None  # the name alone
    remotes: dict[str, str] = {}  # documents of other repositories by `owner/name`


class RecordedWindow(msgspec.Struct, frozen=True):
    """The recorded events of one base branch; events before the start show what was in the queue then.

    Those of the weeks before, from `since` on, are for the back-test.
    """

    events: msgspec.Raw  # a list of rows, in the order of the fields of an event
    start: int
    end: int
    queue_name: str | None
    since: int | None = None
    in_force: SettingsInForce | None = None  # what the platform says about the queue of the branch


class Baseline(msgspec.Struct, frozen=True):
    """What a candidate is compared with: the requested baseline, or the current document.

    Without either, it is what the platform says about the queue, or else what the history shows.
    """

    asked: PolicyGiven | None = None
    current: PolicyGiven | None = None
    remarks: tuple[str, ...] = ()  # why the current document is not used


class ForecastQuestion(msgspec.Struct, frozen=True):
    recorded: RecordedWindow
    candidate: PolicyGiven
    baseline: Baseline
    seed: int


class SearchQuestion(msgspec.Struct, frozen=True):
    """A search, a recommendation or a capacity; without `vary`, settings around those of the baseline."""

    recorded: RecordedWindow
    vary: dict[str, list[Any]] | None
    limit: tuple[str, float] | None  # a figure, and the most that it may be
    baseline: Baseline
    seed: int


class RecommendationProgress(msgspec.Struct, frozen=True):
    done: int  # combinations
    total: int


class CheckFound(NamedTuple):
    """When a required check first failed in a CI run, or passed in one in which it also failed."""

    batch_id: str
    attempt: int
    name: str
    placed_at: int
    has_failed: bool


class Measured(msgspec.Struct, frozen=True):
    """What past expected merges show, which takes several times as long to find as new ones."""

    calibration: tuple[float, float]  # factors on p50 and p90
    # Of the logarithm of the odds: shift, slope, and shifts of those that failed or returned.
    odds: tuple[float, float, float, float]
    states: dict[str, bytes]  # of verdicts, by queue, to go on from


class ExpectedMergesQuestion(msgspec.Struct, frozen=True):
    recorded: RecordedWindow
    checks: tuple[CheckFound, ...] = ()  # of the whole time, or since `measured`
    measured: Measured | None = None  # the last time; None to measure it now


class ExpectedMergeFound(msgspec.Struct, frozen=True):
    """Seconds from the end of the window; None when no replicate merged it."""

    session_id: str
    p50: float | None
    p90: float | None
    chance: float


class EtaFound(msgspec.Struct, frozen=True):
    """The shares of past pull requests that merged before their p50 and their p90."""

    p50: float
    p90: float
    cases: int
    windows: tuple[tuple[float, float, int], ...]  # the same for each part of the back-test that has cases
    chances: tuple[tuple[float, float, int], ...]  # predicted, merged, and the number of cases
    p50_range: tuple[float, float] | None  # the lowest and the highest of the windows
    p90_range: tuple[float, float] | None


class ExpectedMergesAnswer(msgspec.Struct, frozen=True):
    merges: tuple[ExpectedMergeFound, ...] = ()
    eta: EtaFound | None = None
    measured: Measured | None = None  # now; None if it was given
    is_too_little: bool = False  # the history is too short
    rules: tuple[QueueRules, ...] = ()


class ChangesQuestion(msgspec.Struct, frozen=True):
    """Since when have figures had another level? The answer is `LevelChanges`."""

    days: list[QueueDay]
    until: int  # a Monday


class CheckTimes(msgspec.Struct, frozen=True):
    """A CI check in two periods: seconds that it took, and the share of passed runs that ended with it."""

    name: str
    before: float
    after: float
    last_share: float


class ExplanationQuestion(msgspec.Struct, frozen=True):
    """Why do figures differ between two periods?"""

    before: RecordedWindow
    after: RecordedWindow
    checks: tuple[CheckTimes, ...]
    seed: int


class ForecastAnswer(msgspec.Struct, frozen=True):
    """Errors in the question, or what is missing from the history, or the answer."""

    errors: tuple[WrongField, ...] = ()
    too_little: str | None = None
    answer: msgspec.Raw = msgspec.Raw(b"null")
