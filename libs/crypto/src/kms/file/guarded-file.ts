import { open, type FileHandle } from 'node:fs/promises';
import { codeOf, ProviderFailure } from '../provider/provider.js';

const FILE_BYTES_MAX = 64 * 1_024;
/** Access of the group and of others. */
const NOT_OWNER = 0o077;
const OTHERS = 0o007;
const ROOT = 0;

/**
 * Reads a file that only this process' user, or root, may read and change.
 * @param isSystemdCredential whether systemd made the file: it gives the user access by an ACL, whose mask is where the mode has
 *   the rights of the group
 * @throws ProviderFailure: the file may be repaired while the service runs
 */
export async function readGuarded(path: string, isSystemdCredential = false): Promise<Buffer> {
  const file = await open(path).catch((error: unknown) => fail(codeOf(error)));
  try {
    await assertGuarded(file, isSystemdCredential ? OTHERS : NOT_OWNER);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** The opened file is examined, so that it cannot be exchanged in between. */
async function assertGuarded(file: FileHandle, forbidden: number): Promise<void> {
  const stat = await file.stat();
  if (!stat.isFile()) fail('NotAFile');
  if (stat.size > FILE_BYTES_MAX) fail('FileTooLong');
  if ((stat.mode & forbidden) !== 0) fail('FileModeTooOpen');
  if (stat.uid !== ROOT && stat.uid !== process.getuid?.()) fail('FileOfAnotherOwner');
}

function fail(reason: string): never {
  throw new ProviderFailure('transient', reason);
}
