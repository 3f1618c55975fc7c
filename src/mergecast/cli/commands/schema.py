"""`mergecast schema`: the JSON schema of the configuration document."""

import msgspec

from mergecast.cli.judging import ask_once
from mergecast.judge.messages import SCHEMA, SchemaQuestion


def schema() -> None:
    """Print the JSON schema of the configuration document, for editors."""
    made = ask_once(SCHEMA, SchemaQuestion(), dict[str, object])
    print(msgspec.json.format(msgspec.json.encode(made), indent=2).decode())
