"""Texts with variables: valid, deprecated and invalid ones."""

import json

import pytest

from configuration.documents import DAY_AFTER, lines, only_error, read

_MESSAGE = (
    "author",
    "number",
    "title",
    "body",
    "base",
    "head",
    "labels",
    "assignees",
    "approvers",
    "queue_dequeue_reason",
)
_TITLE = ("title", "number", "destination_branch", "base", "author")
_BODY = (*_TITLE, "body", "cherry_pick_error", "cherry_picked_commits")
_INPUT = ("author", "number", "title", "base", "head", "repository_full_name")
_ASSIGNEE = ("author", "merged_by")

# The variables of every field that has any.
_FIELDS = {
    "comment: {message: %s}": _MESSAGE,
    "review: {message: %s}": _MESSAGE,
    "close: {message: %s}": _MESSAGE,
    "copy: {title: %s}": _TITLE,
    "backport: {title: %s}": _TITLE,
    "copy: {body: %s}": _BODY,
    "backport: {body: %s}": _BODY,
    "github_actions: {workflow: {dispatch: [{workflow: x, inputs: {a: %s}}]}}": _INPUT,
    "assign: {users: [%s]}": ("author",),
    "assign: {add_users: [%s]}": ("author",),
    "assign: {remove_users: [%s]}": ("author",),
    "copy: {assignees: [%s]}": _ASSIGNEE,
    "backport: {assignees: [%s]}": _ASSIGNEE,
    **{
        f"{action}: {{bot_account: %s}}": ("author",)
        for action in (
            "backport",
            "comment",
            "copy",
            "edit",
            "rebase",
            "request_reviews",
            "review",
            "squash",
            "update",
        )
    },
    "merge: {merge_bot_account: %s}": ("author",),
}
_ANY_VARIABLE = sorted({name for names in _FIELDS.values() for name in names})


def _rule(field: str, text: str) -> str:
    action = field % json.dumps(text)
    return f"pull_request_rules:\n  - name: a\n    conditions: []\n    actions:\n      {action}\n"


def _comment(text: str) -> str:
    return _rule("comment: {message: %s}", text)


def _queue(template: str) -> str:
    return f"queue_rules:\n  - name: a\n    commit_message_template: {json.dumps(template)}\n"


def _own_deprecations(text: str) -> int:
    """Deprecations inside the template, without that of the action around it."""
    return sum(use.message.startswith("A Jinja2") for use in read(text).deprecations)


@pytest.mark.parametrize("field", _FIELDS)
def test_a_field_accepts_its_own_variables(field: str) -> None:
    """The variables of other fields are deprecated attributes here, or unknown."""
    texts = {name: _rule(field, f"a {{{{ {name} }}}} b {{{{{name}}}}}") for name in _ANY_VARIABLE}

    assert set(_FIELDS[field]) == {
        name for name, text in texts.items() if not read(text).errors and not _own_deprecations(text)
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        "{ author }",
        "100 % } {",
        "back\\slash",
        "{{author}}",
        "{{  author  }}{{number}}",
        "{{\nauthor\n}}",
        "}} {{ author }}",
    ],
)
def test_plain_texts(text: str) -> None:
    assert [] == lines(read(_comment(text)))
    assert 0 == _own_deprecations(_comment(text))


@pytest.mark.parametrize(
    "text",
    [
        "{{ author | upper }}",
        "{{ author.upper() }}",
        "{% if title %}x{% endif %}",
        "{# a note #}",
        "{{ label | join(', ') }}",
        "{{ body.split('---')[0] | trim }}",
        "{{ body | get_section('## What') }}",
        "{{ body | get_section('## What', 'nothing') }}",
        "{{ body | markdownify }}",
        "{% for commit in commits %}{{ commit.author }}{% endfor %}",
        "{{ approved_reviews_by }}",
        "{{ head }} of {{ repository_full_name }}",
        "{{ merged_at.year }}",
        "{{ number + 1 }}",
        "{{ '%05d' % number }}",
        "{% set x = 1 %}{{ x }}",
        "{% raw %}{{ x }}{% endraw %}",
    ],
)
def test_legacy_expressions_are_deprecated(text: str) -> None:
    assert [] == lines(read(_comment(text)))
    assert 1 == _own_deprecations(_comment(text))
    assert [] == lines(read(_queue(text)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{ autor }}", "Unknown variable: autor"),
        ("{{ title }} {{ nope }}", "Unknown variable: nope"),
        ("{{ Author }}", "Unknown variable: Author"),
        ("{{ author", "Unterminated variable"),
        ("{{ author }", "Unterminated variable"),
        ("{{ author }} and {{ title", "Unterminated variable"),
        ("{{ author | shout }}", "Template syntax error: No filter named 'shout'"),
        ("{% if %}", "Template syntax error"),
        ("{{ author.__class__ }}", "Template syntax error"),
        ("{% include 'x' %}", "Template syntax error"),
    ],
)
def test_a_template_that_is_valid_in_neither_language_is_an_error(text: str, reason: str) -> None:
    error = only_error(_comment(text))

    assert error.message.startswith(reason)
    assert ("pull_request_rules", "0", "actions", "comment", "message") == error.path
    assert (5, 26) == (error.line, error.column)


