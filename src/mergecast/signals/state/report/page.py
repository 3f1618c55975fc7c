"""A report: one page without scripts that shows a period of a queue; pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Protocol

from mergecast.queues.answers.pulls import ListedStay
from mergecast.queues.answers.summary import CheckCost, ComparedCost, Cost, Figure
from mergecast.queues.answers.verdicts import QueueVerdicts
from mergecast.queues.model.ci_price import written_cost
from mergecast.queues.model.figures import FIGURES, SHORTEST_OF_RATE, WAITS, Unit, signed, unknown_ci_text
from mergecast.queues.model.instant import DAY, Window, duration, to_datetime
from mergecast.queues.model.words import causes_in_words, counted, in_words, plural
from mergecast.queues.model.zone import Zone, kept_since_text
from mergecast.queues.stats.summary import Point
from mergecast.signals.state.report.pictures import Frame, Series, bars, lines, share_bar, stacks

_TILES = (
    *("time_in_queue_p50", "time_in_queue_p95", "merged_per_day"),
    *("failure_rate", "ci_runs_per_merge", "ci_seconds_per_merge"),
)
_PER_DAY = "merged_per_day"
_MERGED = "SUCCESS"
POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # no script and nothing from elsewhere
_MOST_COSTS = 10  # queues, and as many checks
STYLE = """
:root { color-scheme: light dark; --text: light-dark(#17191c, #eceef1); --soft: light-dark(#565d67,
  #a3abb5); --line: light-dark(#e4e6ea, #2b3036); --ground: light-dark(#fff, #14171a); --one:
  light-dark(#2f5bd7, #86a5fb); --two: light-dark(#a6bdf5, #42599c); --three: light-dark(#8d95a0,
  #828b96); --four: light-dark(#3f9e9a, #4fb3ae); --bad: light-dark(#cf4a42, #f0766c); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 60rem; color: var(--text); background: var(--ground);
  font: 15px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif; }
h1 { margin: 0; font-size: 1.5rem; }
h2 { margin: 0 0 .3rem; font-size: 1rem; }
p { margin: .3rem 0; }
.soft { color: var(--soft); font-weight: 400; }
.small { font-size: .85rem; }
.sentence { margin: 1rem 0; font-size: 1.2rem; font-weight: 600; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: .75rem; margin:
  1rem 0; }
.tiles div, section { border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem;
  break-inside: avoid; }
dl, dd, dt { margin: 0; }
dd b { font-size: 1.35rem; }
section { margin: 1rem 0; overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font-size: 12px; }
.share { height: .6rem; }
.grid { stroke: var(--line); }
.band { fill: var(--two); fill-opacity: .4; }
rect.one, circle.one { fill: var(--one); }
rect.two, circle.two { fill: var(--two); }
rect.three { fill: var(--three); }
rect.four { fill: var(--four); }
rect.bad { fill: var(--bad); }
polyline { fill: none; stroke-width: 2; }
polyline.one { stroke: var(--one); }
polyline.two { stroke: var(--two); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
.legend svg { display: inline; width: 14px; height: 10px; }
table { width: 100%; border-collapse: collapse; font-size: .85rem; }
th, td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: baseline; }
th { font-weight: 500; }
thead th { color: var(--soft); }
.number { text-align: right; } .whole { white-space: nowrap; }
.bar { width: 40%; }
tr { break-inside: avoid; }
footer { margin-top: 1.5rem; color: var(--soft); font-size: .85rem; }
@page { margin: 14mm; }
@media print { :root { color-scheme: light; } * { print-color-adjust: exact; } body { padding: 0;
  max-width: none; } }
"""


@dataclass(frozen=True, slots=True)
class Interval:
    """The figures of a part of the period."""

    span: tuple[datetime, datetime]
    figures: Mapping[str, Point]


@dataclass(frozen=True, slots=True)
class Report:
    """What a page shows: answers of the API, and how they were asked for."""

    repository: str
    filters: Mapping[str, Sequence[str]]  # by what is chosen, in words
    window: Window
    before: Window
    sentence: str
    figures: Mapping[str, Figure]
    intervals: Sequence[Interval]
    cost: Cost | None
    reasons: Mapping[str, int]
    stays: Sequence[ListedStay]
    verdicts: Sequence[QueueVerdicts]
    kept_since: str | None
    last_at: int | None  # the last event that is known
    zone: Zone


def page(report: Report) -> str:
    """The whole document. Names are untrusted, and every text is escaped."""
    title = f"{report.repository}: merge queue"
    parts = [
        _head(report),
        _tiles(report),
        *_charts(report),
        *([_costs(report.cost)] if report.cost else []),
        _reasons(report),
        _stays(report),
    ]
    last = (
        "" if report.last_at is None else f", events up to {report.zone.shown(to_datetime(report.last_at))}"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + f"\n<footer>Mergecast{last}; times in {_text(report.zone.name)}, "
        "days of charts in UTC.</footer>\n"
        "</body>\n</html>\n"
    )


def _text(words: object) -> str:
    """Escaped, without characters that cannot be displayed."""
    plain = "".join(one if one.isprintable() or one in "\n\t" else "\ufffd" for one in str(words))
    return escape(plain)


def _name(words: object) -> str:
    """A name, which may be written from right to left."""
    return f"<bdi>{_text(words)}</bdi>"


def _span(window: Window, zone: Zone) -> str:
    return f"{zone.shown(to_datetime(window.start))} to {zone.shown(to_datetime(window.end))}"


def _head(report: Report) -> str:
    zone = report.zone
    chosen = [f"{what} {', '.join(map(_name, names))}" for what, names in report.filters.items()]
    kept = f"; {_text(kept_since_text(report.kept_since, zone))}" if report.kept_since else ""
    return (
        f"<header><h1>{_name(report.repository)} <span class='soft'>merge queue</span></h1>"
        f"<p class='soft'>{_span(report.window, zone)}, {_text(zone.name)} · "
        f"{' · '.join(chosen) or 'all branches and queues'}</p>"
        f"<p class='soft small'>compared with {_span(report.before, zone)}{kept}</p></header>"
        f"<p class='sentence'>{_text(report.sentence)}</p>"
    )


def _per_day(figure: Figure, window: Window) -> str:
    """The rate, or the number of merges if there is less than one per day, or a period of less than two."""
    days, value = (window.end - window.start) / DAY, figure.value
    if value is None or (days >= SHORTEST_OF_RATE and not 0 < value < 1):
        return _with_unit(FIGURES[_PER_DAY].written(value), "/ day")
    number, unit = (days, "day") if days >= 1 else (days * 24, "hour")
    shown = f"{number:.1f}".removesuffix(".0")
    return _with_unit(f"{figure.count:,}", f"in {shown} {plural(float(shown), unit)}")


def _with_unit(number: str, unit: str) -> str:
    return f"{number} <span class='soft small'>{unit}</span>"


def _tiles(report: Report) -> str:
    figures = report.figures

    def shown(name: str) -> str:
        figure = figures[name]
        if name == _PER_DAY:
            return _per_day(figure, report.window)
        return FIGURES[name].written(figure.value)

    def change(name: str) -> str:
        found = figures[name].change
        return "no comparison" if found is None else FIGURES[name].written_change(found)

    tiles = (
        f"<div><dt class='soft small'>{FIGURES[name].short}</dt><dd><b>{shown(name)}</b></dd>"
        f"<dd class='soft small'>{change(name)}</dd></div>"
        for name in _TILES
    )
    reason = unknown_ci_text(figures)
    said = f"<p class='soft small'>{_text(reason)}</p>" if reason else ""
    return f"<dl class='tiles'>{''.join(tiles)}</dl>{said}"


def _charts(report: Report) -> list[str]:
    intervals = report.intervals
    if not intervals:
        return ["<section><p>Nothing happened in this period.</p></section>"]
    frame = Frame([one.span for one in intervals], report.zone.tz)

    def series(label: str, look: str, name: str) -> Series:
        return Series(label, look, [one.figures[name].value for one in intervals])

    times = [series("p50", "one", "time_in_queue_p50"), series("p95", "two", "time_in_queue_p95")]
    looks = ("one", "two", "three", "four")
    waits = [
        series(label, look, f"waiting_{wait}")
        for (wait, label), look in zip(WAITS.items(), looks, strict=True)
    ]
    flow = [series("entered", "three", "entered"), series("merged", "one", "merged")]
    return [
        _card("Time in queue", "p50 to p95", lines(frame, times, _axis, "Time in queue"), times),
        _card("Where it goes", "mean per stay", stacks(frame, waits, _axis, "Where it goes"), waits),
        _card("Flow", "pull requests", bars(frame, flow, "{:,.0f}".format, "Flow"), flow),
    ]


def _axis(seconds: float) -> str:
    """A round length: `6h`, not `6h00m`."""
    return duration(seconds).removesuffix("00m") if seconds else "0"


def _card(title: str, note: str, picture: str, series: Sequence[Series]) -> str:
    legend = "".join(
        f'<span><svg viewBox="0 0 14 10" aria-hidden="true"><rect class="{one.look}" width="14" height="10"/>'
        f"</svg> {one.label}</span>"
        for one in series
    )
    head = f"<h2>{title} <span class='soft small'>{note}</span></h2>"
    return f"<section>{head}<p class='legend small'>{legend}</p>{picture}</section>"


def _costs(cost: Cost) -> str:
    """In all, per merge, and of the queues and checks that cost most."""

    def row(label: str, value: str | None, before: str | None, change: float | None) -> str:
        amounts = (written_cost(value, cost.currency), written_cost(before, cost.currency), signed(change))
        cells = "".join(f"<td class='number'>{_text(one)}</td>" for one in amounts)
        return f"<tr><th scope='row'>{label}</th>{cells}</tr>"

    def part(label: str, one: ComparedCost | CheckCost) -> str:
        return row(label, one.total, one.total_before, one.total_change)

    head = "<th></th><th class='number'>cost</th><th class='number'>before</th><th class='number'>change</th>"
    rows = [
        part("all CI runs", cost),
        row("per merge", cost.per_merge, cost.per_merge_before, cost.per_merge_change),
        *(part(f"queue {_queue(one)}", one) for one in cost.queues[:_MOST_COSTS]),
        *(part(f"CI check {_name(one.name)}", one) for one in cost.checks[:_MOST_COSTS]),
    ]
    wasted = f"{written_cost(cost.wasted, cost.currency)} went into CI runs that did not pass."
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f"<section><h2>Cost of CI</h2><p class='soft small'>{_text(wasted)}</p>{table}</section>"


class _InQueue(Protocol):
    @property
    def queue_name(self) -> str: ...

    @property
    def base_ref(self) -> str: ...


def _queue(of: _InQueue) -> str:
    return f"{_name(of.queue_name)} → {_name(of.base_ref)}"


def _look(reason: str) -> str:
    return "bad" if reason in ("CHECKS_FAILED", "CHECKS_TIMEOUT") else "three"


def _reasons(report: Report) -> str:
    counts = dict(report.reasons)
    merged = counts.pop(_MERGED, 0)
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    rows = "".join(
        f"<tr><th scope='row'>{_text(in_words(reason))}</th><td class='number'>{count:,}</td>"
        f"<td class='bar'>{share_bar(count / ranked[0][1], _look(reason))}</td></tr>"
        for reason, count in ranked
    )
    left = f"{counted(sum(counts.values()), 'stay')} left without a merge, {merged:,} merged."
    told = f"<p class='soft small'>{left}</p><table>{rows}</table>{_verdicts(report)}"
    return f"<section><h2>Why they left</h2>{told}</section>"


def _verdicts(report: Report) -> str:
    """Whose fault removals were, and how often verdicts were right."""
    causes: Counter[str] = Counter()
    for queue in report.verdicts:
        causes.update(queue.removal_causes.counts)
    if not causes.total():
        return ""
    right = "".join(
        f"<p class='small'>{_queue(queue)}: {_text(queue.sentence)}</p>" for queue in report.verdicts
    )
    return f"<p>Whose fault: {_text(causes_in_words(causes))}.</p>{right}"


def _stays(report: Report) -> str:
    rows = "".join(
        f"<tr><th scope='row'>#{stay.pull_request}</th>"
        f"<td class='number'>{Unit.SECONDS.written(stay.seconds)}</td>"
        f"<td class='whole'>{report.zone.shown_text(stay.left_at)}</td>"
        f"<td>{_queue(stay)}</td>"
        f"<td>{_text(in_words(stay.reason or ''))}</td></tr>"
        for stay in report.stays
    )
    head = "<th>pull request</th><th class='number'>in queue</th><th>left</th><th>queue</th><th>outcome</th>"
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    nothing = "<p>No pull request left the queue in this period.</p>"
    return f"<section><h2>Slowest stays</h2>{table if rows else nothing}</section>"
