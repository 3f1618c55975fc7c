"""Parsing one condition: values, modifiers and errors."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.language.conditions.attribute import Section
from mergecast.language.conditions.attributes import ATTRIBUTES, DEPRECATED_NAMES
from mergecast.language.conditions.errors import InvalidCondition
from mergecast.language.conditions.operators import Operator
from mergecast.language.conditions.parser import parse_condition
from mergecast.language.conditions.values import CheckName, Permission, Placeholder, Team

_COUNTS = "`=`, `!=`, `>=`, `<=`, `>`, `<`"
_ORDER = "`>=`, `<=`, `>`, `<`"
_ALL = "`=`, `!=`, `~=`, `*=`, `>=`, `<=`, `>`, `<`"
_NAME_FIRST = "a condition starts with the name of an attribute, such as `label = bug`"
_COUNTABLE = "only lists and text can be counted"
_FIELDS = (
    "`author`, `committer`, `email_author`, `email_committer`, `commit_message`, "
    "`commit_verification_verified`, `date_author`, `date_committer`"
)
_TIMESTAMP = "write it like `2026-01-31`, `2026-01-31T09:00Z` or `2026-01-31T09:00[Europe/Paris]`"
_SCHEDULE = "write it like `Mon-Fri`, `09:00-17:30[Europe/Paris]` or `Mon-Fri 09:00-17:30[Europe/Paris]`"

ERRORS = [
    ("", "Condition empty; write for example `label = bug`", ""),
    ("  ", "Condition empty; write for example `label = bug`", "  "),
    ("-", "Incomplete condition: the name of an attribute is missing, such as `-draft`", "-"),
    (" - # ", "Incomplete condition: the name of an attribute is missing, such as `-draft`", " - # "),
    ("lable = x", "Invalid attribute: `lable`; did you mean `label`?", "lable"),
    ("labels=x", "Invalid attribute: `labels`; did you mean `label`?", "labels"),
    ("zebra=x", "Invalid attribute: `zebra` is not known", "zebra"),
    ("#-label", "Invalid attribute: `-label`; `#` goes after `-`, as in `-#files > 3`", "-label"),
    (
        '-"#files > 3"',
        f'Invalid attribute: `"#files`; {_NAME_FIRST}',
        '"#files',
    ),
    (
        "@label = x",
        f"Invalid attribute: `@label`; {_NAME_FIRST}",
        "@label",
    ),
    (
        "commits[-1].sha = abc",
        f"Invalid attribute: `sha` of a commit cannot be used in a condition; write one of {_FIELDS}",
        "sha",
    ),
    (
        "commits[0].commiter = x",
        "Invalid attribute: `commiter` of a commit cannot be used in a condition; did you mean `committer`?",
        "commiter",
    ),
    (
        "commits[0:2].author = x",
        "Invalid attribute: write `commits[0].author`, `commits[-1].author` or `commits[*].author`",
        "[0:2].author = x",
    ),
    (
        "commits-behind > 0",
        "`#` modifier is required for attribute: `commits-behind`; write `#commits-behind`",
        "commits-behind",
    ),
    (
        "-schedule = Mon-Fri",
        "`-` modifier is invalid for attribute: `schedule`; write `schedule != …`",
        "-",
    ),
    (
        "¬created-at > 2 days ago",
        (
            "`-` modifier is invalid for attribute: `created-at`; "
            "reverse the operator, such as `created-at >= …` for `-created-at < …`"
        ),
        "¬",
    ),
    (
        "-current-datetime > 2026-01-01",
        (
            "`-` modifier is invalid for attribute: `current-datetime`; "
            "reverse the operator, such as `current-datetime >= …` for `-current-datetime < …`"
        ),
        "-",
    ),
    (
        "#conflict",
        f"`#` modifier is invalid for attribute: `conflict`; {_COUNTABLE}",
        "#",
    ),
    (
        "#number > 1",
        f"`#` modifier is invalid for attribute: `number`; {_COUNTABLE}",
        "#",
    ),
    (
        "#commits[*].author > 1",
        f"`#` modifier is invalid for attribute: `commits[…].author`; {_COUNTABLE}",
        "#",
    ),
    (
        "closed=false",
        "Operators are invalid for Boolean attribute: `closed`; write `closed` or `-closed`",
        "=false",
    ),
    ("label", f"Invalid operator: `label` needs an operator and a value; write one of {_ALL}", ""),
    ("label bug", f"Invalid operator: found `bug` after `label`; write one of {_ALL}", "bug"),
    ("files !~= x", "Invalid operator: there is no `!~=`; write `-files ~= …`", "!~="),
    ("#files ~= x", f"Invalid operator: `~=` cannot be used with `#files`; write one of {_COUNTS}", "~="),
    (
        "milestone *= x",
        (
            "Invalid operator: `*=` cannot be used with `milestone`; "
            "write one of `=`, `!=`, `~=`, `>=`, `<=`, `>`, `<`"
        ),
        "*=",
    ),
    (
        "updated-at = 2026-01-01",
        f"Invalid operator: `=` cannot be used with `updated-at`; write one of {_ORDER}",
        "=",
    ),
    ("#files > x", "x is not a number; write a whole number such as 3", "x"),
    ("#files >", "The value is missing; write a whole number such as 3", ""),
    (
        "#approved-reviews-by => 1",
        "Invalid operator: `=>` is not an operator; did you mean `>=`?",
        "=>",
    ),
    ("#files=<3", "Invalid operator: `=<` is not an operator; did you mean `<=`?", "=<"),
    ("number => 1", "Invalid operator: `=>` is not an operator; did you mean `>=`?", "=>"),
    ("updated-at => 2026-01-01", "Invalid operator: `=>` is not an operator; did you mean `>=`?", "=>"),
    ("base => main", "Invalid operator: `=>` is not an operator; did you mean `>=`?", "=>"),
    ("#files = > 3", "> 3 is not a number; write a whole number such as 3", "> 3"),
    ("number = -1", "Value must be positive; pull requests are numbered from 1", "-1"),
    ("number > 0", "Value must be positive; pull requests are numbered from 1", "0"),
    ("number = 9223372036854775808", "Value must be at most 9223372036854775807", "9223372036854775808"),
    ("number = {{ author }}", "{{ author }} is not a number; write a whole number such as 3", "{{ author }}"),
    (
        "title = 'x",
        "Unbalanced quotes; a value with a quote at one end needs the same quote at the other end",
        "'x",
    ),
    (
        'title = "',
        "Unbalanced quotes; a value with a quote at one end needs the same quote at the other end",
        '"',
    ),
    (
        "milestone = a b",
        'Invalid `milestone` format; put a value with spaces in quotes: `"a b"`',
        "a b",
    ),
    (
        "base = a b",
        "Invalid branch name: it contains a space; to match a regular expression, use `~=`",
        "a b",
    ),
    ("head = ^x", "Invalid branch name: it contains `^`; to match a regular expression, use `~=`", "^x"),
    ("author = a.b", "Invalid GitHub login: use letters, digits and `-` only", "a.b"),
    ("author = acme/core", "Invalid GitHub login; a team is written `@acme/core`", "acme/core"),
    ("author = @a/b/c", "Invalid team name; write `@team` or `@organization/team`", "@a/b/c"),
    ("author = @@a", "Invalid team name; write `@team` or `@organization/team`", "@@a"),
    ("author = @", "Invalid team name; write `@team` or `@organization/team`", "@"),
    ("author = @a b", "Invalid GitHub team name: use letters, digits, `-`, `_` and `.` only", "@a b"),
    (
        "author ~= @core",
        "Regular expression are not supported for team slug; write `author = @core`",
        "@core",
    ),
    (
        "assignee *= @core",
        "Regular expression are not supported for team slug; write `assignee = @core`",
        "@core",
    ),
    (
        "sender-permission >= owner",
        "Invalid permission; write one of `none`, `read`, `triage`, `write`, `maintain`, `admin`",
        "owner",
    ),
    ("check-success = @app", "Invalid check name: expected @<app-slug>/<check-name>", "@app"),
    ("check-failure > @/x", "Invalid check name: expected @<app-slug>/<check-name>", "@/x"),
    (
        "title = {{ number }}",
        "Unknown variable: number; the only variable is `{{ author }}`, and it must be the whole value",
        "{{ number }}",
    ),
    (
        "title ~= {{ number }}",
        "Unknown variable: number; the only variable is `{{ author }}`, and it must be the whole value",
        "{{ number }}",
    ),
    (
        "files *= src/{{ head }}/**",
        "Unknown variable: head; the only variable is `{{ author }}`, and it must be the whole value",
        "src/{{ head }}/**",
    ),
    (
        "files ~= docs/(?i)readme",
        "Invalid regular expression: global flags not at the start of the expression at position 5",
        "docs/(?i)readme",
    ),
    (
        "files~=^(?src/index/ivf-raft)",
        "Invalid regular expression: unknown flag at position 4",
        "^(?src/index/ivf-raft)",
    ),
    ("files *= a/{b", "Invalid glob pattern 'a/{b': unbalanced brace", "a/{b"),
    ("created-at < soon", f"Invalid timestamp; {_TIMESTAMP}", "soon"),
    ("merged-at > 3 days", "Invalid timestamp; write `3 days ago`", "3 days"),
    (
        "created-at < 3 weeks ago",
        (
            "Invalid relative date; write it like `14 days ago` or `2 days 3 hours 5 minutes ago`, "
            "weeks, months and years are not supported"
        ),
        "3 weeks ago",
    ),
    ("current-datetime > 3 days ago", f"Invalid timestamp; {_TIMESTAMP}", "3 days ago"),
    (
        "current-datetime = 2026-01-01",
        "Invalid operator: compare a timestamp with `>=`, `<=`, `>` or `<`; `=` needs an interval",
        "2026-01-01",
    ),
    (
        "current-datetime > XXXX-01-01/XXXX-02-01",
        "Invalid operator: compare an interval with `=` (inside) or `!=` (outside)",
        "XXXX-01-01/XXXX-02-01",
    ),
    ("schedule = Mon", "Invalid schedule; write a single day as `Mon-Mon`", "Mon"),
    ("schedule = always", f"Invalid schedule; {_SCHEDULE}", "always"),
    (
        "check-x = y",
        "Invalid attribute: `check-x` is not known",
        "check-x",
    ),
    (
        "check = ci",
        (
            "Invalid attribute: `check` is for templates only; "
            "write `check-success`, `check-failure` or `check-pending`"
        ),
        "check",
    ),
    ("co-authors = x", "Invalid attribute: `co-authors` is for templates only", "co-authors"),
    (
        "branch-protection-review-decision = APPROVED",
        (
            "Invalid attribute: `branch-protection-review-decision` was renamed in May 2026; "
            "write `github-review-decision`"
        ),
        "branch-protection-review-decision",
    ),
    (
        "current-day-of-week = Mon",
        (
            "Invalid attribute: `current-day-of-week` was removed on 2023-02-11; "
            "write `schedule` or `current-datetime`"
        ),
        "current-day-of-week",
    ),
]


@pytest.mark.parametrize(("text", "reason", "place"), ERRORS, ids=[error[0] for error in ERRORS])
def test_an_error_has_a_reason_and_a_position(text: str, reason: str, place: str) -> None:
    """The message says what is wrong and what would be right; the span covers the wrong part."""
    with pytest.raises(InvalidCondition) as caught:
        parse_condition(text, Section.COMMANDS)

    assert (reason, place) == (caught.value.reason, text[caught.value.start : caught.value.end])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "sender = bob",
            (
                "Attribute only allowed in commands_restrictions section: `sender`; "
                "`author` is the user who opened the pull request"
            ),
        ),
        (
            "sender-permission >= write",
            (
                "Attribute only allowed in commands_restrictions section: `sender-permission`; "
                "`author` is the user who opened the pull request"
            ),
        ),
        (
            "github-require-review-from-specific-teams",
            (
                "Attribute is evaluated internally and can't be used in a condition: "
                "`github-require-review-from-specific-teams`; use `github-review-decision` instead"
            ),
        ),
        (
            "-github-review-approved",
            (
                "Attribute is evaluated internally and can't be used in a condition: "
                "`github-review-approved`; use `github-review-decision` instead"
            ),
        ),
    ],
)
def test_an_attribute_of_another_section_is_an_error(text: str, reason: str) -> None:
    """The sender exists only for commands, and some attributes only in conditions that the service adds."""
    with pytest.raises(InvalidCondition) as caught:
        parse_condition(text, Section.RULES)

    assert reason == caught.value.reason


@pytest.mark.parametrize("name", ["github-review-approved", "github-require-review-from-specific-teams"])
def test_conditions_that_the_service_adds_may_use_internal_attributes(name: str) -> None:
    """Only users may not."""
    assert name == parse_condition(name, Section.INJECTED).attribute.name


READ: list[tuple[str, tuple[str, str, Any], str]] = [
    ("draft", ("draft", "=", True), ""),
    ("-draft", ("draft", "=", True), "-"),
    ("¬ draft ", ("draft", "=", True), "-"),
    ("+draft", ("draft", "=", True), ""),
    ("label:bug", ("label", "=", "bug"), ""),
    ("label==bug", ("label", "=", "bug"), ""),
    ("label = =bug", ("label", "=", "=bug"), ""),
    ("label≠bug", ("label", "!=", "bug"), ""),
    ("label = 'two words'", ("label", "=", "two words"), ""),
    ('label = "it\'s"', ("label", "=", "it's"), ""),
    ('label = "it\'s"', ("label", "=", "it's"), ""),
    ("author =", ("author", "=", ""), ""),
    (" # assignee > 1", ("assignee", ">", 1), "#"),
    ("- # assignee ≥ -1", ("assignee", ">=", -1), "-#"),
    ("#files<=+3", ("files", "<=", 3), "#"),
    ("body-raw = x", ("body-raw", "=", "x"), ""),
    ("author = bot[bot]", ("author", "=", "bot[bot]"), ""),
    ("author = corp_user", ("author", "=", "corp_user"), ""),
    ("author = @core", ("author", "=", Team(None, "core")), ""),
    ("author != @acme/core", ("author", "!=", Team("acme", "core")), ""),
    ("author = {{author}}", ("author", "=", Placeholder.AUTHOR), ""),
    ("label *= '{{ author }}'", ("label", "*=", Placeholder.AUTHOR), ""),
    ("title ~= {{ author }}", ("title", "~=", Placeholder.AUTHOR), ""),
    ("milestone = 'v 1'", ("milestone", "=", "v 1"), ""),
    ("number = 7", ("number", "=", 7), ""),
    ("queue-position = -1", ("queue-position", "=", -1), ""),
    ("queue-dequeue-reason = pr-merged", ("queue-dequeue-reason", "=", "PR_MERGED"), ""),
    ("github-review-decision = x", ("github-review-decision", "=", "x"), ""),
    ("sender-permission >= write", ("sender-permission", ">=", Permission.WRITE), ""),
    ("check-success = @ci/a/b", ("check-success", "=", CheckName("ci", "a/b")), ""),
    ("check-success-or-neutral = x", ("check-success-or-neutral", "=", CheckName(None, "x")), ""),
]


@pytest.mark.parametrize(("text", "comparison", "modifiers"), READ, ids=[row[0] for row in READ])
def test_a_condition_is_parsed(text: str, comparison: tuple[str, str, Any], modifiers: str) -> None:
    """Signs, counts, aliases of operators, quotes and typed values."""
    leaf = parse_condition(text, Section.COMMANDS)

    assert comparison == (leaf.attribute.name, leaf.operator, leaf.value)
    assert modifiers == "-" * leaf.is_negated + "#" * leaf.is_counted
    assert text == leaf.text


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("title ~=", ""),
        ('files ~= "^ui/"', "^ui/"),
        ("title ~= don't", "don't"),
        ("title ~= 'open", "'open"),
        ("title ~= [[a]", "[[a]"),
        ("body ~= {{ x }} and more", "{{ x }} and more"),
    ],
)
def test_a_pattern_loses_only_its_outer_quotes(text: str, pattern: str) -> None:
    """A lone quote, a brace or an odd set is part of the pattern."""
    value = parse_condition(text, Section.RULES).value

    assert pattern == getattr(value, "pattern", None)


@pytest.mark.parametrize(
    ("text", "index", "field"),
    [
        ("commits[0].author = x", 0, "author"),
        ("commits[-1].commit_message ~= x", -1, "commit_message"),
        ("commits[*].date_committer < 1 days ago", None, "date_committer"),
        ("-commits [ 2 ] . commit_verification_verified", 2, "commit_verification_verified"),
    ],
)
def test_a_commit_field_is_parsed(text: str, index: int | None, field: str) -> None:
    """By index from either end, or of all commits."""
    commit = parse_condition(text, Section.RULES).commit

    assert commit is not None
    assert (index, field) == (commit.index, commit.attribute.name)


@pytest.mark.parametrize(("old", "new"), DEPRECATED_NAMES.items())
def test_a_deprecated_name_means_the_current_attribute(old: str, new: str) -> None:
    """The leaf keeps the name as written, so that the use can be reported."""
    leaf = parse_condition(f"{old} = ci", Section.RULES)

    assert (old, new) == (leaf.written_name, leaf.attribute.name)
    assert parse_condition(f"{new} = ci", Section.RULES).written_name is None


def test_every_attribute_can_be_parsed() -> None:
    """A longer name is not mistaken for a shorter one."""
    for name, row in ATTRIBUTES.items():
        if row.operators and not (row.count and row.count.is_required):
            operator = Operator.AT_LEAST if Operator.AT_LEAST in row.operators else row.operators[0]
            value = {"sender-permission": "read", "schedule": "Mon-Fri"}.get(name, "2026")
            value = "2026-01-01" if row.kind.title in {"time", "present time"} else value

            assert name == parse_condition(f"{name}{operator}{value}", Section.COMMANDS).attribute.name


def _refusal(text: str, section: Section) -> InvalidCondition | None:
    try:
        parse_condition(text, section)
    except InvalidCondition as error:
        return error
    return None


_PIECES = st.sampled_from(
    [
        *ATTRIBUTES,
        *(
            "-",
            "#",
            " ",
            "=",
            "!=",
            "~=",
            "*=",
            ">=",
            "<",
            "[",
            "]",
            "*",
            ".author",
            "{{ author }}",
            "'",
            '"',
        ),
        *("@a/b", "XXXX-01-01/", "2026-01-01", "T10:00", "[Europe/Paris]", "Mon-Fri", "09:00", "3 days ago"),
        *("{a,b}", "(?i)", "\\", "(", "9" * 5000, "\ud800", "\0", "é"),
    ]
)


@given(st.one_of(st.text(), st.lists(_PIECES, max_size=12).map("".join)), st.sampled_from(Section))
def test_any_text_is_a_condition_or_an_error(text: str, section: Section) -> None:
    """The only exception is InvalidCondition, with a position inside the text."""
    refusal = _refusal(text, section)

    assert refusal is None or (refusal.reason and 0 <= refusal.start <= refusal.end <= len(text))


@pytest.mark.parametrize(
    "text",
    [
        "-" * 1_000_000,
        " " * 1_000_000 + "x",
        "a" * 1_000_000,
        "files *= " + "{a,b}" * 200_000,
        "files *= " + "{" * 1_000_000,
        "#files > " + "9" * 1_000_000,
        "created-at < " + "9" * 1_000_000 + " days ago",
        "created-at < " + "1 day " * 200_000 + "ago",
        "schedule = " + "Mon-" * 200_000,
        "created-at < 2026-01-01[" + "a/" * 500_000 + "]",
        "title = " + "{{" * 500_000,
        "author = @" + "a/" * 500_000,
        "commits[" + "9" * 1_000_000 + "].author = x",
    ],
    ids=lambda text: text[:30].strip(),
)
def test_very_long_text_is_parsed_quickly(text: str) -> None:
    """No input makes parsing slow."""
    start = time.thread_time()

    refusal = _refusal(text, Section.RULES)

    assert time.thread_time() - start < 10
    assert refusal is None or len(refusal.reason) < 500
