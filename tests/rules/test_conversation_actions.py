"""What each action on people, labels, comments and reviews would do, option by option."""

from typing import Any

import pytest

from mergecast.language.configuration.models.actions import Actions
from mergecast.language.rules.actions import ACTIONS
from mergecast.language.rules.simulation import Effect
from mergecast.queues.model.instant import DAY
from rules.builders import COMMIT, NOW, planned, review, snapshot

ACTS, NOTHING, CANNOT = Effect.ACTS, Effect.NOTHING, Effect.CANNOT
MERGED = {"merged": True, "closed": True, "merged_by": "bob", "merged_at": NOW - DAY, "closed_at": NOW - DAY}
CLOSED = {"closed": True, "closed_at": NOW - DAY}


def test_every_action_of_the_language_has_a_module() -> None:
    assert {field.alias or name for name, field in Actions.model_fields.items()} == set(ACTIONS)


@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_an_action_without_options_has_its_defaults(action: str) -> None:
    seen = snapshot(pull=MERGED, reviews=(), behind=1, commits=(COMMIT,))

    assert Actions.model_validate({action: None}) != Actions()
    if action not in {"queue", "update", "rebase"}:
        assert planned(action, None, seen)


@pytest.mark.parametrize(
    ("options", "assignees", "expected"),
    [
        ({"users": ["zoe"], "add_users": ["bob", "ann"]}, (), (ACTS, ["Would assign @ann, @bob, @zoe"])),
        ({"users": ["bob"]}, ("bob",), (NOTHING, ["Would not change the assignees"])),
        ({"add_users": ["{{ author }}"]}, (), (ACTS, ["Would assign @ann"])),
        (
            {"users": ["zoe"], "remove_users": ["bob", "carl"]},
            ("bob",),
            (ACTS, ["Would assign @zoe", "Would unassign @bob"]),
        ),
        (None, (), (NOTHING, ["Would not change the assignees"])),
    ],
)
def test_assign(options: Any, assignees: tuple[str, ...], expected: Any) -> None:
    assert expected == planned("assign", options, snapshot(pull={"assignees": assignees}))


def test_assign_leaves_out_a_deleted_author() -> None:
    seen = snapshot(pull={"author": None})

    assert (NOTHING, ["Would not change the assignees"]) == planned(
        "assign", {"users": ["{{ author }}"]}, seen
    )


def test_close_renders_its_message() -> None:
    expected = "Would close the pull request with the message: Sorry @ann, `fix` is not wanted"

    assert (ACTS, [expected]) == planned(
        "close", {"message": "Sorry @{{ author }}, `{{head}}` is not wanted"}
    )
    closed = (NOTHING, ["Would not close the pull request: it is already closed"])
    assert closed == planned("close", None, snapshot(pull=CLOSED))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (None, (NOTHING, ["Would not comment: no message is set"])),
        ({"message": "hi"}, (ACTS, ["Would post the comment: hi"])),
        ({"message": "hi", "bot_account": "{{ author }}"}, (ACTS, ["Would post the comment as @ann: hi"])),
        (
            {"message": "{{ labels }}|{{ assignees }}|{{ number }}|{{ base }}"},
            (ACTS, ["Would post the comment: bug, wip|@bob, @carl|7|main"]),
        ),
    ],
)
def test_comment(options: Any, expected: Any) -> None:
    seen = snapshot(pull={"labels": ("bug", "wip"), "assignees": ("bob", "carl")})

    assert expected == planned("comment", options, seen)


REVIEWED = snapshot(
    pull={"requested_reviewers": ("bob",), "requested_teams": ("core",)},
    reviews=(
        review("bob", "APPROVED"),
        review("carl", "APPROVED"),
        review("dora", "CHANGES_REQUESTED"),
        review("emil", "COMMENTED"),
    ),
    teams={"acme/core": ("dora",)},
)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (None, "Would dismiss the reviews of @bob, @carl, @dora when new commits are pushed"),
        ({"when": "always"}, "Would dismiss the reviews of @bob, @carl, @dora"),
        ({"when": "always", "approved": False}, "Would dismiss the reviews of @dora"),
        ({"when": "always", "changes_requested": False}, "Would dismiss the reviews of @bob, @carl"),
        (
            {"when": "always", "approved": ["carl"], "changes_requested": False},
            "Would dismiss the reviews of @carl",
        ),
        (
            {"when": "always", "approved": False, "changes_requested": ["@acme/core"]},
            "Would dismiss the reviews of @dora",
        ),
        (
            {
                "when": "always",
                "approved": "from_requested_reviewers",
                "changes_requested": "from_requested_reviewers",
            },
            "Would dismiss the reviews of @bob, @dora",
        ),
    ],
)
def test_dismiss_reviews(options: Any, expected: str) -> None:
    assert (ACTS, [expected]) == planned("dismiss_reviews", options, REVIEWED)


