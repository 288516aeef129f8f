export interface PatchRaceReport {
  readonly rounds: number;
  /** Calls that were answered with a new version. */
  won: number;
  /** Calls that were told that they had changed nothing. */
  overtaken: number;
  /** Calls that were told so because a machine was too busy for them (ENV-35). */
  busy: number;
  /** Calls whose answer was lost with a copy, or came too late. */
  lost: number;
  /** Those of them that had changed the ingot. */
  landed: number;
  /** By how much versions rose: as much as there were changes. */
  versionIncrease: number;
  /** Overwritings, each in the midst of changes; and changes that came before one, and after one. */
  overwritten: number;
  before: number;
  after: number;
  /** Winners whose key is not there, or has another's value. Must be 0. */
  lostUpdates: number;
  /** Keys of calls that had been told that they changed nothing. Must be 0. */
  phantomWrites: number;
  /** Versions that were given twice or left out. Must be 0. */
  wrongVersions: number;
  /** Ingots whose key that all wrote does not have the value of the last winner. Must be 0. */
  wrongLastWriters: number;
  kills: number;
  /** What the tables say when all is over and should not. Must be empty. */
  readonly deviations: string[];
  /** Answers that nobody may get here. Must be empty. */
  readonly refusals: Record<string, number>;
}

export function newPatchReport(rounds: number): PatchRaceReport {
  const outcomes = {
    won: 0,
    overtaken: 0,
    busy: 0,
    lost: 0,
    landed: 0,
    versionIncrease: 0,
    overwritten: 0,
    before: 0,
    after: 0,
  };
  const faults = { lostUpdates: 0, phantomWrites: 0, wrongVersions: 0, wrongLastWriters: 0 };
  return { rounds, ...outcomes, ...faults, kills: 0, deviations: [], refusals: {} };
}

/** Nothing happened that must never happen: what was changed is what was answered, and what lost its answer. */
export function isCleanPatches(report: PatchRaceReport): boolean {
  const { lostUpdates, phantomWrites, wrongVersions, wrongLastWriters, deviations, refusals } = report;
  const faults = lostUpdates + phantomWrites + wrongVersions + wrongLastWriters;
  const isExact = report.versionIncrease === report.won + report.landed;
  return isExact && faults + deviations.length + Object.keys(refusals).length === 0;
}

/** The outcome in one line. */
export function summaryOfPatches(report: PatchRaceReport): string {
  const refusals = Object.entries(report.refusals).map(([reason, times]) => `; ${times} ${reason}`);
  return (
    `${report.rounds} rounds, ${report.kills} kills: versions rose by ${report.versionIncrease} with ${report.won} answers of 200 ` +
    `and ${report.landed} of ${report.lost} lost answers; ${report.overtaken} overtaken, ${report.busy} told to come back; ` +
    `${report.lostUpdates} lost updates, ${report.phantomWrites} phantomWrites, ${report.wrongVersions} wrong versions, ` +
    `${report.wrongLastWriters} wrong last` +
    (report.overwritten > 0
      ? `; ${report.overwritten} overwritten, ${report.before} before and ${report.after} after it`
      : '') +
    [...report.deviations.map((deviation) => `; ${deviation}`), ...refusals].join('')
  );
}
