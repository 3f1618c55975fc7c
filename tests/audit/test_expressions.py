"""GitHub's expressions on events: true, false, or cannot tell."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.language.audit.evaluation import Unknown, evaluate, holds, truth
from mergecast.language.audit.events import On, context_of
from mergecast.language.audit.expressions import Node, NotAnExpression, parse, parse_condition

_SHARED = Path(__file__).parents[3] / "shared" / "reference" / "audit-cases.json"
_EVENTS = {"merge_group": On.GROUP, "pull_request": On.PULL_REQUEST, "push": On.PUSH}

ANSWERS: tuple[tuple[str, str, bool | None], ...] = (
    ("merge_group", "true", True),
    ("merge_group", "null", False),
    ("merge_group", "''", False),
    ("merge_group", "0", False),
    ("merge_group", "-0.0", False),
    ("merge_group", "0x10 == 16", True),
    ("merge_group", "1e3 == 1000", True),
    ("merge_group", "'a' == 'A'", True),
    ("merge_group", "'it''s' == 'IT''S'", True),
    ("merge_group", "null == 0", True),
    ("merge_group", "null == ''", True),
    ("merge_group", "true == 1", True),
    ("merge_group", "'1' == 1", True),
    ("merge_group", "'x' == 0", False),
    ("merge_group", "'x' != 0", True),
    ("merge_group", "'b' > 'A'", True),
    ("merge_group", "2 <= 2 && 3 >= 4", False),
    ("merge_group", "null < 1", True),
    ("merge_group", "'x' < 1", False),
    ("merge_group", "!true || !false", True),
    ("merge_group", "!!github.event_name", True),
    ("merge_group", "!(github.event_name == 'push') && true", True),
    ("merge_group", "github.event_name == 'push' || github.event_name == 'merge_group'", True),
    ("merge_group", "(github.head_ref || github.ref_name) == ''", False),
    ("merge_group", "(github.event_name == 'push' && 'a' || 'b') == 'b'", True),
    ("merge_group", "github['event_name'] == 'merge_group'", True),
    ("merge_group", "github.event['action'] == 'checks_requested'", True),
    ("merge_group", "github.event.action == 'destroyed'", False),
    ("merge_group", "github.event.number", False),
    ("merge_group", "github.event.inputs.dry_run == 'true'", False),
    ("merge_group", "github.event.merge_group", True),
    ("merge_group", "github.event.merge_group.head_ref == github.ref", True),
    ("merge_group", "github.event.merge_group.head_sha == github.sha", True),
    ("merge_group", "github.event.merge_group.base_sha == github.sha", None),
    ("merge_group", "github.event.merge_group.head_commit.message == 'x'", None),
    ("merge_group", "endsWith(github.event.merge_group.base_ref, '/MAIN')", True),
    ("merge_group", "startsWith(github.ref_name, 'gh-readonly-queue')", True),
    ("merge_group", "github.ref_type == 'branch'", True),
    ("merge_group", "github.ref_protected", None),
    ("merge_group", "github.actor", True),
    ("merge_group", "github.actor == ''", False),
    ("merge_group", "github.repository == 'acme/web'", None),
    ("merge_group", "github.repository != null", True),
    ("merge_group", "contains(github.event.pull_request.title, 'wip')", False),
    ("merge_group", "contains(github.event.pull_request.labels.*.name, 'a') || github.actor == 'x'", None),
    ("merge_group", "!contains(github.event.pull_request.labels.*.name, 'skip')", True),
    ("merge_group", "contains('merge_group push', github.event_name)", True),
    ("merge_group", "contains('', vars.NAME)", None),
    ("merge_group", "contains('', github.actor)", False),
    ("merge_group", "contains(fromJSON('[1, 2]'), 2)", True),
    ("merge_group", 'fromJSON(\'{"a": {"b": true}}\').a.b', True),
    ("merge_group", "fromJSON('[\"x\", \"y\"]')[1] == 'y'", True),
    ("merge_group", "fromJSON(vars.LIST)[0] == 'y'", None),
    ("merge_group", "format('{0}-{1}', 'a', 1) == 'a-1'", True),
    ("merge_group", "format('{{0}}', 'a') == '{0}'", True),
    ("merge_group", "join(fromJSON('[\"a\", \"b\"]'), '+') == 'a+b'", True),
    ("merge_group", "toJSON(true) == 'true'", True),
    ("merge_group", "hashFiles('**/lock') == ''", None),
    ("merge_group", "success()", True),
    ("merge_group", "!failure() && !cancelled()", True),
    ("merge_group", "needs.a.result == 'success'", None),
    ("merge_group", "contains(needs.*.result, 'failure')", None),
    ("merge_group", "inputs.deploy && false", False),
    ("merge_group", "inputs.deploy || true", True),
    ("merge_group", "secrets.TOKEN != ''", None),
    ("merge_group", "steps.a.outcome == 'success' && github.event_name == 'push'", False),
    ("merge_group", "${{ github.event_name == 'push' }} && false", True),
    ("merge_group", "unheard_of('x')", None),
    ("pull_request", "github.event_name == 'pull_request'", True),
    ("pull_request", "github.base_ref == 'main'", True),
    ("pull_request", "github.event.pull_request.base.ref == 'main'", True),
    ("pull_request", "github.head_ref == 'x'", None),
    ("pull_request", "github.event.merge_group", False),
    ("pull_request", "startsWith(github.ref, 'refs/pull/')", True),
    ("pull_request", "github.event.pull_request.merged", False),
    ("push", "github.ref_name == 'main'", True),
    ("push", "github.head_ref == ''", True),
    ("push", "github.event.head_commit.message == 'x'", None),
    ("push", "startsWith(github.ref, 'refs/tags/')", False),
)


@pytest.mark.parametrize(("event", "text", "answer"), ANSWERS)
def test_what_an_expression_says_on_an_event(event: str, text: str, *, answer: bool | None) -> None:
    assert holds(parse_condition(text), context_of(_EVENTS[event], "main")) is answer


@pytest.mark.skipif(not _SHARED.exists(), reason=f"not beside the project: {_SHARED}")
def test_the_shared_expressions() -> None:
    rows = json.loads(_SHARED.read_text(encoding="utf-8"))["expressions"]
    told = [[event, text, _told(event, text)] for event, text, _ in rows]
    assert told == rows


def _told(event: str, text: str) -> bool | None:
    return holds(parse_condition(text), context_of(_EVENTS[event], "main"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a ==", "the expression ends too early"),
        ("(a", "`)` is missing"),
        ("a b", "`b` is not expected here"),
        ("a.", "the expression ends too early"),
        ('a == "b"', '`"b"` cannot be read'),
        ("${{ a", "`}}` is missing"),
        ("(" * 60 + "a" + ")" * 60, "nested deeper than 50 levels"),
        ("a" * 30_000, "longer than 21000 characters"),
    ],
)
def test_what_github_would_refuse(text: str, reason: str) -> None:
    with pytest.raises(NotAnExpression) as refused:
        parse_condition(text)
    assert str(refused.value) == reason


_PIECES = st.sampled_from(
    [
        *"!()[].,*'",
        "&&",
        "||",
        "==",
        "<",
        " ",
        "github",
        "event",
        "null",
        "1",
        "'x'",
        "contains(",
        "${{",
        "}}",
        "\0",
        "é",
    ]
)


@given(st.one_of(st.text(), st.lists(_PIECES).map("".join)))
def test_no_text_is_more_than_refused(text: str) -> None:
    try:
        condition = parse_condition(text)
    except NotAnExpression:
        return
    assert holds(condition, context_of(On.GROUP, "main")) in (True, False, None)


_LEAVES = st.sampled_from(
    [
        *(Node("literal", value) for value in (None, True, False, 0.0, 1.0, "", "a", "b", "1")),
        parse("github.event_name"),
        parse("github.event.pull_request.draft"),
        parse("fromJSON('[\"a\", 1]')"),
    ]
)


def _larger(parts: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.one_of(
        parts.map(lambda one: Node("!", None, (one,))),
        st.tuples(parts, parts).map(lambda both: Node("&&", None, both)),
        st.tuples(parts, parts).map(lambda both: Node("||", None, both)),
        st.tuples(st.sampled_from(["==", "!=", "<", ">="]), parts, parts).map(
            lambda made: Node("compare", made[0], made[1:])
        ),
        st.tuples(st.sampled_from(["contains", "startswith", "format", "join"]), parts, parts).map(
            lambda made: Node("call", made[0], made[1:])
        ),
    )


@given(st.recursive(_LEAVES, _larger, max_leaves=8), st.data())
def test_a_leaf_that_is_not_known_never_turns_an_answer_round(expression: Node, data: st.DataObject) -> None:
    context: dict[str, Any] = {**context_of(On.GROUP, "main"), "hidden": Unknown()}
    known = truth(evaluate(expression, context))
    leaves = [place for place, node in enumerate(expression.walk()) if node.kind != "call"]
    hidden = _hide(
        expression, expression.walk()[data.draw(st.sampled_from(leaves))] if leaves else expression
    )
    assert truth(evaluate(hidden, context)) in (known, None)


def _hide(node: Node, wanted: Node) -> Node:
    if node is wanted:
        return Node("name", "hidden")
    return node._replace(parts=tuple(_hide(part, wanted) for part in node.parts))
