"""The section of a report about merge protections."""

from collections.abc import Iterator

from mergecast.conditions.outcome import Outcome
from mergecast.report.checklist import checklist
from mergecast.report.outline import Block, Folded, Heading, Paragraph, Prose, ReportPart, counted, section
from mergecast.rules.simulation import ProtectionResult, ProtectionsResult

_ICONS = {Outcome.SUCCESS: "✅", Outcome.PENDING: "⏳", Outcome.FAILURE: "❌"}
_OVERALL = {
    Outcome.SUCCESS: "✅ All active protections pass",
    Outcome.PENDING: "⏳ Pending: waiting can bring what is missing",
    Outcome.FAILURE: "❌ Failing: waiting alone does not bring what is missing",
}
NO_CONDITIONS = "No conditions: it always holds"


def merge_protections(result: ProtectionsResult | None) -> ReportPart:
    if result is None or not result.protections:
        return section("Merge protections")
    blocks = [block for protection in result.active for block in _active(protection)]
    idle = [protection for protection in result.protections if not protection.is_active]
    if idle:
        label = f"{counted(len(idle), 'protection')} not active on this pull request"
        blocks.append(Folded(label, tuple(block for one in idle for block in _inactive(one))))
    return section("Merge protections", Paragraph((_overall(result),)), *blocks)


def _overall(result: ProtectionsResult) -> str:
    if result.outcome is Outcome.SUCCESS and not result.active:
        return "✅ No protection is active on this pull request"
    return _OVERALL[result.outcome]


def _active(protection: ProtectionResult) -> Iterator[Block]:
    icon = _ICONS[protection.outcome] if protection.outcome else ""
    suffix = " (built in)" if protection.is_built_in else ""
    yield Heading(4, (f"{icon} ", Prose(protection.name), suffix))
    if protection.description:
        yield Paragraph((Prose(protection.description),))
    if protection.activity is not None and protection.activity.members:
        yield Paragraph(("Active because:",))
        yield checklist(protection.activity, when_empty=NO_CONDITIONS)
        yield Paragraph(("Must hold:",))
    yield checklist(protection.success, when_empty=NO_CONDITIONS)


def _inactive(protection: ProtectionResult) -> Iterator[Block]:
    yield Heading(4, (Prose(protection.name),))
    if protection.activity is not None:
        yield checklist(protection.activity, when_empty=NO_CONDITIONS)
