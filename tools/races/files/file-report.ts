/** What the races of files saw. */
export interface FileRaceReport {
  rounds: number;
  /** Commands that ran, by the way they ended: their exit code, or `killed`. */
  readonly ends: Record<string, number>;
  /** Files of the user that changed, wrong bytes with exit 0, links and contents that were lost: with scenario and round. */
  readonly violations: string[];
}

export function newFileReport(): FileRaceReport {
  return { rounds: 0, ends: {}, violations: [] };
}

export function summaryOfFiles({ rounds, ends, violations }: FileRaceReport): string {
  const ended = Object.entries(ends)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([end, count]) => `${count} ${end === 'killed' ? end : `with ${end}`}`);
  return `${rounds} rounds; commands: ${ended.join(', ')}; violations: ${violations.join('; ') || 'none'}`;
}