def test_an_unknown_name_in_an_expression_is_reported() -> None:
    assert "autor" in only_error(_comment("{{ autor | upper }}")).message


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "{{ titel }}",
            "Template syntax error: Unknown pull request attribute: titel; did you mean `title`?",
        ),
        ("{{ title", "Template syntax error: unexpected end of template"),
        (
            "a\nb\n{% if %}",
            "Template syntax error: Expected an expression, got 'end of statement block' (line 3)",
        ),
        (
            "{{ labels }}",
            "Template syntax error: Unknown pull request attribute: labels; did you mean `label`?",
        ),
        ("{{ check_status }}", "Template syntax error: Unknown pull request attribute: check_status"),
    ],
)
def test_errors_in_commit_message_templates(text: str, reason: str) -> None:
    error = only_error(_queue(text))

    assert error.message.startswith(reason)
    assert (3, 30) == (error.line, error.column)


@pytest.mark.parametrize(
    "name", ["check_rule_name", "check_succeed", "check_status", "check_conditions", "title"]
)
@pytest.mark.parametrize("field", ["post_check: {title: %s}", "post_check: {summary: %s}"])
def test_checks_have_their_own_variables(field: str, name: str) -> None:
    assert [] == lines(read(_rule(field, f"{{{{ {name} }}}}")))


def test_checks_use_legacy_templates_without_another_deprecation() -> None:
    text = _rule("post_check: {title: %s}", "{% if check_succeed %}yes{% else %}no{% endif %}")

    assert 0 == _own_deprecations(text)
    assert ["pull_request_rules", "0", "actions", "post_check"] == [
        *(read(text).deprecations[0].path_to_field or ())
    ]


@pytest.mark.parametrize("text", ["{{ head }}", "{{ author|upper }}", "{{ nope }}", "{{ author"])
def test_after_the_deadline_only_plain_variables_are_valid(text: str) -> None:
    assert 1 == len(read(_rule("copy: {title: %s}", text), today=DAY_AFTER).errors)


def test_labels_are_not_templates() -> None:
    result = read(_rule("label: {add: [%s]}", "{{ nope"))

    assert [] == lines(result)
    assert () == result.deprecations


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{ title.upper }}", "the function `upper` cannot be printed; write `upper()` to call it"),
        ("{{ [title.upper] }}", "the function `upper` cannot be printed"),
        ("{{ title.upper ~ '' }}", "the function `upper` cannot be printed"),
        ("{{ {'a': title['upper']} }}", "the function `upper` cannot be printed"),
        ("{{ title.upper | string }}", "the function `upper` cannot be printed"),
        ("{{ '%s' | format(title.upper) }}", "the function `upper` cannot be printed"),
        ("{{ '{}'.format(title.upper) }}", "the function `upper` cannot be printed"),
        ("{{ '{0.upper}'.format(title) }}", "the function `upper` cannot be printed"),
        ("{{ '%r' % title.upper }}", "the function `upper` cannot be printed"),
        ("{{ title.format ~ '' }}", "the function `format` cannot be printed"),
        ("{{ label | map(attribute='upper') | list }}", "the function `upper` cannot be printed"),
        ("{{ (title | attr('upper')) ~ '' }}", "the function `upper` cannot be printed"),
        ("{{ [range] }}", "the function `range` cannot be printed"),
        ("{% for one in label %}{{ [loop.cycle] }}{% endfor %}", "the function `cycle` cannot be printed"),
        ("{% block a %}{{ [self.a] }}{% endblock %}", "the function `a` cannot be printed"),
        ("{{ [label | map('upper')] }}", "a generator cannot be printed; make it a list with `| list`"),
        ("{{ (label | reverse) ~ '' }}", "a generator cannot be printed"),
        (
            "{{ created_at.now() }}",
            "`now` depends on the machine; use an attribute such as `current_datetime`",
        ),
        ("{{ created_at.today() }}", "`today` depends on the machine"),
        ("{{ created_at['utcnow']() }}", "`utcnow` depends on the machine"),
        ("{{ created_at.astimezone() }}", "`astimezone` depends on the machine"),
        ("{{ created_at | attr('now') }}", "`now` depends on the machine"),
        (
            "{{ created_at.strftime('%s') }}",
            "`%s` depends on the time zone of the machine; use `timestamp()`",
        ),
        ("{{ created_at.date().strftime('%-s') }}", "`%s` depends on the time zone"),
        ("{{ '{:%s}'.format(created_at) }}", "`%s` depends on the time zone"),
        ("{{ ('{:{}}' | safe).format(created_at, '%s') }}", "`%s` depends on the time zone"),
        ("{{ '{a:%s}'.format_map({'a': created_at}) }}", "`%s` depends on the time zone"),
        (
            "{{ created_at.replace(tzinfo=none).timestamp() }}",
            "`timestamp` of a time without an offset depends on the machine",
        ),
        ("{{ range }}", "Unknown variable: range"),
        ("{{ label | unique }}", "a generator cannot be printed; make it a list with `| list`"),
        ("{{ [1, 2] | random }}", "No filter named 'random'"),
        ("{{ lipsum() }}", "Unknown pull request attribute: lipsum"),
        ("{{ joiner(',') }}", "Unknown pull request attribute: joiner"),
    ],
)
def test_a_template_whose_text_could_differ_from_run_to_run_is_an_error(text: str, reason: str) -> None:
    """A simulation depends on its input only and reveals nothing about the process."""
    assert reason in only_error(_comment(text)).message


