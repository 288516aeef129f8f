import { ChangeLog } from './change-log.js';
import { counted } from './multiset.js';
import type { RecordedState } from './recorded-state.js';

/** Deviations that a summary shows. */
const SHOWN_MAX = 20;

export interface AuditRaceReport {
  readonly seed: number;
  readonly log: ChangeLog;
  readonly kills: Record<string, number>;
  /** Events that stand, by name. */
  events: ReadonlyMap<string, number>;
  /** Audit entries and ledger lines that were compared with them. */
  entries: number;
  lines: number;
  /** Must be empty. */
  readonly deviations: string[];
}

export function newAuditReport(seed: number): AuditRaceReport {
  return { seed, log: new ChangeLog(), kills: {}, events: new Map(), entries: 0, lines: 0, deviations: [] };
}

export function countCompared(report: AuditRaceReport, { events, entries, ledger }: RecordedState): void {
  report.events = counted(events.map(({ name }) => name).toSorted());
  report.entries = entries.length;
  report.lines = ledger.length;
}

/** The outcome in one line. */
export function summaryOfAudit({
  seed,
  log,
  kills,
  events,
  entries,
  lines,
  deviations,
}: AuditRaceReport): string {
  const listed = (counts: Iterable<readonly [string, number]>) =>
    [...counts].map(([name, times]) => `${times} ${name}`).join(', ') || 'none';
  return (
    `seed ${seed}, ${log.acknowledged.length} acknowledged changes and ${log.acknowledgedEntries.length} entries of an integration, ${log.unknown} unknown, ${log.refused} refused; ` +
    `kills: ${listed(Object.entries(kills))}; events: ${listed(events)}; ` +
    `${entries} audit entries and ${lines} ledger lines compared; ${deviations.length} deviations` +
    deviations
      .slice(0, SHOWN_MAX)
      .map((deviation) => `; ${deviation}`)
      .join('')
  );
}
