"""How the invented repository is set up on its platform: with three faults that its queue suffers from."""

from hashlib import sha1

from mergecast.demo.ci_checks import NAMES, SLOW

BASE_REF = "main"
_NEVER = "license scan"  # required, and no group starts its workflow
_NOT_REQUIRED = ("docs", "bundle size")
_ON = "on:\n  pull_request:\n  merge_group:\n"


def workflows() -> dict[str, str]:
    """The texts of the workflow files by their paths."""
    checks = "".join(_job(name, "    timeout-minutes: 50\n" if name == SLOW else "") for name in NAMES)
    return {
        ".github/workflows/ci.yml": f"name: CI\n{_ON}jobs:\n{checks}",
        # Nobody added `merge_group` here when the queue was switched on.
        ".github/workflows/licenses.yml": f"name: Licenses\non:\n  pull_request:\njobs:\n{_job(_NEVER)}",
        # `push` has no filter, so it reaches the branches of groups as well.
        ".github/workflows/site.yml": f"name: Site\n{_ON}  push:\njobs:\n{_job('site')}",
    }


def rules() -> dict[str, object]:
    """What the rules of the branch say."""
    return {
        "required": sorted({*NAMES, _NEVER} - set(_NOT_REQUIRED)),
        "queue": {
            "check_response_timeout_minutes": 120,
            "grouping_strategy": "ALLGREEN",
            "max_entries_to_build": 5,
            "max_entries_to_merge": 5,
            "merge_method": "SQUASH",
            "min_entries_to_merge": 1,
            "min_entries_to_merge_wait_minutes": 5,
        },
    }


def commit() -> str:
    """The commit that has these files."""
    return sha1("".join(workflows().values()).encode(), usedforsecurity=False).hexdigest()


def _job(name: str, more: str = "") -> str:
    id = name.replace(" ", "-").replace("(", "").replace(")", "")
    return f"  {id}:\n    name: {name}\n    runs-on: ubuntu-latest\n{more}    steps: [{{run: make {id}}}]\n"
