import { newId } from '@vaultsvc/crypto/encoding';
import { startHarness, type Harness } from '@vaultsvc/testing/harness';
import { buildService, migrateService, startInstance } from './service-instances.ts';
import { injectInstanceFaults, type ServiceInstance } from './instance-faults.js';
import { StructuredConsistency } from './structured-consistency.js';
import { isCleanPatches, newPatchReport, summaryOfPatches, type PatchRaceReport } from './patch-report.js';
import { checkIngot, checkOverwrittenIngot, overwrite, patch, type Patch } from './patch-round.js';
import type { Race, RaceOutcome } from './race.js';
import { StructuredClient, retryWhileUnavailable } from './structured-client.js';

export { isCleanPatches, summaryOfPatches } from './patch-report.js';

export interface PatchRaceOptions {
  /** Rounds of twenty concurrent calls. */
  readonly count: number;
  /**
   * `undisturbed`: without faults, versions rise by exactly the answers of 200. `overwritten`: the same, and one of the
   * twenty calls overwrites the ingot. `faults`: instances are killed and paused.
   */
  readonly mode: 'undisturbed' | 'overwritten' | 'faults';
  /** Called after some of the rounds with their number. */
  readonly onProgress?: (done: number, report: PatchRaceReport) => void;
}

const INSTANCES = 3;
const CALLS_PER_ROUND = 20;
const ROUNDS_PER_INGOT = 20;
const CALL_SECONDS = 3;
/** Rounds are short, so instances are killed as soon as they have restarted. */
const KILL_EVERY_MS = 400;
const UNDISTURBED_CALL_SECONDS = 15;

/**
 * Twenty concurrent calls change a structured ingot, over three processes of vaults. Each writes a key of its own and one
 * shared key. In the end the ingot has exactly the keys of the winners, and as many versions as there were changes.
 */
export async function runPatchRaces(options: PatchRaceOptions): Promise<PatchRaceReport> {
  const harness = await startHarness();
  const instances: ServiceInstance[] = [];
  try {
    await startInstances(harness, 'vaults', INSTANCES, instances);
    const vaults = [...instances];
    await startInstances(harness, 'sparks', 1, instances); // reads values back, without faults
    return await race(harness, vaults, options);
  } finally {
    await Promise.all(instances.map((instance) => instance.kill()));
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

/** Runs the rounds, and compares the tables afterwards. */
async function race(
  harness: Harness,
  instances: readonly ServiceInstance[],
  options: PatchRaceOptions,
): Promise<PatchRaceReport> {
  const { databaseUrl } = await harness.schema('vaults');
  const consistency = await StructuredConsistency.open(databaseUrl);
  try {
    const callSeconds = options.mode === 'faults' ? CALL_SECONDS : UNDISTURBED_CALL_SECONDS;
    const keys = await StructuredClient.open({ bus: harness.bus, callSeconds });
    const report = await runRounds(keys, instances, consistency, options);
    await consistency.settle();
    report.deviations.push(
      ...(await consistency.deviations(keys.vaultId, report.won + report.lostButCommitted)),
    );
    return report;
  } finally {
    await consistency.close();
  }
}

async function runRounds(
  keys: StructuredClient,
  instances: readonly ServiceInstance[],
  consistency: StructuredConsistency,
  { count, mode, onProgress }: PatchRaceOptions,
): Promise<PatchRaceReport> {
  const report = newPatchReport(count);
  const stop = new AbortController();
  const faults =
    mode === 'faults' ? injectInstanceFaults(instances, report, stop.signal, KILL_EVERY_MS) : undefined;
  const reportProgress = (done: number) => done % 20 === 0 && onProgress?.(done, report);
  const changed: Changed[] = [];
  try {
    if (mode === 'overwritten') await overwriteEach(keys, report, reportProgress);
    else changed.push(...(await changeEach(keys, report, reportProgress)));
  } finally {
    stop.abort();
    await faults;
  }
  if (mode === 'faults') await restartAll(instances);
  await consistency.settle();
  for (const { ingotId, patches } of changed) await checkIngot(keys, ingotId, patches, report);
  return report;
}

/** Ends calls that an instance still handles after their deadline. */
async function restartAll(instances: readonly ServiceInstance[]): Promise<void> {
  await Promise.all(instances.map((instance) => instance.kill()));
  await Promise.all(instances.map((instance) => instance.start()));
}

/** An ingot, and all calls that tried to change it since its creation. */
interface Changed {
  readonly ingotId: string;
  readonly patches: readonly Patch[];
}

/** Runs twenty rounds for each ingot. The caller compares the ingots with the answers in the end. */
async function changeEach(
  keys: StructuredClient,
  report: PatchRaceReport,
  reportProgress: (done: number) => void,
): Promise<Changed[]> {
  const changed: Changed[] = [];
  for (let started = 0; started < report.rounds; started += ROUNDS_PER_INGOT) {
    // Each attempt uses a new name, because an attempt that commits late would overwrite the next one.
    const ingotId = await retryWhileUnavailable(() => keys.write(newId('ingot_'), {}));
    const patches: Patch[] = [];
    for (let round = started; round < Math.min(started + ROUNDS_PER_INGOT, report.rounds); round++) {
      patches.push(
        ...(await Promise.all(keysOfRound(round).map((key) => patch(keys, ingotId, key, report)))),
      );
      reportProgress(round + 1);
    }
    changed.push({ ingotId, patches });
  }
  return changed;
}

/** Runs one round for each ingot, which starts at version 1. One of its calls overwrites it, which resets the version. */
async function overwriteEach(
  keys: StructuredClient,
  report: PatchRaceReport,
  reportProgress: (done: number) => void,
): Promise<void> {
  for (let round = 0; round < report.rounds; round++) {
    const name = `ingot ${round}`;
    const ingotId = await keys.write(name, {});
    const calls: (() => Promise<Patch | void>)[] = keysOfRound(round).map(
      (key) => () => patch(keys, ingotId, key, report),
    );
    calls[round % CALLS_PER_ROUND] = () => overwrite(keys, name);
    const results = await Promise.all(calls.map((call) => call()));
    const patches = results.filter((result) => result !== undefined);
    await checkOverwrittenIngot(keys, ingotId, patches, report);
    reportProgress(round + 1);
  }
}

function keysOfRound(round: number): string[] {
  return Array.from({ length: CALLS_PER_ROUND }, (_, number) => `${round}-${number}`);
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
  const hasAllAnswers = options.mode === 'faults' || report.lost === 0;
  return {
    summary: `${options.mode}: ${summaryOfPatches(report)}`,
    clean: isCleanPatches(report) && hasAllAnswers,
  };
}

/** `npm run races -- patches`: without faults, with overwrites, and with faults. */
export const patchRace: Race = {
  countDefault: 200,
  async run(count, reportProgress) {
    const outcomes: RaceOutcome[] = [];
    for (const mode of ['undisturbed', 'overwritten', 'faults'] as const)
      outcomes.push(await runMode({ count, mode }, reportProgress));
    return {
      summary: outcomes.map(({ summary }) => summary).join('; '),
      clean: outcomes.every(({ clean }) => clean),
    };
  },
};
