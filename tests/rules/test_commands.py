"""Who may run the commands that a document restricts."""

from typing import Any

from mergecast.language.conditions.attribute import AllowedIn
from mergecast.language.conditions.result import LeafResult, Truth, leaf_results
from mergecast.language.rules.simulation import CommandResult
from mergecast.queues.model.snapshot import Snapshot
from rules.builders import BARE, notes, simulated, snapshot, tree

PERMISSIONS = {"zoe": "admin", "bob": "write", "carl": "read", "ann": "read"}
KNOWN = snapshot(permissions=PERMISSIONS, teams={"acme/core": ("carl", "bob")})


def commands_of(restrictions: dict[str, Any], seen: Snapshot = KNOWN) -> tuple[CommandResult, ...]:
    return simulated({"commands_restrictions": restrictions}, seen).commands


def allowed(conditions: list[Any], seen: Snapshot = KNOWN) -> tuple[str, ...] | None:
    (command,) = commands_of({"queue": {"conditions": conditions}}, seen)
    return command.allowed


def sender_leaves(command: CommandResult) -> list[LeafResult]:
    return [
        leaf
        for leaf in leaf_results(command.conditions)
        if leaf.condition.attribute.allowed_in is AllowedIn.COMMANDS
    ]


def test_only_restricted_commands_are_evaluated_sorted_by_name() -> None:
    restricted = commands_of({"update": {}, "copy": {}, "backport": {"conditions": ["base = main"]}})

    assert ["backport", "copy", "update"] == [command.command for command in restricted]


def test_what_depends_on_the_sender_says_so() -> None:
    (command,) = commands_of({"queue": {"conditions": ["sender-permission >= write", "base = dev"]}}, BARE)
    (leaf,) = sender_leaves(command)

    assert (Truth.UNKNOWN, "depends on who runs the command") == (leaf.truth, leaf.missing)
    assert Truth.FAILS is command.conditions.truth
    assert command.allowed is None


def test_logins_that_would_be_allowed() -> None:
    assert ("bob", "zoe") == allowed(["sender-permission >= write"])
    assert ("bob",) == allowed(["sender-permission >= write", "sender = @core"])
    assert ("ann",) == allowed(["sender = {{ author }}"])
    assert ("ann", "bob", "carl") == allowed([{"not": {"and": ["sender = zoe"]}}])
    assert () == allowed(["sender-permission >= write", "base = dev"])
    assert ("ann", "bob", "carl", "zoe") == allowed([{"or": ["sender = bob", "base = main"]}])


def test_defaults_of_a_command_without_conditions() -> None:
    queue, update = commands_of(
        {"queue": {}, "update": {}}, snapshot(permissions=PERMISSIONS, pull={"from_fork": True})
    )

    assert {"all": ["sender-permission >= write"]} == tree(queue.conditions)
    assert ("bob", "zoe") == queue.allowed
    assert ("ann", "bob", "zoe") == update.allowed


def test_at_most_ten_logins_are_named() -> None:
    many = snapshot(permissions={f"u{number:02}": "write" for number in range(13)})
    (command,) = commands_of({"queue": {}}, many)

    assert (tuple(f"u{number:02}" for number in range(10)), 3) == (command.allowed, command.more_allowed)


def test_without_permissions_no_one_can_be_named() -> None:
    simulation = simulated({"commands_restrictions": {"queue": {}}})

    assert ["It is not known who may run the commands: no permissions were recorded"] == notes(simulation)