def test_dismiss_reviews_shows_its_message_or_that_there_is_nothing_to_dismiss() -> None:
    assert ["Would dismiss the reviews of @dora", "With the message: again"] == planned(
        "dismiss_reviews", {"approved": False, "when": "always", "message": "again"}, REVIEWED
    )[1]
    assert (NOTHING, ["Would dismiss no review"]) == planned("dismiss_reviews", None, snapshot(reviews=()))


def test_a_plan_that_needs_an_unrecorded_part_is_unknown() -> None:
    expected = (Effect.UNKNOWN, ["Not known: no reviews were recorded"])

    assert expected == planned("dismiss_reviews", None)
    assert expected == planned("request_reviews", {"users": ["bob"]})
    assert expected == planned("comment", {"message": "{{ approvers }}"})


@pytest.mark.parametrize(
    ("draft", "options", "expected"),
    [
        (False, {"draft": True}, (ACTS, ["Would convert the pull request to a draft"])),
        (True, {"draft": False}, (ACTS, ["Would mark the pull request as ready for review"])),
        (
            True,
            {"draft": False, "bot_account": "robot"},
            (ACTS, ["Would mark the pull request as ready for review as @robot"]),
        ),
        (True, {"draft": True}, (NOTHING, ["Would leave the draft state unchanged"])),
        (False, None, (NOTHING, ["Would leave the draft state unchanged"])),
    ],
)
def test_edit(draft: bool, options: Any, expected: Any) -> None:  # noqa: FBT001
    assert expected == planned("edit", options, snapshot(pull={"draft": draft}))


@pytest.mark.parametrize(
    ("dispatch", "expected"),
    [
        ([], (NOTHING, ["Would dispatch no workflow"])),
        ([{"workflow": "x.yml"}], (ACTS, ["Would dispatch the workflow 'x.yml' on 'main'"])),
        (
            [
                {"workflow": "x.yml", "ref": "dev", "inputs": {"b": True, "a": "{{ author }}", "c": 3}},
                {"workflow": "12"},
            ],
            (
                ACTS,
                [
                    "Would dispatch the workflow 'x.yml' on 'dev' with inputs a=ann, b=true, c=3",
                    "Would dispatch the workflow '12' on 'main'",
                ],
            ),
        ),
    ],
)
def test_github_actions(dispatch: Any, expected: Any) -> None:
    assert expected == planned("github_actions", {"workflow": {"dispatch": dispatch}})


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"add": ["b", "a"]}, (ACTS, ["Would add the labels 'a', 'b'"])),
        ({"add": ["BUG", "new"]}, (ACTS, ["Would add the label 'new'"])),
        ({"remove": ["BUG", "absent"]}, (ACTS, ["Would remove the label 'bug'"])),
        ({"remove_all": True, "add": ["wip"]}, (ACTS, ["Would remove the label 'bug'"])),
        (
            {"toggle": ["new"], "remove": ["wip"]},
            (ACTS, ["Would add the label 'new'", "Would remove the label 'wip'"]),
        ),
        ({"toggle": ["wip"]}, (NOTHING, ["Would not change the labels"])),
        (None, (NOTHING, ["Would not change the labels"])),
    ],
)
def test_label(options: Any, expected: Any) -> None:
    assert expected == planned("label", options, snapshot(pull={"labels": ("bug", "wip")}))


