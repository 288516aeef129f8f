export interface PatchRaceReport {
  readonly rounds: number;
  /** Calls that were answered 200 with a new version. */
  won: number;
  /** Calls refused because of concurrent changes. */
  conflicts: number;
  /** Calls refused because the service was overloaded (ENV-35). */
  busy: number;
  /** Calls whose answer was lost with its instance, or missed the deadline. */
  lost: number;
  /** Lost calls that had committed their change. */
  lostButCommitted: number;
  /** The sum by which versions rose. Must equal the number of changes. */
  versionIncrease: number;
  /** Overwrites, each concurrent with changes; and the changes committed before and after them. */
  overwritten: number;
  before: number;
  after: number;
  /** Winners whose key is missing or has another call's value. Must be 0. */
  lostUpdates: number;
  /** Keys written by refused calls. Must be 0. */
  phantomWrites: number;
  /** Versions that were answered twice or skipped. Must be 0. */
  wrongVersions: number;
  /** Ingots whose shared key does not have the value of the last winner. Must be 0. */
  wrongLastWriters: number;
  kills: number;
  /** Figures in the tables that disagree after the race. Must be empty. */
  readonly deviations: string[];
  /** Unexpected errors by reason. Must be empty. */
  readonly refusals: Record<string, number>;
}

export function newPatchReport(rounds: number): PatchRaceReport {
  const outcomes = {
    won: 0,
    conflicts: 0,
    busy: 0,
    lost: 0,
    lostButCommitted: 0,
    versionIncrease: 0,
    overwritten: 0,
    before: 0,
    after: 0,
  };
  const faults = { lostUpdates: 0, phantomWrites: 0, wrongVersions: 0, wrongLastWriters: 0 };
  return { rounds, ...outcomes, ...faults, kills: 0, deviations: [], refusals: {} };
}

/** Whether the committed changes are exactly the answered ones and the lost ones found in the ingot, without faults. */
export function isCleanPatches(report: PatchRaceReport): boolean {
  const { lostUpdates, phantomWrites, wrongVersions, wrongLastWriters, deviations, refusals } = report;
  const faults = lostUpdates + phantomWrites + wrongVersions + wrongLastWriters;
  const isExact = report.versionIncrease === report.won + report.lostButCommitted;
  return isExact && faults + deviations.length + Object.keys(refusals).length === 0;
}

/** The outcome in one line. */
export function summaryOfPatches(report: PatchRaceReport): string {
  const refusals = Object.entries(report.refusals).map(([reason, times]) => `; ${times} ${reason}`);
  return (
    `${report.rounds} rounds, ${report.kills} kills: versions rose by ${report.versionIncrease} with ${report.won} answers of 200 ` +
    `and ${report.lostButCommitted} of ${report.lost} lost calls committed; ${report.conflicts} conflicts, ${report.busy} busy; ` +
    `${report.lostUpdates} lost updates, ${report.phantomWrites} phantom writes, ${report.wrongVersions} wrong versions, ` +
    `${report.wrongLastWriters} wrong last writers` +
    (report.overwritten > 0
      ? `; ${report.overwritten} overwritten, ${report.before} before and ${report.after} after it`
      : '') +
    [...report.deviations.map((deviation) => `; ${deviation}`), ...refusals].join('')
  );
}
