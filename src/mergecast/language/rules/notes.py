"""Notes on a simulation: missing parts of the snapshot, likely mistakes, products that are off."""

from collections.abc import Collection, Iterator

from mergecast.language.conditions.facts.metadata import depends_on
from mergecast.language.conditions.result import LeafResult, Result, leaf_results
from mergecast.language.conditions.slips import slips
from mergecast.language.configuration.models.configuration import SECTIONS, Configuration, unused_sections
from mergecast.language.rules.auto_merge import uses_queue
from mergecast.language.rules.branch_protection import incompatibilities
from mergecast.language.rules.commands import DEPENDS_ON_SENDER
from mergecast.language.rules.context import Context
from mergecast.language.rules.injected import may_be_stacked
from mergecast.language.rules.protections import may_be_active
from mergecast.language.rules.sentence import Name, Passage, Sentence, sentence
from mergecast.language.rules.simulation import Simulation
from mergecast.queues.model.repository import DOCUMENT_PATHS, several_documents
from mergecast.queues.model.snapshot import Part


def find_notes(simulation: Simulation, context: Context) -> tuple[Sentence, ...]:
    """Every note once, in a fixed order."""
    judged = [leaf for tree in _trees(simulation) for leaf in leaf_results(tree)]
    found = (
        *_products(context, simulation),
        *_several_documents(context),
        *_not_recorded(judged),
        *_not_injected(simulation, context),
        *_not_known(simulation, context),
        *(incompatibilities(context) if simulation.queue else ()),
        *_spellings(judged),
    )
    return tuple(dict.fromkeys(found))


def _trees(simulation: Simulation) -> Iterator[Result]:
    for rule in simulation.rules:
        yield rule.conditions
    if simulation.queue:
        for queue in simulation.queue.queues:
            yield from (queue.admission, queue.merging)
        for priority in simulation.queue.priority.rules:
            yield priority.conditions
    for protection in simulation.protections.protections if simulation.protections else ():
        yield from (protection.activity, protection.success) if protection.activity else (protection.success,)
    if simulation.auto_merge:
        yield simulation.auto_merge.conditions
    for command in simulation.commands:
        yield command.conditions


def notes_on_products(configuration: Configuration, products: Collection[str]) -> Iterator[Sentence]:
    """A note on each section that has no effect because its product is not enabled."""
    written = configuration.model_fields_set
    sections = [name for name in SECTIONS if name in written and getattr(configuration, name)]
    for unused in unused_sections(sections, products):
        yield sentence(
            f"The section `{unused.section}` is ignored: the product {unused.product_name} is not enabled"
        )


def _products(context: Context, simulation: Simulation) -> Iterator[Sentence]:
    if context.products is not None:
        yield from notes_on_products(context.configuration, context.products)
    elif simulation.auto_merge:
        state = "enabled, as the document has queues" if uses_queue(context) else "not enabled"
        yield sentence(
            "The products of the repository were never set; "
            f"auto-merge is simulated as if Merge Queue were {state}"
        )


def _several_documents(context: Context) -> Iterator[Sentence]:
    """Only those that the pull request adds or modifies are known."""
    changed = {file.path for file in context.snapshot.files or () if file.status != "removed"}
    present = [path for path in DOCUMENT_PATHS if path in changed]
    if len(present) > 1 and context.pull.base == context.pull.default_branch:
        reason = Passage(several_documents(present))
        yield sentence("The hosted service would not evaluate the pull request: ", reason)


def _not_recorded(judged: list[LeafResult]) -> Iterator[Sentence]:
    """What conditions needed and the snapshot does not have."""
    reasons = {reason for leaf in judged for reason in (leaf.missing, leaf.caveat) if reason}
    for reason in sorted(reasons - {DEPENDS_ON_SENDER}):
        yield sentence(reason[0].upper() + reason[1:])


def _not_injected(simulation: Simulation, context: Context) -> Iterator[Sentence]:
    """Conditions that the service would add if the snapshot had more parts."""
    merges = any("merge" in rule.actions for rule in simulation.rules)
    snapshot, pull = context.snapshot, context.pull
    if not merges and simulation.queue is None:
        return
    if snapshot.branch_protection is None:
        yield sentence("No branch protection was recorded, so none is added as a condition")
    if snapshot.rules is None:
        yield sentence("No rulesets were recorded, so none is added as a condition")
    if snapshot.files is None and pull.base == pull.default_branch:
        yield sentence("No files were recorded, so a change of the configuration is not noticed")


def _not_known(simulation: Simulation, context: Context) -> Iterator[Sentence]:
    for protection in simulation.protections.protections if simulation.protections else ():
        if may_be_active(protection):
            yield sentence(
                "It is not known whether the merge protection ", Name(protection.name), " is active"
            )
    if simulation.queue and simulation.queue.scopes and simulation.queue.scopes.missing:
        reason = simulation.queue.scopes.missing
        yield sentence(f"The scopes of the pull request are not known: {reason}")
    if any(command.allowed is None for command in simulation.commands):
        yield sentence(f"It is not known who may run the commands: {Part.PERMISSIONS.absent}")
    states = context.snapshot.dependencies or {}
    for reference in depends_on(context.pull) if simulation.queue else ():
        if may_be_stacked(context, reference) and states.get(reference) == "open":
            yield sentence("The snapshot does not say whether ", Name(reference), " is queued ahead")


def _spellings(judged: list[LeafResult]) -> Iterator[Sentence]:
    for leaf in judged:
        condition = leaf.condition
        if condition.is_injected:
            continue
        if condition.written_name:
            advice = f"write `{condition.attribute.name}`"
            yield sentence(f"`{condition.written_name}` is deprecated, {advice}")
        for slip in slips(condition):
            yield sentence("In the condition ", Name(condition.text), ": ", Passage(slip))
