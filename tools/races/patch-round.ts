import { AppError } from '@vaultsvc/contracts';
import type { PatchRaceReport } from './patch-report.js';
import { untilAdmitted, type StructuredClient } from './structured-client.js';

/** The key that every call writes, so that the last one to change the ingot is known by it. */
const LAST = 'last';
/** The only key that an overwriting leaves. */
const OVERWRITTEN = 'overwritten';

/** How a call ended. `refused`: it was told that it had changed nothing. `version`: of one that won. */
export interface Patch {
  readonly key: string;
  readonly end: 'won' | 'refused' | 'lost';
  readonly version: number;
}

/** No two keys have the same. */
function valueOf(key: string): string {
  return `the value of ${key}`;
}

/** A call that writes a key of its own and the one of all. */
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

/** Replaces all keys by one, and begins with version 1 again. */
export async function overwrite(keys: StructuredClient, name: string): Promise<void> {
  await untilAdmitted(() => keys.write(name, { [OVERWRITTEN]: valueOf(OVERWRITTEN) }));
}

function refused(error: unknown, report: PatchRaceReport): 'refused' | 'lost' {
  if (!(error instanceof AppError)) throw error;
  const { reason } = error;
  if (reason === 'STRUCTURED_OVERTAKEN') report.overtaken += 1;
  else if (reason === 'BUSY') report.busy += 1;
  else if (reason === 'INTERNAL_ERROR') report.lost += 1;
  else report.refusals[reason] = (report.refusals[reason] ?? 0) + 1;
  return reason === 'STRUCTURED_OVERTAKEN' || reason === 'BUSY' ? 'refused' : 'lost';
}

/** Compares an ingot with all calls that changed it since it was made. */
export async function judge(
  keys: StructuredClient,
  ingotId: string,
  patches: readonly Patch[],
  report: PatchRaceReport,
): Promise<void> {
  const end = await endOf(keys, ingotId, patches);
  report.versionIncrease += end.version - 1;
  report.lostUpdates += end.gone.length;
  judgeEnd(end, patches, report);
}

/**
 * The same where one call has overwritten the ingot. Winners who are not there came before it: their versions began at 2
 * as well and leave none out, so that none of them can have come after it and been lost.
 */
export async function judgeOverwritten(
  keys: StructuredClient,
  ingotId: string,
  patches: readonly Patch[],
  report: PatchRaceReport,
): Promise<void> {
  const end = await endOf(keys, ingotId, patches);
  report.overwritten += 1;
  report.before += end.gone.length;
  report.after += end.stayed.length;
  report.versionIncrease += end.version - 1 + end.gone.length;
  report.lostUpdates += end.values.get(OVERWRITTEN) === valueOf(OVERWRITTEN) ? 0 : 1;
  report.lostUpdates += end.gone.filter(({ key }) => end.values.has(key)).length;
  report.wrongVersions += gapsIn(end.gone) + gapsIn(end.stayed);
  judgeEnd(end, patches, report);
}

/** What became of an ingot, and of those who changed it. */
interface End {
  readonly version: number;
  readonly values: ReadonlyMap<string, string>;
  /** Winners whose key has their value, and the others. */
  readonly stayed: readonly Patch[];
  readonly gone: readonly Patch[];
  /** Whose answer was lost, and whose key has their value. */
  readonly landed: readonly Patch[];
}

async function endOf(keys: StructuredClient, ingotId: string, patches: readonly Patch[]): Promise<End> {
  const { version, names } = await keys.state(ingotId);
  const values = await keys.values(ingotId, names);
  const isThere = ({ key }: Patch) => values.get(key) === valueOf(key);
  const won = patches.filter(({ end }) => end === 'won');
  return {
    version,
    values,
    stayed: won.filter(isThere),
    gone: won.filter((one) => !isThere(one)),
    landed: patches.filter((one) => one.end === 'lost' && isThere(one)),
  };
}

function judgeEnd(end: End, patches: readonly Patch[], report: PatchRaceReport): void {
  const versions = new Set(end.stayed.map(({ version }) => version));
  report.landed += end.landed.length;
  report.phantomWrites += patches.filter((one) => one.end === 'refused' && end.values.has(one.key)).length;
  report.wrongVersions += end.stayed.length - versions.size;
  report.wrongVersions += end.stayed.filter(({ version }) => version > end.version).length;
  report.wrongLastWriters += isLastRight(end) ? 0 : 1;
}

/** Whoever reached the last version wrote last; where nobody was answered that, one whose answer was lost did. */
function isLastRight({ version, values, stayed, landed }: End): boolean {
  const last = values.get(LAST);
  if (version === 1) return last === undefined;
  const winner = stayed.find((one) => one.version === version);
  return winner ? last === winner.key : landed.some(({ key }) => key === last);
}

/** Versions that are not 2, 3, and so on. */
function gapsIn(patches: readonly Patch[]): number {
  const versions = patches.map(({ version }) => version).sort((a, b) => a - b);
  return versions.filter((version, index) => version !== index + 2).length;
}
