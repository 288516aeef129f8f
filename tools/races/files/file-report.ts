/** What the races of files saw. */
export interface FileRaceReport {
  rounds: number;
  /** Commands that ran, by the way they ended: their exit code, or `killed`. */
  readonly ends: Record<string, number>;
  /** Files of the user that changed, wrong bytes with exit 0, links and contents that were lost: with scenario and round. */
  readonly violations: string[];
  /** Links whose opener was killed before the answer of the server arrived: no client can know what it was. */
  unanswered: number;
}

export function newFileReport(): FileRaceReport {
  return { rounds: 0, ends: {}, violations: [], unanswered: 0 };
}

export function summaryOfFiles({ rounds, ends, violations, unanswered }: FileRaceReport): string {
  const ended = Object.entries(ends)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([end, count]) => `${count} ${end === 'killed' ? end : `with ${end}`}`);
  const lost = unanswered > 0 ? `; ${unanswered} links whose answer was lost with the process` : '';
  return `${rounds} rounds; commands: ${ended.join(', ')}${lost}; violations: ${violations.join('; ') || 'none'}`;
}
