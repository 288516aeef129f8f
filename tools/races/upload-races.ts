import { eventually } from '@vaultsvc/testing/waiting';
import { startTemporaryStack, type TemporaryStack } from '../stack/temporary-stack.ts';
import type { Race } from './race.js';
import { newContent, UploadScenario } from './upload-scenario.js';
import { RetryingVaultClient } from './retrying-vault-client.js';
import { killProcess, injectStackFaults } from './stack-faults.js';
import { UploadFiguresReader, type UploadFigures } from './upload-figures.js';
import { isCleanUpload, newReport, summaryOfUploads, type UploadRaceReport } from './upload-report.js';

export { isCleanUpload, summaryOfUploads } from './upload-report.js';

export interface UploadRaceOptions {
  readonly count: number;
  /** Called after each upload. */
  readonly onProgress?: (done: number, report: UploadRaceReport) => void;
}

/** The fields of `stack.json` that the race uses. */
interface Descriptor {
  readonly api_url: string;
  readonly postgres_url: string;
  readonly objects_dir: string;
  readonly account: { readonly api_key: string };
}

const WORKERS = 4;
const VICTIMS: readonly string[] = ['forge', 'vaults', 'postgres', 'nats'];
const SETTLE_SECONDS = 180;
const SWEPT_SECONDS = 90;

/**
 * Uploads contents of one to three chunks by tus-js-client to a temporary stack whose Forge, vaults, PostgreSQL and NATS
 * are killed at random moments. Some uploads are cancelled, superseded, replaced or deleted. After cleanup, the figures
 * of all services must agree to the byte.
 */
export async function runUploadRaces({ count, onProgress }: UploadRaceOptions): Promise<UploadRaceReport> {
  const stack = await startTemporaryStack();
  try {
    return await race(stack, count, onProgress);
  } finally {
    await stack.stop();
  }
}

async function race(
  stack: TemporaryStack,
  count: number,
  onProgress: UploadRaceOptions['onProgress'],
): Promise<UploadRaceReport> {
  const report = newReport(count);
  const { api_url, account } = stack.descriptor() as Descriptor;
  const vault = await RetryingVaultClient.open(api_url, account.api_key);
  const stop = new AbortController();
  const faults = injectStackFaults({
    stack,
    victims: VICTIMS,
    kills: report.kills,
    progress: () => report.done,
    signal: stop.signal,
  });
  const uploads: UploadScenario[] = [];
  const checks: (() => Promise<void>)[] = [];
  let started = 0;
  let done = 0;
  const work = async () => {
    while (started < count) {
      const number = started++;
      const upload = new UploadScenario(vault, report);
      uploads.push(upload);
      const check = await runScenario(upload, number);
      if (check) checks.push(check);
      onProgress?.(++done, report);
    }
  };
  try {
    await Promise.all(Array.from({ length: WORKERS }, work));
  } finally {
    stop.abort();
    await faults;
  }
  for (const check of checks) await check();
  const stored = uploads.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  report.deviations.push(...(await settle(stack, stored)));
  return report;
}

/** Runs the scenario of this number. Returns the check to repeat after the race, if any. */
function runScenario(upload: UploadScenario, number: number): Promise<void | (() => Promise<void>)> {
  const content = newContent((number % 3) + 1);
  switch (number % 10) {
    case 3:
      return upload.cancel(newContent(2));
    case 5:
      return upload.supersede(newContent(2), content);
    case 7:
      return upload.replace(newContent(1), content);
    case 9:
      return upload.delete(content);
    default:
      return upload.upload(content);
  }
}

/** Waits for the events, then for a sweep, and returns the figures that deviate. */
async function settle(stack: TemporaryStack, stored: number): Promise<string[]> {
  const reader = await UploadFiguresReader.open(stack.descriptor() as Descriptor);
  try {
    await eventually(
      () => reader.read(),
      ({ unsentEvents, openUploads }) => unsentEvents + openUploads === 0,
      SETTLE_SECONDS,
    );
    // A second attempt, because the first kill may interrupt a sweep, whose lease then lasts five minutes.
    for (let attempt = 0; attempt < 2; attempt++) if (await isSwept(stack, reader, stored)) return [];
    return deviationsIn(await reader.read(), stored);
  } finally {
    await reader.close();
  }
}

/** Restarts the services, which run their jobs at start. False when the figures still deviate after 90 seconds. */
async function isSwept(stack: TemporaryStack, reader: UploadFiguresReader, stored: number): Promise<boolean> {
  await reader.makeCleanupDue();
  for (const service of ['forge', 'reporting'] as const) killProcess(stack, service);
  const isRight = (now: UploadFigures) => deviationsIn(now, stored).length === 0;
  const swept = eventually(() => reader.read(), isRight, SWEPT_SECONDS);
  return swept.then(
    () => true,
    () => false,
  );
}

function deviationsIn(figures: UploadFigures, stored: number): string[] {
  const expected: Partial<UploadFigures> = {
    storageUsed: stored,
    storageReserved: 0,
    ledgerStorage: stored,
    vaultStorage: stored,
    ingotBytes: stored,
    pendingVersions: 0,
    openUploads: 0,
    openReservations: 0,
    unsentEvents: 0,
    deadLetters: 0,
    orphanedObjects: 0,
    missingObjects: 0,
  };
  return Object.entries(expected)
    .map(([name, figure]) => ({ name, figure, found: figures[name as keyof UploadFigures] }))
    .filter(({ figure, found }) => figure !== found)
    .map(({ name, figure, found }) => `${name} is ${found} and should be ${figure}`);
}

/** `npm run races -- uploads`. */
export const uploadRace: Race = {
  countDefault: 100,
  async run(count, reportProgress) {
    const report = await runUploadRaces({
      count,
      onProgress: (done, now) => {
        if (done % 5 === 0) reportProgress(`${done} of ${count}; ${summaryOfUploads(now)}`);
      },
    });
    return { summary: summaryOfUploads(report), clean: isCleanUpload(report) };
  },
};
