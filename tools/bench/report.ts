// Tables and progress lines for a terminal.

/** The median; of an even number of values the upper one of the middle two. */
export function median(numbers: readonly number[]) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

export type Cell = string | number;

/** Prints a titled table: the first column left-aligned, the others right-aligned. */
export function table(title: string, head: readonly string[], rows: readonly (readonly Cell[])[]) {
  const lines = [head, ...rows].map((line) => line.map(String));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const format = (line: readonly string[]) =>
    line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ');
  const [top = '', ...rest] = lines.map(format);
  process.stdout.write(`\n${title}\n${top}\n${'─'.repeat(top.length)}\n${rest.join('\n')}\n`);
}

/** Prints progress to stderr; only the tables go to stdout. */
export function say(text: string) {
  process.stderr.write(`… ${text}\n`);
}