TEAMS = {"acme/core": ("bob", "fay"), "acme/web": ("gus",)}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"users": ["zoe", "ann", "emil", "carl"]}, (ACTS, ["Would request reviews from @zoe"])),
        ({"teams": ["web", "@acme/core"]}, (ACTS, ["Would request reviews from @acme/core, @acme/web"])),
        ({"users_from_teams": ["core"]}, (ACTS, ["Would request reviews from @bob, @fay"])),
        (
            {"users": {"zoe": 2, "hal": 1}, "users_from_teams": {"web": 3}, "random_count": 2},
            (ACTS, ["Would request 2 reviews picked among @gus, @hal, @zoe"]),
        ),
        (
            {"users": ["zoe", "hal"], "random_count": 1, "bot_account": "robot"},
            (ACTS, ["Would request 1 review picked among @hal, @zoe as @robot"]),
        ),
        ({"users": ["zoe"], "random_count": 5}, (ACTS, ["Would request reviews from @zoe"])),
        (
            {"users": ["ann"]},
            (NOTHING, ["Would request no reviews: no one is left to ask"]),
        ),
        (None, (NOTHING, ["Would request no reviews: no one is left to ask"])),
        ({"users_from_teams": ["none"]}, (CANNOT, ["Would fail: Team `@none` does not exist"])),
    ],
)
def test_request_reviews(options: Any, expected: Any) -> None:
    seen = snapshot(
        pull={"requested_reviewers": ("carl",)}, reviews=(review("emil", "COMMENTED"),), teams=TEAMS
    )

    assert expected == planned("request_reviews", options, seen)


@pytest.mark.parametrize(
    ("requested", "expected"),
    [
        (14, (ACTS, ["Would request 1 review picked among @hal, @zoe"])),
        (15, (NOTHING, ["Would request no reviews: 15, the maximum, are already requested"])),
    ],
)
def test_at_most_fifteen_reviews_are_requested(requested: int, expected: Any) -> None:
    seen = snapshot(pull={"requested_reviewers": tuple(f"r{n}" for n in range(requested))}, reviews=())

    assert expected == planned("request_reviews", {"users": ["zoe", "hal"]}, seen)


@pytest.mark.parametrize(
    ("options", "pull", "expected"),
    [
        (None, {}, (ACTS, ["Would approve the pull request"])),
        ({"message": "by {{ author }}"}, {}, (ACTS, ["Would approve the pull request: by ann"])),
        ({"type": "REQUEST_CHANGES"}, {}, (ACTS, ["Would request changes"])),
        (
            {"type": "REQUEST_CHANGES", "message": "no", "bot_account": "robot"},
            {},
            (ACTS, ["Would request changes as @robot: no"]),
        ),
        ({"type": "COMMENT", "message": "so"}, MERGED, (ACTS, ["Would comment in a review: so"])),
        (None, MERGED, (NOTHING, ["Would not review: the pull request is already merged"])),
    ],
)
def test_review(options: Any, pull: dict[str, Any], expected: Any) -> None:
    assert expected == planned("review", options, snapshot(pull=pull))


def test_a_template_that_fails_on_this_pull_request_is_reported() -> None:
    effect, (text,) = planned("comment", {"message": "{{ 1 // (number - 7) if number else 0 }}"})

    assert (CANNOT, "Would fail: Template syntax error: integer division or modulo by zero") == (effect, text)


@pytest.mark.parametrize(
    ("users", "random_count", "expected"),
    [
        (["zoe", "hal", "carl"], 2, (ACTS, ["Would request 1 review picked among @hal, @zoe"])),
        (["zoe", "hal", "carl", "emil"], 3, (ACTS, ["Would request 1 review picked among @hal, @zoe"])),
        (
            ["zoe", "carl", "emil"],
            2,
            (NOTHING, ["Would request no reviews: 2 of the candidates are already involved"]),
        ),
        (["zoe", "rita"], 1, (ACTS, ["Would request 1 review picked among @rita, @zoe"])),
        (["rita"], None, (ACTS, ["Would request reviews from @rita"])),
    ],
)
def test_random_reviews_count_those_already_involved(
    users: list[str], random_count: int | None, expected: Any
) -> None:
    """Carl is requested and Emil has reviewed. Rita has too, but without write access."""
    seen = snapshot(
        pull={"requested_reviewers": ("carl",)},
        reviews=(review("emil", "COMMENTED"), review("rita", "APPROVED")),
        permissions={"emil": "write", "rita": "read"},
    )

    assert expected == planned("request_reviews", {"users": users, "random_count": random_count}, seen)
