"""Printing a condition and parsing it again gives the same condition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conditions.builders import leaf
from mergecast.language.conditions.attribute import Attribute, CommitAttribute, ValueKind
from mergecast.language.conditions.attributes import ATTRIBUTES, COMMIT_ATTRIBUTES
from mergecast.language.conditions.errors import InvalidCondition
from mergecast.language.conditions.operators import EQUALITY, NUMBER, Operator
from mergecast.language.conditions.printer import print_condition, to_plain
from mergecast.language.conditions.tree import All, AnyOf, Leaf, Not


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("¬draft", "-draft"),
        ("+ draft", "draft"),
        ("label:bug", "label = bug"),
        ("-#label≥1", "-#label >= 1"),
        ("label = 'two words'", "label = two words"),
        ("label = ' x'", 'label = " x"'),
        ("label = \"'x'\"", "label = \"'x'\""),
        ("milestone='v 1'", 'milestone = "v 1"'),
        ("author =", "author ="),
        ("title~=", "title ~="),
        ("title ~= 'a", "title ~= 'a"),
        ("title ~= \"'a'\"", "title ~= \"'a'\""),
        ("status-success=ci", "check-success = ci"),
        ("check-success=@app/a/b", "check-success = @app/a/b"),
        ("author=@acme/core", "author = @acme/core"),
        ("author={{author}}", "author = {{ author }}"),
        ("queue-dequeue-reason=checks-failed", "queue-dequeue-reason = CHECKS_FAILED"),
        ("sender-permission>=write", "sender-permission >= write"),
        ("commits[ -1 ].author=x", "commits[-1].author = x"),
        ("-commits[*].commit_verification_verified", "-commits[*].commit_verification_verified"),
        ("created-at<24h ago", "created-at < 1 day ago"),
        ("created-at<0 min ago", "created-at < 0 minutes ago"),
        ("created-at<2 days 18:02 ago", "created-at < 2 days 18 hours 2 minutes ago"),
        ("created-at>2026-01-01T10:00+02:00", "created-at > 2026-01-01T08:00:00Z"),
        (
            "current-datetime=XXXX-07-14T14:00/XXXX-07-14T19:00[Europe/Paris]",
            "current-datetime = XXXX-07-14T14:00[Europe/Paris]/XXXX-07-14T19:00[Europe/Paris]",
        ),
        (
            "current-datetime=XXXX-07-14",
            "current-datetime = XXXX-07-14T00:00Z/XXXX-07-14T23:59:59.999999Z",
        ),
        ("schedule=1-5 9:00-17:30", "schedule = Mon-Fri 09:00[UTC]-17:30[UTC]"),
        ("schedule=monday-friday", "schedule = Mon-Fri"),
    ],
)
def test_a_condition_has_one_canonical_text(text: str, printed: str) -> None:
    """Aliases, quotes and legacy forms disappear."""
    assert printed == print_condition(leaf(text))


def test_a_tree_prints_as_in_a_document() -> None:
    """Groups as mappings of one key."""
    tree = All((leaf("label:x"), AnyOf((Not(leaf("draft")), All(())))))

    assert {"and": ["label = x", {"or": [{"not": "draft"}, {"and": []}]}]} == to_plain(tree)


_ZONES = st.sampled_from(["", "Z", "[Europe/Paris]", "[UTC]", "+05:30", "-08"])
_DATES = st.dates().map(lambda date: f"{date:%Y}".zfill(4) + f"-{date:%m-%d}")
_TIMES_OF_DAY = st.times().map(lambda moment: f"{moment:%H:%M}")
_FULL_TIMES = st.times().map(str)
_TIMESTAMPS = st.tuples(_DATES, st.one_of(_TIMES_OF_DAY, _FULL_TIMES), _ZONES).map(
    lambda parts: f"{parts[0]}T{parts[1]}{parts[2]}"
)
_RELATIVE = st.tuples(*[st.integers(0, 10**6)] * 4).map(
    lambda parts: f"{parts[0]} days {parts[1]} h {parts[2]} minutes {parts[3]}s ago"
)
_X_DATES = st.tuples(
    st.sampled_from(["XXXX", "2024"]), st.sampled_from(["XX", "07"]), st.sampled_from(["XX", "14"])
).map("-".join)
_INTERVALS = st.tuples(_X_DATES, _TIMES_OF_DAY, _FULL_TIMES, _ZONES, _ZONES).map(
    lambda parts: f"{parts[0]}T{parts[1]}{parts[3]}/{parts[0]}T{parts[2]}{parts[4]}"
)
_DAYS = st.sampled_from(["", "Mon-Fri ", "1-7 ", "tuesday-Wed "])
_SCHEDULES = st.tuples(_DAYS, _TIMES_OF_DAY, st.sampled_from(["", "[Asia/Tokyo]"]), _TIMES_OF_DAY).map(
    lambda parts: f"{parts[0]}{parts[1]}{parts[2]}-{parts[3]}"
)
_TEXTS = st.one_of(
    st.text(max_size=8),
    st.text("'\" =~{}@/a#-\\", max_size=6),
    st.sampled_from(
        ["{{ author }}", "@core", "@acme/core", "@app/check/run", "two words", "#12", "pr-merged"]
    ),
)
_PATTERNS = st.one_of(
    st.text("ab'\" .*{},/", max_size=8), st.sampled_from(["{{ author }}", "^(a|b)+$", "src/**/*.{py,pyi}"])
)
_VALUES: dict[ValueKind, st.SearchStrategy[str]] = {
    ValueKind.NUMBER: st.integers(0, 2**63 - 1).map(str),
    ValueKind.PERMISSION: st.sampled_from(["none", "read", "triage", "write", "maintain", "admin"]),
    ValueKind.TIME: st.one_of(_TIMESTAMPS, _RELATIVE, _DATES),
    ValueKind.SCHEDULE: st.one_of(_SCHEDULES, st.sampled_from(["Mon-Fri", "6-7"])),
}


@st.composite
def _written(draw: st.DrawFn) -> str:
    """The text of a condition on any attribute with any of its operators; most are valid."""
    row = draw(st.sampled_from(list(ATTRIBUTES.values())))
    field = draw(st.sampled_from(list(COMMIT_ATTRIBUTES.values()))) if row.name == "commits" else None
    subject: Attribute | CommitAttribute = field or row
    name = f"commits[{draw(st.sampled_from(['*', '0', '-1']))}].{field.name}" if field else row.name
    sign = draw(st.sampled_from(["", "-", "¬"])) if subject.is_negatable else ""
    if subject.kind is ValueKind.BOOLEAN:
        return f"{sign}{name}"
    count = draw(st.booleans()) and not field and row.count is not None
    operator = draw(st.sampled_from(NUMBER if count else subject.operators or (Operator.EQUAL,)))
    value = draw(st.integers(-9, 10**6).map(str) if count else _value_of(subject, operator))
    return f"{sign}{'#' if count else ''}{name}{draw(st.sampled_from(['', ' ']))}{operator} {value}"


def _value_of(subject: Attribute | CommitAttribute, operator: Operator) -> st.SearchStrategy[str]:
    if subject.kind is ValueKind.PRESENT:
        return st.one_of(_INTERVALS, _X_DATES) if operator in EQUALITY else _TIMESTAMPS
    if operator in (Operator.MATCHES, Operator.GLOB):
        return _PATTERNS
    quoted = _TEXTS.map(lambda text: f'"{text}"')
    return _VALUES.get(subject.kind, st.one_of(_TEXTS, quoted))


def _parsed(text: str) -> Leaf | None:
    try:
        return leaf(text)
    except InvalidCondition:
        return None


@given(_written())
def test_printing_and_parsing_gives_the_same_condition(text: str) -> None:
    """For every attribute, operator and kind of value."""
    first = _parsed(text)
    if first is None:
        return

    printed = print_condition(first)
    again = leaf(printed)

    assert first == again
    assert printed == print_condition(again)
