import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeVault } from '../../../libs/client/src/testing/fake-vault.js';
import { buildCli } from '../../build/cli.ts';
import { randomFrom } from '../../test/random.ts';
import type { Race } from '../race.js';
import { CliUser } from './cli-user.js';
import {
  killedWhileOpening,
  linkWithoutTarget,
  replacedMeanwhile,
  sameFileTwice,
  targetAppears,
  twoLinksOnePath,
} from './download-scenarios.js';
import { newFileReport, summaryOfFiles, type FileRaceReport } from './file-report.js';
import { FileRound } from './file-round.js';
import { rewrittenBetweenRuns, sourceRewritten } from './upload-scenarios.js';

/** What people do to a transfer, by the words of reports. */
const scenarios: Readonly<Record<string, (round: FileRound) => Promise<void>>> = {
  'same file twice': sameFileTwice,
  'two links one path': twoLinksOnePath,
  'replaced meanwhile': replacedMeanwhile,
  'target appears': targetAppears,
  'link without target': linkWithoutTarget,
  'killed while opening': killedWhileOpening,
  'source rewritten': sourceRewritten,
  'rewritten between runs': rewrittenBetweenRuns,
};

export interface FileRaceOptions {
  /** Rounds of each scenario. */
  readonly count: number;
  readonly seed: number;
  readonly onProgress?: (done: number, report: FileRaceReport) => void;
}

/**
 * Transfers by processes of the command line, which are killed at random, whose disk is full at random, and whose files change
 * at random, against an API and a Forge in memory. A seed repeats all choices; what the system makes of them varies.
 */
export async function runFileRaces({ count, seed, onProgress }: FileRaceOptions): Promise<FileRaceReport> {
  const program = join(tmpdir(), `file-races-${process.pid}.mjs`);
  await buildCli(program);
  const vault = await FakeVault.start();
  const user = await CliUser.make(program, vault.url);
  const report = newFileReport();
  const killMsMax = await usualMs(vault, user);
  try {
    for (let number = 0; number < count; number++)
      for (const [name, scenario] of Object.entries(scenarios)) {
        const random = randomFrom(seed + number);
        const round = new FileRound({ name: `${name} ${number}`, vault, user, random, report, killMsMax });
        await scenario(round);
        await rm(round.folder, { recursive: true });
        report.rounds += 1;
        onProgress?.(report.rounds, report);
      }
    return report;
  } finally {
    user.remove();
    await vault.stop();
    await rm(program, { force: true });
  }
}

/** How long a download takes with its delays, so that kills come at all of its moments on a machine of any speed. */
async function usualMs(vault: FakeVault, user: CliUser): Promise<number> {
  vault.store('a.bin', randomBytes(2_000_000));
  const start = performance.now();
  const { code, stderr } = await user.run([
    'download',
    'box',
    'a.bin',
    '--out',
    join(user.folder, 'first.bin'),
  ]);
  if (code !== 0) throw new Error(`A download without faults ends with ${code}: ${stderr}`);
  return 1.5 * (performance.now() - start);
}

/** `npm run races -- files`. */
export const fileRace: Race = {
  countDefault: 100,
  async run(count, reportProgress, seed) {
    const report = await runFileRaces({
      count,
      seed,
      onProgress: (done, now) => {
        if (done % 80 === 0) reportProgress(`${done} of ${count * 8}; ${summaryOfFiles(now)}`);
      },
    });
    return { summary: `seed ${seed}, ${summaryOfFiles(report)}`, clean: report.violations.length === 0 };
  },
};
