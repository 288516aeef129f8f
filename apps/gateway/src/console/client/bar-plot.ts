import uPlot from 'uplot';
import { element } from '../../page-client/elements.js';
import type { DailySeries } from './daily-series.js';
import { dayText } from './texts.js';

const HEIGHT = 170;
const DAY_SECONDS = 86_400;

/**
 * The bars of a series. They follow the width of their column and the colour scheme.
 * @param label what screen readers say of the drawing
 * @param readout shows the value under the pointer
 */
export function barPlot(series: DailySeries, label: string, readout: HTMLElement): HTMLElement {
  const canvas = element('div', { class: 'plot', role: 'img', 'aria-label': label });
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  let plot: uPlot | undefined;
  const draw = () => {
    plot?.destroy();
    plot = new uPlot(optionsOf(series, canvas, readout), valuesOf(series), canvas);
  };
  const observer = new ResizeObserver(() => {
    if (!canvas.isConnected) return end();
    // Drawn at the first call: from the insertion into the page on there are a width and colours.
    if (plot) plot.setSize({ width: canvas.clientWidth, height: HEIGHT });
    else draw();
  });
  const end = () => {
    observer.disconnect();
    scheme.removeEventListener('change', draw);
    plot?.destroy();
  };
  observer.observe(canvas);
  scheme.addEventListener('change', draw);
  return canvas;
}

function valuesOf({ days }: DailySeries): uPlot.AlignedData {
  return [days.map(({ timestamp }) => timestamp), days.map(({ value }) => value)];
}

function optionsOf(series: DailySeries, canvas: HTMLElement, readout: HTMLElement): uPlot.Options {
  const style = getComputedStyle(canvas);
  const color = (name: string) => style.getPropertyValue(name);
  return {
    width: canvas.clientWidth,
    height: HEIGHT,
    padding: [8, 4, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    scales: {
      // Half a day more on both sides, or the first and the last bar would be cut.
      x: { time: true, range: (_, first, last) => [first - DAY_SECONDS / 2, last + DAY_SECONDS / 2] },
      y: { range: (_, _min, max) => [0, Math.max(1, max * 1.05)] },
    },
    axes: axesOf(series, color),
    series: [
      {},
      {
        fill: color('--accent'),
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars?.({ size: [0.72, 26], radius: 0.12 }),
      },
    ],
    hooks: { setCursor: [({ cursor }) => (readout.textContent = pointedText(series, cursor.idx))] },
  };
}

function axesOf({ axisText }: DailySeries, color: (name: string) => string): uPlot.Axis[] {
  const axis = { stroke: color('--soft'), font: '12px system-ui, sans-serif', ticks: { show: false } };
  return [
    {
      ...axis,
      grid: { show: false },
      space: 56,
      size: 26,
      incrs: [1, 2, 5, 7, 10, 14].map((count) => count * DAY_SECONDS),
      values: (_, splits) => splits.map(dayText),
    },
    {
      ...axis,
      grid: { stroke: color('--line'), width: 1 },
      space: 36,
      size: 72, // '200 bytes' in 12 px
      values: (_, splits) => splits.map((value) => (Number.isInteger(value) ? axisText(value) : '')),
    },
  ];
}

function pointedText({ days, valueText }: DailySeries, index: number | null | undefined): string {
  const pointed = days[index ?? -1];
  return pointed ? `${dayText(pointed.timestamp)}: ${valueText(pointed.value)}` : '';
}
