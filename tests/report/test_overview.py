"""What a document does: one sentence per named item."""

from datetime import date

import pytest

from mergecast.language.configuration.models.actions import Actions
from mergecast.language.configuration.read import read_configuration
from mergecast.language.rules.overview import Overview, overview


def _overview(text: str) -> Overview:
    verdict = read_configuration(text, today=date(2026, 11, 16))
    assert verdict.configuration is not None, [error.text for error in verdict.errors]
    return overview(verdict.configuration)


def _rule(actions: str, conditions: str = "[]") -> str:
    text = f"pull_request_rules: [{{name: it, conditions: {conditions}, actions: {{{actions} }}}}]"
    text += "\nqueue_rules: [{name: default}]"
    return _overview(text).rules[0].sentence.text


ACTIONS = [
    (
        "assign: {users: [ann], add_users: [bob], remove_users: [zoe]}",
        "assigns @ann, @bob and unassigns @zoe",
    ),
    ("assign:", "changes no assignee"),
    ("backport: {branches: [v1, v2]}", "backports it to 'v1', 'v2' once it is merged"),
    ("close:", "closes it"),
    ("comment: {message: hello}", "posts a comment"),
    ("comment:", "posts no comment"),
    ("copy: {branches: [next], regexes: [^v]}", "copies it to 'next' and branches like '^v'"),
    ("copy:", "copies it to no branch"),
    ("delete_head_branch:", "deletes its branch once it is closed"),
    ("dismiss_reviews:", "dismisses approvals and change requests after new commits"),
    ("dismiss_reviews: {approved: [ann], changes_requested: false, when: always}", "dismisses approvals"),
    ("dismiss_reviews: {approved: false, changes_requested: false}", "dismisses no review"),
    ("edit: {draft: true}", "makes it a draft"),
    ("edit: {draft: false}", "marks it as ready for review"),
    ("edit:", "edits nothing"),
    ("github_actions: {workflow: {dispatch: [{workflow: a.yml}]}}", "starts 'a.yml'"),
    ("github_actions:", "starts no workflow"),
    (
        "label: {add: [a], remove: [b, c], toggle: [d]}",
        "adds the label 'a', removes the labels 'b', 'c' and toggles the label 'd'",
    ),
    ("label: {remove_all: true}", "removes every label"),
    ("label:", "changes no label"),
    ("label: {add: [a, b, c, d, e, f, g]}", "adds the labels 'a', 'b', 'c', 'd', 'e' and 2 more"),
    ("merge:", "merges it"),
    ("merge: {method: squash}", "merges it with the squash method"),
    ("post_check:", "posts a check"),
    ("queue:", "queues it in the first queue that admits it"),
    ("queue: {name: default}", "queues it in 'default'"),
    ("rebase:", "rebases it"),
    ("request_reviews: {users: [ann], teams: ['@acme/core']}", "requests reviews from @ann, @acme/core"),
    (
        "request_reviews: {users_from_teams: ['@acme/core'], random_count: 2}",
        "requests 2 reviews picked among members of @acme/core",
    ),
    ("request_reviews:", "requests no review"),
    ("review:", "approves it"),
    ("review: {type: REQUEST_CHANGES}", "requests changes"),
    ("review: {type: COMMENT, message: x}", "comments in a review"),
    ("squash:", "squashes its commits"),
    ("update:", "updates it with its base"),
    ("", "is only reported"),
]


@pytest.mark.parametrize(("actions", "expected"), ACTIONS)
def test_actions(actions: str, expected: str) -> None:
    """A few words for each action and its options."""
    assert _rule(actions) == f"on every pull request, {expected}"


def test_every_action_is_described() -> None:
    """A new action cannot be forgotten here."""
    described = {actions.partition(":")[0] for actions, _ in ACTIONS if actions}

    assert described == {field.alias or name for name, field in Actions.model_fields.items()}


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ("[base = main]", "when 'base = main', merges it"),
        ("[base = main, label = a, draft]", "when 'base = main', 'label = a' and 'draft', merges it"),
        ("[base = main, label = a, draft, -conflict]", "depending on 4 conditions, merges it"),
        ("[{or: [label = a, {not: {and: [label = b]}}]}]", "depending on 2 conditions, merges it"),
        ("[{not: draft}]", "depending on 1 condition, merges it"),
    ],
)
def test_conditions(conditions: str, expected: str) -> None:
    """A few plain conditions are repeated, others counted."""
    assert expected == _rule("merge:", conditions)


def test_the_whole_document() -> None:
    """Rules, queues, priorities, protections and settings."""
    found = _overview("""
        pull_request_rules:
          - {name: paused, disabled: {reason: later}, conditions: [draft], actions: {merge: , comment: }}
        queue_rules:
          - {name: fast, queue_conditions: [label = fast], merge_method: squash}
          - name: slow
            batch_size: {min: 2, max: 8}
            merge_conditions: [check-success = ci]
          - {name: batch, batch_size: 4}
        priority_rules:
          - {name: hot, conditions: [label = hot], priority: high}
          - {name: own, conditions: [label = own], priority: 42}
        merge_protections:
          - {name: two, if: [base = main], success_conditions: ["#approved-reviews-by >= 2"]}
          - {name: none, if: [], success_conditions: []}
        merge_protections_settings: {auto_merge_conditions: [author = ann]}
        scopes: {source: {files: {web: {}, api: {}}}}
        commands_restrictions: {queue: {}, copy: {}}
    """)
    texts = {
        entry.name: entry.sentence.text
        for entry in (*found.rules, *found.queues, *found.priorities, *found.protections)
    }

    assert texts == {
        "paused": "disabled: when 'draft', posts no comment and merges it",
        "fast": "takes pull requests when 'label = fast', with the squash method, in batches of one",
        "slow": "takes pull requests of every kind, and merges them when 'check-success = ci', "
        "in batches of 2 to 8",
        "batch": "takes pull requests of every kind, in batches of 4",
        "hot": "when 'label = hot', gives priority high",
        "own": "when 'label = own', gives priority 42",
        "two": "when 'base = main', needs '#approved-reviews-by >= 2'",
        "none": "on every pull request, needs nothing",
    }
    assert [one.text for one in found.settings] == [
        "Auto-merge is on when 'author = ann'",
        "Scopes follow from the changed files: 'api', 'web'",
        "Restricts the commands 'copy', 'queue'",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("scopes: {source: {manual: }}", "Scopes of pull requests are uploaded"),
        (
            "merge_protections_settings: {auto_merge_conditions: true}",
            "Auto-merge is on for every pull request",
        ),
        (
            "conflict_resolvers: [{paths: [a.md], strategy: union}]",
            "Resolves conflicts (preview). Files 'a.md': the strategy `union` keeps the lines of both sides",
        ),
        ("commands_restrictions: {queue: {}}", "Restricts the command 'queue'"),
    ],
)
def test_settings(text: str, expected: str) -> None:
    """Settings are mentioned only if the document has them."""
    assert [one.text for one in _overview(text).settings] == [expected]


def test_an_empty_document() -> None:
    """There is nothing to say."""
    assert _overview("") == Overview((), (), (), (), ())
