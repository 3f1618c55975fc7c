"""`mergecast verify`: read the whole store once and compare its facts with its events."""

from typing import Any

from mergecast.cli.connection import connect
from mergecast.cli.options import DataDir, Token, Url
from mergecast.cli.output import counted, steps_progress
from mergecast.errors import MergecastError


class VerificationFailed(MergecastError):
    """The answer is that the store is damaged, or that facts and events disagree."""


def verify(data_dir: DataDir = None, url: Url = None, token: Token = None) -> None:
    """Read everything once and compare derived data with events; changes nothing."""
    done, problems = 0, list[str]()
    with connect(data_dir, url, token) as client, steps_progress() as bars:
        bar = bars.add_task("verifying", total=None)
        for step in client.verify():
            done = step["done"]
            problems += _problems(step)
            bars.update(bar, total=step["of"], completed=done, description=step["repository"])
    if problems:
        raise VerificationFailed("verification failed:\n" + "\n".join(problems))
    print(f"verified {counted(done, 'repository', 'repositories')}: everything is readable and consistent")


def _problems(step: dict[str, Any]) -> list[str]:
    name = step["repository"]
    if "unreadable" in step:
        return [f"{name}: {step['unreadable']}"]
    examples, advice = step["examples"], []
    if step["differences"]:
        advice.append(
            f"{name}: {step['differences']} rows of derived data differ; `mergecast rebuild` recomputes them"
        )
    if step["wrong"]:
        advice.append(
            f"{name}: {step['wrong']} keys or counts are wrong; export its events, delete it and import them"
        )
    return [*advice, *(f"  {example}" for example in examples)]
