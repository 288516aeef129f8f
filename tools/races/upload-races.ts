import { eventually } from '@vaultsvc/testing/waiting';
import { startTemporaryStack, type TemporaryStack } from '../stack/temporary-stack.mjs';
import type { Race } from './race.js';
import { newContent, UploadScenario } from './upload-scenario.js';
import { RetryingVaultClient } from './retrying-vault-client.js';
import { killProcess, unrest, type Victim } from './stack-faults.js';
import { UploadReconciliation, type Books } from './upload-reconciliation.js';
import { isCleanUpload, newReport, summaryOfUploads, type UploadRaceReport } from './upload-report.js';

export { isCleanUpload, summaryOfUploads } from './upload-report.js';

export interface UploadRaceOptions {
  readonly count: number;
  /** Called after each upload. */
  readonly onProgress?: (done: number, report: UploadRaceReport) => void;
}

/** As far as the race needs the descriptor of a stack. */
interface Descriptor {
  readonly api_url: string;
  readonly postgres_url: string;
  readonly objects_dir: string;
  readonly account: { readonly api_key: string };
}

const WORKERS = 4;
const VICTIMS: readonly Victim[] = ['forge', 'vaults', 'postgres', 'nats'];
const SETTLE_SECONDS = 180;
const SWEPT_SECONDS = 90;

/**
 * Uploads of one to three chunks by tus-js-client to a stack of its own, whose Forge, vaults, PostgreSQL and NATS are
 * killed at random moments. Some are cancelled, superseded, replaced or deleted. When it is quiet again, the books of
 * all services must agree to the byte.
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
  const calm = new AbortController();
  const disturbance = unrest({
    stack,
    victims: VICTIMS,
    kills: report.kills,
    progress: () => report.done,
    signal: calm.signal,
  });
  const uploads: UploadScenario[] = [];
  const stays: (() => Promise<void>)[] = [];
  let begun = 0;
  let done = 0;
  const lane = async () => {
    while (begun < count) {
      const number = begun++;
      const upload = new UploadScenario(vault, report);
      uploads.push(upload);
      const stay = await live(upload, number);
      if (stay) stays.push(stay);
      onProgress?.(++done, report);
    }
  };
  try {
    await Promise.all(Array.from({ length: WORKERS }, lane));
  } finally {
    calm.abort();
    await disturbance;
  }
  for (const stay of stays) await stay();
  const stored = uploads.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  report.deviations.push(...(await settle(stack, stored)));
  return report;
}

/** What becomes of the upload of this number. Gives what must still hold in the end, if anything. */
function live(upload: UploadScenario, number: number): Promise<void | (() => Promise<void>)> {
  const content = newContent((number % 3) + 1);
  switch (number % 10) {
    case 3:
      return upload.cancelled(newContent(2));
    case 5:
      return upload.superseded(newContent(2), content);
    case 7:
      return upload.replaced(newContent(1), content);
    case 9:
      return upload.deleted(content);
    default:
      return upload.plain(content);
  }
}

/** Waits for the events, then for a sweep, and gives what is not as it should be. */
async function settle(stack: TemporaryStack, stored: number): Promise<string[]> {
  const books = await UploadReconciliation.open(stack.descriptor() as Descriptor);
  try {
    await eventually(
      () => books.read(),
      ({ unsentEvents, openUploads }) => unsentEvents + openUploads === 0,
      SETTLE_SECONDS,
    );
    // Again, because the first kill may meet a sweep at work, which is then left alone for five minutes.
    for (let attempt = 0; attempt < 2; attempt++) if (await isSwept(stack, books, stored)) return [];
    return deviationsIn(await books.read(), stored);
  } finally {
    await books.close();
  }
}

/** Has the jobs run, as they do when their services start. False: the books are not right in time. */
async function isSwept(stack: TemporaryStack, books: UploadReconciliation, stored: number): Promise<boolean> {
  await books.age();
  for (const service of ['forge', 'reporting'] as const) killProcess(stack, service);
  const isRight = (now: Books) => deviationsIn(now, stored).length === 0;
  const swept = eventually(() => books.read(), isRight, SWEPT_SECONDS);
  return swept.then(
    () => true,
    () => false,
  );
}

function deviationsIn(books: Books, stored: number): string[] {
  const expected: Partial<Books> = {
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
    strays: 0,
    missing: 0,
  };
  return Object.entries(expected)
    .map(([name, figure]) => ({ name, figure, found: books[name as keyof Books] }))
    .filter(({ figure, found }) => figure !== found)
    .map(({ name, figure, found }) => `${name} is ${found} and should be ${figure}`);
}

/** For `npm run races -- uploads`. */
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
