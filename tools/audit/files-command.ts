import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { UsageError } from '@vaultsvc/config/commands';
import { InvalidNote, logFiles, unverifiedCheckpoint } from '@vaultsvc/transparency';

/** `npm run audit -- files`: the paths below the address of the log, one for each line. */
export async function filesCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { entries: { type: 'boolean' } },
  });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new UsageError('files needs one checkpoint.');
  for (const { level, path: file } of logFiles(sizeOf(await readFile(path, 'utf8'))))
    if (level === 'entries' || !values.entries) process.stdout.write(`${file}\n`);
  return 0;
}

/** @throws UsageError */
function sizeOf(note: string): number {
  try {
    return unverifiedCheckpoint(note).size;
  } catch (error) {
    if (!(error instanceof InvalidNote)) throw error;
    throw new UsageError(`${error.message}.`);
  }
}
