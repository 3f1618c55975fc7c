"""The comment about a document on a pull request, as Markdown."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mergecast.cli.check_formats import CheckedFile, conclusion, location
from mergecast.forecasting.forecast.answer import ForecastAnswer
from mergecast.forecasting.forecast.wording import COLUMNS, forecast_rows, headline, trust_lines

MARKER = "<!-- mergecast comment -->"
# GitHub takes at most 65,536 characters.
_LONGEST_REPORT = 50_000
_MOST_FINDINGS = 50
_ROWS = 5  # of the forecast's table: time to merge and CI


@dataclass(frozen=True, slots=True)
class Part:
    """What was found out, or why it was not."""

    title: str = ""
    text: str = ""
    missing: str | None = None


def comment_text(checked: CheckedFile, simulated: Part | None, forecast: Part | None, *, strict: bool) -> str:
    """Everything that a reviewer of this document wants to know first."""
    mark = "❌" if checked.fails(strict=strict) else "✅"
    parts = [f"{MARKER}\n## {mark} {_plain(conclusion(checked, strict=strict))}"]
    found = [
        f"{location(checked.name, finding)}: {finding.severity.word}: {finding.message}"
        for finding in checked.findings
    ]
    if found:
        more = len(found) - _MOST_FINDINGS
        lines = found[:_MOST_FINDINGS] + ([f"and {more} more"] if more > 0 else [])
        parts.append(_fenced(lines))
    if simulated is not None:
        parts.append(_section("Open pull requests", simulated))
    if forecast is not None:
        parts.append(_section("Time to merge and CI", forecast))
    return "\n\n".join(parts) + "\n"


def simulation_part(title: str, summary: str) -> Part:
    """The report about all open pull requests, folded up."""
    return Part(title, _folded("What would happen to each of them", _shortened(summary)))


def forecast_part(answer: ForecastAnswer) -> Part:
    """The figures that the document would change, and how far to trust them."""
    rows = list(forecast_rows(answer))[:_ROWS]
    table = [COLUMNS, ("---",) * len(COLUMNS), *rows]
    lines = [f"| {' | '.join(map(_plain, row))} |" for row in table]
    trust = "\n".join(f"- {_plain(line)}" for line in trust_lines(answer))
    folded = _folded("How far to trust these figures", trust)
    return Part(_plain(headline(answer)), "\n".join(lines) + f"\n\n{folded}")


def outputs(checked: CheckedFile, answer: ForecastAnswer | None) -> dict[str, str]:
    """What later steps of a workflow may want to know."""
    judged = checked.judged
    found = {
        "valid": str(not judged.errors).lower(),
        "errors": str(len(judged.errors) + judged.more_errors),
        "deprecations": str(len(judged.deprecations)),
        "hints": str(len(judged.hints)),
    }
    if answer is not None:
        for side, figures in (("baseline", answer.baseline), ("candidate", answer.candidate)):
            found[f"{side}-time-to-merge-p95"] = _number(figures.time_to_merge_p95.value)
            found[f"{side}-ci-runs-per-merge"] = _number(figures.ci_runs_per_merge.value)
    return found


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _section(name: str, part: Part) -> str:
    if part.missing is not None:
        return f"### {name}\n\n{_fenced(part.missing.splitlines())}"
    return f"### {name}\n\n{part.title}\n\n{part.text}"


def _folded(summary: str, text: str) -> str:
    return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>"


def _shortened(report: str) -> str:
    """Whole lines up to the limit."""
    if len(report) <= _LONGEST_REPORT:
        return report.rstrip("\n")
    kept = report[:_LONGEST_REPORT].rpartition("\n")[0]
    return f"{kept}\n\nThis is the beginning; `mergecast simulate` prints everything."


def _fenced(lines: Iterable[str]) -> str:
    """Text in which nothing is Markdown, HTML or a mention, whatever a document contains."""
    text = "\n".join(lines)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def _plain(text: str) -> str:
    """Words in which nothing is Markdown, HTML or a mention."""
    escaped = re.sub(r"([\\`*_\[\]<>|~#])", r"\\\1", text.replace("\n", " ").replace("&", "&amp;"))
    return escaped.replace("@", "@&#8203;")


def output_lines(values: Mapping[str, str], delimiter: str) -> Sequence[str]:
    r"""Lines of GITHUB_OUTPUT; a value of several lines ends at the delimiter, which no one can guess.

    >>> output_lines({"errors": "0", "comment-url": "https://a\nerrors=9"}, "end-7f3a")
    ['errors=0', 'comment-url<<end-7f3a', 'https://a\nerrors=9', 'end-7f3a']
    """
    lines: list[str] = []
    for name, value in values.items():
        is_one_line = not set(value) & {"\n", "\r"}
        lines += [f"{name}={value}"] if is_one_line else [f"{name}<<{delimiter}", value, delimiter]
    return lines
