"""`mergecast schema`: the JSON schema of the configuration document."""

from mergecast.cli.documents import LocalJudge
from mergecast.cli.output import print_json


def schema() -> None:
    """Print the JSON schema of the configuration document, for editors."""
    from mergecast.judge.messages import SCHEMA, SchemaQuestion

    with LocalJudge() as judge:
        print_json(judge.ask(SCHEMA, SchemaQuestion(), dict[str, object]))
