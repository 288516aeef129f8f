import { randomBytes } from 'node:crypto';
import { randomFrom } from '../../test/random.ts';
import { withTemporaryStack } from '../../stack/temporary-stack.ts';
import type { Race } from '../race.js';
import { byteString } from './byte-strings.js';
import { InProcessCli, type Ran } from './in-process-cli.js';

/** An API, its account, and what to try. */
export interface ByteRaceOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly count: number;
  readonly seed: number;
  readonly onProgress?: (report: ByteReport) => void;
}

/** What came back of the byte strings. */
export interface ByteReport {
  strings: number;
  equal: number;
  refused: number;
  /** Strings that came back changed, in hexadecimal digits, or whose second command failed. */
  readonly changed: string[];
}

/** The fields of `stack.json` that are used. */
interface Descriptor {
  readonly api_url: string;
  readonly account: { readonly api_key: string };
}

const WORKERS = 4;

/** Sends byte strings through the pairs of commands that store and return them: each comes back equal, or is refused. */
export async function runByteStrings({
  url,
  apiKey,
  count,
  seed,
  onProgress,
}: ByteRaceOptions): Promise<ByteReport> {
  const report: ByteReport = { strings: 0, equal: 0, refused: 0, changed: [] };
  let started = 0;
  const work = async () => {
    const cli = new InProcessCli(url, apiKey);
    const vault = `bytes-${randomBytes(6).toString('hex')}`;
    assertDone(await cli.run(['vault', 'create', vault, '--save']));
    try {
      while (started < count) {
        const bytes = byteString(randomFrom(seed + started++));
        await throughSecrets(cli, vault, bytes, report);
        await throughLink(cli, bytes, report);
        await throughVault(cli, vault, bytes, report);
        report.strings += 1;
        onProgress?.(report);
      }
    } finally {
      cli.remove();
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return report;
}

async function throughSecrets(
  cli: InProcessCli,
  vault: string,
  bytes: Buffer,
  report: ByteReport,
): Promise<void> {
  const stored = await cli.run(['secrets', 'set', vault, 'set', 'KEY', '--stdin', '--create'], bytes);
  const read = () => cli.run(['secrets', 'get', vault, 'set', 'KEY']);
  await compare({ what: 'secrets', bytes: withoutNewline(bytes), stored, read }, report);
}

/** A value of one line is stored without its newline, as the help says. */
function withoutNewline(bytes: Buffer): Buffer {
  const isLine = bytes.indexOf('\n') === bytes.length - 1;
  if (!isLine || bytes.length === 0) return bytes;
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1);
}

async function throughLink(cli: InProcessCli, bytes: Buffer, report: ByteReport): Promise<void> {
  const stored = await cli.run(['send'], bytes);
  const read = () => cli.run(['read', stored.stdout.toString().trim()]);
  await compare({ what: 'send', bytes, stored, read }, report);
}

async function throughVault(
  cli: InProcessCli,
  vault: string,
  bytes: Buffer,
  report: ByteReport,
): Promise<void> {
  const stored = await cli.run(['upload', vault, '-', '--name', 'bytes'], bytes);
  const read = () => cli.run(['download', vault, 'bytes', '--out', '-']);
  await compare({ what: 'upload', bytes, stored, read }, report);
}

interface Stored {
  readonly what: string;
  readonly bytes: Buffer;
  readonly stored: Ran;
  readonly read: () => Promise<Ran>;
}

async function compare({ what, bytes, stored, read }: Stored, report: ByteReport): Promise<void> {
  if (stored.code !== 0) {
    report.refused += 1;
    return;
  }
  const { code, stdout, stderr } = await read();
  if (code === 0 && stdout.equals(bytes)) report.equal += 1;
  else
    report.changed.push(
      `${what} of ${bytes.toString('hex')}: ${code === 0 ? stdout.toString('hex') : stderr}`,
    );
}

function assertDone({ code, stderr }: Ran): void {
  if (code !== 0) throw new Error(`A command ends with ${code}: ${stderr}`);
}

export function summaryOfBytes({ strings, equal, refused, changed }: ByteReport): string {
  return `${strings} byte strings: ${equal} came back equal, ${refused} were refused, ${changed.length} changed${changed.map((line) => `; ${line}`).join('')}`;
}

/** `npm run races -- bytes`. */
export const byteRace: Race = {
  countDefault: 10_000,
  async run(count, reportProgress, seed) {
    const onProgress = (now: ByteReport) => {
      if (now.strings % 500 === 0) reportProgress(summaryOfBytes(now));
    };
    const report = await withTemporaryStack((stack) => {
      const { api_url: url, account } = stack as Descriptor;
      return runByteStrings({ url, apiKey: account.api_key, count, seed, onProgress });
    });
    return { summary: `seed ${seed}, ${summaryOfBytes(report)}`, clean: report.changed.length === 0 };
  },
};
