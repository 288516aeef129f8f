import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { logFiles } from '@vaultsvc/transparency';
import { UsageError } from './usage.js';

/** `npm run audit -- files`: the paths below the address of the log, one for each line. */
export async function filesCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { entries: { type: 'boolean' } },
  });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new UsageError('files needs one checkpoint.');
  const [, size = ''] = (await readFile(path, 'utf8')).split('\n');
  if (!/^\d{1,15}$/.test(size)) throw new UsageError(`${path} is not a checkpoint.`);
  for (const { level, path: file } of logFiles(Number(size)))
    if (level === 'entries' || !values.entries) process.stdout.write(`${file}\n`);
  return 0;
}
