"""What the rules of the audit look at, and the form of what they find."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mergecast.language.audit.expressions import Node, Template
from mergecast.language.audit.jobs import Jobs, Placed
from mergecast.queues.answers.audit import BranchRules, KeptCheck

ENOUGH_GROUPS = 20  # from so many kept groups on, a check that was never reported on one never is
_LONGEST_SHOWN = 100
_GATE = re.compile(
    r"(?<![a-z])(all|ci|checks?|required?|gate|success|done|pass(ed)?|complete|conclusion|result|status|ok"
    r"|finish(ed)?)(?![a-z])",
    re.IGNORECASE,
)
_MOST_STEPS_OF_GATES = 3


class Setup(NamedTuple):
    jobs: Jobs
    rules: BranchRules
    history: Mapping[str, KeptCheck] | None
    groups_kept: int

    def may_be_built(self, groups: int) -> bool:
        """Whether so many groups can be tested at once; true if no setting says otherwise."""
        most = self.rules.queue.max_entries_to_build if self.rules.queue else None
        return most is None or most >= groups

    def is_required(self, placed: Placed) -> bool | None:
        """Whether a check of this job is required; None if the rules are not known."""
        if self.rules.required is None:
            return None
        return any(placed is one for name in self.rules.required for one in self.jobs.called(name))

    def kept(self, placed: Placed) -> tuple[str, KeptCheck] | None:
        """What the store knows of a check of this job, if there is only one."""
        found = [(name, kept) for name, kept in (self.history or {}).items() if placed.is_called(name)]
        return found[0] if len(found) == 1 else None

    def gates(self) -> Iterator[Placed]:
        """Jobs that wait for two others or more while no job waits for them: they say whether all passed."""
        for placed in self.jobs.placed:
            job = placed.job
            is_last = not any(job.id in other.needs for other in placed.jobs.values())
            if not is_last or len(job.needs) <= 1 or placed.callers:
                continue
            is_required = self.is_required(placed)
            if is_required is None:
                is_small = len(job.steps) <= _MOST_STEPS_OF_GATES and job.matrix is None and not job.uses
                is_required = is_small and bool(_GATE.search(placed.shown) or _GATE.search(job.id))
            if is_required and self.jobs.is_on_groups(placed) is not False:
                yield placed


def condition_line(placed: Placed) -> int:
    """The line of a job's `if`, else that of the job."""
    return placed.job.condition.line if placed.job.condition else placed.job.line


def quoted(name: str) -> str:
    """A name from a file, for a sentence: at most 100 characters, none that controls what is shown."""
    plain = "".join("�" if unicodedata.category(one) in ("Cc", "Cf", "Zl", "Zp") else one for one in name)
    plain = plain.replace("`", "'")
    return f"`{plain if len(plain) <= _LONGEST_SHOWN else plain[: _LONGEST_SHOWN - 1] + '…'}`"


def quoted_list(names: "list[str] | tuple[str, ...]", most: int = 5) -> str:
    """Names joined by commas and *and*; those beyond the first few are counted."""
    shown = [quoted(name) for name in names[:most]]
    if len(names) > most:
        shown.append(f"{len(names) - most} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def paths_named(template: Template) -> set[str]:
    """What the expressions of a text name, as `github.event_name`."""
    found: set[str] = set()
    for part in template:
        if isinstance(part, Node):
            found |= {path for node in part.walk() if (path := path_of(node)) is not None}
    return found


def path_of(node: Node) -> str | None:
    if node.kind == "name":
        return str(node.value)
    if node.kind in ("index", "star"):
        before = path_of(node.parts[0])
        if before is None or node.kind == "star":
            return before
        key = node.parts[1]
        return f"{before}.{str(key.value).lower()}" if key.kind == "literal" else before
    return None


def texts_named(template: Template) -> set[str]:
    """The texts that the expressions of a condition compare with, in lower case."""
    nodes = [node for part in template if isinstance(part, Node) for node in part.walk()]
    return {node.value.lower() for node in nodes if node.kind == "literal" and isinstance(node.value, str)}
