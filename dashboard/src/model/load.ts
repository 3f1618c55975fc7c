// How much was in progress: averages of groups add up exactly; sums of minima and maxima are bounds on the total.

import { spansOf, summed, type Chart, type Span } from './chart.ts';

type Triple = [average: number, least: number, most: number];

export function loadChart<Entry extends Span>(groups: readonly { stats: readonly Entry[] }[], triple: (entry: Entry) => Triple): Chart {
  const spans = spansOf(groups);
  return {
    spans,
    unit: 'count',
    series: [
      { label: 'min', values: summed(groups, spans, (entry) => triple(entry)[1]), mark: 'low', tone: 'accent-2' },
      { label: 'max', values: summed(groups, spans, (entry) => triple(entry)[2]), mark: 'high', tone: 'accent-2' },
      { label: 'average', values: summed(groups, spans, (entry) => triple(entry)[0]), mark: 'step', tone: 'accent' },
    ],
  };
}
