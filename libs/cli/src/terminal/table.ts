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
const WIDTH_UNKNOWN = 80;
/** A column is not made narrower than this, even if the lines get longer than the terminal. */
const WIDTH_MIN = 8;

/**
 * Prints rows: on a terminal aligned, with headings, and no wider than the terminal where the first column leaves room; in a pipe one line each, with tabs between
 * the columns and nothing left out; with `--json` as the object.
 */
export function printTable<T>(
  output: Output,
  object: unknown,
  rows: readonly T[],
  columns: readonly Column<T>[],
): void {
  const cells = rows.map((row) => columns.map(({ text }) => printable(text(row))));
  const { isTTY = false, columns: width } = output.stdout;
  // A terminal that does not know its size says 0.
  const lines = isTTY
    ? alignedLines([...headingsOf(columns), ...cells], columns, width || WIDTH_UNKNOWN)
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

/**
 * Takes the missing room from the widest column, again and again, but for the first one: other commands take what stands there, and
 * people copy it.
 */
function fitted([first = 0, ...others]: readonly number[], width: number): number[] {
  let excess = first + others.reduce((sum, one) => sum + GAP + one, 0) - width;
  for (; excess > 0; excess--) {
    const widest = Math.max(...others);
    if (widest <= WIDTH_MIN) break;
    others[others.lastIndexOf(widest)] = widest - 1;
  }
  return [first, ...others];
}

function padded(text: string, width: number, isNumber = false): string {
  const blanks = ' '.repeat(Math.max(0, width - textWidth(text)));
  return isNumber ? blanks + text : text + blanks;
}
