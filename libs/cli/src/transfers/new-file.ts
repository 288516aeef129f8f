import { basename, resolve } from 'node:path';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../failures.js';

export { NewFile } from '@vaultsvc/client/node';

/** The path of a file that is to be written: that of --out, or the file's own name in this folder. */
export function newFilePath(name: string, out: string | undefined): string {
  if (out !== undefined) return resolve(out);
  // Names of ingots may contain slashes. A name that comes from others must not leave the folder.
  const base = basename(name.replaceAll('\\', '/'));
  if (base === '' || base === '.' || base === '..' || /\p{Cc}/u.test(base))
    throw new CliError('The file has a name that cannot be used here. Choose one with --out.');
  return resolve(base);
}

/** Says after a failure that nothing is lost: who fears for a secret that is read once tries nothing again. */
export async function beforeOpening<T>({ output }: CliContext, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    output.note('Nothing was opened: the secret can still be read.');
    throw error;
  }
}