@pytest.mark.parametrize(
    "text",
    [
        "{{ title.upper() }}",
        "{{ title['upper']() }}",
        "{{ '{}, {}'.format(title, author) }}",
        "{{ label | map('upper') | join(', ') }}",
        "{{ label | reverse | list }}",
        "{% for one in label | select %}{{ loop.cycle('a', 'b') }}{{ loop.length }}{% endfor %}",
        "{% for name in range(3) %}{{ name }}{% endfor %}",
        "{{ created_at.strftime('%Y-%m-%d') }}",
        "{{ created_at.strftime('%Ss %%s') }}",
        "{{ '{:%H:%M}'.format(created_at) }}",
        "{{ ('<b>{}</b>' | safe).format(title) }}",
        "{{ '{a}'.format_map({'a': title}) }}",
        "{{ created_at.timestamp() }}",
        "{{ created_at.isoformat() }}",
        "{% block a %}x{% endblock %}{{ self.a() }}",
    ],
)
def test_methods_and_filters_still_work(text: str) -> None:
    assert [] == lines(read(_comment(text)))


@pytest.mark.parametrize(
    "text",
    [
        "{{ commits[0].commit_message }}",
        "{{ commits[-1].author }} {{ commits[0].date_author.year }}",
        "{{ (commits | first).email_author }}",
        "{{ label[0] }}",
        "{{ approved_reviews_by[0] }}",
        "{{ co_authors[0].name }}",
        "{{ updates[0].head_sha }}",
        "{{ check_success[0] }}",
        "{{ files | first }}",
        "{{ commits_behind + 1 }}",
    ],
)
def test_a_template_may_use_the_first_item_of_a_list(text: str) -> None:
    """It is validated with a pull request that has one commit, one review, one label and so on."""
    assert [] == lines(read(_comment(text)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{% for commit in commits %}{{ commit.titel }}{% endfor %}", "has no attribute 'titel'"),
        ("{{ label[0].name }}", "has no attribute 'name'"),
    ],
)
def test_an_unknown_field_of_a_list_item_is_an_error(text: str, reason: str) -> None:
    assert reason in only_error(_comment(text)).message


_OF_OTHER_PULL_REQUESTS = [
    "{{ title.split(':')[1] }}",
    "{{ (title | lower).split(':')[1] | trim }}",
    "{{ body.split('## Changes')[1].split('##')[0] }}",
    "{{ body.splitlines()[12] }}",
    "{{ head.split('/')[-3] }}",
    "{{ title[200] }}",
    "{{ title[title.index(':'):] }}",
    "{% set kind, rest = title.split(': ') %}{{ rest }}",
    "{{ commits[3].author }}",
    "{{ label[2] }}",
    "{{ milestone.split() | first }}",
    "{{ 100 // (title | int) }}",
]


@pytest.mark.parametrize("text", _OF_OTHER_PULL_REQUESTS)
def test_an_expression_that_does_not_fit_every_pull_request(text: str) -> None:
    """It fits some, so it is valid; on others, the simulation says why it cannot be rendered."""
    assert [] == lines(read(_comment(text)))
    assert [] == lines(read(_queue(text)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{ title.split(':')[1] }} {{ titel }}", "Unknown variable: titel; did you mean `title`?"),
        ("{{ title.split(':')[1].uper() }}", "'str object' has no attribute 'uper'"),
        ("{{ commits[3].autor }}", "has no attribute 'autor'"),
        ("{{ 1 // 0 }}", "integer division or modulo by zero"),
        ("{{ title.nothing[1] }}", "'str object' has no attribute 'nothing'"),
    ],
)
def test_an_expression_that_fits_no_pull_request(text: str, reason: str) -> None:
    assert reason in only_error(_comment(text)).message
