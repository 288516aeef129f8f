import { element } from '../../page-client/elements.js';
import { barPlot } from './bar-plot.js';
import type { DailySeries } from './daily-series.js';
import { dayText } from './texts.js';

/** A bar chart of days, with the same values in a table, which is its accessible form. */
export function dailyChart(series: DailySeries): HTMLElement {
  const { id, title, total, days, empty } = series;
  const isEmpty = days.every(({ value }) => value === 0);
  const readout = element('p', { class: 'readout', 'aria-hidden': 'true' });
  return element(
    'figure',
    { class: 'card', 'aria-labelledby': `${id}-title` },
    element(
      'figcaption',
      {},
      element('h3', { id: `${id}-title` }, title),
      element('p', { class: 'amount' }, total),
      readout,
    ),
    ...(isEmpty
      ? [element('p', { class: 'empty' }, empty)]
      : [barPlot(series, summaryOf(series), readout), tableOf(series)]),
  );
}

function summaryOf({ title, total, days, valueText }: DailySeries): string {
  const most = days.reduce((one, other) => (other.value > one.value ? other : one));
  return `Bar chart. ${title}: ${total} in ${days.length} days, the most on ${dayText(most.timestamp)}: ${valueText(most.value)}.`;
}

function tableOf({ title, days, valueText }: DailySeries): HTMLElement {
  const rows = days
    .toReversed()
    .map(({ timestamp, value }) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, dayText(timestamp)),
        element('td', {}, valueText(value)),
      ),
    );
  const head = element(
    'tr',
    {},
    element('th', { scope: 'col' }, 'Day (UTC)'),
    element('th', { scope: 'col' }, title),
  );
  return element(
    'details',
    {},
    element('summary', { 'aria-label': `${title} as a table` }, 'As a table'),
    element(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `${title} by day` },
      element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows)),
    ),
  );
}
