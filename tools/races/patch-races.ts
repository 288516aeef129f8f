import { newId } from '@vaultsvc/crypto/encoding';
import { startHarness, type Harness } from '@vaultsvc/testing/harness';
import { buildService, migrateService, startInstance } from './service-instances.mjs';
import { injectInstanceFaults, type ServiceInstance } from './instance-faults.js';
import { StructuredReconciliation } from './structured-reconciliation.js';
import { isCleanPatches, newPatchReport, summaryOfPatches, type PatchRaceReport } from './patch-report.js';
import { judge, judgeOverwritten, overwrite, patch, type Patch } from './patch-round.js';
import type { Race, RaceOutcome } from './race.js';
import { StructuredClient, untilAnswered } from './structured-client.js';

export { isCleanPatches, summaryOfPatches } from './patch-report.js';

export interface PatchRaceOptions {
  /** Rounds of twenty calls at once. */
  readonly count: number;
  /**
   * `calm`: nobody is killed, and versions rise by exactly the answers of 200. `overwritten`: the same, and one of the
   * twenty overwrites the ingot. `killed`: copies are killed and paused meanwhile.
   */
  readonly mode: 'calm' | 'overwritten' | 'killed';
  /** Called now and then with the number of rounds that are over. */
  readonly onProgress?: (done: number, report: PatchRaceReport) => void;
}

const INSTANCES = 3;
const RIVALS = 20;
const ROUNDS_PER_INGOT = 20;
const CALL_SECONDS = 3;
/** Rounds are short: copies are killed as often as they start again. */
const KILL_EVERY_MS = 400;
const UNDISTURBED_CALL_SECONDS = 15;

/**
 * Twenty calls at once change a structured ingot, over three copies of vaults as processes. Each writes a key of its own and
 * one that all write; in the end the ingot has the keys of winners alone, and as many versions as there were changes.
 */
export async function runPatchRaces(options: PatchRaceOptions): Promise<PatchRaceReport> {
  const harness = await startHarness();
  const copies: ServiceInstance[] = [];
  try {
    await startInstances(harness, 'vaults', INSTANCES, copies);
    const vaults = [...copies];
    await startInstances(harness, 'sparks', 1, copies); // reads values back, and stays in peace
    return await race(harness, vaults, options);
  } finally {
    await Promise.all(copies.map((copy) => copy.kill()));
    await harness.stop();
  }
}

async function startInstances(
  harness: Harness,
  service: string,
  count: number,
  all: ServiceInstance[],
): Promise<void> {
  const bundle = await buildService(service);
  const environment = await harness.environment(service, { LOG_LEVEL: 'silent' });
  await migrateService(bundle, environment);
  for (let i = 0; i < count; i++) all.push(await startInstance(bundle, environment));
}

/** Runs the rounds, and then compares what the tables say. */
async function race(
  harness: Harness,
  copies: readonly ServiceInstance[],
  options: PatchRaceOptions,
): Promise<PatchRaceReport> {
  const { databaseUrl } = await harness.schema('vaults');
  const books = await StructuredReconciliation.open(databaseUrl);
  try {
    const callSeconds = options.mode === 'killed' ? CALL_SECONDS : UNDISTURBED_CALL_SECONDS;
    const keys = await StructuredClient.open({ bus: harness.bus, callSeconds });
    const report = await runRounds(keys, copies, books, options);
    await books.settle();
    report.deviations.push(...(await books.deviations(keys.vaultId, report.won + report.landed)));
    return report;
  } finally {
    await books.close();
  }
}

