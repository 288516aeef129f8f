/** The word that was probably meant: one or two typing errors away, and more like it than not. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const errorsMax = Math.min(2, Math.floor(typed.length / 2));
  const ranked = words
    .map((word) => ({ word, errors: typingErrors(typed.toLowerCase(), word.toLowerCase()) }))
    .filter(({ errors }) => errors <= errorsMax)
    .toSorted((a, b) => a.errors - b.errors);
  return ranked[0]?.word;
}

/** Missing, superfluous, wrong and exchanged characters: the optimal string alignment distance. */
function typingErrors(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const [above = [], before = []] = [rows[i - 1], rows[i - 2]];
      const changed = a[i - 1] === b[j - 1] ? 0 : 1;
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + changed,
        isExchanged ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
