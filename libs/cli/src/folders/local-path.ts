import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../failures.js';

/** Names that Windows gives to devices, whatever their extension. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;
const WINDOWS_CHARACTERS = /[<>:"|?*]|[. ]$/;
/** Bytes of a name on the file systems of Linux and macOS. */
const NAME_BYTES_MAX = 255;

/**
 * The names from the root of a download to a file of a vault. Each must be one name on this system, so that nothing is written
 * outside of the root or under another name.
 * @throws CliError
 */
export function localNames(
  folder: string,
  name: string,
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  const names = [...(folder === '' ? [] : folder.split('/')), name];
  for (const one of names) assertUsable(one, platform);
  return names;
}

function assertUsable(name: string, platform: NodeJS.Platform): void {
  const problem = problemOf(name, platform);
  if (problem !== undefined) throw new CliError(`has a name that ${problem}. Download it with --out`);
}

function problemOf(name: string, platform: NodeJS.Platform): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'means a folder';
  if (/[/\\]/.test(name)) return 'has a slash or backslash';
  if (/[\p{Cc}]/u.test(name)) return 'has control characters';
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) return 'is too long for a file';
  if (platform !== 'win32') return undefined;
  return DEVICES.test(name) || WINDOWS_CHARACTERS.test(name) ? 'Windows reserves' : undefined;
}

/**
 * Creates the folders of a file below a root, and returns its path.
 * @throws CliError if one of them is a symbolic link, which may lead out of the root, or no folder
 */
export async function preparePath(root: string, names: readonly string[]): Promise<string> {
  let path = root;
  for (const name of names.slice(0, -1)) {
    path = join(path, name);
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if (!(await lstat(path)).isDirectory()) throw new CliError(`cannot be saved: ${path} is no folder`);
  }
  return join(path, names.at(-1) ?? '');
}
