import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '@vaultsvc/config/commands';
import {
  appendLeaves,
  EMPTY_ROOT,
  signCheckpoint,
  writeExport,
  type NoteSigner,
  type TreeHead,
} from '@vaultsvc/transparency';
import { tilesIn } from '@vaultsvc/cli/audit';
import { SampleAccount } from './sample-account.js';

const HOURS = 24;
const ENTRIES_PER_HOUR = 4;

/** `npm run audit -- sample`: a log of one day with `--heads` leaves, and the export of one account. */
export async function sampleCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { heads: { type: 'string', default: '1000' } },
  });
  const [folder, ...others] = positionals;
  const heads = Number(values.heads);
  if (folder === undefined || others.length > 0) throw new UsageError('sample needs one folder.');
  if (!Number.isSafeInteger(heads) || heads < 1 || heads > 1_000_000)
    throw new UsageError('--heads is a number from 1 to 1000000.');
  await mkdir(folder); // fails for a folder that exists, whose files it could mix with
  const account = new SampleAccount();
  const { older, latest } = await writeLog(folder, heads, account);
  await writeFile(join(folder, 'export.jsonl'), await exported(folder, account, older.size, latest));
  process.stdout.write(
    `Written to ${folder}: a log of size ${latest.head.size}, older-checkpoint of size ${older.size}.\n`,
  );
  return 0;
}

/** Writes the log hour by hour, and its checkpoint half-way as `older-checkpoint`. */
async function writeLog(folder: string, heads: number, account: SampleAccount) {
  const hours = Math.min(HOURS, heads);
  let head: TreeHead = { size: 0, root: EMPTY_ROOT };
  let older = head;
  let note = '';
  for (let hour = 0; hour < hours; hour += 1) {
    const end = Math.floor((heads * (hour + 1)) / hours);
    const leaves = account.addHour(hour, ENTRIES_PER_HOUR, head.size, end - head.size);
    const { files, ...grown } = await appendLeaves(head.size, leaves, tilesIn(folder));
    for (const { path, bytes } of files) await writeIn(folder, path, bytes);
    head = grown;
    note = checkpointOf(head, account.signer);
    if (hour > Math.floor((hours - 1) / 2)) continue;
    older = head;
    await writeIn(folder, 'older-checkpoint', note);
  }
  await writeIn(folder, 'checkpoint', note);
  await writeIn(folder, 'key', `${account.signer.key.toString()}\n`);
  return { older, latest: { note, head } };
}

async function exported(
  folder: string,
  account: SampleAccount,
  fromSize: number,
  { note, head }: { note: string; head: TreeHead },
): Promise<string> {
  const checkpoint = { note, size: head.size };
  const lines = writeExport({ ...account.exportSource(), checkpoint, fromSize, read: tilesIn(folder) });
  let text = '';
  for await (const line of lines) text += `${line}\n`;
  return text;
}

async function writeIn(folder: string, path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

function checkpointOf(head: TreeHead, signer: NoteSigner): string {
  return signCheckpoint({ origin: signer.key.name, ...head }, [signer]);
}
