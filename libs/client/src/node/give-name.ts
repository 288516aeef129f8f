import { link, lstat, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileError } from './file-error.js';

/** A part and the path that it gets. */
interface Complete {
  readonly path: string;
  readonly target: string;
}

/** What the file systems without hard links answer. */
const WITHOUT_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Gives a part the name of its target, which is free or stays what it is. Then the part has no other name.
 * @param makeLink a replacement of `link`, for tests of file systems that have none
 * @throws FileError that names the part, in which the content stays
 */
export async function giveName({ path, target }: Complete, makeLink: typeof link = link): Promise<void> {
  try {
    await makeLink(path, target).catch((error: unknown) => moveWithoutLinks({ path, target }, error));
  } catch (error) {
    // The content may exist nowhere else.
    const why = (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'exists by now' : 'cannot be created';
    const message = `${target} ${why}. The content is in ${path}.`;
    throw new FileError('EXISTS', target, message, { cause: error }, path);
  }
  await syncFolder(dirname(target));
  await unlink(path).catch(() => undefined);
}

/** The name is taken by an empty file first, which fails if there is one; only that file is replaced. */
async function moveWithoutLinks({ path, target }: Complete, error: unknown): Promise<void> {
  if (!WITHOUT_LINKS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  const taken = await open(target, 'wx', 0o600);
  try {
    const [own, named] = [await taken.stat({ bigint: true }), await lstat(target, { bigint: true })];
    if (own.ino !== named.ino || own.dev !== named.dev || named.size > 0n) throw alreadyTaken(target);
  } finally {
    await taken.close();
  }
  await rename(path, target);
}

function alreadyTaken(target: string): Error {
  return Object.assign(new Error(`${target} was written to by another program.`), { code: 'EEXIST' });
}

/** So that the name outlives a loss of power. Windows opens no folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
