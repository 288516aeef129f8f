import { AppError } from '@vaultsvc/contracts';
import type { PatchRaceReport } from './patch-report.js';
import { retryWhileBusy, type StructuredClient } from './structured-client.js';

/** The key that every call writes, which identifies the last writer. */
const LAST = 'last';
/** The only key after an overwrite. */
const OVERWRITTEN = 'overwritten';

/** The result of a call. `refused`: without a change. `lost`: no answer. `version`: the new one of a winner, otherwise 0. */
export interface Patch {
  readonly key: string;
  readonly end: 'won' | 'refused' | 'lost';
  readonly version: number;
}

/** A value that is different for each key. */
function valueOf(key: string): string {
  return `the value of ${key}`;
}

/** Sends a call that writes the given key and the shared one. */
export async function patch(
  keys: StructuredClient,
  ingotId: string,
  key: string,
  report: PatchRaceReport,
): Promise<Patch> {
  try {
    const version = await keys.patch(ingotId, { [key]: valueOf(key), [LAST]: key });
    report.won += 1;
    return { key, end: 'won', version };
  } catch (error) {
    return { key, end: refused(error, report), version: 0 };
  }
}

/** Replaces all keys by one, which resets the version to 1. */
export async function overwrite(keys: StructuredClient, name: string): Promise<void> {
  await retryWhileBusy(() => keys.write(name, { [OVERWRITTEN]: valueOf(OVERWRITTEN) }));
}

function refused(error: unknown, report: PatchRaceReport): 'refused' | 'lost' {
  if (!(error instanceof AppError)) throw error;
  const { reason } = error;
  if (reason === 'STRUCTURED_OVERTAKEN') report.conflicts += 1;
  else if (reason === 'BUSY') report.busy += 1;
  else if (reason === 'INTERNAL_ERROR') report.lost += 1;
  else report.refusals[reason] = (report.refusals[reason] ?? 0) + 1;
  return reason === 'STRUCTURED_OVERTAKEN' || reason === 'BUSY' ? 'refused' : 'lost';
}

/** Compares an ingot with the answers of all calls since its creation. */
export async function checkIngot(
  keys: StructuredClient,
  ingotId: string,
  patches: readonly Patch[],
  report: PatchRaceReport,
): Promise<void> {
  const outcome = await readOutcome(keys, ingotId, patches);
  report.versionIncrease += outcome.version - 1;
  report.lostUpdates += outcome.missing.length;
  checkOutcome(outcome, patches, report);
}

/**
 * Compares an ingot that one of the calls has overwritten. Winners whose key is missing were committed before the overwrite:
 * the versions on each side of it must be 2, 3 and so on without a gap, so a winner lost after it would leave one.
 */
export async function checkOverwrittenIngot(
  keys: StructuredClient,
  ingotId: string,
  patches: readonly Patch[],
  report: PatchRaceReport,
): Promise<void> {
  const outcome = await readOutcome(keys, ingotId, patches);
  report.overwritten += 1;
  report.before += outcome.missing.length;
  report.after += outcome.present.length;
  report.versionIncrease += outcome.version - 1 + outcome.missing.length;
  report.lostUpdates += outcome.values.get(OVERWRITTEN) === valueOf(OVERWRITTEN) ? 0 : 1;
  report.lostUpdates += outcome.missing.filter(({ key }) => outcome.values.has(key)).length;
  report.wrongVersions += gapsIn(outcome.missing) + gapsIn(outcome.present);
  checkOutcome(outcome, patches, report);
}

/** The state of an ingot after the calls. */
interface Outcome {
  readonly version: number;
  readonly values: ReadonlyMap<string, string>;
  /** Winners whose key has their value. */
  readonly present: readonly Patch[];
  /** The other winners. */
  readonly missing: readonly Patch[];
  /** Calls without an answer whose key has their value. */
  readonly lostButCommitted: readonly Patch[];
}

async function readOutcome(
  keys: StructuredClient,
  ingotId: string,
  patches: readonly Patch[],
): Promise<Outcome> {
  const { version, names } = await keys.state(ingotId);
  const values = await keys.values(ingotId, names);
  const isPresent = ({ key }: Patch) => values.get(key) === valueOf(key);
  const won = patches.filter(({ end }) => end === 'won');
  return {
    version,
    values,
    present: won.filter(isPresent),
    missing: won.filter((one) => !isPresent(one)),
    lostButCommitted: patches.filter((one) => one.end === 'lost' && isPresent(one)),
  };
}

function checkOutcome(outcome: Outcome, patches: readonly Patch[], report: PatchRaceReport): void {
  const versions = new Set(outcome.present.map(({ version }) => version));
  report.lostButCommitted += outcome.lostButCommitted.length;
  report.phantomWrites += patches.filter(
    (one) => one.end === 'refused' && outcome.values.has(one.key),
  ).length;
  report.wrongVersions += outcome.present.length - versions.size;
  report.wrongVersions += outcome.present.filter(({ version }) => version > outcome.version).length;
  report.wrongLastWriters += isLastWriterRight(outcome) ? 0 : 1;
}

/** The winner with the last version must be the last writer; if no winner has it, a call that lost its answer must be. */
function isLastWriterRight({ version, values, present, lostButCommitted }: Outcome): boolean {
  const last = values.get(LAST);
  if (version === 1) return last === undefined;
  const winner = present.find((one) => one.version === version);
  return winner ? last === winner.key : lostButCommitted.some(({ key }) => key === last);
}

/** The number of versions that break the sequence 2, 3 and so on. */
function gapsIn(patches: readonly Patch[]): number {
  const versions = patches.map(({ version }) => version).sort((a, b) => a - b);
  return versions.filter((version, index) => version !== index + 2).length;
}