async function runRounds(
  keys: StructuredClient,
  copies: readonly ServiceInstance[],
  books: StructuredReconciliation,
  { count, mode, onProgress }: PatchRaceOptions,
): Promise<PatchRaceReport> {
  const report = newPatchReport(count);
  const stop = new AbortController();
  const unrest =
    mode === 'killed' ? injectInstanceFaults(copies, report, stop.signal, KILL_EVERY_MS) : undefined;
  const reportProgress = (done: number) => done % 20 === 0 && onProgress?.(done, report);
  const changed: Changed[] = [];
  try {
    if (mode === 'overwritten') await overwriteEach(keys, report, reportProgress);
    else changed.push(...(await changeEach(keys, report, reportProgress)));
  } finally {
    stop.abort();
    await unrest;
  }
  if (mode === 'killed') await renew(copies);
  await books.settle();
  for (const { ingotId, patches } of changed) await judge(keys, ingotId, patches, report);
  return report;
}

/** Calls whose callers have given up may still be under way in a copy: they end with it. */
async function renew(copies: readonly ServiceInstance[]): Promise<void> {
  await Promise.all(copies.map((copy) => copy.kill()));
  await Promise.all(copies.map((copy) => copy.start()));
}

/** An ingot, and all calls that changed it since it was made. */
interface Changed {
  readonly ingotId: string;
  readonly patches: readonly Patch[];
}

/** Twenty rounds for each ingot, which is compared in the end with all that was answered about it. */
async function changeEach(
  keys: StructuredClient,
  report: PatchRaceReport,
  reportProgress: (done: number) => void,
): Promise<Changed[]> {
  const changed: Changed[] = [];
  for (let begun = 0; begun < report.rounds; begun += ROUNDS_PER_INGOT) {
    // Each try has a name of its own: an earlier one that comes late would overwrite what follows.
    const ingotId = await untilAnswered(() => keys.write(newId('ingot_'), {}));
    const patches: Patch[] = [];
    for (let round = begun; round < Math.min(begun + ROUNDS_PER_INGOT, report.rounds); round++) {
      patches.push(...(await Promise.all(rivals(round).map((key) => patch(keys, ingotId, key, report)))));
      reportProgress(round + 1);
    }
    changed.push({ ingotId, patches });
  }
  return changed;
}

/** One round for each ingot: all begin at version 1, to which the overwriting in their midst sets it again. */
async function overwriteEach(
  keys: StructuredClient,
  report: PatchRaceReport,
  reportProgress: (done: number) => void,
): Promise<void> {
  for (let round = 0; round < report.rounds; round++) {
    const name = `ingot ${round}`;
    const ingotId = await keys.write(name, {});
    const calls: (() => Promise<Patch | void>)[] = rivals(round).map(
      (key) => () => patch(keys, ingotId, key, report),
    );
    calls[round % RIVALS] = () => overwrite(keys, name);
    const ends = await Promise.all(calls.map((call) => call()));
    const patches = ends.filter((end) => end !== undefined);
    await judgeOverwritten(keys, ingotId, patches, report);
    reportProgress(round + 1);
  }
}

function rivals(round: number): string[] {
  return Array.from({ length: RIVALS }, (_, number) => `${round}-${number}`);
}

async function runMode(
  options: PatchRaceOptions,
  reportProgress: (line: string) => void,
): Promise<RaceOutcome> {
  const report = await runPatchRaces({
    ...options,
    onProgress: (done, { won, kills }) =>
      reportProgress(`${done} of ${options.count} rounds, ${won} won, ${kills} kills`),
  });
  const isAnswered = options.mode === 'killed' || report.lost === 0;
  return {
    summary: `${options.mode}: ${summaryOfPatches(report)}`,
    clean: isCleanPatches(report) && isAnswered,
  };
}

/** For `npm run races -- patches`: in peace, with overwritings, and disturbed. */
export const patchRace: Race = {
  countDefault: 200,
  async run(count, reportProgress) {
    const outcomes: RaceOutcome[] = [];
    for (const mode of ['calm', 'overwritten', 'killed'] as const)
      outcomes.push(await runMode({ count, mode }, reportProgress));
    return {
      summary: outcomes.map(({ summary }) => summary).join('; '),
      clean: outcomes.every(({ clean }) => clean),
    };
  },
};
