import type { Output } from './output.js';
import { printable } from './printable.js';
import { textWidth, truncate } from './text-width.js';

/** A column of a table: its heading, and the text of a row. */
export interface Column<T> {
  readonly heading: string;
  readonly text: (row: T) => string;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

const GAP = 2;
/** A column is not made narrower than this, even if the lines get longer than the terminal. */
const WIDTH_MIN = 8;

/**
 * Prints rows: on a terminal aligned, with headings, and no wider than the terminal; in a pipe one line each, with tabs between
 * the columns and nothing left out; with `--json` as the object.
 */
export function printTable<T>(
  output: Output,
  object: unknown,
  rows: readonly T[],
  columns: readonly Column<T>[],
): void {
  const cells = rows.map((row) => columns.map(({ text }) => printable(text(row))));
  const { isTTY = false, columns: width = 80 } = output.stdout;
  const lines = isTTY
    ? alignedLines([...headingsOf(columns), ...cells], columns, width)
    : cells.map((line) => line.join('\t'));
  output.result(object, rows.length === 0 ? '' : lines.join('\n'));
  if (rows.length === 0 && isTTY) output.note('There is nothing to show.');
}

/** A single column without a heading, such as names, has no line of headings. */
function headingsOf<T>(columns: readonly Column<T>[]): string[][] {
  const headings = columns.map(({ heading }) => heading);
  return headings.some((heading) => heading !== '') ? [headings] : [];
}

function alignedLines<T>(
  lines: readonly (readonly string[])[],
  columns: readonly Column<T>[],
  width: number,
): string[] {
  const widths = fitted(
    columns.map((_, i) => Math.max(...lines.map((line) => textWidth(line[i] ?? '')))),
    width,
  );
  return lines.map((line) =>
    line
      .map((cell, i) => padded(truncate(cell, widths[i] ?? 0), widths[i] ?? 0, columns[i]?.isNumber))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

/** Takes the missing room from the widest column, again and again. */
function fitted(widths: readonly number[], width: number): number[] {
  const fit = [...widths];
  let excess = fit.reduce((sum, one) => sum + one, 0) + GAP * (fit.length - 1) - width;
  for (; excess > 0; excess--) {
    const widest = Math.max(...fit);
    if (widest <= WIDTH_MIN) break;
    fit[fit.lastIndexOf(widest)] = widest - 1;
  }
  return fit;
}

function padded(text: string, width: number, isNumber = false): string {
  const blanks = ' '.repeat(Math.max(0, width - textWidth(text)));
  return isNumber ? blanks + text : text + blanks;
}
