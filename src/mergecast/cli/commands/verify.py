"""`mergecast verify`: read the whole store once and compare its facts with its events."""

from typing import TYPE_CHECKING

from mergecast.cli.connection import connect
from mergecast.cli.options import HERE, Server
from mergecast.cli.output import steps_progress
from mergecast.errors import MergecastError
from mergecast.queues.model.words import counted

if TYPE_CHECKING:
    from mergecast.client.answers import VerifiedRepository


class VerificationFailed(MergecastError):
    """The answer is that the store is damaged, or that facts and events disagree."""


def verify(server: Server = HERE) -> None:
    """Read everything once and compare derived data with events; changes nothing."""
    done, problems = 0, list[str]()
    with connect(*server) as client, steps_progress() as bars:
        bar = bars.add_task("verifying", total=None)
        for step in client.verify():
            done = step.done
            problems += _problems(step)
            bars.update(bar, total=step.of, completed=done, description=step.repository)
    if problems:
        raise VerificationFailed("verification failed:\n" + "\n".join(problems))
    print(f"verified {counted(done, 'repository', 'repositories')}: everything is readable and consistent")


def _problems(step: "VerifiedRepository") -> list[str]:
    name, advice = step.repository, []
    if step.unreadable is not None:
        return [f"{name}: {step.unreadable}"]
    if step.differences:
        advice.append(
            f"{name}: {step.differences} rows of derived data differ; `mergecast rebuild` recomputes them"
        )
    if step.wrong:
        advice.append(
            f"{name}: {step.wrong} keys or counts are wrong; export its events, delete it and import them"
        )
    return [*advice, *(f"  {example}" for example in step.examples)]
